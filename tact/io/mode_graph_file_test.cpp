// The lattice of modes in three formats: what is written can be read back.
#include "tact/io/mode_graph_file.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tact {
namespace {

/// A wheel on a line that may roll on, slip or lift off: [v_x, v_y, ω].
ModeGraph wheel() {
  ModeSystem system;
  VecX normal(3);
  normal << 0, 1, 0;
  MatX tangent(1, 3);
  tangent << 1, 0, 1;
  add_contact(system, normal, tangent);
  return *mode_graph(system);
}

Index occurrences(const std::string& text, std::string_view what) {
  Index count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

/// Elements are closed in the order they were opened, and no text holds a bare mark.
void expect_well_formed(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] != '<') {
      ASSERT_NE(xml[at], '>');
      if (xml[at] == '&') {
        ASSERT_LT(xml.find(';', at) - at, 6U);
      }
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string_view::npos);
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    ASSERT_EQ(tag.find('<'), std::string_view::npos);
    ASSERT_EQ(std::ranges::count(tag, '"') % 2, 0);
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.front() != '?' && tag.back() != '/') {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  EXPECT_TRUE(open.empty());
}

TEST(ModeGraphFile, JsonReadsBack) {
  const ModeGraph graph = wheel();
  ASSERT_EQ(graph.nodes.size(), 4U);
  const auto json = nlohmann::json::parse(mode_graph_json(graph, "a \"wheel\"\n\\"));
  EXPECT_EQ(json["format"], "tact-mode-graph/1");
  EXPECT_EQ(json["name"], "a \"wheel\"\n\\");
  EXPECT_EQ(json["tangents"], nlohmann::json::parse("[1]"));
  EXPECT_EQ(json["by_dim"], nlohmann::json::parse(R"({"1": 1, "2": 2, "3": 1})"));
  ASSERT_EQ(json["nodes"].size(), graph.nodes.size());
  for (std::size_t m = 0; m < graph.nodes.size(); ++m) {
    EXPECT_EQ(json["nodes"][m]["cs"], graph.nodes[m].cs);
    EXPECT_EQ(json["nodes"][m]["ss"], graph.nodes[m].ss);
    EXPECT_EQ(json["nodes"][m]["dim"], graph.nodes[m].dim);
  }
  // Flying ends at slipping either way, and slipping at rolling.
  EXPECT_EQ(json["edges"], nlohmann::json::parse("[[0, 1], [0, 2], [1, 3], [2, 3]]"));
}

TEST(ModeGraphFile, JsonOfOneModeReadsBack) {
  ModeSystem none;
  none.rows.resize(0, 2);
  const auto json = nlohmann::json::parse(mode_graph_json(*mode_graph(none), "none"));
  EXPECT_EQ(json["nodes"].size(), 1U);
  EXPECT_TRUE(json["edges"].empty());
  EXPECT_EQ(json["by_dim"], nlohmann::json::parse(R"({"2": 1})"));
}

TEST(ModeGraphFile, GraphMlIsWellFormedWhateverTheName) {
  const ModeGraph graph = wheel();
  const std::string xml = mode_graph_graphml(graph, "a < b & \"c\" > \x01");
  expect_well_formed(xml);
  EXPECT_EQ(occurrences(xml, "<node "), 4);
  EXPECT_EQ(occurrences(xml, "<edge "), graph.edges());
  EXPECT_NE(xml.find("a &lt; b &amp; &quot;c&quot; &gt;  </data>"), std::string::npos);
  EXPECT_NE(xml.find(R"(<data key="cs">+</data><data key="ss"></data><data key="dim">3</data>)"),
            std::string::npos);
}

TEST(ModeGraphFile, DotHasOneRankPerDimension) {
  const ModeGraph graph = wheel();
  const std::string dot = mode_graph_dot(graph, "a \"wheel\"");
  EXPECT_TRUE(dot.starts_with("digraph \"a \\\"wheel\\\"\" {"));
  EXPECT_EQ(occurrences(dot, "rank=same"), 3);
  EXPECT_EQ(occurrences(dot, " -> "), graph.edges());
  EXPECT_EQ(occurrences(dot, "[label="), 4);
  EXPECT_NE(dot.find("n1 [label=\"0 | +\"]"), std::string::npos);
  EXPECT_EQ(occurrences(dot, "{"), occurrences(dot, "}"));
}

}  // namespace
}  // namespace tact
