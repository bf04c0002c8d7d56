// soft/port.hpp - one compliant contact as a power port of a foreign simulator.
//
// Twists in, wrench out. The simulator moves both bodies through a step with constant twists and
// tells the port; the port answers with the wrench that acted meanwhile. Whatever the simulator
// does with it, the work that it put into the contact is what the contact stores and has
// dissipated:
//     supplied = stored + dissipated,
// step by step, to rounding. Here the bodies have the names of the rest of tact: the normal points
// from body 2 into body 1, and the wrench acts on body 1.
#pragma once

#include "tact/base/result.hpp"
#include "tact/soft/soft_contact.hpp"

namespace tact {

struct SoftPort {
  SoftContactModel model;  ///< one: body 2, two: body 1
  SoftContactState state;
  SoftFrame frame;
  SoftAnswer answer;
  double supplied = 0;    ///< work done on the contact so far [J]
  double dissipated = 0;  ///< [J]
};

/// A port between two surfaces at these poses; what overlaps there counts as supplied. Says why
/// there is none: surfaces or a pair that are not usable, bodies that do not face each other.
[[nodiscard]] Result<SoftPort> soft_port(const Surface& body1, const Surface& body2,
                                         const SoftPair& pair, const Pose& X_W1, const Pose& X_W2);

/// What the contact holds now [J].
[[nodiscard]] inline double stored_energy(const SoftPort& port) {
  return stored_energy(port.state);
}

struct PortStep {
  TrackStatus status = TrackStatus::tracked;
  Wrench on_body1;          ///< mean over the step, in W about its origin; on body 2 the opposite
  double normal_force = 0;  ///< [N]
  bool slips = false;
};

/// The bodies move from these poses with constant spatial twists, in W, for dt seconds. Where the
/// status is not `tracked` nothing has happened: make the step shorter, or see describe().
[[nodiscard]] PortStep advance(SoftPort& port, const Pose& X_W1, const Twist& T1_W,
                               const Pose& X_W2, const Twist& T2_W, double dt);

}  // namespace tact
