// sim/impact_phase.hpp - a step in which bodies bounce: flights to the time of each impact, the
// impact by its law, and the rest of the step.
//
// An impact is due where a point of a contact with restitution (or of any contact, with
// SimOptions::time_of_impact) is closed, or closes within the step, and approaches faster than
// least_impact_speed(): slower ones are met at e = 0 like everything that persists. On the flight
// to an impact the contacts that wait for it are left out, for γ + gap/h would brake them, and so
// at the end of the step are those that close just after it; points that support (closed to
// tolerance::support) stay. All closed contacts of the bodies that are hit take part, with the hull
// of their closed points; the gap does not enter the law.
#pragma once

#include "tact/body/constraints.hpp"
#include "tact/contact/constraint_rows.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

/// Scratch of impact_phase.hpp.
struct ImpactWork {
  Kinematics kin;
  DetectWorkspace detect;
  SceneContacts contacts, closed;
  ConstraintRows rows;
  MassMatrix mass;
  EqualityRows equalities;
  LimitRows limits;
  VecX rates, free_rates;
  std::vector<Vec2> points;
  std::vector<Twist> drives, drives_then;  ///< at the start of the flight, and at its end
  std::vector<double> driven;              ///< [geoms] as in StepWork
  std::vector<bool> hit, member;           ///< [links] by their roots, [closed contacts]
  std::vector<Index> dofs, place;
};

/// One step of options.dt. As step().
[[nodiscard]] bool bouncing_step(Simulation& sim, StepReport& report);

/// A contact that is approached more slowly is not an impact [m/s]: its bounce would last less than
/// two steps, |g| h, or stay within tolerance::support, √(2 |g| support), where it counts as closed
/// and would be hit again in mid-air.
[[nodiscard]] double least_impact_speed(const Simulation& sim);

/// The points of a contact that an impact may act on: corners, ends, of round rims the lowest point
/// and eight more. In C.
void impact_points(const SurfaceContact& contact, const ContactBuffer& buffer,
                   std::vector<Vec2>& out);

/// Of a round rim the point where an affine function of that slope is least; of others none.
void append_lowest(const SurfaceContact& contact, const ContactBuffer& buffer, const Vec2& slope,
                   std::vector<Vec2>& out);

/// The contact cut down to the hull of those of its points that are closed to `limit` [m], appended
/// to `out`; false where none is. `earlier` is added to the gap first, a twist as of gap_twist():
/// what has only come near since does not count.
bool append_closed_part(const SceneContacts& from, Index contact, double limit,
                        std::vector<Vec2>& scratch, SceneContacts& out,
                        const Vec3& earlier = Vec3::Zero());

}  // namespace tact
