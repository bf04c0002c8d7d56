// 25 contact problems solved by going through all modes in exact numbers: patches of every shape,
// points of every law, an elastic bed, a ladder, two stacked boxes.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/contact/labels.hpp"
#include "tact/io/problem_file.hpp"
#include "tact/solve/solve.hpp"

namespace tact {
namespace {

constexpr double agreement = 1e-10;

nlohmann::json load_cases() {
  std::ifstream in(std::string(TACT_TEST_DATA) + "/solved_problems.json");
  return nlohmann::json::parse(in)["cases"];
}

VecX flat(const nlohmann::json& by_contact) {
  std::vector<double> all;
  for (const auto& contact : by_contact)
    for (const auto& x : contact) all.push_back(x.get<double>());
  return Eigen::Map<const VecX>(all.data(), static_cast<Index>(all.size()));
}

ContactProblem problem_of(const nlohmann::json& c) {
  const auto file = read_problem_file(c["problem"].dump(), "case");
  EXPECT_TRUE(file) << file.error().message;
  return file->problem;
}

/// The first answer and, where there are several, the others.
std::vector<VecX> answers(const nlohmann::json& c) {
  std::vector<VecX> out{flat(c["impulses"])};
  if (c.contains("other_impulses"))
    for (const auto& other : c["other_impulses"]) out.push_back(flat(other));
  return out;
}

double nearest(const std::vector<VecX>& known, const VecX& lambda) {
  double least = std::numeric_limits<double>::infinity();
  for (const VecX& x : known)
    least = std::min(least, (x - lambda).lpNorm<Eigen::Infinity>() /
                                std::max(x.lpNorm<Eigen::Infinity>(), tolerance::smallest));
  return known.front().isZero(0) && lambda.isZero(0) ? 0.0 : least;
}

TEST(SolvedProblems, TheJudgeAcceptsEveryKnownAnswer) {
  const auto cases = load_cases();
  ASSERT_EQ(cases.size(), 25U);
  for (const auto& c : cases) {
    SCOPED_TRACE(c["problem"]["name"]);
    const DelassusProblem p = *reduce(problem_of(c));
    for (const VecX& lambda : answers(c)) EXPECT_LE(residual(p, lambda).natural, 1e-12);
    VecX u;
    multiply(p.G, answers(c).front(), u);
    EXPECT_LE((u + p.b - flat(c["velocities"])).norm(), 1e-14 * (1 + p.b.norm()));
    // And nothing near it: one percent more, one percent less.
    const VecX lambda = answers(c).front();
    if (lambda.isZero(0)) continue;
    for (const double factor : {0.99, 1.01})
      EXPECT_GE(residual(p, factor * lambda).natural, 1e-4) << factor;
  }
}

TEST(SolvedProblems, EverySolverFindsAKnownAnswer) {
  for (const auto& c : load_cases()) {
    SCOPED_TRACE(c["problem"]["name"]);
    const DelassusProblem p = *reduce(problem_of(c));
    for (const SolverName solver : {SolverName::automatic, SolverName::newton, SolverName::admm,
                                    SolverName::gauss_seidel, SolverName::lemke, SolverName::box}) {
      SCOPED_TRACE(name(solver));
      SolveOptions options;
      options.tolerance = 1e-12;
      options.polish = true;
      SolveWorkspace work;
      VecX lambda = VecX::Zero(p.rows());
      const SolveReport report = solve_with(solver, p, options, work, lambda);
      if (report.status == SolveStatus::unsupported) continue;
      EXPECT_EQ(report.status, SolveStatus::converged) << report.residual.natural;
      EXPECT_LE(nearest(answers(c), lambda), agreement);
    }
  }
}

TEST(SolvedProblems, Labels) {
  for (const auto& c : load_cases()) {
    SCOPED_TRACE(c["problem"]["name"]);
    const DelassusProblem p = *reduce(problem_of(c));
    VecX lambda;
    EXPECT_EQ(solve(p, {}, lambda).status, SolveStatus::converged);
    if (nearest({flat(c["impulses"])}, lambda) > agreement) continue;  // another of its answers
    const auto found = labels(p, lambda);
    ASSERT_EQ(found.size(), c["labels"].size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(std::string(name(found[i].regime)), c["labels"][i].get<std::string>());
  }
}

}  // namespace
}  // namespace tact
