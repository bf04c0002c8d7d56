// contact/local_law.hpp - one contact law, made ready for solvers: its natural map in a metric.
//
// Every law is the fixed point  λ = Π(λ - D⁻¹ u)  of a sequential projection in the metric
// D = diag(D_N, D_T) of the contact's own Delassus block:
//     N̂ = P_K^{D_N}(y_N),      T̂ = argmin_{T in F(N̂)} |T - y_T|_{D_T},      y = λ - D⁻¹ u.
// Normal load first, friction bounded by the new normal load: Coulomb's law needs no shift of De
// Saxcé then, and patches fit the same shape. |λ - Π|_D is an energy, whatever units and frames the
// rows have. [FrictionM4] NCP, [MontMarin25] (17)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tact/cone/patch.hpp"
#include "tact/cone/patch_friction.hpp"
#include "tact/contact/law.hpp"

namespace tact {

/// What solvers branch on. Patches come last.
enum class LawKind : std::uint8_t {
  frictionless,
  interval,  ///< planar friction of any law
  disc,      ///< Coulomb
  polygon,   ///< box, pyramid
  rolling,
  bounded,  ///< rows without a normal impulse, each between the bounds: one, or equations
  patch,
  patch_friction,
};

struct LocalPatch {
  PatchCone cone;
  PatchFriction model;
};

/// Small, and the same size for every law; what is large is shared.
struct LocalLaw {
  LawKind kind = LawKind::frictionless;
  std::uint8_t rows = 1;
  double mu = 0;  ///< for an interval, half its width
  double rolling = 0, spinning = 0;
  double lower = 0, upper = 0;  ///< of bounded rows
  /// Of an interval or a disc: normal load and friction projected together onto the cone, in a
  /// metric that is the same in all directions. The law is that of a convex problem then, in which
  /// what slides parts; where nothing moves it is Coulomb's.
  bool associated = false;
  std::shared_ptr<const std::vector<Vec2>> polygon;  ///< friction per unit of normal load
  std::shared_ptr<const LocalPatch> patch;

  /// The row of the normal force; of bounded rows, which have none, the last.
  [[nodiscard]] Index normal_row() const { return rows - 1; }
  /// Whether the row's velocity is an angular one.
  [[nodiscard]] bool turns(Index row) const {
    return kind == LawKind::patch ? row < 2 : rows == 6 && row < 3;
  }
  /// Whether N has three rows.
  [[nodiscard]] bool is_patch() const { return kind >= LawKind::patch; }
};

/// `law` is valid.
[[nodiscard]] LocalLaw local_law(const Law& law);

/// u = 0 in up to three rows of one unit, whatever impulses that takes.
[[nodiscard]] LocalLaw equation_law(Index rows);

using LocalVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using LocalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

/// D and D⁻¹ of one contact, from its diagonal block: the symmetric part, the coupling of N and T
/// left out. A view of numbers that lie in one piece of memory (DelassusProblem::metric_values).
struct LocalMetric {
  Index n = 0;
  const double* values = nullptr;  ///< D, D⁻¹, both n x n, then for patches U of D_N = U'U

  [[nodiscard]] double matrix(Index r, Index c) const { return values[c * n + r]; }
  [[nodiscard]] double inverse(Index r, Index c) const { return values[n * n + c * n + r]; }
  [[nodiscard]] Eigen::Map<const MatX> matrix() const { return {values, n, n}; }
  [[nodiscard]] Eigen::Map<const MatX> inverse() const { return {values + n * n, n, n}; }
  [[nodiscard]] Eigen::Map<const Mat3> normal_upper() const {
    return Eigen::Map<const Mat3>(values + 2 * n * n);
  }
};

/// How many numbers the metric of a law needs.
[[nodiscard]] Index metric_size(const LocalLaw& law);

/// Writes metric_size(law) numbers. A singular block is made regular by a share tolerance::metric
/// of its own diagonal; a row that nothing moves gets `spare` (the mean of the problem's diagonal;
/// per squared radius for turning). Of equations D is the mean of the diagonal: they are redundant
/// in directions that no row of its own shows, and what rounding moves there must stay small.
void make_local_metric(const LocalLaw& law, const double* block, double spare, double* values);

/// Scratch for patches; dirty is fine.
struct LocalWorkspace {
  PatchFrictionWorkspace friction;
  FrictionSet set;
  bool unreliable =
      false;  ///< set when an elastic bed had no answer for a load; never cleared here
};

/// Π(y). A guess of it, the λ of y = λ - D⁻¹ u, saves time.
void project(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
             LocalWorkspace& work, const double* guess = nullptr);

/// Π(y) and its derivative for a point with friction in two directions (disc, polygon).
void project_point(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
                   Mat3& derivative, const double* guess);

/// Π(y) and its derivative. In closed form for points and for patches whose friction has nodes (how
/// those move with the centre of pressure: by differences), else by differences: exact to rounding
/// over 1e-7 where the map is piecewise linear.
void project(const LocalLaw& law, const LocalMetric& metric, const double* y, double* out,
             LocalMatrix& derivative, LocalWorkspace& work, const double* guess = nullptr);

/// |x|²_D.
[[nodiscard]] inline double energy(const LocalMetric& metric, const double* x) {
  const double* m = metric.values;
  if (metric.n == 3)
    return x[0] * (m[0] * x[0] + m[3] * x[1] + m[6] * x[2]) +
           x[1] * (m[1] * x[0] + m[4] * x[1] + m[7] * x[2]) +
           x[2] * (m[2] * x[0] + m[5] * x[1] + m[8] * x[2]);
  if (metric.n == 2) return m[0] * x[0] * x[0] + m[3] * x[1] * x[1];
  double sum = 0;
  for (Index c = 0; c < metric.n; ++c)
    for (Index r = 0; r < metric.n; ++r) sum += x[r] * m[c * metric.n + r] * x[c];
  return sum;
}

/// y = λ - D⁻¹ u.
inline void natural_argument(const LocalMetric& metric, const double* lambda, const double* u,
                             double* y) {
  const Index n = metric.n;
  const double* inverse = metric.values + n * n;
  if (n == 3) {
    for (Index r = 0; r < 3; ++r)
      y[r] = lambda[r] - (inverse[r] * u[0] + inverse[3 + r] * u[1] + inverse[6 + r] * u[2]);
    return;
  }
  if (n == 2) {
    y[0] = lambda[0] - inverse[0] * u[0];
    y[1] = lambda[1] - inverse[3] * u[1];
    return;
  }
  for (Index r = 0; r < n; ++r) y[r] = lambda[r];
  for (Index c = 0; c < n; ++c)
    for (Index r = 0; r < n; ++r) y[r] -= inverse[c * n + r] * u[c];
}

}  // namespace tact
