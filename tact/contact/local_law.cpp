// contact/local_law.cpp - the natural map of every law.
#include "tact/contact/local_law.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tact/base/expects.hpp"
#include "tact/cone/friction_bound.hpp"
#include "tact/cone/planar_cone.hpp"
#include "tact/cone/pyramid.hpp"
#include "tact/contact/sliding_law.hpp"

namespace tact {
namespace {

LocalLaw point_law(LawKind kind, bool planar, double mu) {
  LocalLaw out;
  out.kind = planar ? LawKind::interval : kind;
  out.rows = planar ? 2 : 3;
  out.mu = mu;
  return out;
}

LocalLaw polygon_law(bool planar, double mu, double planar_mu, const PlanarCone& cone) {
  LocalLaw out = point_law(LawKind::polygon, planar, planar ? planar_mu : mu);
  const auto corners = cone.base().vertices();
  out.polygon = std::make_shared<const std::vector<Vec2>>(corners.begin(), corners.end());
  return out;
}

LocalLaw patch_law(LawKind kind, const PatchShape& shape, double mu, const PatchFriction& model) {
  LocalLaw out;
  const auto hull = convex_hull_of(shape);
  TACT_EXPECTS(hull.has_value());
  out.kind = kind;
  out.rows = kind == LawKind::patch ? 3 : 6;
  out.mu = mu;
  out.patch = std::make_shared<const LocalPatch>(LocalPatch{PatchCone(*hull), model});
  return out;
}

struct Prepare {
  LocalLaw operator()(const Frictionless&) const { return {}; }
  LocalLaw operator()(const CoulombLaw& l) const {
    return point_law(LawKind::disc, l.planar, l.mu);
  }
  LocalLaw operator()(const BoxLaw& l) const {
    return polygon_law(l.planar, l.mu, l.scale * l.mu, box_cone(l.mu, {l.scale}));
  }
  LocalLaw operator()(const PyramidLaw& l) const {
    return polygon_law(l.planar, l.mu, l.mu, pyramid_cone(l.mu, l.edges));
  }
  LocalLaw operator()(const RollingLaw& l) const {
    LocalLaw out;
    out.kind = LawKind::rolling;
    out.rows = 6;
    out.mu = l.mu;
    out.rolling = l.rolling;
    out.spinning = l.spinning;
    return out;
  }
  LocalLaw operator()(const FrictionlessPatch& l) const {
    return patch_law(LawKind::patch, l.shape, 0, EffectivePatch{});
  }
  LocalLaw operator()(const FrictionalPatch& l) const {
    return patch_law(LawKind::patch_friction, l.shape, l.mu, l.model);
  }
  LocalLaw operator()(const BoundedLaw& l) const {
    LocalLaw out;
    out.kind = LawKind::bounded;
    out.lower = l.lower;
    out.upper = l.upper;
    return out;
  }
};

double interval(double y, double bound) {
  return std::clamp(y, -bound, bound);
}

Mat2 tangent_block(const LocalMetric& metric, Index row) {
  Mat2 D;
  D << metric.matrix(row, row), metric.matrix(row, row + 1), metric.matrix(row + 1, row),
      metric.matrix(row + 1, row + 1);
  return D;
}

struct PatchRows {
  Vec3 normal, tangent;
};
PatchRows split(const LocalLaw& law, const double* y) {
  if (law.kind == LawKind::patch) return {{y[0], y[1], y[2]}, Vec3::Zero()};
  return {{y[0], y[1], y[5]}, {y[3], y[4], y[2]}};
}
void join(const LocalLaw& law, const PatchRows& rows, double* out) {
  out[0] = rows.normal[0];
  out[1] = rows.normal[1];
  out[law.normal_row()] = rows.normal[2];
  if (law.kind == LawKind::patch) return;
  out[3] = rows.tangent[0];
  out[4] = rows.tangent[1];
  out[2] = rows.tangent[2];
}

Mat3 tangent_metric(const LocalMetric& metric) {
  constexpr Index rows[] = {3, 4, 2};
  Mat3 out;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) out(i, j) = metric.matrix(rows[i], rows[j]);
  return out;
}

/// P_K(y), and the face of a polygon's cone it falls on.
Vec3 project_normal(const LocalLaw& law, const LocalMetric& metric, const Vec3& y, ConeFace& face) {
  const PlanarSet& base = law.patch->cone.turned_hull();
  const Mat3 upper = metric.normal_upper();
  if (base.kind() == PlanarSet::Kind::polygon)
    return project_on_polygon_cone(base.vertices(), upper, y, face);
  return law.patch->cone.project(y, upper);
}

/// What the projection onto F(N) found out.
struct PatchImage {
  PatchRows rows;
  ConeFace face;
  bool slips = false;
  bool on_rim = false;      ///< y_N is not in the cone
  Vec3 tau = Vec3::Zero();  ///< D_T (T - y_T)
};

/// Whether the friction of the guess, which slides with τ = D (T - y), is what that motion makes of
/// it: the projection then, to rounding (sliding_law.hpp).
bool is_its_own_image(const FrictionSet& set, const Mat3& D, const Vec3& y, const Vec3& guess,
                      const Vec3& tau, Vec3& T) {
  const double size = y.dot(D * y);
  const Vec3 slip = guess - y;
  if (set.by_vertices() || !(slip.dot(tau) > tolerance::rounding * size)) return false;
  T = set.force(tau);
  const Vec3 change = T - guess;
  return change.dot(D * change) <= tolerance::rounding * tolerance::rounding * size;
}

PatchImage image_of(const LocalLaw& law, const LocalMetric& metric, const double* y,
                    const double* guess, LocalWorkspace& work) {
  const PatchRows at = split(law, y);
  PatchImage out;
  out.rows.normal = project_normal(law, metric, at.normal, out.face);
  out.rows.tangent = Vec3::Zero();
  out.on_rim = out.rows.normal != at.normal;
  if (law.kind == LawKind::patch || !(out.rows.normal[2] > 0)) return out;
  const NormalLoad load = NormalLoad::from_wrench(out.rows.normal);
  const PlanarSet& hull = law.patch->cone.hull();
  if (clearly_in_friction_set(law.patch->model, hull, load, law.mu, at.tangent)) {
    out.rows.tangent = at.tangent;
    return out;
  }
  make_friction_set(law.patch->model, hull, load, law.mu, work.friction, work.set);
  const Mat3 D = tangent_metric(metric);
  Vec3 start = Vec3::Zero();
  if (guess != nullptr) {
    const Vec3 T = split(law, guess).tangent;
    start = D * (T - at.tangent);
    // On a round rim the set grows out of one point as a root does: nothing to build on.
    const bool steady = hull.kind() == PlanarSet::Kind::polygon || !out.on_rim;
    out.slips = steady && is_its_own_image(work.set, D, at.tangent, T, start, out.rows.tangent);
    if (out.slips) {
      out.tau = start;
      if (!work.set.reliable()) work.unreliable = true;
      return out;
    }
  }
  FrictionSolution found = work.set.project(D, at.tangent, work.friction.friction, start);
  // A guess must not cost digits.
  if (found.residual > tolerance::rounding && !start.isZero(0)) {
    const FrictionSolution fresh = work.set.project(D, at.tangent, work.friction.friction);
    if (fresh.residual < found.residual) found = fresh;
  }
  out.rows.tangent = found.T;
  out.slips = found.mode == FrictionMode::slip;
  out.tau = found.tau;
  if (!work.set.reliable()) work.unreliable = true;
  return out;
}

void project_patch(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
                   LocalWorkspace& work, const double* guess = nullptr) {
  join(law, image_of(law, metric, y, guess, work).rows, out);
}

/// Forward differences, in steps of a share of |y|_D on every row.
void differentiate_patch(const LocalLaw& law, const LocalMetric& metric, const double* y,
                         const double* out, LocalMatrix& derivative, LocalWorkspace& work) {
  const Index n = law.rows;
  const double size = std::sqrt(energy(metric, y));
  double moved[6];
  double image[6];
  std::copy_n(y, n, moved);
  derivative.resize(n, n);
  for (Index c = 0; c < n; ++c) {
    double step = tolerance::difference * size / std::sqrt(metric.matrix(c, c));
    if (!(step > 0)) step = tolerance::difference;
    moved[c] = y[c] + step;
    step = moved[c] - y[c];
    project_patch(law, metric, moved, image, work);
    for (Index r = 0; r < n; ++r) derivative(r, c) = (image[r] - out[r]) / step;
    moved[c] = y[c];
  }
}

/// dP_K/dy: the projector onto the span of the face, in the metric.
Mat3 normal_derivative(const LocalLaw& law, const LocalMetric& metric, const Vec3& y,
                       const PatchImage& image) {
  const PlanarSet& base = law.patch->cone.turned_hull();
  const Mat3 upper = metric.normal_upper();
  if (base.kind() != PlanarSet::Kind::polygon) {
    if (image.rows.normal == y) return Mat3::Identity();
    if (image.rows.normal.isZero(0)) return Mat3::Zero();
    Mat3 out;
    const double size = (upper * y).norm();
    for (Index c = 0; c < 3; ++c) {
      Vec3 moved = y;
      moved[c] += tolerance::difference * size / upper.col(c).norm();
      out.col(c) = (law.patch->cone.project(moved, upper) - image.rows.normal) / (moved[c] - y[c]);
    }
    return out;
  }
  const auto corner = [&](std::size_t i) {
    const Vec2& v = base.vertices()[i];
    return Vec3(v[0], v[1], 1);
  };
  switch (image.face.kind) {
    case ConeFace::Kind::inside:
      return Mat3::Identity();
    case ConeFace::Kind::tip:
      return Mat3::Zero();
    case ConeFace::Kind::ray: {
      const Vec3 a = corner(image.face.first), Ua = upper * a;
      return a * (upper.transpose() * Ua).transpose() / Ua.squaredNorm();
    }
    case ConeFace::Kind::plane: {
      // By the normal of the plane, which a short edge determines as well as a long one.
      const Vec3 first = corner(image.face.first), second = corner(image.face.second);
      const Vec3 normal = (upper * first).cross(upper * (second - first)).normalized();
      const Mat3 flat = Mat3::Identity() - normal * normal.transpose();
      return upper.triangularView<Eigen::Upper>().solve(Mat3(flat * upper));
    }
  }
  return Mat3::Zero();
}

/// dT by [m_T, f_N], from dT along the centre of pressure c: dc = (ds - c df)/f, ds = (-dm_y,
/// dm_x), and F is homogeneous in (s, f).
Mat3 by_wrench(const Eigen::Matrix<double, 3, 2>& along, const Vec3& T, const Vec2& c, double f) {
  Mat3 out;
  out.col(0) = along.col(1) / f;
  out.col(1) = -along.col(0) / f;
  out.col(2) = (T - along * c) / f;
  return out;
}

/// The friction of the set's nodes at the slip τ, as the load N changes, τ held; `here` is what it
/// is now. How the nodes move with the centre of pressure is taken by differences, towards the
/// middle of the patch.
Mat3 force_by_load(const LocalLaw& law, const PatchImage& image, const Vec3& here,
                   LocalWorkspace& work) {
  const Vec3& T = image.rows.tangent;
  const Vec3& N = image.rows.normal;
  const NormalLoad load = NormalLoad::from_wrench(N);
  const PlanarSet& hull = law.patch->cone.hull();
  const Vec2 c = load.s / load.f;
  Eigen::Matrix<double, 3, 2> along = Eigen::Matrix<double, 3, 2>::Zero();
  const auto slope = [&](const Vec2& direction) {
    const double step =
        std::copysign(tolerance::difference * hull.radius(), direction.dot(hull.center() - c));
    make_friction_set(law.patch->model, hull, NormalLoad::at(c + step * direction, load.f), law.mu,
                      work.friction, work.set);
    return Vec3((work.set.force(image.tau) - here) / step);
  };
  if (hull.radius() > 0 && image.face.kind == ConeFace::Kind::plane) {
    // The centre stays on the edge: no other direction counts.
    const auto corners = hull.vertices();
    const Vec2 edge = (corners[image.face.second] - corners[image.face.first]).normalized();
    along = slope(edge) * edge.transpose();
  } else if (hull.radius() > 0 && image.face.kind != ConeFace::Kind::ray) {
    along.col(0) = slope(Vec2::UnitX());
    along.col(1) = slope(Vec2::UnitY());
  }
  return by_wrench(along, T, c, load.f);
}

/// dT/dτ = -H of the nodes. A node that stands still while the patch turns about it is stiff, not
/// rigid, so that the inverse below keeps half its digits.
Mat3 slip_stiffness(std::span<const FrictionNode> nodes, const Vec3& tau, double radius) {
  const double still =
      tolerance::quadratic * std::max(tau.head<2>().norm(), radius * std::abs(tau[2]));
  // A'A - (A'd)(A'd)' of every node, d its direction: six numbers.
  double h[6] = {};
  for (const FrictionNode& n : nodes) {
    const double zx = tau[0] - n.x[1] * tau[2], zy = tau[1] + n.x[0] * tau[2];
    const double zr = n.r * tau[2];
    const double speed = std::max(std::sqrt(zx * zx + zy * zy + zr * zr), still);
    if (!(speed > 0)) continue;
    const double unit = 1 / speed, k = n.k * unit;
    const double a = zx * unit, b = zy * unit, c = n.x[0] * b - n.x[1] * a + n.r * zr * unit;
    h[0] += k * (1 - a * a);
    h[1] -= k * (a * b);
    h[2] += k * (1 - b * b);
    h[3] -= k * (n.x[1] + a * c);
    h[4] += k * (n.x[0] - b * c);
    h[5] += k * (n.x.squaredNorm() + n.r * n.r - c * c);
  }
  Mat3 H;
  H << h[0], h[1], h[3], h[1], h[2], h[4], h[3], h[4], h[5];
  return H;
}

/// Closed forms, for laws whose friction has nodes. With T = F(τ; N) and τ = D (T - y),
///     (1 + H D) dT = H D dy + F_N dN,      H = -F_τ.
void patch_derivative(const LocalLaw& law, const LocalMetric& metric, const double* y,
                      const PatchImage& image, LocalMatrix& derivative, LocalWorkspace& work) {
  const Mat3 PN = normal_derivative(law, metric, split(law, y).normal, image);
  if (law.kind == LawKind::patch) {
    derivative = PN;
    return;
  }
  constexpr Index normal[] = {0, 1, 5}, tangent[] = {3, 4, 2};
  derivative.setZero(6, 6);
  for (Index r = 0; r < 3; ++r)
    for (Index c = 0; c < 3; ++c) derivative(normal[r], normal[c]) = PN(r, c);
  if (!(image.rows.normal[2] > 0)) return;
  if (!image.slips || image.tau.isZero(0)) {
    for (const Index r : tangent) derivative(r, r) = 1;
    return;
  }
  const Mat3 HD = slip_stiffness(work.set.nodes(), image.tau, law.patch->cone.hull().radius()) *
                  tangent_metric(metric);
  const Mat3 inverse = (Mat3::Identity() + HD).inverse();
  const Mat3 by_y = inverse * HD;
  const Vec3 here = work.set.force(image.tau);
  const Mat3 by_N = inverse * force_by_load(law, image, here, work) * PN;
  for (Index r = 0; r < 3; ++r)
    for (Index c = 0; c < 3; ++c) {
      derivative(tangent[r], tangent[c]) = by_y(r, c);
      derivative(tangent[r], normal[c]) = by_N(r, c);
    }
}

/// Whether friction is that of nodes whose place depends on the centre of pressure alone.
bool has_nodes(const LocalLaw& law) {
  return std::holds_alternative<EffectivePatch>(law.patch->model) ||
         std::holds_alternative<EllipsoidAtCop>(law.patch->model);
}

/// The nearest point of the cone |T| <= μ n, and the derivative; y = [T, n].
void project_on_friction_cone(const LocalLaw& law, const double* y, double* out,
                              LocalMatrix* derivative) {
  const Index last = law.normal_row();
  const double n = y[last], across = last == 1 ? std::abs(y[0]) : std::hypot(y[0], y[1]);
  if (derivative != nullptr) derivative->setZero(law.rows, law.rows);
  if (across <= law.mu * n) {
    std::copy_n(y, law.rows, out);
    if (derivative != nullptr) derivative->setIdentity(law.rows, law.rows);
    return;
  }
  std::fill_n(out, law.rows, 0.0);
  if (!(law.mu * across + n > 0)) return;
  // On the cone: the projection onto its ray [μ t, 1], t the direction of y_T.
  const double share = 1 / (1 + law.mu * law.mu);
  out[last] = share * (n + law.mu * across);
  LocalVector ray(law.rows);
  for (Index r = 0; r < last; ++r) {
    ray[r] = law.mu * y[r] / across;
    out[r] = out[last] * ray[r];
  }
  if (derivative == nullptr) return;
  ray[last] = 1;
  *derivative = share * ray * ray.transpose();
  if (last == 1) return;
  // And across it, where t turns.
  const double turning = law.mu * out[last] / across;
  const Vec2 side(-y[1] / across, y[0] / across);
  derivative->topLeftCorner<2, 2>() += turning * side * side.transpose();
}

void project_rolling(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
                     LocalMatrix& derivative) {
  const double n = out[5];
  const double dn = derivative(5, 5);
  const auto disc = [&](Index row, double mu) {
    const Mat2 D = tangent_block(metric, row);
    const BoundProjection p = project_on_disc(D, Vec2(y[row], y[row + 1]), mu, n);
    out[row] = p.T[0];
    out[row + 1] = p.T[1];
    derivative.block<2, 2>(row, row) = p.along_y;
    derivative.block<2, 1>(row, 5) = p.along_n * dn;
  };
  disc(3, law.mu);
  disc(0, law.rolling);
  const double bound = law.spinning * n;
  out[2] = interval(y[2], bound);
  derivative(2, 2) = std::abs(y[2]) <= bound ? 1 : 0;
  derivative(2, 5) = std::abs(y[2]) <= bound ? 0 : std::copysign(law.spinning, y[2]) * dn;
}

}  // namespace

