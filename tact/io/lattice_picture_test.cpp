// Pictures of the lattice of modes: what is in them. How they look is looked at.
#include "tact/io/lattice_picture.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

/// Points of a plane body on a line, each with one tangent: [v_x, v_y, ω].
ModeSystem points_on_a_line(int count) {
  ModeSystem system;
  for (int k = 0; k < count; ++k) {
    VecX normal(3);
    normal << 0, 1, k;
    MatX tangent(1, 3);
    tangent << 1, 0, 0;
    add_contact(system, normal, tangent);
  }
  return system;
}

Index occurrences(const std::string& text, std::string_view what) {
  Index count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(LatticePicture, EveryModeIsADotWithItsStrings) {
  const ModeGraph graph = *mode_graph(points_on_a_line(2));
  const std::string svg = lattice_picture(graph, "a < b");
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_EQ(occurrences(svg, "class=\"mode "), static_cast<Index>(graph.nodes.size()));
  for (const ModeNode& node : graph.nodes)
    EXPECT_NE(svg.find(node.ss.empty() ? "<title>" + node.cs + "," : node.cs + " | " + node.ss),
              std::string::npos);
  EXPECT_EQ(occurrences(svg, "L") - occurrences(svg, "Lo"), graph.edges());
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_EQ(svg.find("a < b"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_EQ(svg, lattice_picture(graph, "a < b"));
}

TEST(LatticePicture, ManyEdgesAreLeftOutAndManyModesBecomeBars) {
  const ModeGraph graph = *mode_graph(points_on_a_line(2));
  const std::string bare = lattice_picture(graph, "bare", {.edges = 3});
  EXPECT_EQ(occurrences(bare, "<path"), 0);
  EXPECT_EQ(bare.find("from modes down"), std::string::npos);
  const std::string bars = lattice_picture(graph, "bars", {.nodes = 2});
  EXPECT_EQ(occurrences(bars, "class=\"mode "), 0);
  // Layers: free; one of the two, sliding either way; the same sticking, and both sliding; rest.
  EXPECT_EQ(graph.by_dim, (std::vector<Index>{1, 4, 4, 1}));
  EXPECT_NE(bars.find("4 modes with 1 separating"), std::string::npos);
}

TEST(LatticePicture, LayersFromCountsAlone) {
  const ModeCounts counts = *count_modes(points_on_a_line(30));
  const std::string svg = layers_picture(counts, "thirty points");
  EXPECT_NE(svg.find(to_string(counts.full) + " modes by"), std::string::npos);
  EXPECT_NE(svg.find("dimension 3"), std::string::npos);
  EXPECT_EQ(svg.find("separate"), svg.find("separate{"));  // no legend where nothing is told apart
}

TEST(LatticePage, NeedsNothingElse) {
  const ModeGraph graph = *mode_graph(points_on_a_line(2));
  const std::string page = lattice_page(graph, "two & three");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("href"), std::string::npos);
  EXPECT_NE(page.find("two &amp; three"), std::string::npos);
  EXPECT_NE(page.find("<script>"), std::string::npos);
  EXPECT_EQ(lattice_page(graph, "bars", {.nodes = 1}).find("<script>"), std::string::npos);
}

TEST(LatticePage, ASystemWithoutContacts) {
  ModeSystem none;
  none.rows.resize(0, 0);
  const ModeGraph graph = *mode_graph(none);
  EXPECT_NE(lattice_page(graph, "nothing").find("1 mode of 0 contacts"), std::string::npos);
  EXPECT_NE(layers_picture(*count_modes(none), "nothing").find("dimension 0"), std::string::npos);
}

}  // namespace
}  // namespace tact
