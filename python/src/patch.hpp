// python/patch.hpp - a patch as Python holds it: its shape and all that follows from it.
#pragma once

#include <string>

#include "convert.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/patch_friction.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/sim/observe.hpp"

namespace tact::python {

struct Patch {
  PatchFile file;  ///< of one that was read: with what presses and moves on it
  PatchCone cone;

  [[nodiscard]] const PlanarSet& hull() const { return cone.hull(); }
};

/// Refuses what convex_hull_of() refuses.
[[nodiscard]] Patch make_patch(PatchFile file);
[[nodiscard]] Patch make_patch(PatchShape shape);

/// The patch of a contact in its frame C.
[[nodiscard]] PatchShape shape_of(const ContactSample& contact);

/// "effective", "ellipsoid", "vertex" or "winkler", and what each needs.
struct PressureWords {
  std::string model = "effective";
  std::optional<std::string> pattern;
  std::optional<double> radius;
  Maybe nodes, areas, radii;
};
[[nodiscard]] PatchFrictionSpec friction_spec(double mu, const PressureWords& words);

/// The picture of `tact patch --svg`.
[[nodiscard]] std::string picture_of(const PatchFile& file);

}  // namespace tact::python
