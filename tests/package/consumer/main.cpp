// A stranger's program: it sees only what is installed.
#include <string>

#include "tact/base/version.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/io/problem_any.hpp"

int main() {
  const auto disc = tact::convex_hull_of({tact::DiscShape{tact::Vec2(0, 0), 0.1}});
  const bool presses = disc && tact::PatchCone(*disc).margin(tact::Vec3(0, 0, 10)) > 0;
  const auto file =
      tact::read_problem("fcp 0", "f");  // needs the libraries behind other people's files
  return presses && !file && std::string(tact::version()) == EXPECTED_VERSION ? 0 : 1;
}
