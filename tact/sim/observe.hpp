// sim/observe.hpp - what the contacts of the last step did: loads, motions, labels, centres of
// pressure.
//
// Loads are mean forces over the step, λ/h, on body 1 (geom1), in the contact frame C. The motion
// is that after the step together with the gap, W + Γ/h: while the faces are apart it points to
// where they will touch first, and the extended centre of pressure is there. [MontMarin25] (18),
// (19)
#pragma once

#include <vector>

#include "tact/contact/labels.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

struct ContactSample {
  Index geom1 = 0, geom2 = 0;
  std::uint32_t which = 0;  ///< of several contacts of the pair
  Pose X_WC;                ///< in the middle of the step
  PatchKind kind = PatchKind::point;
  std::vector<Vec2> points;  ///< as in SurfaceContact, in C
  double radius = 0;
  Vec2 semi_axes = Vec2::Zero();
  double mu = 0;
  Wrench wrench_C;      ///< on geom1 [N m, N]
  Twist twist_C;        ///< of geom1 relative to geom2 after the step; what has no row is zero
  Twist closing_C;      ///< the same with the gap, W + Γ⁺/h: what the load is complementary to
  double distance = 0;  ///< the least gap at the start of the step [m]
  ContactLabel label;
  ExtendedCop extended;  ///< of patches; a point's is the point
};

/// The surfaces of the last step, in the order of its rows. Expects that one was made.
void observe(const Simulation& sim, std::vector<ContactSample>& out);

/// The geoms that are inside each other in the state, deepest first; every pair once.
[[nodiscard]] std::vector<Overlap> overlaps(const Simulation& sim);

/// A pair is there once, with its deepest contact.
void note_overlap(const Overlap& found, std::vector<Overlap>& out);

}  // namespace tact
