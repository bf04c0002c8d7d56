// contact/local_law.cpp - the natural map of every law.
#include "tact/contact/local_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Cholesky>

#include "tact/base/expects.hpp"
#include "tact/cone/friction_bound.hpp"
#include "tact/cone/pyramid.hpp"
#include "tact/linalg/metric.hpp"

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

/// Which diagonal sub-blocks of D are kept together: one label per row.
std::array<int, 6> parts_of(LawKind kind) {
  switch (kind) {
    case LawKind::frictionless:
    case LawKind::bounded:
      return {0};
    case LawKind::interval:
      return {1, 0};
    case LawKind::disc:
    case LawKind::polygon:
      return {1, 1, 0};
    case LawKind::rolling:
      return {2, 2, 3, 1, 1, 0};
    case LawKind::patch:
      return {0, 0, 0};
    case LawKind::patch_friction:
      return {0, 0, 1, 1, 1, 0};
  }
  return {};
}

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

void project_patch(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
                   LocalWorkspace& work) {
  PatchRows rows = split(law, y);
  rows.normal = law.patch->cone.project(rows.normal, Mat3(metric.normal_upper()));
  if (law.kind == LawKind::patch_friction) {
    make_friction_set(law.patch->model, law.patch->cone.hull(),
                      NormalLoad::from_wrench(rows.normal), law.mu, work.friction, work.set);
    rows.tangent = work.set.project(tangent_metric(metric), rows.tangent, work.friction.friction).T;
    if (!work.set.reliable() && rows.normal[2] > 0) work.unreliable = true;
  }
  join(law, rows, out);
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

/// D plus the least multiple of its diagonal that makes it regular, in units of that diagonal.
LocalMatrix make_regular(const LocalMatrix& D) {
  const Index n = D.rows();
  const LocalVector unit = D.diagonal().cwiseSqrt().cwiseInverse();
  const LocalMatrix scaled = unit.asDiagonal() * D * unit.asDiagonal();
  const double least = std::sqrt(tolerance::metric / 2);
  LocalMatrix out = D;
  double share = 0;
  while (share < 1) {
    const Eigen::LLT<LocalMatrix> factor(scaled + share * LocalMatrix::Identity(n, n));
    out.diagonal() = D.diagonal() * (1 + share);
    if (factor.info() == Eigen::Success && factor.matrixLLT().diagonal().minCoeff() > least) break;
    share = share > 0 ? 100 * share : tolerance::metric;
  }
  return out;
}

/// Of a regular D, in units of its diagonal.
LocalMatrix inverse_of(const LocalMatrix& D) {
  const LocalVector unit = D.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<LocalMatrix> factor(unit.asDiagonal() * D * unit.asDiagonal());
  const LocalMatrix half = unit.asDiagonal();
  return unit.asDiagonal() * factor.solve(half);
}

/// What a row of D stands for in turning, from one in moving: per squared length. A patch has its
/// radius; a rolling point has other rows that turn, and if nothing turns it, its own lengths.
double stand_in_for_turning(const LocalLaw& law, const LocalMatrix& D, double moving) {
  const double radius = law.patch ? law.patch->cone.hull().radius() : 0.0;
  if (radius > 0) return moving / (radius * radius);
  double largest = 0;
  for (Index i = 0; i < law.rows; ++i)
    if (law.turns(i)) largest = std::max(largest, D(i, i));
  if (largest > 0) return largest;
  const double length = std::max(law.rolling, law.spinning);
  return length > 0 ? moving / (length * length) : moving;
}

/// Points in closed form. False when the block is singular: the general way then.
bool make_point_metric(const LocalLaw& law, const double* block, double* values) {
  const Index n = law.rows;
  const double normal = block[n * n - 1];
  if (!(normal > 0)) return false;
  if (n == 1) {
    values[0] = normal;
    values[1] = 1 / normal;
    return true;
  }
  const double a = block[0];
  if (!(a > tolerance::immovable * normal)) return false;
  double* inverse = values + n * n;
  values[n * n - 1] = normal;
  inverse[n * n - 1] = 1 / normal;
  if (n == 2) {
    values[0] = a;
    inverse[0] = 1 / a;
    values[1] = values[2] = inverse[1] = inverse[2] = 0;
    return true;
  }
  const double b = 0.5 * (block[1] + block[3]);
  const double d = block[4];
  const double det = a * d - b * b;
  if (!(d > tolerance::immovable * normal && det > tolerance::metric * a * d)) return false;
  const double unit = 1 / det;
  values[0] = a;
  values[1] = values[3] = b;
  values[4] = d;
  inverse[0] = d * unit;
  inverse[1] = inverse[3] = -b * unit;
  inverse[4] = a * unit;
  for (const Index r : {2, 5, 6, 7}) values[r] = inverse[r] = 0;
  return true;
}

/// U of D_N = U'U of a patch.
Mat3 normal_factor(const LocalMetric& metric) {
  constexpr Index rows[] = {0, 1, 5};
  Mat3 d;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      d(i, j) = metric.n == 3 ? metric.matrix(i, j) : metric.matrix(rows[i], rows[j]);
  return Metric<3>::from_spd(d).upper();
}

}  // namespace

LocalLaw local_law(const Law& law) {
  return std::visit(Prepare{}, law);
}

Index metric_size(const LocalLaw& law) {
  return 2 * law.rows * law.rows + (law.is_patch() ? 9 : 0);
}

void make_local_metric(const LocalLaw& law, const double* block, double spare, double* values) {
  const Index n = law.rows;
  if (n <= 3 && !law.is_patch() && make_point_metric(law, block, values)) return;
  const std::array<int, 6> part = parts_of(law.kind);
  const auto entry = [&](Index i, Index j) { return 0.5 * (block[j * n + i] + block[i * n + j]); };
  LocalMatrix D = LocalMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (part[i] == part[j]) D(i, j) = entry(i, j);
  const double normal = entry(law.normal_row(), law.normal_row());
  const double turning = stand_in_for_turning(law, D, normal > 0 ? normal : spare);
  for (Index i = 0; i < n; ++i) {
    const double stand_in = law.turns(i) ? turning : (normal > 0 ? normal : spare);
    if (D(i, i) > tolerance::immovable * stand_in) continue;
    D.row(i).setZero();
    D.col(i).setZero();
    D(i, i) = stand_in;
  }
  Eigen::Map<MatX>(values, n, n) = make_regular(D);
  Eigen::Map<MatX>(values + n * n, n, n) = inverse_of(Eigen::Map<MatX>(values, n, n));
  if (law.is_patch()) Eigen::Map<Mat3>(values + 2 * n * n) = normal_factor({n, values});
}

void project(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
             LocalWorkspace& work, const double* guess) {
  if (law.is_patch()) return project_patch(law, metric, y, out, work);
  if (law.kind == LawKind::bounded) {
    out[0] = std::clamp(y[0], law.lower, law.upper);
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
             LocalMatrix& derivative, LocalWorkspace& work) {
  if (law.is_patch()) {
    project_patch(law, metric, y, out, work);
    return differentiate_patch(law, metric, y, out, derivative, work);
  }
  if (law.kind == LawKind::disc || law.kind == LawKind::polygon) {
    Mat3 fixed;
    project_point(law, metric, y, out, fixed, y);
    derivative = fixed;
    return;
  }
  const Index row = law.normal_row();
  derivative.setZero(law.rows, law.rows);
  if (law.kind == LawKind::bounded) {
    out[0] = std::clamp(y[0], law.lower, law.upper);
    derivative(0, 0) = out[0] == y[0] ? 1 : 0;
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