bool sliding_load(const LocalLaw& law, const LocalMetric& metric, const double* y, const double* u,
                  LocalWorkspace& work, SlidingLoad& out) {
  if (law.kind != LawKind::patch_friction || !has_nodes(law)) return false;
  const Vec3 normal = split(law, y).normal;
  out.tau = split(law, u).tangent;
  out.N = project_normal(law, metric, normal, out.face);
  const bool polygon = law.patch->cone.hull().kind() == PlanarSet::Kind::polygon;
  if (!(out.N[2] > 0) || out.tau.isZero(0) || !(polygon || out.N == normal)) return false;
  make_friction_set(law.patch->model, law.patch->cone.hull(), NormalLoad::from_wrench(out.N),
                    law.mu, work.friction, work.set);
  out.T = work.set.force(out.tau);
  return true;
}

SlidingSlope sliding_slope(const LocalLaw& law, const LocalMetric& metric, const double* y,
                           const SlidingLoad& at, LocalWorkspace& work) {
  PatchImage image;
  image.rows = {at.N, at.T};
  image.face = at.face;
  image.tau = at.tau;
  SlidingSlope out;
  out.by_y = normal_derivative(law, metric, split(law, y).normal, image);
  out.by_tau = -slip_stiffness(work.set.nodes(), at.tau, law.patch->cone.hull().radius());
  out.by_N = force_by_load(law, image, at.T, work);
  return out;
}

