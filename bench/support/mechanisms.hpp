// support/mechanisms.hpp - vehicles, legs, hands, chains and stools, as MJCF text.
//
// SI units, gravity along -z, angles in radians. Where a start other than zero is meant, it is the
// keyframe `init`.
#pragma once

#include <string>

namespace tact::bench {

/// A car of 7 kg on four wheels of radius 0.1 m, a motor of 0.3 N m on each: forces and speeds are
/// equal by symmetry. `round`: the wheels are spheres, else cylinders.
[[nodiscard]] std::string car_mjcf(const std::string& name, bool round);

/// A biped of 28 kg that stands in a crouch. Each leg has a four-bar linkage from a crank on the
/// thigh to the shin, closed by two `connect` on one axis: four of these six rows are redundant.
/// Limits and dry friction on every joint; servos on hip, crank and ankle. Without `closed` the
/// linkage hangs open and the knees give way.
[[nodiscard]] std::string biped_mjcf(const std::string& name, bool closed);

/// A gripper with two four-bar fingers, each closed by a `connect` and the drivers coupled by a
/// `joint` equality, which closes on a cube of 64 g. Without `closed` there are no equalities.
[[nodiscard]] std::string gripper_mjcf(const std::string& name, bool closed);

/// Three fingers of three hinges around a ball in the palm; a `joint` equality makes the last hinge
/// follow the middle one by 0.7. Without `coupled` it is free.
[[nodiscard]] std::string hand_mjcf(const std::string& name, bool coupled);

/// A thigh that starts 3 mm inside the trunk, which is neither its parent nor its child.
[[nodiscard]] std::string overlapping_leg_mjcf(const std::string& name);

/// Two discs that spin about one axis and overlap by half of their height.
[[nodiscard]] std::string coaxial_mjcf(const std::string& name);

/// Links of 0.1 m and 0.1 kg joined by `connect`, with 100 kg at the end, which starts straight and
/// at rest. The step is 0.3 / sqrt(T/(m l)), where the tension T is the weight at the end.
struct Chain {
  int links = 10;
  double swing = 30;  ///< [degrees] from the vertical at the start
};
[[nodiscard]] std::string chain_mjcf(const std::string& name, const Chain& chain);

/// A round seat, 3 kg in all, on spherical feet that form a regular polygon.
[[nodiscard]] std::string stool_mjcf(const std::string& name, int feet);

}  // namespace tact::bench
