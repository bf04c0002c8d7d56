// A second solve of the same size must not touch the heap. Eigen asks malloc, not new: malloc
// itself is counted.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tact/body/constraints.hpp"
#include "tact/impact/ledger.hpp"
#include "tact/linalg/block_lu.hpp"
#include "tact/sim/step_work.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/hand_scenes.hpp"
#include "tests/support/mechanics.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/towers.hpp"

#if TACT_ADDRESS_SANITIZER || TACT_THREAD_SANITIZER || !defined(__GLIBC__)
#define TACT_COUNTS_MALLOC 0  // sanitizers have a malloc of their own
#else
#define TACT_COUNTS_MALLOC 1
#endif

#if TACT_COUNTS_MALLOC
namespace {
thread_local long heap_calls = 0;
}
extern "C" {
void* __libc_malloc(std::size_t size);                 // NOLINT
void* __libc_calloc(std::size_t n, std::size_t size);  // NOLINT
void* __libc_realloc(void* p, std::size_t size);       // NOLINT
void* malloc(std::size_t size) {
  ++heap_calls;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  ++heap_calls;
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  ++heap_calls;
  return __libc_realloc(p, size);
}
}

namespace tact {
namespace {

using testing::Family;

TEST(NoAllocationSolve, TheCounterCountsEigen) {
  const long before = heap_calls;
  const VecX heap = VecX::Zero(100);
  EXPECT_GT(heap_calls, before);
  EXPECT_EQ(heap[7], 0);
}

DelassusProblem scene(Family family, std::uint64_t seed, double push) {
  testing::SceneOptions options;
  options.family = family;
  options.bodies = 3;
  options.contacts = 7;
  ContactProblem p = testing::random_scene(seed, options);
  p.velocity *= push;
  return *reduce(p);
}

/// Twice to grow, then with other numbers of the same size.
void expect_no_allocation(SolverName solver, Family family) {
  int solved = 0;
  constexpr int seeds = 10;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const DelassusProblem first = scene(family, seed, 1), second = scene(family, seed, 1.5);
    SCOPED_TRACE(std::string(name(solver)) + " " + name(family) + " " + std::to_string(seed));
    SolveWorkspace work;
    SolveOptions options;
    options.max_iterations = solver == SolverName::automatic ? 0 : 200;
    VecX lambda = VecX::Zero(first.rows());
    for (int k = 0; k < 2; ++k) {
      lambda.setZero();
      solve_with(solver, first, options, work, lambda);
      lambda.setZero();
      solve_with(solver, second, options, work, lambda);
    }
    lambda.setZero();
    const long before = heap_calls;
    const SolveReport report = solve_with(solver, first, options, work, lambda);
    const long after = heap_calls;
    // Where a method gives up, the proof of a jam is looked for, which may allocate.
    if (report.status == SolveStatus::converged) {
      EXPECT_EQ(after, before);
    }
    solved += report.status == SolveStatus::converged ? 1 : 0;
  }
  EXPECT_GE(solved, seeds - 3) << name(solver) << " " << name(family);
}

TEST(NoAllocationSolve, Points) {
  for (const SolverName solver :
       {SolverName::automatic, SolverName::newton, SolverName::admm, SolverName::gauss_seidel})
    for (const Family family : {Family::coulomb, Family::planar, Family::polygon})
      expect_no_allocation(solver, family);
}

TEST(NoAllocationSolve, PatchesAndRollingPoints) {
  for (const SolverName solver :
       {SolverName::automatic, SolverName::newton, SolverName::admm, SolverName::gauss_seidel})
    for (const Family family : {Family::smooth, Family::rolling, Family::patch, Family::mixed})
      expect_no_allocation(solver, family);
}

TEST(NoAllocationSolve, TheBooksOfAStep) {
  for (const Family family : testing::all_families) {
    testing::SceneOptions options;
    options.family = family;
    options.contacts = 7;
    const ContactProblem p = testing::random_scene(3, options);
    const DelassusProblem reduced = *reduce(p);
    const VecX lambda = VecX::Constant(reduced.rows(), 0.1);
    const VecX free = velocity_after(p, VecX::Zero(reduced.rows()));
    const VecX after = velocity_after(p, lambda);
    const StepClaim claim{free, after, lambda, std::nullopt};
    LedgerWorkspace work;
    StepLedger ledger;
    // As in the solves above: the scratch of patches has grown after two.
    for (int k = 0; k < 2; ++k) step_ledger(p, reduced.laws, claim, work, ledger);
    const long before = heap_calls;
    step_ledger(p, reduced.laws, claim, work, ledger);
    EXPECT_EQ(heap_calls, before) << name(family);
  }
}

TEST(NoAllocationSolve, FactorsOfEverySize) {
  for (const Index blocks : {1, 4, 20, 60}) {
    std::vector<Index> offset;
    for (Index i = 0; i <= blocks; ++i) offset.push_back(3 * i);
    MatX m = MatX::Ones(3 * blocks, 3 * blocks);
    m.diagonal().array() += 3.0 * static_cast<double>(blocks);
    for (Index i = 0; i + 2 < blocks; ++i) m.block(3 * i, 3 * (i + 2), 3, 3).setZero();
    const BlockMatrix a = block_matrix(sparse(m), offset);
    BlockLu lu;
    lu.analyse(a);
    VecX x = VecX::Ones(3 * blocks);
    const auto once = [&] {
      lu.clear();
      for (Index i = 0; i < a.blocks(); ++i)
        for (Index e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) lu.add(i, e, a.block(i, e));
      const bool regular = lu.factor();
      lu.solve(x);
      return regular;
    };
    EXPECT_TRUE(once());
    const long before = heap_calls;
    EXPECT_TRUE(once());
    EXPECT_EQ(heap_calls, before) << blocks;
  }
}

TEST(NoAllocationSolve, AWarmModelMovesWithoutTheHeap) {
  Model draft = testing::humanoid();
  draft.actuators.resize(1);
  draft.actuators[0].target = 3;
  draft.tendons = {{.name = "cable", .joints = {{4, 1.0}, {3, 2.0}}, .dry_friction = 1}};
  draft.equalities.resize(1);
  draft.equalities[0].type = EqualityType::weld;
  draft.equalities[0].first = 3;
  draft.equalities[0].second = 9;
  const Model model = *make_model(draft);
  Rng rng(1);
  State state = testing::random_state(model, rng);
  testing::Mechanics m;
  Actuation actuation;
  LimitRows limits;
  FrictionRows friction;
  EqualityRows equalities;
  VecX force = VecX::Zero(model.nv);
  VecX tau = force;
  std::vector<Motion> columns;
  const auto step = [&] {
    m.update(model, state);
    passive_force(model, state, force);
    actuator_force(model, state, m.kin, actuation, force);
    limit_rows(model, state, 1, limits);
    dry_friction_rows(model, friction);
    equality_rows(model, state, m.kin, equalities);
    point_jacobian(model, m.kin, 9, Vec3::Zero(), columns);
    force -= m.c;
    EXPECT_TRUE(factor(model, m.mass, m.tree_factor));
    solve_in_place(model, m.tree_factor, force);
    inverse_dynamics(model, state.qvel, force, m.kin, m.work, tau);
    integrate(model, state.qpos, state.qvel, 0.001);
  };
  step();
  const long before = heap_calls;
  step();
  EXPECT_EQ(heap_calls, before);
}

/// Boxes that stand, slide and are swept: once a scene has been seen, a step asks the heap for
/// nothing.
TEST(NoAllocationSolve, WarmStepsOfASimulation) {
  struct Case {
    const char* name;
    int boxes;
    double speed;
    Index swept_from;
  };
  for (const Case& c : {Case{"one box", 1, 0, 0}, Case{"sliding", 1, 3, 0}, Case{"tower", 10, 0, 0},
                        Case{"swept", 10, 0, 1}}) {
    SCOPED_TRACE(c.name);
    SimOptions options;
    options.swept_from = c.swept_from;
    Simulation sim = testing::simulation_of(testing::tower(c.boxes), options);
    sim.state.qvel[0] = c.speed;
    StepReport report;
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(step(sim, report));
    ASSERT_EQ(report.patches, c.boxes);
    const long before = heap_calls;
    bool fine = true;
    for (int k = 0; k < 20; ++k) fine = step(sim, report) && fine;
    EXPECT_EQ(heap_calls, before);
    EXPECT_TRUE(fine);
  }
}

/// The same of islands: columns side by side, two of them under one plank.
TEST(NoAllocationSolve, WarmStepsOfIslands) {
  for (const Index swept_from : {0, 10}) {
    Model m = testing::floor_scene(0.5);
    for (int column = 0; column < 5; ++column)
      for (int k = 0; k < 4; ++k)
        testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1),
                         Pose{Mat3::Identity(), Vec3(0.6 * column, 0, 0.1 + 0.2 * k)}, 0.5);
    testing::add_box(m, 2, Vec3(0.5, 0.1, 0.05), Pose{Mat3::Identity(), Vec3(0.3, 0, 0.85)}, 0.5);
    const Model model = testing::finished(std::move(m));
    SimOptions options;
    options.dt = 2e-3;
    options.swept_from = swept_from;
    Simulation sim = testing::simulation_of(model, initial_state(model), options);
    StepReport report;
    for (int k = 0; k < 60; ++k) ASSERT_TRUE(step(sim, report));
    ASSERT_EQ(sim.work->islands.present.size(), 4U);
    const long before = heap_calls;
    bool fine = true;
    for (int k = 0; k < 20; ++k) fine = step(sim, report) && fine;
    EXPECT_EQ(heap_calls, before) << swept_from;
    EXPECT_TRUE(fine);
  }
}

}  // namespace
}  // namespace tact
#endif
