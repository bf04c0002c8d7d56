#include "tact/soft/track.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

constexpr int most_steps = 60;
constexpr int most_halvings = 10;
constexpr double widest_turn = 0.6;  ///< of a normal in one step [rad]

/// How far two points are from facing each other, seen from body 1. Along n both parts are left
/// out, for there a rotation that has drifted would show and nothing could mend it.
struct Misfit {
  Vec3 across = Vec3::Zero();  ///< p2 - p1
  Vec3 tilt = Vec3::Zero();    ///< g1 + R_12 g2
  double gap = 0;
  bool opposed = true;  ///< g1 · R_12 g2 < 0

  /// Squared, with angles counted as lengths at the distance `arm`; by the sine of the angle, which
  /// goes on growing beyond a right angle.
  [[nodiscard]] double merit(double arm) const {
    const double sine = tilt.squaredNorm();
    return across.squaredNorm() + arm * arm * (opposed ? sine : 2 - sine);
  }
};

Misfit misfit_of(const FacingPoints& at, const Pose& X_12) {
  const Vec3& n = at.one.n;
  const Vec3 between = transform_point(X_12, at.two.p) - at.one.p;
  const Vec3 other = X_12.R * at.two.n;
  const double cosine = n.dot(other);
  Misfit misfit;
  misfit.gap = n.dot(between);
  misfit.across = between - misfit.gap * n;
  misfit.tilt = other - cosine * n;
  misfit.opposed = cosine < 0;
  return misfit;
}

/// Gauss maps in the tangent plane of body 1, and what Newton's matrix is made of.
struct Curves {
  Mat32 E, B;  ///< the basis in the frames of 1 and 2
  Mat2 A1, A2;
};

Curves curves_of(const FacingPoints& at, const Pose& X_12) {
  Curves c;
  c.E = tangent_basis(at.one.n);
  c.B = X_12.R.transpose() * c.E;
  c.A1 = c.E.transpose() * at.one.dn * c.E;
  c.A2 = c.B.transpose() * at.two.dn * c.B;
  return c;
}

double determinant(const Mat2& A) {
  return A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
}

struct Step {
  Vec2 one = Vec2::Zero(), two = Vec2::Zero();
  TrackStatus status = TrackStatus::tracked;
};

/// M δ1 = A2 e - r, δ2 = (1 + gap A1) δ1 - e; shorter where a normal would turn too far.
Step newton_step(const Curves& c, const Misfit& misfit) {
  const Vec2 e = c.E.transpose() * misfit.across;
  const Vec2 r = c.E.transpose() * misfit.tilt;
  const Mat2 M = c.A1 + c.A2 + misfit.gap * c.A2 * c.A1;
  const double det = determinant(M);
  const double size = M.squaredNorm();
  if (!(std::abs(det) > tolerance::rank * size)) {
    const bool flat = std::abs(determinant(c.A1 + c.A2)) <=
                      tolerance::rank * (c.A1.squaredNorm() + c.A2.squaredNorm());
    return {{}, {}, flat ? TrackStatus::lost_convexity : TrackStatus::past_window};
  }
  const Vec2 b = c.A2 * e - r;
  Step step;
  step.one = Vec2(M(1, 1) * b[0] - M(0, 1) * b[1], M(0, 0) * b[1] - M(1, 0) * b[0]) / det;
  step.two = step.one + misfit.gap * (c.A1 * step.one) - e;
  const double turn = std::max((c.A1 * step.one).norm(), (c.A2 * step.two).norm());
  if (turn > widest_turn) {
    step.one *= widest_turn / turn;
    step.two *= widest_turn / turn;
  }
  return step;
}

/// A solution is a nearest pair where A1 + A2 > 0 and 1 + gap C > 0, C = A1 (A1 + A2)⁻¹ A2.
TrackStatus judge(const Curves& c, const Misfit& misfit) {
  if (!misfit.opposed) return TrackStatus::not_converged;
  const Mat2 sum = c.A1 + c.A2;
  if (!positive_form(sum, c.A1.norm() + c.A2.norm())) return TrackStatus::lost_convexity;
  Mat2 adjugate;
  adjugate << sum(1, 1), -sum(0, 1), -sum(1, 0), sum(0, 0);
  const Mat2 bent = misfit.gap / determinant(sum) * (c.A1 * adjugate * c.A2);
  const bool inside = positive_form(Mat2::Identity() + bent, 1 + bent.norm());
  return inside ? TrackStatus::tracked : TrackStatus::past_window;
}

/// Both points along their surfaces by `share` of the step, into `to`.
bool moved(const Surface& one, const Surface& two, const Curves& c, const Step& step, double share,
           const FacingPoints& from, FacingPoints& to) {
  to.one.p = from.one.p;
  to.one.uv = from.one.uv;
  to.two.p = from.two.p;
  to.two.uv = from.two.uv;
  return slide(one, c.E * (share * step.one), to.one) &&
         slide(two, c.B * (share * step.two), to.two);
}

/// One pair of surfaces in one place, with the length that angles are counted at.
struct Task {
  const Surface& one;
  const Surface& two;
  const Pose& X_12;
  double arm;
};

