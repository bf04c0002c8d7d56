// base/tolerance.hpp - how close is close. The only home of tiny literals in the library.
//
// A tolerance is a pure number; what it is relative to (a length, a force, a speed) is given where
// it is used, so that a scene in millimetres and a scene in metres are judged alike.
#pragma once

#include <cmath>
#include <limits>

namespace tact {

/// |residual| <= rel * scale + abs * unit. NaN is never accepted.
struct Tolerance {
  double rel = 1e-9;  ///< times the scale of the problem at hand
  double abs = 0;     ///< times the unit of the quantity; zero unless the caller says otherwise

  [[nodiscard]] bool accepts(double residual, double scale, double unit = 1) const {
    return std::abs(residual) <= rel * scale + abs * unit;
  }
};

/// Named relative tolerances. Each is used for one kind of decision and says which.
namespace tolerance {

/// Unit round-off of double.
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Smallest positive normal double: guards a division, decides nothing.
inline constexpr double smallest = std::numeric_limits<double>::min();

/// Rounding of a short chain of operations (projection, change of frame): 64 units of round-off.
inline constexpr double rounding = 64 * epsilon;

/// Hull: a point closer than this to a chord, relative to the size of the set, lies on the chord.
inline constexpr double collinear = 1e-12;

/// Regimes: forces and velocities below this share of their scale count as zero.
inline constexpr double regime = 1e-9;

/// Faces: support points within this share of the patch size belong to one edge.
inline constexpr double face = 1e-7;

/// Newton: after a relative step below the root of round-off one more step is exact to rounding.
inline constexpr double quadratic = 1e-8;

/// A symmetric matrix may differ from its transpose by this much, relative to its largest entry.
inline constexpr double symmetry = 1e-10;

/// Inertia: the largest principal moment may exceed the sum of the other two by this share of
/// itself, because files print thin plates, where the two are equal, with six digits.
inline constexpr double triangle = 1e-5;

/// Effective patch: a centre nearer to an edge than this share of the patch size lies on the edge.
inline constexpr double centre = 1e-9;

/// Friction on a patch: force and motion agree when they do to this share of the energy scale.
inline constexpr double friction = 1e-11;

/// Metric of a contact: a diagonal block of the Delassus matrix whose condition number is above the
/// inverse of this, in units of its own diagonal, is made regular by this share of the diagonal.
/// Any regular metric has the same solutions; one of moderate condition hides no direction.
inline constexpr double metric = 1e-7;

/// A row whose mobility is below this share of the normal row's is moved by nothing.
inline constexpr double immovable = 1e-12;

/// Modes under the tolerance policy: a row of largest entry 1 applied to a generator of largest
/// value 1 gives zero when it gives less than this; above the rounding of files with nine digits.
inline constexpr double mode_sign = 1e-8;

/// The same: a row whose largest entry is below this share of the largest of all rows is zero. Rows
/// may differ in scale by twelve orders of magnitude; noise lies a hundred round-offs up.
inline constexpr double mode_row = 1e-13;

/// Augmented Lagrangian: the proximal weight of a step that goes on from the last one, and the
/// least there is, in units of the constraints' own Delassus blocks. Below, rounding of velocities
/// over the weight has more to say than the constraints.
inline constexpr double warm_weight = 1e-5;
inline constexpr double least_weight = 1e-7;

/// The same: from zero impulses a constraint that opens by less than this share of the scale
/// sticks.
inline constexpr double clearly_open = 1e-9;

/// The same: what moves along its rows by less than this share of the scale is at rest. It is
/// solved again from `rest` on, and then down to `rest_goal`, so that it does not creep.
inline constexpr double at_rest = 1e-6;
inline constexpr double rest = 1e-11;
inline constexpr double rest_goal = 1e-13;

/// Steps: a structure whose speed is below this share of what a step of free motion gives it stands
/// still: statics may hold it.
inline constexpr double still = 1e-8;

/// Steps: a velocity whose energy is the square of this share of what the smooth forces alone would
/// give in the step is rounding of the loads that stop it, and zero.
inline constexpr double noise = 1e-12;

/// The same: impulses that grow while this share of them is all that moves anything are a
/// certificate that there is no solution.
inline constexpr double cancelled = 1e-6;

/// The same: the line search ends where the bracket of its root is this narrow.
inline constexpr double line_search = 1e-10;

/// Piles: the residual with which an island that has used up its systems goes on to the next step;
/// a third of what sweeps leave. Islands that start from ten times that are swept.
inline constexpr double left_in_piles = 3e-3;
inline constexpr double hopeless_in_piles = 3e-2;

/// Positions: the residual with which gaps count as opened.
inline constexpr double opened = 1e-5;

/// Simulation: the share of the way of a step that an overlap may have at its end; far below the
/// square of what turns in a step.
inline constexpr double overlap_share = 1e-7;

/// The share of the error over the free velocity alone that counts in the judge's figure: impulses
/// may be this much larger than what stops the contacts before they hide an error.
inline constexpr double unhidden = 1e-3;

/// Step of a forward difference, relative to the size of the argument: the root of round-off,
/// above.
inline constexpr double difference = 1e-7;

/// Proximal term of the alternating direction method, in units of the diagonal blocks.
inline constexpr double proximal = 1e-6;

/// Line search: a step of length t must bring the merit down by this share of t.
inline constexpr double armijo = 1e-3;

/// Contact problems: the judge's residual that counts as solved unless the caller says otherwise.
inline constexpr double solved = 1e-10;

/// Polishing stops here: a residual of a few units of round-off.
inline constexpr double polished = 1e-15;

/// Labels of a solved problem: below this share of the largest impulse or velocity counts as zero.
/// Far above what a solver leaves, far below what anyone means.
inline constexpr double label = 1e-7;

/// The FCLIB collection's measure below which a problem counts as solved there.
inline constexpr double fc3d = 1e-8;

/// Interior-point method: residuals and gap below this, relative to the data, make a solution.
inline constexpr double conic = 1e-10;

/// Pivoting: an entry below this share of its column is no pivot; two ratios closer than this are
/// the same.
inline constexpr double pivot = 1e-10;

/// Pivoting: variables that would reach zero within this share of the data do so together.
inline constexpr double tie = 1e-12;

/// Pivoting: a variable of the last basis may be negative by this share of the largest.
inline constexpr double basis = 1e-9;

/// Rank: a pivot of an orthogonal factorisation below this share of the largest is zero.
inline constexpr double rank = 1e-10;

/// Box friction: share of the diagonal that makes redundant contacts regular; the proximal loop
/// takes its effect out again.
inline constexpr double box = 1e-7;

/// Force ranges: velocities below this share of the largest are none; a range narrower than this
/// share of the largest force is one value.
inline constexpr double range = 1e-8;

/// Impacts: a contact work is zero, impulses explain a velocity, and a contact does not penetrate,
/// up to this share of what the number is made of (½|Δu|² + Σ|γ⁻λ| for a work; never T, which
/// depends on the frame). Above what solvers leave, below what matters.
inline constexpr double contact_work = 1e-9;

/// Impacts with round cones: a bracket narrower than this share of what the work is made of is not
/// made narrower; some thousand units of round-off.
inline constexpr double bracket = 1e-12;

/// The same: pieces of one cone nearer to each other than this, in units of the cone, are one. The
/// work differs by the square.
inline constexpr double same_piece = 1e-8;

/// The same: impulses larger than the change of motion by the inverse of this explain nothing.
/// Above contact_work, because a target that no impulses reach, but large ones approach, is missed
/// by about the inverse of their size.
inline constexpr double squeeze = 1e-7;

/// Audit of a log: what exceeds this share of its step's own scale is a violation. Above the
/// rounding of logs with eight digits.
inline constexpr double audit = 1e-6;

/// Jams: a ray is one when any solution would need impulses larger than the data by the inverse of
/// this.
inline constexpr double jam = 1e-11;

/// Least distance: of a unit column, what is left beside the active ones below this share makes it
/// dependent on them. Far above the rounding of exact copies, below any angle that is meant.
inline constexpr double dependent = 1e-12;

/// Impacts in a row: approach below this share of what has happened is settled by one projection.
inline constexpr double settled = 1e-12;

/// Impacts in a row: admissible velocities thinner than this share of the motion have no interior.
inline constexpr double thin = 1e-9;

/// Repair: the work of the answer is brought to zero from below to this share of its terms.
inline constexpr double repair = 1e-13;

/// Distance of shapes: the bracket of an iteration is narrow enough at this share of the shapes'
/// size.
inline constexpr double distance = 1e-12;

/// Hull of a mesh: triangles whose corners leave a plane by less than this share of its size are
/// one face. Above the rounding of meshes stored in single precision.
inline constexpr double coplanar = 1e-6;

/// Directions whose sine is below this are parallel.
inline constexpr double parallel = 1e-9;

/// Files: a quaternion, an axis or an inertia matrix may miss its norm or its symmetry by this
/// share.
inline constexpr double written = 1e-6;

/// Simulation: joints that are off by more than this are said so [rad], and [m] per size of the
/// smallest geom that moves. Ten thousand times what linkages that are solved well show.
inline constexpr double torn = 1e-2;

/// Simulation: the forces of joints give energy where they add more than this share of what moved
/// and of what moves, in one step; and in a run.
inline constexpr double given_in_a_step = 1e-3;
inline constexpr double given_in_a_run = 1e-2;

/// Simulation: a gap that would end deeper than this asks for a correction of positions [m]; above
/// the rounding of coordinates of a few metres.
inline constexpr double overlap = 1e-13;

/// Simulation: what fast turning may leave uncorrected until the next step [m].
inline constexpr double turning = 1e-10;

/// Simulation: what turns by less in a step [rad] carries its contacts along a straight line; what
/// sticks to it drifts by less than half of this share of its way.
inline constexpr double turn = 1e-6;

/// Simulation: a point of a patch nearer than this is closed for an impact [m]; a pivot floats at
/// a tenth of it.
inline constexpr double support = 2e-6;

}  // namespace tolerance

}  // namespace tact
