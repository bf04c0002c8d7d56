// solve/one_contact.cpp - closed forms first, iteration where there is none.
#include "tact/solve/one_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>

#include "tact/base/tolerance.hpp"
#include "tact/cone/planar_cone.hpp"
#include "tact/contact/six_rows.hpp"
#include "tact/solve/sliding_patch.hpp"

namespace tact {
namespace {

using Block = BlockMatrix::Block;

/// u = G λ + b of a block of n rows.
void local_velocity(const Block& G, const double* b, const double* lambda, double* u) {
  const Index n = G.rows();
  if (n == 6) {
    velocity_of_six(G.data(), b, lambda, u);
    return;
  }
  for (Index r = 0; r < n; ++r) u[r] = b[r];
  for (Index c = 0; c < n; ++c)
    for (Index r = 0; r < n; ++r) u[r] += G(r, c) * lambda[c];
}

/// |D⁻¹ u|²_D: a velocity by the load that stops it.
double energy_of_motion(const LocalMetric& metric, const double* u) {
  constexpr double zero[6] = {};
  double change[6];
  argument_of(metric, zero, u, change);
  return energy_of(metric, change);
}

// ------------------------------------------------------------------------------- points

/// Whether a determinant is more than rounding of the product of the diagonal. Where it is not,
/// impulses that move nothing would be as large as the rounding of b makes them.
bool is_regular(double det, double diagonal) {
  return std::isfinite(det) && std::abs(det) > tolerance::immovable * std::abs(diagonal);
}

/// Planar friction: [t, n].
bool solve_interval(double mu, const Mat2& G, const double* b, double* lambda) {
  const double det = G(0, 0) * G(1, 1) - G(0, 1) * G(1, 0);
  if (!is_regular(det, G(0, 0) * G(1, 1))) return false;
  const double unit = 1 / det;
  const double t = (b[1] * G(0, 1) - b[0] * G(1, 1)) * unit;
  const double n = (b[0] * G(1, 0) - b[1] * G(0, 0)) * unit;
  if (n >= 0 && std::abs(t) <= mu * n) {
    lambda[0] = t;
    lambda[1] = n;
    return true;
  }
  for (const double c : {-mu, mu}) {
    const double slope = G(1, 1) + G(1, 0) * c;
    if (!(slope > 0)) continue;
    const double load = -b[1] / slope;
    const double slip = b[0] + (G(0, 0) * c + G(0, 1)) * load;
    if (load >= 0 && slip * c <= 0) {
      lambda[0] = c * load;
      lambda[1] = load;
      return true;
    }
  }
  return false;
}

/// G and b by tangents and normal.
struct PointBlock {
  Mat2 tt;
  Vec2 tn, nt, bt;
  double nn, bn;
};

/// Friction polygon: every corner and side of the bound is tried; a sliding velocity must oppose
/// the force, that is lie in minus the normal cone of the corner or side.
bool slide_on_polygon(std::span<const Vec2> corners, const PointBlock& k, double* lambda) {
  const std::size_t count = corners.size();
  const auto load_for = [&](const Vec2& c) { return -k.bn / (k.nn + k.nt.dot(c)); };
  const auto slip_of = [&](const Vec2& T, double n) -> Vec2 { return k.tt * T + k.tn * n + k.bt; };
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2& c = corners[i];
    const double n = load_for(c);
    if (!(n >= 0)) continue;
    const Vec2 v = slip_of(n * c, n);
    const Vec2 to_next = corners[(i + 1) % count] - c;
    const Vec2 to_last = corners[(i + count - 1) % count] - c;
    if (v.dot(to_next) >= 0 && v.dot(to_last) >= 0) {
      lambda[0] = n * c[0];
      lambda[1] = n * c[1];
      lambda[2] = n;
      return true;
    }
  }
  for (std::size_t i = 0; i < count && count > 1; ++i) {
    // T = n c + s e with v.e = 0 and v_n = 0: two equations in (n, s).
    const Vec2& c = corners[i];
    const Vec2 e = corners[(i + 1) % count] - c;
    Mat2 A;
    A << e.dot(k.tt * c + k.tn), e.dot(k.tt * e), k.nn + k.nt.dot(c), k.nt.dot(e);
    const Vec2 rhs(-e.dot(k.bt), -k.bn);
    const double det = A.determinant();
    const double n = (rhs[0] * A(1, 1) - rhs[1] * A(0, 1)) / det;
    const double s = (A(0, 0) * rhs[1] - A(1, 0) * rhs[0]) / det;
    if (!(n >= 0 && s >= 0 && s <= n)) continue;
    const Vec2 T = n * c + s * e;
    if (cross(e, slip_of(T, n)) >= 0) {
      lambda[0] = T[0];
      lambda[1] = T[1];
      lambda[2] = n;
      return true;
    }
  }
  return false;
}

/// Sliding on the disc: with u_n = 0 eliminated, (S + γ) T = -s for the multiplier γ >= 0, and
/// |T| = mu n closes it. [FrictionM4] slip
/// In units of the block's normal entry and of the approach -b_n, T = p/q and n = m/q with
/// polynomials in γ: p = -(adj(S) s + γ s), q = det(S + γ), m = q - nt.p.
struct DiscSlide {
  double mu;
  double S[4] = {}, nt[2] = {};  ///< S by rows
  double s[2] = {}, as[2] = {};  ///< s and adj(S) s
  double trace, det;             ///< of S
  double m0, m1;                 ///< m = m0 + m1 γ + γ²
  double p0, p1, p2;             ///< |p|² = p0 + 2 p1 γ + p2 γ²