SlidingSlope rough_slope(const LocalLaw& law, const SlidingLoad& at, const LocalWorkspace& work) {
  const NormalLoad load = NormalLoad::from_wrench(at.N);
  SlidingSlope out;
  out.by_y.setIdentity();
  out.by_tau = -slip_stiffness(work.set.nodes(), at.tau, law.patch->cone.hull().radius());
  // Nodes moved by δ see the slip v + ω ẑ × δ, and their force has the lever δ more.
  Eigen::Matrix<double, 3, 2> along;
  along.col(0) = at.tau[2] * out.by_tau.col(1) + Vec3(0, 0, at.T[1]);
  along.col(1) = -at.tau[2] * out.by_tau.col(0) - Vec3(0, 0, at.T[0]);
  out.by_N = by_wrench(along, at.T, load.s / load.f, load.f);
  return out;
}

LocalLaw equation_law(Index rows) {
  LocalLaw out = local_law(BoundedLaw{});
  out.rows = static_cast<std::uint8_t>(rows);
  return out;
}

LocalLaw local_law(const Law& law) {
  return std::visit(Prepare{}, law);
}

void project(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
             LocalWorkspace& work, const double* guess) {
  if (law.is_patch()) return project_patch(law, metric, y, out, work, guess);
  if (law.associated) return project_on_friction_cone(law, y, out, nullptr);
  if (law.kind == LawKind::bounded) {
    for (Index r = 0; r < law.rows; ++r) out[r] = std::clamp(y[r], law.lower, law.upper);
    return;
  }
  const double n = std::max(y[law.normal_row()], 0.0);
  out[law.normal_row()] = n;
  switch (law.kind) {
    case LawKind::frictionless:
      break;
    case LawKind::interval:
      out[0] = interval(y[0], law.mu * n);
      break;
    case LawKind::disc: {
      const Vec2 near = guess != nullptr ? Vec2(guess[0], guess[1]) : Vec2(0, 0);
      const Vec2 T = project_on_disc(tangent_block(metric, 0), Vec2(y[0], y[1]), law.mu * n, near);
      out[0] = T[0];
      out[1] = T[1];
      break;
    }
    default: {
      LocalMatrix derivative;
      project(law, metric, y, out, derivative, work);
    }
  }
}

