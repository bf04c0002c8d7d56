#include "tact/io/gzip.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tact {
namespace {

std::string long_text() {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 100003) + "\n";
  return text;
}

TEST(Gzip, ComesBackAsItWas) {
  const std::string text = long_text();
  for (const std::string& bytes : {std::string(), std::string("a"), text}) {
    const std::string packed = gzip(bytes);
    EXPECT_TRUE(is_gzip(packed));
    EXPECT_EQ(packed, gzip(bytes));
    const auto again = gunzip(packed, "f");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, bytes);
  }
  EXPECT_EQ(*gunzip(gzip("ab") + gzip("cd"), "f"), "abcd");
  EXPECT_FALSE(is_gzip("fcp 1"));
}

TEST(Gzip, SaysWhereTheDataEndsOrIsDamaged) {
  const std::string packed = gzip(long_text());
  for (std::size_t cut = 0; cut < packed.size(); cut += packed.size() / 97 + 1) {
    const auto bytes = gunzip(packed.substr(0, cut), "f.gz");
    ASSERT_FALSE(bytes) << cut;
    EXPECT_TRUE(bytes.error().message.starts_with("f.gz: the compressed data ends early, after"));
  }
  std::string damaged = packed;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  const auto bytes = gunzip(damaged, "f.gz");
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message.find("is damaged near byte "), std::string::npos);
  EXPECT_FALSE(gunzip(packed + "tail", "f.gz"));
}

TEST(Gzip, DoesNotFillTheMemory) {
  // 512 MiB of zeros, in 32 parts of 16.
  const std::string part = gzip(std::string(std::size_t{1} << 24, '\0'));
  std::string bomb;
  for (int i = 0; i < 32; ++i) bomb += part;
  const auto bytes = gunzip(bomb, "f.gz");
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message.find("more than 256 MiB"), std::string::npos);
}

}  // namespace
}  // namespace tact
