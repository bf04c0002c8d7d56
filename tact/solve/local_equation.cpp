// solve/local_equation.cpp - the natural map by its projection, Fischer-Burmeister by Jordan
// algebra.
#include "tact/solve/local_equation.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

/// Whether the law is a second-order cone under De Saxcé's shift, with at least one dimension.
bool has_jordan_form(const LocalLaw& law) {
  return law.kind == LawKind::frictionless ||
         ((law.kind == LawKind::disc || law.kind == LawKind::interval) && law.mu > 0);
}

/// (x∘x + y∘y)^½ in the Jordan algebra of the second-order cone, scalar part first.
LocalVector root_of_squares(const LocalVector& x, const LocalVector& y) {
  const Index n = x.size();
  const double w0 = x.squaredNorm() + y.squaredNorm();
  const LocalVector w1 = 2 * (x[0] * x.tail(n - 1) + y[0] * y.tail(n - 1));
  const double length = n > 1 ? w1.norm() : 0.0;
  const double low = std::sqrt(std::max(w0 - length, 0.0));
  const double high = std::sqrt(w0 + length);
  LocalVector z(n);
  z[0] = 0.5 * (low + high);
  if (n > 1) {
    LocalVector axis = LocalVector::Zero(n - 1);
    if (length > 0)
      axis = w1 / length;
    else
      axis[0] = 1;
    z.tail(n - 1) = 0.5 * (high - low) * axis;
  }
  return z;
}

/// The matrix of the Jordan product with x.
LocalMatrix arrow(const LocalVector& x) {
  const Index n = x.size();
  LocalMatrix L = x[0] * LocalMatrix::Identity(n, n);
  for (Index i = 1; i < n; ++i) L(0, i) = L(i, 0) = x[i];
  return L;
}

/// x = (mu λ_n, λ_t) and y = (u_n + mu |u_t|, mu u_t)/d, both in the cone iff admissible; d is the
/// mean of D, which makes y an impulse. For a frictionless contact x = λ, y = u/d.
struct JordanPair {
  LocalVector x, y;
  LocalMatrix dx, dy;  ///< by λ and by u, columns in the order of the rows [t, n]
};
JordanPair jordan_pair(const LocalLaw& law, const LocalMetric& metric, const double* lambda,
                       const double* u) {
  const Index n = law.rows;
  double d = 0;
  for (Index r = 0; r < n; ++r) d += metric.matrix(r, r) / static_cast<double>(n);
  JordanPair out{LocalVector(n), LocalVector(n), LocalMatrix::Zero(n, n), LocalMatrix::Zero(n, n)};
  const double mu = n == 1 ? 1.0 : law.mu;
  double slip = 0;
  for (Index r = 0; r + 1 < n; ++r) slip += u[r] * u[r];
  slip = std::sqrt(slip);
  out.x[0] = mu * lambda[n - 1];
  out.dx(0, n - 1) = mu;
  out.y[0] = (u[n - 1] + mu * slip) / d;
  out.dy(0, n - 1) = 1 / d;
  for (Index r = 0; r + 1 < n; ++r) {
    out.x[r + 1] = lambda[r];
    out.dx(r + 1, r) = 1;
    out.y[r + 1] = mu * u[r] / d;
    out.dy(r + 1, r) = mu / d;
    if (slip > 0) out.dy(0, r) = mu * u[r] / (slip * d);
  }
  return out;
}

/// Scalar part first -> normal row last.
void to_rows(const LocalVector& jordan, double* F) {
  const Index n = jordan.size();
  for (Index r = 0; r + 1 < n; ++r) F[r] = jordan[r + 1];
  F[n - 1] = jordan[0];
}

}  // namespace

bool point_equation(const LocalLaw& law, const LocalMetric& metric, const double* lambda,
                    const double* u, double* F, Mat3& A, Mat3& B) {
  double y[3];
  natural_argument(metric, lambda, u, y);
  Mat3 P;
  project_point(law, metric, y, F, P, lambda);
  for (Index r = 0; r < 3; ++r) F[r] = lambda[r] - F[r];
  if (!(y[2] > 0)) return false;
  B.noalias() = P * Eigen::Map<const Mat3>(metric.values + 9);
  A = Mat3::Identity() - P;
  return true;
}

void local_equation(NewtonMap map, const LocalLaw& law, const LocalMetric& metric,
                    const double* lambda, const double* u, double* F, LocalWorkspace& work) {
  if (map == NewtonMap::fischer_burmeister && has_jordan_form(law)) {
    const JordanPair pair = jordan_pair(law, metric, lambda, u);
    return to_rows(pair.x + pair.y - root_of_squares(pair.x, pair.y), F);
  }
  double y[6];
  natural_argument(metric, lambda, u, y);
  project(law, metric, y, F, work, lambda);
  for (Index r = 0; r < law.rows; ++r) F[r] = lambda[r] - F[r];
}

void local_equation(NewtonMap map, const LocalLaw& law, const LocalMetric& metric,
                    const double* lambda, const double* u, double* F, LocalMatrix& A,
                    LocalMatrix& B, LocalWorkspace& work) {
  const Index n = law.rows;
  if (map == NewtonMap::fischer_burmeister && has_jordan_form(law)) {
    const JordanPair pair = jordan_pair(law, metric, lambda, u);
    const LocalVector z = root_of_squares(pair.x, pair.y);
    to_rows(pair.x + pair.y - z, F);
    // dz = L_z⁻¹ (L_x dx + L_y dy); at the tip, where z is singular, a small multiple of one is
    // added: an element of the generalised derivative.
    const double size = std::sqrt(pair.x.squaredNorm() + pair.y.squaredNorm());
    const double least = std::max(tolerance::quadratic * size, tolerance::smallest);
    const LocalMatrix Lz = arrow(z) + least * LocalMatrix::Identity(n, n);
    const auto lu = Lz.partialPivLu();
    const LocalMatrix a = pair.dx - lu.solve(LocalMatrix(arrow(pair.x) * pair.dx));
    const LocalMatrix b = pair.dy - lu.solve(LocalMatrix(arrow(pair.y) * pair.dy));
    A.resize(n, n);
    B.resize(n, n);
    A.topRows(n - 1) = a.bottomRows(n - 1);
    A.row(n - 1) = a.row(0);
    B.topRows(n - 1) = b.bottomRows(n - 1);
    B.row(n - 1) = b.row(0);
    return;
  }
  double y[6];
  natural_argument(metric, lambda, u, y);
  project(law, metric, y, F, A, work, lambda);
  for (Index r = 0; r < n; ++r) F[r] = lambda[r] - F[r];
  B.noalias() = A.lazyProduct(metric.inverse());
  A = LocalMatrix::Identity(n, n) - A;
}

}  // namespace tact
