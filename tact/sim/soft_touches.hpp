// sim/soft_touches.hpp - which points of soft pairs face each other: found, followed, dropped.
//
// Pairs whose boxes meet, grown by what the geoms may travel in a few steps (the broad phase of
// rigid contact), are looked at by a bound on their distance, searched when they come near, and
// followed from then on, so that a step sees where its points will be at its end and no contact is
// missed at high speed. Bodies that are not convex are searched again and again, for they may touch
// in several places. A pair that is near but has no points to follow (it touches along a line or
// a face, or lost its relative convexity) ends the run, or becomes rigid where the scene says so.
#pragma once

#include "tact/sim/simulation.hpp"

namespace tact {

/// The pose of a geom in W.
[[nodiscard]] Pose geom_pose(const Model& model, const Kinematics& kin, Index geom);

/// The second body of the pair's model seen from its first.
[[nodiscard]] Pose relative_pose(const Model& model, const Kinematics& kin, const SoftGeoms& pair);

/// Both frames of a spring in W.
void spring_poses(const Kinematics& kin, const SceneSpring& spring, Pose& X_WA, Pose& X_WB);

/// Rigid detection leaves the soft pairs out.
void exclude_soft_pairs(Simulation& sim);

/// A memory without load at sim.state: what overlaps there is stored, as `switched`.
void start_soft_memory(Simulation& sim);

/// Points that may touch soon, at the pose of sim.state: found where a pair came near, dropped
/// where it went away. Expects sim.work->soft.kin to have the poses of sim.state.
void find_soft_touches(Simulation& sim);

/// Makes the pair rigid or soft from now on; what it had stored is booked as `switched`.
void set_soft(Simulation& sim, Index pair, bool soft);

}  // namespace tact
