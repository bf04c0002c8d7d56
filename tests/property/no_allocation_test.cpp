// Projections are for inner loops: they must not touch the heap. Counted, not believed.
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

}  // namespace
}  // namespace tact
