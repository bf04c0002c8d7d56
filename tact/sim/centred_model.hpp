// sim/centred_model.hpp - the same scene with the frames of free bodies at their centres of mass.
//
// There the mass matrix of a free body is constant and its motion splits into that of the centre
// and a turn about it: energy and momentum of free flight are then exact (free_flight.hpp). Bodies
// whose free joint has forces of its own (springs, damping, actuators, armature) keep their frame.
#pragma once

#include <vector>

#include "tact/body/model.hpp"

namespace tact {

struct CentredModel {
  Model model;
  std::vector<Vec3> shift;  ///< [links] the new origin in the old frame; zero where nothing moved
  std::vector<bool> flies;  ///< [links] alone, and centred: free_flight.hpp knows its motion
};

[[nodiscard]] CentredModel centred(const Model& model);

/// Positions and velocities of the one as those of the other; all else is copied.
void to_centred(const CentredModel& centred, const State& from, State& to);
void from_centred(const CentredModel& centred, const State& from, State& to);

}  // namespace tact
