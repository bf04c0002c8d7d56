#include "tact/io/all_solutions_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/io/exact_entries.hpp"
#include "tact/io/text_table.hpp"

namespace tact {
namespace {

using Json = nlohmann::json;

/// One planar contact, u = G λ + b; see the rod of solve/all_solutions_test.cpp.
ContactProblem rod(double slip, double lift, double mu) {
  ContactProblem p;
  p.name = "rod";
  p.contacts.resize(1);
  p.contacts[0].name = "tip";
  p.contacts[0].law = CoulombLaw{mu, true};
  MatX G(2, 2);
  G << 73, 36, 36, 52;
  p.delassus = sparse(G);
  p.free_velocity = Eigen::Vector2d(slip, lift);
  return p;
}

TEST(AllSolutionsReport, CountsAndProves) {
  const ContactProblem p = rod(250, 25, 2);
  const AllSolutions all = *all_solutions(p);
  EXPECT_TRUE(all_solutions_verdict(all).starts_with("3 solutions, and no others (proved by "));
  const std::string table = all_solutions_table(p, all, {true, false, 0});
  for (const char* word : {"rod", "solution 1", "solution 3", "tip", "separate", "slide", "stick",
                           "−4.84 2.87", "checked"})
    EXPECT_NE(table.find(word), std::string::npos) << word;

  const Json out = Json::parse(all_solutions_json(p, all, {true, true, 0}));
  EXPECT_EQ(out["status"], "complete");
  EXPECT_EQ(out["solutions"], 3);
  ASSERT_EQ(out["pieces"].size(), 3U);
  EXPECT_EQ(out["proof"]["certificates"], all.certificates);
  EXPECT_EQ(out["proof"]["tree"].size(), all.proof.size());
  EXPECT_EQ(out["pieces"][0]["labels"][0], "separate");
  EXPECT_FALSE(out.contains("undecided"));
  EXPECT_FALSE(out["pieces"][0].contains("velocity"));  // no mass, no u⁺
  EXPECT_FALSE(Json::parse(all_solutions_json(p, all, {}))["proof"].contains("tree"));
}

TEST(AllSolutionsReport, Verdicts) {
  EXPECT_TRUE(all_solutions_verdict(*all_solutions(rod(250, 25, 1)))
                  .starts_with("exactly one solution (proved by "));
  ContactProblem paradox = rod(0, -1, 0);
  paradox.contacts[0].law = Frictionless{};
  paradox.delassus = sparse(MatX::Constant(1, 1, -1));
  paradox.free_velocity = VecX::Constant(1, -1);
  const AllSolutions none = *all_solutions(paradox);
  EXPECT_EQ(all_solutions_verdict(none), "no solution (proved by 1 certificate)");
  EXPECT_NE(all_solutions_table(paradox, none, {}).find("NOT ACCEPTED"), std::string::npos);
  // 0 <= λ ⟂ 0 >= 0: a ray of impulses.
  paradox.delassus = sparse(MatX::Zero(1, 1));
  paradox.free_velocity = VecX::Zero(1);
  const AllSolutions ray = *all_solutions(paradox);
  EXPECT_NE(all_solutions_verdict(ray).find("its impulses have 1 free direction"),
            std::string::npos);
  EXPECT_NE(all_solutions_table(paradox, ray, {}).find("[0, ∞]"), std::string::npos);
  const Json out = Json::parse(all_solutions_json(paradox, ray, {}));
  EXPECT_EQ(out["pieces"][0]["impulses_max"][0][0], "inf");
  EXPECT_EQ(out["pieces"][0]["rays"].size(), 1U);
  AllSolutionsOptions few;
  few.max_nodes = 1;
  const AllSolutions cut = *all_solutions(rod(250, 25, 2), few);
  EXPECT_TRUE(all_solutions_verdict(cut).starts_with("too large"));
  EXPECT_EQ(Json::parse(all_solutions_json(rod(250, 25, 2), cut, {}))["status"], "too_large");
}

TEST(AllSolutionsReport, UndecidedPlacesAreTold) {
  ContactProblem p;
  p.contacts.resize(1);
  p.contacts[0].law = CoulombLaw{2.5};  // exactly at the friction angle
  p.delassus = sparse(MatX::Identity(3, 3));
  p.free_velocity = Vec3(3, 4, -2);
  const AllSolutions all = *all_solutions(p);
  ASSERT_EQ(all.status, AllSolutions::Status::undecided);
  const Json out = Json::parse(all_solutions_json(p, all, {}));
  EXPECT_EQ(out["status"], "undecided");
  EXPECT_EQ(out["undecided"].size(), static_cast<std::size_t>(all.undecided));
  EXPECT_NE(all_solutions_table(p, all, {}).find("undecided  stick"), std::string::npos);
}

TEST(ExactEntries, FromPlacesToTheProblem) {
  const auto file = read_problem_file(R"({
    "format": "tact-problem/1", "dof": 2, "mass": [["1/3", 0], [0, 1]], "velocity": [0, "-0.1"],
    "impulse": ["1/7", 0], "dt": "0.01",
    "contacts": [
      {"normal": [0, "1/9"], "tangents": [["2/3", 0]], "friction": {"law": "coulomb", "mu": "0.3"},
       "excitation": {"normal": "-1/3", "tangents": ["1/5"]}},
      {"normal": ["0.7", 1], "restitution": "1/3", "gap": "-0.1", "stabilisation": "0.2"}]})",
                                      "here");
  ASSERT_TRUE(file) << file.error().message;
  const auto entries = exact_entries(*file);
  using Field = ExactNumber::Field;
  const auto value = [&](Field field, Index i, Index j) -> std::string {
    for (const ExactNumber& e : entries)
      if (e.field == field && e.i == i && e.j == j) return e.value;
    return "nothing";
  };
  EXPECT_EQ(entries.size(), 13U);
  EXPECT_EQ(value(Field::mass, 0, 0), "1/3");
  EXPECT_EQ(value(Field::velocity, 1, 0), "-1/10");
  EXPECT_EQ(value(Field::impulse, 0, 0), "1/7");
  EXPECT_EQ(value(Field::dt, 0, 0), "1/100");
  // Rows [t, n] of the first contact, then [n] of the second.
  EXPECT_EQ(value(Field::rows, 0, 0), "2/3");
  EXPECT_EQ(value(Field::rows, 1, 1), "1/9");
  EXPECT_EQ(value(Field::rows, 2, 0), "7/10");
  EXPECT_EQ(value(Field::mu, 0, 0), "3/10");
  EXPECT_EQ(value(Field::excitation, 1, 0), "-1/3");
  EXPECT_EQ(value(Field::excitation, 0, 0), "1/5");
  EXPECT_EQ(value(Field::restitution, 1, 0), "1/3");
  EXPECT_EQ(value(Field::gap, 1, 0), "-1/10");
  EXPECT_EQ(value(Field::stabilisation, 1, 0), "2/10");
}

TEST(TextTable, PadsByWhatIsSeen) {
  EXPECT_EQ(text_table({{"a", "b"}, {"−1", "c"}}), "a   b\n−1  c\n");
}

}  // namespace
}  // namespace tact
