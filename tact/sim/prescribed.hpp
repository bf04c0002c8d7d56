// sim/prescribed.hpp - motions and controls that a scene prescribes, as functions of time.
//
// A driven body moves as it is told, whatever pushes against it; a conveyor's surface moves though
// its body does not. Both enter the contacts as χ in γ = J u + χ, and their drives do the work that
// the ledger books as `wall`.
#pragma once

#include <vector>

#include "tact/body/kinematics.hpp"

namespace tact {

/// Piecewise linear in time; constant before the first and after the last time.
struct Schedule {
  std::vector<double> time;  ///< [s], ascending, at least one
  std::vector<VecX> value;   ///< one per time, all of one size

  [[nodiscard]] bool empty() const { return time.empty(); }
};

/// Into `out`, which has the size of the values. Expects a schedule that is not empty.
void value_at(const Schedule& schedule, double time, Eigen::Ref<VecX> out);

/// From rest to rest by the quintic of least jerk: velocity 30 s²(1 - s)²/duration times `change`.
struct SmoothMove {
  double start = 0, duration = 1;  ///< [s]
  Vec6 change = Vec6::Zero();      ///< [m, rad], as a motion below
};

/// How a driven body moves: [velocity of its origin (3), ω (3)], in the axes of W; the schedule,
/// where there is one, and all moves added up.
struct Drive {
  Index driven = 0;  ///< in State::driven
  Schedule motion;
  std::vector<SmoothMove> moves;
};

/// A surface that runs over its geom: a belt, a turntable. In the axes of the geom.
struct SurfaceMotion {
  Index geom = 0;
  Vec3 velocity_G = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity_G = Vec3::Zero();  ///< [rad/s], about the geom's origin
};

struct Prescribed {
  std::vector<Drive> drives;
  std::vector<SurfaceMotion> surfaces;
  Schedule controls;  ///< of all actuators; empty: those of the state stay
};

/// [bodies] velocity of the origin and ω of every driven body at that time; zero for all others.
void drive_velocities(const Model& model, const Prescribed& prescribed, double time,
                      std::vector<Twist>& out);

/// The body whose drive a body goes with: those welded to a driven one go with it.
[[nodiscard]] Index driven_carrier(const Model& model, Index body);
/// How a body is driven at a point, with all that its carrier does.
[[nodiscard]] Twist driven_velocity(const Model& model, const Kinematics& kin,
                                    const std::vector<Twist>& bodies, Index body,
                                    const Vec3& point_W);

/// How the surface of a geom runs over it at a point.
[[nodiscard]] Twist belt_velocity(const Model& model, const Kinematics& kin,
                                  const Prescribed& prescribed, Index geom, const Vec3& point_W);

/// How the surface of a geom moves at a point, apart from what the joints of its body do: `bodies`
/// from drive_velocities.
[[nodiscard]] Twist surface_velocity(const Model& model, const Kinematics& kin,
                                     const Prescribed& prescribed, const std::vector<Twist>& bodies,
                                     Index geom, const Vec3& point_W);

/// How far a point of each geom may be driven in that time, at the faster of two velocities [m];
/// `sizes` are half the diagonals of their bounds. Empty where nothing is driven. A belt takes its
/// geom nowhere.
void driven_travel(const Model& model, const Kinematics& kin, const std::vector<Twist>& now,
                   const std::vector<Twist>& then, const std::vector<double>& sizes, double time,
                   std::vector<double>& out);

/// Moves the driven bodies through `dt` seconds with these velocities.
void move_driven(const Model& model, const std::vector<Twist>& bodies, double dt, State& state);

}  // namespace tact
