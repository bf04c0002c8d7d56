// geom/nurbs_patch.hpp - tensor-product rational B-splines with two derivatives.
//
// f = A/w with A = Σ N_i(u) N_j(v) w_ij P_ij and w = Σ N_i(u) N_j(v) w_ij; by the quotient rule
//     f_u = (A_u - w_u f)/w,  f_uu = (A_uu - 2 w_u f_u - w_uu f)/w,
//     f_uv = (A_uv - w_u f_v - w_v f_u - w_uv f)/w.
#pragma once

#include <optional>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// A chart and its derivatives at one (u, v).
struct PatchJet {
  Vec3 f = Vec3::Zero();
  Vec3 fu = Vec3::Zero(), fv = Vec3::Zero();
  Vec3 fuu = Vec3::Zero(), fuv = Vec3::Zero(), fvv = Vec3::Zero();
};

/// Control point (i, j), i along u, at i * count_v + j.
struct NurbsPatch {
  static constexpr int max_degree = 7;
  int degree_u = 0, degree_v = 0;
  Index count_u = 0, count_v = 0;        ///< of control points
  std::vector<double> knots_u, knots_v;  ///< count + degree + 1 each, ascending
  std::vector<Vec3> points;
  std::vector<double> weights;  ///< empty: all 1

  /// The range of u and v.
  [[nodiscard]] Vec2 lower() const;
  [[nodiscard]] Vec2 upper() const;
};

/// What does not fit together: degrees, knots, points, weights. None of a good patch.
[[nodiscard]] std::optional<Error> fault_of(const NurbsPatch& patch);

/// Expects a patch without fault; u and v outside its range are taken by the outermost polynomials.
[[nodiscard]] PatchJet evaluate(const NurbsPatch& patch, double u, double v);

}  // namespace tact
