#include "tact/io/mode_input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/number_text.hpp"
#include "tact/modes/modes.hpp"

namespace tact {
namespace {

ProblemFile file_of(const std::string& fields) {
  const auto file = read_problem_file(R"({"format": "tact-problem/1", )" + fields + "}", "f");
  EXPECT_TRUE(file) << file.error().message;
  return file ? *file : ProblemFile{};
}

ModeSystem system_of(const std::string& fields, const ModeInput& input = {}) {
  const auto problem = mode_problem(file_of(fields), "f", input);
  EXPECT_TRUE(problem) << problem.error().message;
  return problem ? problem->system : ModeSystem{};
}

std::string complaint(const std::string& fields, const ModeInput& input = {}) {
  const auto problem = mode_problem(file_of(fields), "f", input);
  EXPECT_FALSE(problem);
  return problem ? "" : problem.error().message;
}

ModeCounts counts_of(const ModeSystem& system, const ModeOptions& options = {}) {
  const auto counts = count_modes(system, options);
  EXPECT_TRUE(counts) << counts.error().message;
  return counts ? *counts : ModeCounts{};
}

/// Nothing but the doubles of the rows.
ModeSystem rounded(ModeSystem system) {
  system.exact.clear();
  return system;
}

TEST(ModeInput, BoundedRowsHaveNoModes) {
  EXPECT_EQ(
      complaint(R"("dof": 1, "contacts": [{"normal": [1]}, {"row": [1], "bounds": [-1, 1]}])"),
      "f: contacts[1] is a bounded row, and modes are those of contacts that open, stick and "
      "slide; leave it out");
}

TEST(ModeInput, RowsAreTheNormalThenEveryTangent) {
  const ModeSystem system =
      system_of(R"("dof": 3, "contacts": [{"normal": [0, 0, 1], "tangents": [[1, 0, 0], [0, 1, 0]],
    "friction": {"mu": 0.5}}, {"normal": [0, 0, 2]}, {"normal": [0, 0, 3],
    "tangents": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}])");
  const MatX wanted =
      (MatX(8, 3) << 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9)
          .finished();
  EXPECT_EQ(system.rows, wanted);
  ASSERT_EQ(system.contacts.size(), 3U);
  EXPECT_EQ(system.contacts[0].tangents, 2);
  EXPECT_EQ(system.contacts[1].normal, 3);
  EXPECT_EQ(system.contacts[1].tangents, 0);
  EXPECT_EQ(system.contacts[2].normal, 4);
  EXPECT_EQ(system.contacts[2].tangents, 3);
  EXPECT_TRUE(system.exact.empty());
}

/// (1/3, 1/10) is parallel to (10, 3), and its doubles are not: contacts that only separate
/// together come apart.
TEST(ModeInput, NormalsInQuotesStayExact) {
  const std::string fields =
      R"("dof": 2, "contacts": [{"normal": ["1/3", "1/10"]}, {"normal": [10, 3]}])";
  const ModeSystem system = system_of(fields);
  ASSERT_EQ(system.exact.size(), 2U);
  EXPECT_EQ(system.exact[0].value, (Rational{"1", "3"}));
  EXPECT_EQ(system.exact[1].column, 1);
  EXPECT_EQ(counts_of(system).cs, 2U);
  EXPECT_EQ(counts_of(rounded(system)).cs, 4U);
  ModeOptions loose;
  loose.policy = ModePolicy::tolerance;
  EXPECT_EQ(counts_of(rounded(system), loose).cs, 2U);
}

/// Three tangents of which the third is exactly the sum of the others: three lines through a point
/// of the plane have 6 sectors, 6 rays and the point. Doubles make it a generic plane in space.
TEST(ModeInput, TangentsInQuotesStayExact) {
  const ModeSystem system = system_of(R"("dof": 4, "contacts": [{"normal": [0, 0, 0, 1],
    "tangents": [["1/10", 0, "1/3", 0], [0, 1, "1/10", 0], ["1/10", 1, "13/30", 0]]}])");
  EXPECT_EQ(counts_of(system).full, 1U + 13U);
  EXPECT_EQ(counts_of(rounded(system)).full, 1U + 27U);
  for (const ExactEntry& entry : system.exact) EXPECT_GT(entry.row, 0);
}

TEST(ModeInput, QuotesThatDoublesHoldNeedNoMoreThanThem) {
  const ModeSystem system =
      system_of(R"("dof": 2, "contacts": [{"normal": ["1/2", "-3"], "tangents": [["1/4", 7]]}])");
  EXPECT_TRUE(system.exact.empty());
  EXPECT_EQ(system.rows, (MatX(2, 2) << 0.5, -3, 0.25, 7).finished());
}

