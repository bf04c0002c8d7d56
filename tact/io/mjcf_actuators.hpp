// io/mjcf_actuators.hpp - actuators: motor, position, velocity, damper and general, on joints,
// fixed tendons and sites.
#pragma once

#include "tact/io/mjcf_draft.hpp"

namespace tact::mjcf {

/// Reads <actuator> of one file; bodies and tendons are there. Others than the above are left out
/// and said, and so are internal states: of a filter only the lag, of an integrator the actuator.
void read_actuators(Reading& r, Draft& draft, const Instance& in);

/// The diagonal of the mass matrix in the pose of the file, for a hinge or a slide [kg m²] or [kg].
[[nodiscard]] double reference_inertia(const Model& model, Index joint);

}  // namespace tact::mjcf