  DiscSlide(double friction, const PointBlock& k) : mu(friction) {
    const double unit = 1 / k.nn, speed = -1 / k.bn;
    const double tn[2] = {k.tn[0] * unit, k.tn[1] * unit};
    nt[0] = k.nt[0] * unit;
    nt[1] = k.nt[1] * unit;
    S[0] = k.tt(0, 0) * unit - tn[0] * nt[0];
    S[1] = k.tt(0, 1) * unit - tn[0] * nt[1];
    S[2] = k.tt(1, 0) * unit - tn[1] * nt[0];
    S[3] = k.tt(1, 1) * unit - tn[1] * nt[1];
    s[0] = k.bt[0] * speed + tn[0];
    s[1] = k.bt[1] * speed + tn[1];
    as[0] = S[3] * s[0] - S[1] * s[1];
    as[1] = S[0] * s[1] - S[2] * s[0];
    trace = S[0] + S[3];
    det = S[0] * S[3] - S[1] * S[2];
    m1 = trace + nt[0] * s[0] + nt[1] * s[1];
    m0 = det + nt[0] * as[0] + nt[1] * as[1];
    p0 = as[0] * as[0] + as[1] * as[1];
    p1 = s[0] * as[0] + s[1] * as[1];
    p2 = s[0] * s[0] + s[1] * s[1];
  }

  /// Friction along -d with the load that goes with it. The root itself when d is the direction of
  /// sliding, as that of the last visit nearly is; without one, s, which is when it is an
  /// eigenvector of S.
  [[nodiscard]] double start(const double* last) const {
    const double l2 = last[0] * last[0] + last[1] * last[1];
    const bool known = l2 > tolerance::smallest / tolerance::epsilon;
    const double x[2] = {known ? -last[0] : s[0], known ? -last[1] : s[1]};
    const double x2 = known ? l2 : p2;
    if (!(x2 > 0)) return 0;
    const double unit = 1 / std::sqrt(x2);
    const double d[2] = {x[0] * unit, x[1] * unit};
    const double stretch = d[0] * (S[0] * d[0] + S[1] * d[1]) + d[1] * (S[2] * d[0] + S[3] * d[1]);
    const double pull = (d[0] * s[0] + d[1] * s[1]) / mu;
    const double load = 1 - mu * (nt[0] * d[0] + nt[1] * d[1]);
    return std::max(0.0, pull * load - stretch);
  }