/// The step, or a half of it, or a quarter, ..., that brings the points nearer to facing; `any`:
/// the whole step. Into `to`, with the misfit there.
TrackStatus descend(const Task& task, const Curves& c, const Step& step, bool any,
                    const FacingPoints& from, FacingPoints& to, Misfit& misfit) {
  const double before = misfit.merit(task.arm);
  bool stayed = false;
  double share = 1;
  for (int k = 0; k < most_halvings; ++k, share /= 2) {
    if (!moved(task.one, task.two, c, step, share, from, to)) continue;
    stayed = true;
    const Misfit there = misfit_of(to, task.X_12);
    if (!any && !(there.merit(task.arm) < before)) continue;
    misfit = there;
    return TrackStatus::tracked;
  }
  return stayed ? TrackStatus::not_converged : TrackStatus::left_surface;
}

SurfacePoint on_ball(double radius, const Vec3& n) {
  SurfacePoint at;
  at.p = radius * n;
  at.n = n;
  at.dn = (Mat3::Identity() - n * n.transpose()) / radius;
  return at;
}

SurfacePoint on_plane(const PlaneSurface& plane, const Vec3& above) {
  SurfacePoint at;
  at.p = above - (plane.normal.dot(above) - plane.offset) * plane.normal;
  at.n = plane.normal;
  return at;
}

/// Two balls, and a ball and a plane: the points lie on the line of centres, and nothing has to be
/// followed. False for all others, and for balls about one centre.
bool face_balls(const Surface& one, const Surface& two, const Pose& X_12, FacingPoints& facing) {
  if (one.inside_out || two.inside_out) return false;
  const auto* ball1 = std::get_if<SphereSurface>(&one.form);
  const auto* ball2 = std::get_if<SphereSurface>(&two.form);
  const auto* plane1 = std::get_if<PlaneSurface>(&one.form);
  const auto* plane2 = std::get_if<PlaneSurface>(&two.form);
  if (ball1 != nullptr && ball2 != nullptr) {
    const double distance = X_12.p.norm();
    if (!(distance > 0)) return false;
    const Vec3 n = X_12.p / distance;
    facing.one = on_ball(ball1->radius, n);
    facing.two = on_ball(ball2->radius, -(X_12.R.transpose() * n));
  } else if (plane1 != nullptr && ball2 != nullptr) {
    facing.one = on_plane(*plane1, X_12.p);
    facing.two = on_ball(ball2->radius, -(X_12.R.transpose() * plane1->normal));
  } else if (ball1 != nullptr && plane2 != nullptr) {
    facing.one = on_ball(ball1->radius, -(X_12.R * plane2->normal));
    facing.two = on_plane(*plane2, inverse(X_12).p);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string_view describe(TrackStatus status) {
  switch (status) {
    case TrackStatus::tracked:
      return "tracked";
    case TrackStatus::lost_convexity:
      return "the surfaces touch along a line or a face or are hollow against each other: use "
             "rigid "
             "contact for this pair, or rounder surfaces";
    case TrackStatus::past_window:
      return "the bodies are deeper in each other than their smallest radius of curvature, or "
             "farther apart than a hollow allows: use a stiffer contact or search again";
    case TrackStatus::not_converged:
      return "no pair of facing points was found from where the search began: search again";
    case TrackStatus::left_surface:
      return "the contact ran over the edge of a patch: use a larger patch";
  }
  return "";
}

TrackStatus track(const Surface& one, const Surface& two, const Pose& X_12, FacingPoints& facing) {
  if (FacingPoints balls; face_balls(one, two, X_12, balls)) {
    const Misfit misfit = misfit_of(balls, X_12);
    const TrackStatus verdict = judge(curves_of(balls, X_12), misfit);
    if (verdict == TrackStatus::not_converged) return verdict;
    facing = balls;
    facing.gap = misfit.gap;
    return verdict;
  }
  Misfit misfit = misfit_of(facing, X_12);
  Curves c = curves_of(facing, X_12);
  // Lengths are compared with the radius of relative curvature, or with the bodies where that is
  // larger.
  const double place = facing.one.p.norm() + facing.two.p.norm() + X_12.p.norm();
  const double bend = (c.A1 + c.A2).norm();
  const Task task{one, two, X_12, bend * place > 1 ? 1 / bend : place};
  const double exact = tolerance::rounding * task.arm;
  std::array<FacingPoints, 2> places;
  const FacingPoints* at = &facing;
  bool last = false;
  for (int i = 0; i < most_steps; ++i) {
    if (last || misfit.merit(task.arm) <= exact * exact) {
      const TrackStatus verdict = judge(c, misfit);
      if (verdict == TrackStatus::not_converged) return verdict;
      if (at != &facing) facing = *at;
      facing.gap = misfit.gap;
      return verdict;
    }
    const Step step = newton_step(c, misfit);
    if (step.status != TrackStatus::tracked) return step.status;
    // Below this the method has converged with the step that is taken now.
    last = std::max(step.one.norm(), step.two.norm()) <= tolerance::quadratic * task.arm;
    FacingPoints& next = places[i % 2];
    const TrackStatus result = descend(task, c, step, last, *at, next, misfit);
    if (result != TrackStatus::tracked) return result;
    at = &next;
    c = curves_of(*at, X_12);
  }
  return TrackStatus::not_converged;
}

}  // namespace tact
