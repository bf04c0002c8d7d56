// contact/local_metric.cpp - D and D⁻¹ of one contact, from its diagonal block.
#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Cholesky>

#include "tact/contact/local_law.hpp"
#include "tact/linalg/metric.hpp"

namespace tact {
namespace {

/// Which diagonal sub-blocks of D are kept together: one label per row.
std::array<int, 6> parts_of(LawKind kind) {
  switch (kind) {
    case LawKind::frictionless:
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
    case LawKind::bounded:
      break;
  }
  return {};
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
  // A normal that moves next to nothing beside the tangents is rounding.
  for (Index r = 0; r + 1 < n; ++r)
    if (!(normal > tolerance::immovable * block[r * n + r])) return false;
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

/// One half of a patch's block, three rows of it: D, D⁻¹ and U of D = U'U. False when it is
/// singular or nothing moves a row.
bool careful_half_metric(const double* block, Index n, const Index* rows, const double* stand_in,
                         double* values, double* upper) {
  Mat3 D;
  Vec3 unit;
  for (Index c = 0; c < 3; ++c)
    for (Index r = 0; r < 3; ++r)
      D(r, c) = 0.5 * (block[rows[c] * n + rows[r]] + block[rows[r] * n + rows[c]]);
  for (Index r = 0; r < 3; ++r) {
    if (!(D(r, r) > tolerance::immovable * stand_in[r])) return false;
    unit[r] = 1 / std::sqrt(D(r, r));
  }
  // U in units of the diagonal: u_11 = 1.
  const double a = D(0, 1) * unit[0] * unit[1], b = D(0, 2) * unit[0] * unit[2];
  const double second = 1 - a * a;
  const double least = tolerance::metric / 2;
  if (!(second > least)) return false;
  const double u22 = std::sqrt(second);
  const double c = (D(1, 2) * unit[1] * unit[2] - a * b) / u22;
  const double third = 1 - b * b - c * c;
  if (!(third > least)) return false;
  const double u33 = std::sqrt(third);
  // U⁻¹ = [1 x y; 0 1/u22 z; 0 0 1/u33], and D⁻¹ = S U⁻¹ U⁻ᵀ S with S the units.
  const double i2 = 1 / u22, i3 = 1 / u33;
  const double x = -a * i2, z = -c * i2 * i3, y = -(a * z + b * i3);
  Mat3 inverse;
  inverse << 1 + x * x + y * y, x * i2 + y * z, y * i3, 0, i2 * i2 + z * z, z * i3, 0, 0, i3 * i3;
  for (Index col = 0; col < 3; ++col)
    for (Index row = 0; row <= col; ++row) {
      const double value = inverse(row, col) * unit[row] * unit[col];
      values[rows[col] * n + rows[row]] = values[rows[row] * n + rows[col]] = D(row, col);
      values[n * n + rows[col] * n + rows[row]] = values[n * n + rows[row] * n + rows[col]] = value;
    }
  if (upper == nullptr) return true;
  Eigen::Map<Mat3> U(upper);
  U << 1 / unit[0], a / unit[1], b / unit[2], 0, u22 / unit[1], c / unit[2], 0, 0, u33 / unit[2];
  return true;
}

/// The same by cofactors, where the rows are far from dependent: no digits are lost then.
bool make_half_metric(const double* block, Index n, const Index* rows, const double* stand_in,
                      double* values, double* upper) {
  const auto entry = [&](Index r, Index c) {
    return 0.5 * (block[rows[c] * n + rows[r]] + block[rows[r] * n + rows[c]]);
  };
  const double d00 = entry(0, 0), d11 = entry(1, 1), d22 = entry(2, 2);
  const double d01 = entry(0, 1), d02 = entry(0, 2), d12 = entry(1, 2);
  const double m00 = d11 * d22 - d12 * d12, m11 = d00 * d22 - d02 * d02;
  const double m22 = d00 * d11 - d01 * d01;
  const double m01 = d02 * d12 - d01 * d22, m02 = d01 * d12 - d02 * d11;
  const double m12 = d01 * d02 - d00 * d12;
  const double det = d00 * m00 + d01 * m01 + d02 * m02;
  const bool moves = d00 > tolerance::immovable * stand_in[0] &&
                     d11 > tolerance::immovable * stand_in[1] &&
                     d22 > tolerance::immovable * stand_in[2];
  constexpr double far = 0.1;  // of the product of the diagonal
  const double product = d00 * d11 * d22, unit = 1 / det;
  const bool in_range = product > tolerance::smallest && unit > 0;
  if (!(moves && in_range && det > far * product))
    return careful_half_metric(block, n, rows, stand_in, values, upper);
  const auto write = [&](Index r, Index c, double d, double cofactor) {
    const Index at = rows[c] * n + rows[r], other = rows[r] * n + rows[c];
    values[at] = values[other] = d;
    values[n * n + at] = values[n * n + other] = cofactor * unit;
  };
  write(0, 0, d00, m00);
  write(1, 1, d11, m11);
  write(2, 2, d22, m22);
  write(0, 1, d01, m01);
  write(0, 2, d02, m02);
  write(1, 2, d12, m12);
  if (upper == nullptr) return true;
  const double u00 = std::sqrt(d00), u11 = std::sqrt(m22 / d00), u22 = std::sqrt(det / m22);
  const double inverse = 1 / u00;
  Eigen::Map<Mat3> U(upper);
  U << u00, d01 * inverse, d02 * inverse, 0, u11, -m12 * inverse * inverse / u11, 0, 0, u22;
  return true;
}

/// Patches in closed form; false as for points.
bool make_patch_metric(const LocalLaw& law, const double* block, double* values) {
  const Index n = law.rows;
  const double moving = block[n * n - 1], radius = law.patch->cone.hull().radius();
  if (!(moving > 0 && radius > 0)) return false;
  const double turning = moving / (radius * radius);
  for (Index r = 0; r + 1 < n; ++r) {
    const double unit = law.turns(r) ? radius * radius : 1.0;
    if (!(moving > tolerance::immovable * unit * block[r * n + r])) return false;
  }
  std::fill_n(values, 2 * n * n, 0.0);
  const double normal_units[] = {turning, turning, moving};
  constexpr Index flat[] = {0, 1, 2}, normal[] = {0, 1, 5}, tangent[] = {2, 3, 4};
  if (n == 3) return make_half_metric(block, 3, flat, normal_units, values, values + 18);
  const double tangent_units[] = {turning, moving, moving};
  return make_half_metric(block, 6, normal, normal_units, values, values + 72) &&
         make_half_metric(block, 6, tangent, tangent_units, values, nullptr);
}

/// The mean of the diagonal in all directions.
void make_even_metric(Index n, const double* block, double spare, double* values) {
  const double trace = Eigen::Map<const MatX>(block, n, n).trace();
  const double mean = trace > 0 ? trace / static_cast<double>(n) : spare;
  Eigen::Map<MatX>(values, n, n) = mean * MatX::Identity(n, n);
  Eigen::Map<MatX>(values + n * n, n, n) = MatX::Identity(n, n) / mean;
}

}  // namespace

Index metric_size(const LocalLaw& law) {
  return 2 * law.rows * law.rows + (law.is_patch() ? 9 : 0);
}

void make_local_metric(const LocalLaw& law, const double* block, double spare, double* values) {
  const Index n = law.rows;
  if (law.associated || law.kind == LawKind::bounded)
    return make_even_metric(n, block, spare, values);
  if (n <= 3 && !law.is_patch() && make_point_metric(law, block, values)) return;
  if (law.is_patch() && make_patch_metric(law, block, values)) return;
  const std::array<int, 6> part = parts_of(law.kind);
  const auto entry = [&](Index i, Index j) { return 0.5 * (block[j * n + i] + block[i * n + j]); };
  LocalMatrix D = LocalMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (part[i] == part[j]) D(i, j) = entry(i, j);
  // What is small beside the row that moves most is rounding: nothing moves it.
  const double radius = law.patch ? law.patch->cone.hull().radius() : 0.0;
  double most = 0;
  for (Index i = 0; i < n; ++i)
    most = std::max(most, law.turns(i) ? radius * radius * D(i, i) : D(i, i));
  const double normal = entry(law.normal_row(), law.normal_row());
  const bool moves = normal > tolerance::immovable * most;
  const double moving = moves ? normal : most > 0 ? most : spare;
  const double turning = stand_in_for_turning(law, D, moving);
  for (Index i = 0; i < n; ++i) {
    const double stand_in = law.turns(i) ? turning : moving;
    if (D(i, i) > tolerance::immovable * stand_in) continue;
    D.row(i).setZero();
    D.col(i).setZero();
    D(i, i) = stand_in;
  }
  Eigen::Map<MatX>(values, n, n) = make_regular(D);
  Eigen::Map<MatX>(values + n * n, n, n) = inverse_of(Eigen::Map<MatX>(values, n, n));
  if (law.is_patch()) Eigen::Map<Mat3>(values + 2 * n * n) = normal_factor({n, values});
}

}  // namespace tact