  /// mu n / |T| - 1, nearly linear in γ because |T| falls off like 1/γ: its sign and the step of
  /// Newton's method to its root, not a number where there is none.
  void at(double gamma, bool& below, double& step) const {
    const double P = p0 + gamma * (2 * p1 + gamma * p2);
    const double m = m0 + gamma * (m1 + gamma);
    const double q = det + gamma * (trace + gamma);
    const double gap = mu * m - std::sqrt(P);
    const double slope = mu * ((m1 + 2 * gamma) * P - m * (p1 + gamma * p2));
    below = gap < 0 || !(q > 0);
    step = q > 0 && slope > 0 ? -P * gap / slope : std::numeric_limits<double>::quiet_NaN();
  }
};

/// Newton's method inside a bracket that bisection keeps honest.
bool slide_on_disc(double mu, const PointBlock& k, const double* last, double* lambda) {
  if (!(mu > 0)) {
    lambda[0] = lambda[1] = 0;
    lambda[2] = -k.bn / k.nn;
    return k.nn > 0;
  }
  const DiscSlide slide(mu, k);
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double gamma = slide.start(last);
  double last_move = 0;
  constexpr int most = 200;
  for (int i = 0; i < most; ++i) {
    bool below = false;
    double step = 0;
    slide.at(gamma, below, step);
    if (!std::isfinite(gamma)) return false;
    (below ? low : high) = gamma;
    double next = gamma + step;
    if (!(next >= low && next <= high))
      next = std::isfinite(high) ? 0.5 * (low + high) : 4 * gamma + slide.trace + 1;
    const double move = std::abs(next - gamma);
    gamma = next;
    // Steps square themselves: what the next one would be follows from the last two.
    const double after = move * move * move, last_two = last_move * last_move * gamma;
    if (move <= tolerance::quadratic * gamma || after <= tolerance::epsilon * last_two) break;
    last_move = move;
  }
  const double load =
      (slide.m0 + gamma * (slide.m1 + gamma)) / (slide.det + gamma * (slide.trace + gamma));
  if (!(load >= 0)) return false;
  const double T[2] = {-(slide.as[0] + gamma * slide.s[0]), -(slide.as[1] + gamma * slide.s[1])};
  const double length = std::sqrt(T[0] * T[0] + T[1] * T[1]);
  const double n = load * (-k.bn / k.nn);
  const double shrink = length > 0 ? mu * n / length : 0;
  lambda[0] = T[0] * shrink;
  lambda[1] = T[1] * shrink;
  lambda[2] = n;
  return std::isfinite(n);
}

/// `last` is what the contact carried before.
bool solve_point(const LocalLaw& law, const Mat3& m, const double* b, const double* last,
                 double* lambda) {
  // Stick: G λ = -b by cofactors.
  const Vec3 c0 = m.row(1).cross(m.row(2)).transpose();
  const double det = m.row(0).dot(c0.transpose());
  if (!is_regular(det, m.diagonal().prod())) return false;
  const Vec3 c1 = m.row(2).cross(m.row(0)).transpose();
  const Vec3 c2 = m.row(0).cross(m.row(1)).transpose();
  const Vec3 stick = -(c0 * b[0] + c1 * b[1] + c2 * b[2]) / det;
  const double n = stick[2];
  bool holds = n >= 0;
  if (holds && law.kind == LawKind::disc)
    holds = stick.head<2>().squaredNorm() <= law.mu * law.mu * n * n;
  if (holds && law.kind == LawKind::polygon) {
    const auto& corners = *law.polygon;
    const Vec2 T = stick.head<2>();
    for (std::size_t i = 0; holds && i < corners.size(); ++i)
      holds = cross(corners[(i + 1) % corners.size()] - corners[i], T - n * corners[i]) >= 0;
    if (corners.size() < 3) holds = T.norm() <= tolerance::rounding * n * law.mu;
  }
  if (holds) {
    std::copy_n(stick.data(), 3, lambda);
    return true;
  }
  const PointBlock k{
      m.topLeftCorner<2, 2>(), {m(0, 2), m(1, 2)}, {m(2, 0), m(2, 1)}, {b[0], b[1]}, m(2, 2), b[2]};
  if (law.kind == LawKind::polygon) return slide_on_polygon(*law.polygon, k, lambda);
  return slide_on_disc(law.mu, k, last, lambda);
}

// ------------------------------------------------------------ patches with friction, rolling

/// The map whose fixed point is the solution: λ -> Π(λ - D⁻¹ (G λ + b)), and |λ - Π|²_D.
struct Natural {
  const LocalLaw& law;
  const LocalMetric& metric;
  const Block& G;
  const double* b;
  LocalWorkspace& work;