const std::string corner = R"("dof": 3, "contacts": [{"normal": [0, 0, "1/3"],
  "tangents": [["1/3", "1/10", 0], ["1/10", "-1/3", 0]]}])";

TEST(ModeInput, PlanesReplaceTangents) {
  const ProblemFile file = file_of(corner);
  const VecX t1 = MatX(file.given[0].tangents).row(0);
  const VecX t2 = MatX(file.given[0].tangents).row(1);
  for (const Index planes : {1, 2, 3, 4, 7}) {
    const ModeSystem system = system_of(corner, {planes});
    EXPECT_EQ(system.contacts[0].tangents, planes);
    EXPECT_LE(
        (system.rows.bottomRows(planes) - dividing_planes(t1, t2, planes)).cwiseAbs().maxCoeff(),
        4 * tolerance::epsilon);
    // Sectors, rays between them and the point where all planes meet; and separating.
    EXPECT_EQ(counts_of(system).full,
              static_cast<ModeCount>(1 + (planes == 1 ? 3 : 4 * planes + 1)))
        << planes;
  }
}

/// However many planes there are, they share the line on which both axes vanish; were their rows
/// rounded one by one, three of them would cut space into 27 pieces instead of 13.
TEST(ModeInput, PlanesMeetInOneLineAtEqualAngles) {
  const std::string skew = R"("dof": 6, "contacts": [{"normal": [2, -1, 0, 0, 0, 1],
    "tangents": [[0, -1, -2, 1, 0, 0], [1, 0, 1, 0, 1, 0]]}])";
  const Eigen::Matrix<double, 2, 6> axes =
      (MatX(2, 6) << 0, -1, -2, 1, 0, 0, 1, 0, 1, 0, 1, 0).finished();
  for (const Index planes : {3, 4, 5, 6, 7, 64}) {
    const ModeSystem system = system_of(skew, {planes});
    EXPECT_EQ(counts_of(system).full, static_cast<ModeCount>(1 + 4 * planes + 1)) << planes;
    for (Index k = 0; k < planes; ++k) {
      // The axes are the columns 3 and 4: what the row has there is its direction.
      const Vec2 direction = system.rows.block<1, 2>(1 + k, 3).transpose();
      EXPECT_EQ(VecX(system.rows.row(1 + k).transpose()), VecX(axes.transpose() * direction));
      const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(planes);
      EXPECT_NEAR(std::atan2(direction.y(), direction.x()), angle, std::ldexp(1, -30)) << k;
    }
  }
}

/// The axes and what lies between them: nothing is rounded.
TEST(ModeInput, PlanesStayExact) {
  const auto rows_kept = [](Index planes) {
    std::vector<Index> rows;
    for (const ExactEntry& entry : system_of(corner, {planes}).exact)
      if (rows.empty() || rows.back() != entry.row) rows.push_back(entry.row);
    return rows;
  };
  EXPECT_EQ(rows_kept(0), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(rows_kept(1), (std::vector<Index>{0, 1}));
  EXPECT_EQ(rows_kept(2), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(rows_kept(3), (std::vector<Index>{0, 1, 2, 3}));
  for (const ExactEntry& entry : system_of(corner, {6}).exact)
    if (entry.row == 4) {
      EXPECT_EQ(entry.value, entry.column == 0 ? (Rational{"1", "10"}) : (Rational{"-1", "3"}));
    }
}

TEST(ModeInput, PlanesNeedTwoAxesOrNone) {
  EXPECT_EQ(complaint(R"("dof": 2, "contacts": [{"normal": [0, 1], "tangents": [[1, 0]]}])", {4}),
            "f: contacts[0] has 1 tangents; --planes needs two axes, or leave it out");
  const ModeSystem system = system_of(R"("dof": 2, "contacts": [{"normal": [0, 1]}])", {4});
  EXPECT_EQ(system.contacts[0].tangents, 0);
}

TEST(ModeInput, WithoutContactsThereIsOneMode) {
  for (const char* fields : {R"("dof": 6, "contacts": [])", R"("dof": 0, "contacts": [])"}) {
    const ModeSystem system = system_of(fields);
    EXPECT_EQ(counts_of(system).cs, 1U);
    EXPECT_EQ(counts_of(system).full, 1U);
    EXPECT_EQ(counts_of(system).full_by_dim.at(system.dof()), 1U);
  }
}

TEST(ModeInput, RowsOfZerosNeverSeparateNorSlide) {
  const ModeSystem system =
      system_of(R"("dof": 2, "contacts": [{"normal": [0, 0], "tangents": [[0, 0], [1, 0]]}])");
  EXPECT_EQ(counts_of(system).cs, 1U);
  EXPECT_EQ(counts_of(system).full, 3U);
}

TEST(ModeInput, RefusesWhatHasNoRows) {
  EXPECT_EQ(complaint(R"("contacts": [{}], "delassus": [[1]], "free_velocity": [-1])"),
            "f: modes need the rows of the contacts, and a Delassus matrix has none; give normals "
            "and tangents");
  EXPECT_NE(
      complaint(R"("dof": 1, "contacts": [{"normal": [1]}, {"patch": {"disc": {"center": [0, 0],
        "radius": 1}}, "twist": [[0], [0], [0], [0], [0], [1]]}])")
          .find("contacts[1]: "),
      std::string::npos);
}

