#include "tact/io/viewer_page.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(ViewerPage, TheMarkerIsReplacedOnce) {
  const auto page = page_with_recording("<body><!--tact-data--><p></body>", "foobar");
  ASSERT_TRUE(page);
  EXPECT_EQ(*page,
            "<body><script type=\"text/plain\" id=\"tact-recording\">Zm9vYmFy</script><p></body>");
  const auto live = live_page("a<!--tact-data-->b");
  ASSERT_TRUE(live);
  EXPECT_EQ(*live,
            "a<script type=\"application/json\" id=\"tact-live\">{\"socket\": \"live\"}</script>b");
}

TEST(ViewerPage, APageWithoutTheMarkerIsRefused) {
  EXPECT_FALSE(live_page("<body></body>"));
  EXPECT_FALSE(live_page("<!--tact-data--><!--tact-data-->"));
}

}  // namespace
}  // namespace tact