  void point(const double* lambda, double (&y)[6]) const {
    double u[6];
    local_velocity(G, b, lambda, u);
    argument_of(metric, lambda, u, y);
  }
  double square(const double* lambda, double* image) const {
    double y[6], gap[6];
    point(lambda, y);
    project(law, metric, y, image, work, lambda);
    for (Index r = 0; r < law.rows; ++r) gap[r] = lambda[r] - image[r];
    return energy_of(metric, gap);
  }
};

/// Newton with step halving on the natural map of N rows. Leaves the best point found.
template <int N>
bool newton_rows(const Natural& map, double scale2, int most, double* lambda) {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;
  double image[6], y[6];
  constexpr int halvings = 12;
  const double goal = tolerance::rounding * tolerance::rounding * scale2;
  double best = std::numeric_limits<double>::infinity();
  const Matrix inner =
      Matrix::Identity() - Matrix(map.metric.inverse()) * Eigen::Map<const Matrix>(map.G.data());
  LocalMatrix dP;
  Vector F;
  for (int it = 0; it < most && best > goal; ++it) {
    map.point(lambda, y);
    project(map.law, map.metric, y, image, dP, map.work, lambda);
    for (Index r = 0; r < N; ++r) F[r] = lambda[r] - image[r];
    if (it == 0) best = energy(map.metric, F.data());
    if (best <= goal) break;
    // d(λ - Π(λ - D⁻¹(Gλ + b))) = I - P (I - D⁻¹ G).
    const Matrix J = Matrix::Identity() - Eigen::Map<const Matrix>(dP.data()) * inner;
    const Vector step = J.partialPivLu().solve(F);
    if (!step.allFinite()) return false;
    double t = 1;
    bool better = false;
    for (int h = 0; h < halvings && !better; ++h, t *= 0.5) {
      double trial[6];
      for (Index r = 0; r < N; ++r) trial[r] = lambda[r] - t * step[r];
      const double value = map.square(trial, image);
      if (value < best) {
        better = true;
        best = value;
        std::copy_n(trial, N, lambda);
      }
    }
    if (!better) break;
  }
  return best <= tolerance::friction * tolerance::friction * scale2;
}

constexpr int newton_most = 30;

bool newton_six(const Natural& map, double scale2, double* lambda, int most = newton_most) {
  return map.law.rows == 6 ? newton_rows<6>(map, scale2, most, lambda)
                           : newton_rows<3>(map, scale2, most, lambda);
}

/// No load where none is needed: the free velocity opens the contact everywhere.
bool is_free(const LocalLaw& law, const double* b) {
  if (law.is_patch()) return law.patch->cone.dual_margin({b[0], b[1], b[law.normal_row()]}) >= 0;
  return b[law.normal_row()] >= 0;
}

/// A quick proof that friction cannot hold the patch at this load: more force than μ f, or more
/// power than the set has against the motion `u` under the last load. False where it may.
bool certainly_slips(const Natural& map, const double* at, const double* last, double scale2) {
  const LocalLaw& law = map.law;
  const NormalLoad load = NormalLoad::from_wrench({at[0], at[1], at[5]});
  const double bound = law.mu * load.f;
  const Vec3 T(at[3], at[4], at[2]);
  if (T.head<2>().squaredNorm() > bound * bound * (1 + tolerance::rounding)) return true;
  double u[6];
  local_velocity(map.G, map.b, last, u);
  const bool rests = !(energy_of_motion(map.metric, u) > tolerance::quadratic * scale2);
  if (rests || !(last[5] > 0)) return false;
  make_friction_set(law.patch->model, law.patch->cone.hull(), load, law.mu, map.work.friction,
                    map.work.set);
  const Vec3 tau(u[3], u[4], u[2]);
  return map.work.set.support(tau) * (1 + tolerance::rounding) < -T.dot(tau);
}

/// x = -G⁻¹ b of six rows by G = LDL', of which the lower half is read. False where G is not
/// positive definite beyond doubt.
bool rest_of_six(const double* G, const double* b, double* x) {
  constexpr int n = 6;
  double L[n][n], LD[n][n], inverse[n];
  for (int c = 0; c < n; ++c) {
    double pivot = G[n * c + c];
    for (int k = 0; k < c; ++k) pivot -= L[c][k] * LD[c][k];
    if (!(pivot > tolerance::immovable * G[n * c + c])) return false;
    inverse[c] = 1 / pivot;
    for (int r = c + 1; r < n; ++r) {
      double sum = G[n * c + r];
      for (int k = 0; k < c; ++k) sum -= LD[r][k] * L[c][k];
      LD[r][c] = sum;
      L[r][c] = sum * inverse[c];
    }
  }
  for (int r = 0; r < n; ++r) {
    x[r] = -b[r];
    for (int k = 0; k < r; ++k) x[r] -= L[r][k] * x[k];
  }
  for (int r = n - 1; r >= 0; --r) {
    x[r] *= inverse[r];
    for (int k = r + 1; k < n; ++k) x[r] -= L[k][r] * x[k];
  }
  return true;
}

/// Whether the six rows are a load that the law admits.
bool is_admissible(const Natural& map, const double* at, const double* last, double scale2) {
  const LocalLaw& law = map.law;
  if (law.kind == LawKind::patch_friction) {
    const Vec3 N(at[0], at[1], at[5]), T(at[3], at[4], at[2]);
    const PatchCone& cone = law.patch->cone;
    const PlanarSet& base = cone.turned_hull();
    if (clearly_in_friction_set(law.patch->model, cone.hull(), NormalLoad::from_wrench(N), law.mu,
                                T) &&
        base.kind() == PlanarSet::Kind::polygon)
      return project_on_polygon_cone(base.vertices(), map.metric.normal_upper(), N) == N;
    if (certainly_slips(map, at, last, scale2)) return false;
  }
  double image[6];
  project(law, map.metric, at, image, map.work);
  return std::equal(at, at + 6, image);
}

/// λ = -G⁻¹ b, `at`, all rows at rest, if that is an admissible load.
bool stick_six(const Natural& map, const double* at, double scale2, double* lambda) {
  const bool finite = std::all_of(at, at + 6, [](double x) { return std::isfinite(x); });
  if (!(at[5] > 0) || !finite || !is_admissible(map, at, lambda, scale2)) return false;
  double u[6];
  // The factor took G to be symmetric and regular; what is left of the velocity says if it is.
  local_velocity(map.G, map.b, at, u);
  const double most = tolerance::rounding * tolerance::rounding * scale2;
  if (!(energy_of_motion(map.metric, u) <= most)) return false;
  std::copy_n(at, 6, lambda);
  return true;
}

/// Normal rows with friction held, then friction with the normal rows held.
void staggered_pass(const Natural& map, double* lambda) {
  double y[6], image[6];
  map.point(lambda, y);
  project(map.law, map.metric, y, image, map.work);
  const LocalLaw& law = map.law;
  lambda[law.normal_row()] = image[law.normal_row()];
  if (law.is_patch()) std::copy_n(image, 2, lambda);
  map.point(lambda, y);
  // The normal rows stay: project() is sequential, so give it the load as its own argument.
  y[law.normal_row()] = lambda[law.normal_row()];
  if (law.is_patch()) std::copy_n(lambda, 2, y);
  project(law, map.metric, y, lambda, map.work);
}

/// From the load of before, of which |λ|²_D and the free velocity's are at most scale2.
bool solve_loaded(const Natural& map, double scale2, double* lambda) {
  const LocalLaw& law = map.law;
  double start[6] = {};
  std::copy_n(lambda, law.rows, start);
  double image[6];
  constexpr int passes = 5;
  // A contact that slides goes on sliding: few steps from what it carried.
  constexpr int few = 6;
  if (lambda[law.normal_row()] > 0) {
    if (law.rows == 6 &&
        slide_patch(map.law, map.metric, map.G.data(), map.b, scale2, lambda, map.work))
      return true;
    std::copy_n(start, law.rows, lambda);
    if (newton_six(map, scale2, lambda, few)) return true;
  }
  std::copy_n(start, law.rows, lambda);
  const double before = map.square(lambda, image);
  for (int i = 0; i < passes; ++i) staggered_pass(map, lambda);
  if (map.square(lambda, image) > before) std::copy_n(start, law.rows, lambda);
  if (newton_six(map, scale2, lambda)) return true;
  // Newton can be caught at a kink; longer staggering from zero leaves it.
  constexpr int long_passes = 200;
  std::fill_n(lambda, law.rows, 0.0);
  for (int i = 0; i < long_passes; ++i) staggered_pass(map, lambda);
  return newton_six(map, scale2, lambda);
}

/// Where some loads move nothing, as under a foot that cannot roll to the side, of all loads that
/// are right those next to the last ones: else the centre of pressure is wherever rounding puts it,
/// and leaps. G + αD is regular, and each round leaves a share α of what the pull does.
bool solve_near_last(const Natural& map, double scale2, double* lambda) {
  constexpr double pull = 1e-4;
  constexpr int rounds = 3;
  const Eigen::Map<const Mat6> D(map.metric.values);
  const Mat6 pulled = Eigen::Map<const Mat6>(map.G.data()) + pull * D;
  const Block block(pulled.data(), 6, 6);
  for (int k = 0; k < rounds; ++k) {
    const Vec6 shift = Eigen::Map<const Vec6>(map.b) - pull * (D * Eigen::Map<Vec6>(lambda));
    const Natural near{map.law, map.metric, block, shift.data(), map.work};
    double at[6];
    if (rest_of_six(pulled.data(), shift.data(), at) && stick_six(near, at, scale2, lambda))
      continue;
    if (!solve_loaded(near, scale2, lambda)) return false;
  }
  return true;
}

bool solve_six(const LocalLaw& law, const LocalMetric& metric, const Block& G, const double* b,
               double* lambda, LocalWorkspace& work) {
  const Natural map{law, metric, G, b, work};
  double start[6] = {};
  std::copy_n(lambda, law.rows, start);
  const double scale2 = std::max(energy_of_motion(metric, b), energy_of(metric, start));
  if (scale2 == 0) return true;
  if (is_free(law, b)) {
    std::fill_n(lambda, law.rows, 0.0);
    return true;
  }
  if (law.rows == 6) {
    double at[6];
    if (!rest_of_six(G.data(), b, at)) {
      if (solve_near_last(map, scale2, lambda)) return true;
      std::copy_n(start, 6, lambda);
    } else if (stick_six(map, at, scale2, lambda)) {
      return true;
    }
  }
  return solve_loaded(map, scale2, lambda);
}

/// Whether D is the block itself, not one made regular.
bool is_own_metric(const LocalMetric& metric, const Block& G) {
  for (Index r = 0; r < metric.n; ++r)
    if (metric.matrix(r, r) != G(r, r)) return false;
  return true;
}

/// True where the one row has an answer: it moves, or rests, or is pushed to a bound there is.
bool solve_bounded(const LocalLaw& law, double g, double b, double& lambda) {
  const double wanted = g > 0 ? -b / g : lambda;
  const double bound = b > 0 ? law.lower : law.upper;
  const bool pushed = !(g > 0) && b != 0;
  if (pushed && std::isinf(bound)) return false;
  lambda = pushed ? bound : std::clamp(wanted, law.lower, law.upper);
  return true;
}

/// G λ + b = 0 by the least change of λ; false where rows that nothing moves ask for more.
bool solve_equations(const LocalMetric& metric, const Block& G, const double* b, double* lambda) {
  double u[6];
  const double size = std::max(energy_of_motion(metric, b), energy(metric, lambda));
  local_velocity(G, b, lambda, u);
  Eigen::CompleteOrthogonalDecomposition<LocalMatrix> factor;
  factor.setThreshold(tolerance::immovable);
  factor.compute(G);
  const LocalVector change = factor.solve(Eigen::Map<const LocalVector>(u, G.rows()));
  for (Index r = 0; r < G.rows(); ++r) lambda[r] -= change[r];
  local_velocity(G, b, lambda, u);
  return energy_of_motion(metric, u) <= tolerance::rounding * size;
}

}  // namespace

