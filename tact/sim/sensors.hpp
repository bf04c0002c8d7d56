// sim/sensors.hpp - what a robot would feel: net loads and centres of pressure of bodies, touch,
// pressure under a patch, and the sensors that a scene names.
//
// Contact loads are mean forces over the last step. The centre of pressure of several contacts is
// taken in the plane through the mean of their places, weighted with their normal forces, square to
// the mean of their normals: the point about which the loads have no moment along the plane.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tact/sim/observe.hpp"

namespace tact {

struct NetContact {
  Wrench wrench_W;            ///< on the bodies, about the origin of W [N m, N]
  double normal_force = 0;    ///< Σ f_N [N]
  std::optional<Vec3> cop_W;  ///< where there is force [m]
  /// Where they press, or would touch first: the cop, else the extended centre of pressure of the
  /// nearest patch within the margin. Nothing where none is near.
  std::optional<Vec3> extended_cop_W;
};

/// Of all contacts between these bodies and others; contacts among themselves do not count. A body
/// stands for itself alone, not for what hangs on it.
[[nodiscard]] NetContact net_contact(const Model& model, std::span<const ContactSample> contacts,
                                     std::span<const Index> bodies);

/// The part of a patch that carries its load evenly, and the pressure there: what the friction
/// model `effective` assumes (cone/effective_patch.hpp).
struct PressureMap {
  std::vector<Vec2> part;  ///< in C, counter-clockwise; two points of an edge, one of a vertex
  double area = 0;         ///< [m²]
  double pressure = 0;     ///< [Pa]; infinite where the area is zero
};
/// Nothing where the contact carries no load or is a point.
[[nodiscard]] std::optional<PressureMap> pressure_map(const ContactSample& contact);

/// Whether read_sensor knows the type: touch, jointpos, jointvel, ballquat, ballangvel,
/// actuatorpos, actuatorvel, actuatorfrc, tendonpos, tendonvel, framepos, framequat, framexaxis,
/// frameyaxis, framezaxis, framelinvel, frameangvel, framelinacc, frameangacc, gyro, velocimeter,
/// accelerometer, force, torque (sim/interaction.hpp), subtreecom, subtreelinvel, subtreeangmom,
/// clock, e_kinetic, e_potential.
[[nodiscard]] bool sensor_is_modelled(const std::string& type);

/// The reading after the last step, as MuJoCo defines it; empty for other types and objects.
/// Accelerations are mean values over the last step. Driven bodies have the velocities of their
/// drives. `touch` is the normal force on the body of its site, wherever it acts; bodies welded
/// together that meet a plane in one patch have it all at the first of them.
void read_sensor(const Simulation& sim, std::span<const ContactSample> contacts,
                 const Sensor& sensor, std::vector<double>& out);

}  // namespace tact
