// sim/carried_rows.hpp - rows of the middle of a step, at its end: contacts and equalities that are
// carried round by what turns.
//
// By the end of a step a contact is elsewhere and its bodies have turned, so that it slides at
// another velocity though no body has changed its own:
//     d/dt (v₁ - v₂)(c) = (J̇u + ω × (ċ - v(c)))₁ - (J̇u + ω × (ċ - v(c)))₂,
// c the place of contact. Friction holds what sticks at the end of the step, half a step times that
// away; what it held at the start is half a step the other way. Else what rides on a turntable
// would drift outwards by ½ r ω² h a second, though every step sticks. So with equalities: the rows
// of the middle hold a body that swings at a velocity that was right half a step before, which
// costs ω² h of it a second. The two shifts cancel in the mean velocity: positions and the ledger
// know nothing of them.
#pragma once

#include "tact/body/constraints.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

/// Scratch of carried_rows.hpp.
struct CarriedWork {
  State end;  ///< where u⁻ leads
  Kinematics kin;
  std::vector<double> errors;  ///< of equalities at the start of the step
  VecX rates_start, rates_end;
};

/// Adds to every row along the plane of a contact with friction what turning makes of its rate
/// within `dt` seconds. Contacts of bodies that turn by less than tolerance::turn in a step are
/// left as they are. Expects the rows and the kinematics of the middle of the step.
void add_turning(const Simulation& sim, double dt, VecX& out);

/// χ⁻ and χ⁺ of the rows of equalities, which begin at `first_row`: what drives do, and what their
/// rates become half a step before and after the middle. work.carried.errors are those of the start
/// of the step.
void carry_equalities(Simulation& sim, double dt, Index first_row, VecX& chi_minus, VecX& chi_plus);

}  // namespace tact