bool solve_one_contact(const LocalLaw& law, const LocalMetric& metric, const Block& G,
                       const double* b, double* lambda, LocalWorkspace& work) {
  switch (law.kind) {
    case LawKind::frictionless:
      lambda[0] = G(0, 0) > 0 ? std::max(-b[0] / G(0, 0), 0.0) : 0.0;
      return G(0, 0) > 0 || b[0] >= 0;
    case LawKind::bounded:
      return law.rows > 1 ? solve_equations(metric, G, b, lambda)
                          : solve_bounded(law, G(0, 0), b[0], lambda[0]);
    case LawKind::patch: {
      // The metric is the symmetric part: with a gyroscopic one, one projection is not the answer.
      if (!G.isApprox(G.transpose(), tolerance::symmetry))
        return solve_six(law, metric, G, b, lambda, work);
      double y[3] = {};
      for (Index r = 0; r < 3; ++r)
        for (Index c = 0; c < 3; ++c) y[r] -= metric.inverse(r, c) * b[c];
      project(law, metric, y, lambda, work);
      // A block of low rank was made regular: the projection is then a start, not the answer.
      if (is_own_metric(metric, G)) return true;
      return solve_six(law, metric, G, b, lambda, work);
    }
    case LawKind::rolling:
    case LawKind::patch_friction:
      return solve_six(law, metric, G, b, lambda, work);
    default:
      break;
  }
  if (b[law.normal_row()] >= 0) {
    std::fill_n(lambda, law.rows, 0.0);
    return true;
  }
  double found[3];
  const bool solved = solve_point_contact(law, G.data(), b, lambda, found);
  if (solved) std::copy_n(found, law.rows, lambda);
  return solved;
}

bool solve_point_contact(const LocalLaw& law, const double* block, const double* b,
                         const double* last, double* lambda) {
  if (law.kind == LawKind::interval)
    return solve_interval(law.mu, Mat2(Eigen::Map<const Mat2>(block)), b, lambda);
  return solve_point(law, Mat3(Eigen::Map<const Mat3>(block)), b, last, lambda);
}

}  // namespace tact
