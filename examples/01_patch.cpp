// What is this foot doing? The program of the README.
#include <cstdio>

#include "tact/cone/patch_regime.hpp"
#include "tact/cone/patch_shape.hpp"

int main() {
  using namespace tact;
  const auto sole =
      convex_hull_of({PolygonShape{{{-0.1, -0.05}, {0.1, -0.05}, {0.1, 0.05}, {-0.1, 0.05}}}});
  const Wrench push{Vec3(4.9, -41.2, 0), Vec3(0, 0, 412)};  // [m_T, m_N], [f_T, f_N]
  const Twist roll{Vec3(0, 1.5, 0), Vec3(0, 0, 0.15)};      // [ω_T, ω_N], [v_T, v_N]
  const auto report = classify(*sole, push, roll, natural_scales(*sole, push, roll));
  std::printf("%s\n", report.regime ? name(*report.regime).data() : "violates Signorini");
}
