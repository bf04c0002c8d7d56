// cone/friction_search.hpp - the direction of slip of a set of friction nodes: Newton's method in
// two dimensions. See cone/friction_nodes.hpp for the problem, the notation and the reasons.
#pragma once

#include <span>
#include <vector>

#include "tact/cone/friction_nodes.hpp"
#include "tact/linalg/types.hpp"

namespace tact::detail {

/// A τ and A'u of a node.
[[nodiscard]] inline Vec3 moved(const Vec2& x, double r, const Vec3& tau) {
  return {tau[0] - x[1] * tau[2], tau[1] + x[0] * tau[2], r * tau[2]};
}
[[nodiscard]] inline Vec3 moved_transposed(const Vec2& x, double r, const Vec3& u) {
  return {u[0], u[1], -x[1] * u[0] + x[0] * u[1] + r * u[2]};
}

/// The place x̄ and size ℓ of a set of nodes, chosen so that Σ k_i Ā_i'Ā_i = K I in the coordinates
/// η = R τ, T = R'T̄ with R = [1 0 -x̄_y; 0 1 x̄_x; 0 0 ℓ]: the set then looks like a ball of radius
/// K, whatever the units and the frame.
struct FrictionPlace {
  Vec2 x = Vec2::Zero();
  double size = 0;
  double bound = 0;  ///< K = Σ k_i

  [[nodiscard]] Vec3 velocity_in(const Vec3& tau) const { return moved(x, size, tau); }
  [[nodiscard]] Vec3 velocity_out(const Vec3& eta) const {
    const double w = eta[2] / size;
    return {eta[0] + x[1] * w, eta[1] - x[0] * w, w};
  }
  [[nodiscard]] Vec3 force_out(const Vec3& t) const { return moved_transposed(x, size, t); }
  [[nodiscard]] Vec3 force_in(const Vec3& T) const {
    return {T[0], T[1], (T[2] + x[1] * T[0] - x[0] * T[1]) / size};
  }
  [[nodiscard]] Mat3 metric_in(const Mat3& G) const {
    Mat3 r;
    r << 1, 0, -x[1], 0, 1, x[0], 0, 0, size;
    return r * G * r.transpose();
  }
};

[[nodiscard]] FrictionPlace place_of(std::span<const FrictionNode> nodes);

/// The nodes with a bound, in the coordinates of the place.
void load(std::span<const FrictionNode> nodes, const FrictionPlace& place, FrictionWorkspace& out);

/// The search for a direction y, |y| measured by G^-1: η = L y with L L' the metric in the nodes'
/// own coordinates; p(y) = σ(y) + a.y with a = L'T̄0.
class FrictionSearch {
 public:
  using Two = FrictionWorkspace::Two;
  using Pair = FrictionWorkspace::Pair;

  /// Keeps references to the nodes and to G, and uses the nodes as its state. Without G the metric
  /// is that in which the set looks like a ball.
  FrictionSearch(FrictionWorkspace& nodes, const FrictionPlace& at, const Mat3* G, const Vec3& T0);

  [[nodiscard]] bool lever_is_long() const { return speed_ > 0; }
  /// After the nodes were loaded anew.
  void restart();

  FrictionPlace place;
  Mat3 lower = Mat3::Identity();  ///< L
  Vec3 a = Vec3::Zero();
  double a_norm = 0;
  bool sticks = false;
  bool converged = false;
  int iterations = 0;

  /// σ(y), without keeping anything.
  [[nodiscard]] double sigma(const Vec3& y) const;
  /// Σ k_i Ā_i'u_i, in the nodes' own coordinates.
  [[nodiscard]] Vec3 force() const;

  /// The least of σ(y) over -a.y = 1, from y with -a.y > 0. Stops early once stick (least >= 1) or
  /// slip (some value < 1) is certain, unless `to_the_end`. Returns σ at the last y.
  double least_margin(Vec3& y, bool to_the_end);

  /// The least of p(y) on |y| = 1 where it is negative; returns minus that value.
  double steepest(Vec3& y);

 private:
  void settle();
  /// A set of larger nodes contains the true one: what slips there slips here.
  void set_radii(double share);
  [[nodiscard]] bool radii_are_true() const { return share_ * lever_ <= least_radius_; }
  bool closes(double change);
  [[nodiscard]] bool agrees(const Vec3& y, double value) const;
  double move_to(const Vec3& y);
  bool centre_on_slowest(Vec3& y);
  void assemble(const Vec3& e1, const Vec3& e2, Vec2& gradient, Mat2& hessian) const;
  [[nodiscard]] double acceptable_share(const Vec3& y, const Vec3& step, double value,
                                        double slope) const;
  double move_along(const Vec3& step, double value, double slope, bool blind, Vec3& y);
  double step_forces(const Vec3& step, double share);
  [[nodiscard]] bool certifies_stick(const Vec3& step, double value) const;

  std::vector<Pair>& pairs_;
  const Mat3* G_;
  Vec3 T0_;
  bool first_ = true;
  double slowest_share_ = 1;  ///< speed of the slowest node relative to the fastest
  int moves_ = 0;             ///< of the origin
  bool plain_ = true;         ///< no node is slow
  double speed_ = 0;          ///< if the lever is long: how fast a unit y moves the set
  double lever_ = 1;          ///< of the mobility, v over ω, in units of the set; one if not long
  double least_radius_ = 0;
  double share_ = 1;  ///< of the lever: the present least radius, unless the true one is larger
};

}  // namespace tact::detail