TEST(ModeInput, TolerancesThatAreNoneAreRefused) {
  ModeOptions options;
  options.policy = ModePolicy::tolerance;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -0.25, 1.0}) {
    options.tolerance = bad;
    EXPECT_FALSE(count_modes(system_of(corner), options)) << bad;
  }
}

TEST(ModeInput, RowsThatAreNotFiniteAreRefused) {
  ModeSystem system = system_of(corner);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    system.rows(1, 2) = bad;
    const auto counts = count_modes(system);
    ASSERT_FALSE(counts);
    EXPECT_EQ(counts.error().message, "contact 0 has a row that is not finite: give numbers");
  }
}

/// The farthest that friction of one contact reaches in the direction at `angle`, per unit of load.
double reach(const ModeProblem& problem, double angle) {
  const Vec3 along(std::cos(angle), std::sin(angle), 0);
  double out = 0;
  for (Index t = 1; t <= problem.system.contacts[0].tangents; ++t)
    out += problem.friction[0] * std::abs(problem.system.rows.row(t).dot(along));
  return out;
}

TEST(ModeInput, FrictionOfManyPlanesStaysInsideTheBox) {
  // The box reaches mu times its scale along the axes. Two planes are its axes and lose nothing; of
  // more the zonotope has 2 planes corners, on the disc inside the box.
  for (const double scale : {1.0, 0.5}) {
    const std::string fields =
        concat({R"("dof": 3, "contacts": [{"normal": [0, 0, 1], "tangents": [[1, 0, 0], [0, 1, 0]],
            "friction": {"law": "box", "mu": 0.75, "scale": )",
                std::to_string(scale), "}}]"});
    const auto read =
        read_problem_file(concat({R"({"format": "tact-problem/1", "mass": [[1,0,0],[0,1,0],[0,0,1]],
                    "velocity": [0,0,0], )",
                                  fields, "}"}),
                          "f");
    ASSERT_TRUE(read) << read.error().message;
    const double side = 0.75 * scale;
    EXPECT_EQ(mode_problem(*read, "f")->friction, std::vector<double>{side});
    for (const Index planes : {3, 4, 5, 8}) {
      SCOPED_TRACE(planes);
      const auto problem = mode_problem(*read, "f", {planes});
      ASSERT_TRUE(problem) << problem.error().message;
      ASSERT_EQ(problem->system.contacts[0].tangents, planes);
      EXPECT_EQ(problem->load->mu, problem->friction);
      constexpr int steps = 1440;
      double farthest = 0;
      for (int k = 0; k < steps; ++k)
        farthest = std::max(farthest, reach(*problem, 2 * std::numbers::pi * k / steps));
      // No corner is farther than half a step from one of these directions.
      EXPECT_LE(farthest, side * (1 + tolerance::rounding));
      EXPECT_GE(farthest, side * std::cos(std::numbers::pi / steps));
    }
  }
}

TEST(ModeInput, PatchesAreTheirCorners) {
  const auto read = read_problem_file(
      R"({"format": "tact-problem/1", "dof": 6, "contacts": [
        {"patch": {"polygon": [[-1, -1], [1, -1], [1, 1], [-1, 1]]}, "friction": {"mu": 0.5},
         "twist": [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],
                   [0,0,0,0,0,1]]}],
        "mass": [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],
                 [0,0,0,0,0,1]], "velocity": [0,0,0,0,0,0]})",
      "f");
  ASSERT_TRUE(read) << read.error().message;
  const auto problem = mode_problem(*read, "f");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->system.contacts.size(), 4U);
  EXPECT_EQ(to_string(count_modes(problem->system)->full), "196");  // a box on the floor
  // The square inside the disc.
  EXPECT_EQ(problem->friction, std::vector<double>(4, 0.5 / std::sqrt(2.0)));
  ASSERT_TRUE(problem->load);
  EXPECT_EQ(problem->load->mu, problem->friction);
}

}  // namespace
}  // namespace tact
