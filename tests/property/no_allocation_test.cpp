// Projections and contacts are for inner loops: they must not touch the heap. Counted, not
// believed.
#include <cmath>
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "patch_zoo.hpp"
#include "tact/cone/coulomb.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/cone/patch_witness.hpp"
#include "tact/geom/bounds.hpp"
#include "tact/geom/broad_phase.hpp"
#include "tact/geom/collide.hpp"
#include "tact/soft/slip.hpp"
#include "tact/soft/soft_pair.hpp"
#include "tact/soft/track.hpp"
#include "tests/support/facing_pairs.hpp"
#include "tests/support/shape_zoo.hpp"
#include "tests/support/sim_scenes.hpp"

namespace {
long allocations = 0;
}

// Not inlined, so that the compiler does not see malloc through new and warn about the pairing.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}

namespace tact {
namespace {

TEST(NoAllocation, TheCounterCounts) {
  const long before = allocations;
  const std::vector<double> heap(100);
  EXPECT_GT(allocations, before);
}

TEST(NoAllocation, ProjectionsAndWitnesses) {
  Mat3 m;
  m << 2, 0.3, 0.1, 0.3, 1, -0.2, 0.1, -0.2, 0.7;
  for (const auto& [name, shape] : testing::patch_zoo()) {
    SCOPED_TRACE(name);
    const PatchCone cone(*convex_hull_of(shape));
    const Wrench wrench{Vec3(0.1, -0.05, 0), Vec3(0, 0, 1)};
    double sum = 0;
    const long before = allocations;
    for (int k = 0; k < 50; ++k) {
      const Metric<3> metric = Metric<3>::from_spd((1 + 0.1 * k) * m);
      const Vec3 x(std::sin(1.0 * k), std::cos(2.0 * k), std::sin(3.0 * k));
      sum += cone.project(x, metric)[2] + cone.project_dual(x, metric)[2] + cone.project(x)[2];
      sum += CoulombCone(0.5).project(x, metric)[0] + cone.dual_margin(x);
      if (const auto witness = pressure_witness(cone.hull(), wrench)) sum += 1;
    }
    EXPECT_EQ(allocations, before);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

/// Shapes of every kind, crowded, and where they stand in the second round.
struct Crowd {
  std::vector<Shape> shapes;
  std::vector<Pose> poses;
};
Crowd random_crowd() {
  Rng rng{5};
  Crowd c;
  for (int i = 0; i < 60; ++i) {
    c.shapes.push_back(testing::random_shape(rng, i % testing::half_space_kind));
    const Vec3 p(rng.uniform(0, 3), rng.uniform(0, 3), rng.uniform(0, 3));
    c.poses.push_back({testing::random_rotation(rng), p});
  }
  return c;
}

TEST(NoAllocation, BroadAndNarrowPhaseOnceWarm) {
  const Crowd crowd = random_crowd();
  std::vector<Bounds> boxes(crowd.shapes.size());
  BroadPhaseWorkspace workspace;
  std::vector<IndexPair> pairs;
  ContactBuffer out;
  std::vector<PairMemory> memory(crowd.shapes.size() * crowd.shapes.size());
  const auto step = [&] {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      boxes[i] = bounds_of(crowd.shapes[i], crowd.poses[i], 0.05);
    overlapping_pairs(boxes, workspace, pairs);
    out.clear();
    for (const IndexPair& p : pairs)
      collide(crowd.shapes[p.first], crowd.poses[p.first], crowd.shapes[p.second],
              crowd.poses[p.second], {0.05}, memory[60 * p.first + p.second], out);
  };
  step();
  const std::size_t contacts = out.contacts.size();
  EXPECT_GT(contacts, 100);
  step();  // with memory of the first
  const long before = allocations;
  step();
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(out.contacts.size(), contacts);
}

TEST(NoAllocation, CompliantPairs) {
  SoftPair pads;
  pads.tangent = PadTangent{SoftPad{}, SoftPad{}};
  pads.friction.tensor = FrictionTensor{};
  PairGeometry geometry;
  geometry.E = Mat3::Identity().leftCols<2>();
  geometry.gap = -1e-3;
  const SlipCells cells = mindlin_cells(8);
  std::vector<Vec3> s0(8, Vec3(0.1, 0.2, 0.3)), s1 = s0;
  double sum = 0;
  const long before = allocations;
  for (const SoftPair& pair : {SoftPair{}, pads})
    for (int k = 0; k < 50; ++k) {
      geometry.A1 = Vec2(10 + k, 40).asDiagonal();
      const SoftPlace place = place_of(pair, geometry, Mat3::Identity());
      const SoftResponse r = respond(pair, place);
      sum +=
          slip_step(cells, r.Q, normal_force(pair, place, r, -0.1), s0, Vec3(1, 2, 3), 1, s1).loss;
    }
  EXPECT_EQ(allocations, before);
  EXPECT_GT(sum, 0);
}

TEST(NoAllocation, TrackingOfFacingPoints) {
  Rng rng(1);
  for (int kind = 0; kind < testing::pair_kinds; ++kind) {
    SCOPED_TRACE(testing::pair_name(kind));
    const testing::FacingPair pair = testing::random_facing_pair(rng, kind);
    FacingPoints facing = pair.facing;
    double sum = 0;
    const long before = allocations;
    for (int k = 0; k < 50; ++k) {
      Pose X = pair.X_12;
      X.p += 1e-5 * k * Vec3::Ones();
      const TrackStatus status = track(pair.one, pair.two, X, facing);
      const PairGeometry g = pair_geometry(facing, X);
      const PointRates rates = point_rates(g, X.R);
      sum += rates.J1(0, 0) + (status == TrackStatus::tracked ? 1 : 0);
      sum += relative_curvature_rates(pair.one, pair.two, facing, X, g, rates)(0, 0);
    }
    EXPECT_EQ(allocations, before);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

TEST(NoAllocation, StepsOfASoftGrasp) {
  Simulation sim = testing::sim_scene("grasp");
  StepReport report;
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(step(sim, report));
  const long before = allocations;
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(sim, report));
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace tact