void project_point(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
                   Mat3& derivative, const double* guess) {
  derivative.setZero();
  out[0] = out[1] = out[2] = 0;
  if (!(y[2] > 0)) return;
  out[2] = y[2];
  const Mat2 D = tangent_block(metric, 0);
  const Vec2 yt(y[0], y[1]);
  const BoundProjection p = law.kind == LawKind::disc
                                ? project_on_disc(D, yt, law.mu, y[2], Vec2(guess[0], guess[1]))
                                : project_on_polygon(*law.polygon, D, yt, y[2]);
  out[0] = p.T[0];
  out[1] = p.T[1];
  derivative.topLeftCorner<2, 2>() = p.along_y;
  derivative.block<2, 1>(0, 2) = p.along_n;
  derivative(2, 2) = 1;
}

void project(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
             LocalMatrix& derivative, LocalWorkspace& work, const double* guess) {
  if (law.is_patch()) {
    const PatchImage image = image_of(law, metric, y, guess, work);
    join(law, image.rows, out);
    // On a round rim the nodes grow out of one point as its root does: there is no slope inwards.
    const bool polygon = law.patch->cone.hull().kind() == PlanarSet::Kind::polygon;
    const bool smooth = !image.slips || (has_nodes(law) && (polygon || !image.on_rim));
    if (law.kind == LawKind::patch || smooth)
      return patch_derivative(law, metric, y, image, derivative, work);
    return differentiate_patch(law, metric, y, out, derivative, work);
  }
  if (law.associated) return project_on_friction_cone(law, y, out, &derivative);
  if (law.kind == LawKind::disc || law.kind == LawKind::polygon) {
    Mat3 fixed;
    project_point(law, metric, y, out, fixed, y);
    derivative = fixed;
    return;
  }
  const Index row = law.normal_row();
  derivative.setZero(law.rows, law.rows);
  if (law.kind == LawKind::bounded) {
    for (Index r = 0; r < law.rows; ++r) {
      out[r] = std::clamp(y[r], law.lower, law.upper);
      derivative(r, r) = out[r] == y[r] ? 1 : 0;
    }
    return;
  }
  out[row] = std::max(y[row], 0.0);
  derivative(row, row) = y[row] > 0 ? 1 : 0;
  switch (law.kind) {
    case LawKind::interval: {
      const double bound = law.mu * out[1];
      const bool sticks = std::abs(y[0]) <= bound;
      out[0] = interval(y[0], bound);
      derivative(0, 0) = sticks ? 1 : 0;
      derivative(0, 1) = sticks ? 0 : std::copysign(law.mu, y[0]) * derivative(1, 1);
      break;
    }
    case LawKind::rolling:
      project_rolling(law, metric, y, out, derivative);
      break;
    default:
      break;
  }
  if (!(y[row] > 0)) derivative.setZero();
}

}  // namespace tact
