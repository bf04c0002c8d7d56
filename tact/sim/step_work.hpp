// sim/step_work.hpp - what the stages of a step hand to each other, and the scratch of each.
#pragma once

#include "tact/sim/carried_rows.hpp"
#include "tact/sim/impact_phase.hpp"
#include "tact/sim/landings.hpp"
#include "tact/sim/row_sweeps.hpp"
#include "tact/sim/settle.hpp"
#include "tact/sim/smooth_motion.hpp"
#include "tact/sim/soft_stage.hpp"
#include "tact/sim/step_islands.hpp"

namespace tact {

/// Scratch of a step; of no meaning between steps, except where said.
struct StepWork : StepProblem {
  State mid;
  Kinematics kin, kin_end;
  MassMatrix mass;
  VecX lumped;  ///< M + h D
  TreeFactor factor;
  SmoothMotion smooth;
  SceneContacts contacts;
  LimitRows limits;
  FrictionRows dry;
  EqualityRows equalities;
  CarriedWork carried;
  StepIslands islands;
  VecX chi_minus, chi_plus, gamma_minus, gamma_plus, velocity, impulse;
  VecX velocity_before;  ///< u⁻ of the last step
  VecX mean0, mean;      ///< the mean velocity, and the one that positions move with
  State end;
  State uncorrected;  ///< where the mean velocity alone would have led; with trees
  SettleWork settle;
  RowSweepWork sweep;
  std::vector<Overlap> left;  ///< of this step or part of one, see StepReport
  bool swept = false;         ///< this step is one of sweeps
  std::vector<Twist> drive_minus, drive_plus;
  std::vector<double> driven;  ///< [geoms] how far they may be driven in this step [m]; or empty
  ImpactWork impact;
  LandingWork landing;
  SoftWork soft;
};

}  // namespace tact
