#include "tact/geom/nurbs_patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tact {

namespace {

constexpr int order = NurbsPatch::max_degree + 1;

/// The degree + 1 B-splines that do not vanish at a parameter, and two derivatives of each.
struct Basis {
  Index first = 0;  ///< the control point of the first
  std::array<std::array<double, order>, 3> rows{};
};

using Row = std::array<double, order>;

/// x/y, where an empty span counts nothing.
double share(double x, double y) {
  return y > 0 ? x / y : 0;
}

/// Row of degree p over the span that begins at knot k[s] from the row of degree p - 1: Cox, de
/// Boor.
Row raised(const double* k, Index s, int p, double t, const Row& lower) {
  Row row{};
  for (int r = 0; r < p; ++r) {
    const double left = k[s - p + 1 + r];
    const double right = k[s + 1 + r];
    const double part = share(lower[r], right - left);
    row[r] += (right - t) * part;
    row[r + 1] += (t - left) * part;
  }
  return row;
}

/// Derivative of a row of degree p from (a derivative of) the row of degree p - 1.
Row derivative(const double* k, Index s, int p, const Row& lower) {
  Row row{};
  for (int r = 0; r < p; ++r) {
    const double part = p * share(lower[r], k[s + 1 + r] - k[s - p + 1 + r]);
    row[r] -= part;
    row[r + 1] += part;
  }
  return row;
}

Basis basis_at(const std::vector<double>& knots, int degree, Index count, double t) {
  // The span that holds t, of those that have a length.
  const auto inner = knots.begin() + degree + 1;
  const double inside = std::max(t, knots[degree]);
  Index span = std::upper_bound(inner, knots.begin() + count, inside) - knots.begin() - 1;
  while (span > degree && knots[span + 1] <= knots[span]) --span;
  const double* k = knots.data();
  std::array<Row, order> values{};
  values[0][0] = 1;
  for (int p = 1; p <= degree; ++p) values[p] = raised(k, span, p, t, values[p - 1]);
  Basis basis;
  basis.first = span - degree;
  basis.rows[0] = values[degree];
  basis.rows[1] = derivative(k, span, degree, values[degree - 1]);
  if (degree > 1) {
    const Row lower = derivative(k, span, degree - 1, values[degree - 2]);
    basis.rows[2] = derivative(k, span, degree, lower);
  }
  return basis;
}

/// (A, w) of the homogeneous patch.
Vec4 sum(const NurbsPatch& patch, const Basis& u, const Basis& v, int du, int dv) {
  Vec4 total = Vec4::Zero();
  for (int i = 0; i <= patch.degree_u; ++i)
    for (int j = 0; j <= patch.degree_v; ++j) {
      const Index at = (u.first + i) * patch.count_v + v.first + j;
      const double weight = patch.weights.empty() ? 1 : patch.weights[at];
      const double share_ij = u.rows[du][i] * v.rows[dv][j] * weight;
      total.head<3>() += share_ij * patch.points[at];
      total[3] += share_ij;
    }
  return total;
}

std::optional<Error> fault_of_knots(const std::vector<double>& knots, int degree, Index count,
                                    const std::string& name) {
  if (degree < 1 || degree > NurbsPatch::max_degree)
    return Error{Errc::value, "the degree of a patch in " + name + " is " + std::to_string(degree) +
                                  ": take 1 to " + std::to_string(NurbsPatch::max_degree)};
  if (count <= degree)
    return Error{Errc::value, "a patch of degree " + std::to_string(degree) + " in " + name +
                                  " needs at least " + std::to_string(degree + 1) +
                                  " control points along it, not " + std::to_string(count)};
  const Index wanted = count + degree + 1;
  if (static_cast<Index>(knots.size()) != wanted)
    return Error{Errc::value, "a patch has " + std::to_string(knots.size()) + " knots in " + name +
                                  ", but control points + degree + 1 = " + std::to_string(wanted) +
                                  " are needed"};
  for (const double k : knots)
    if (!std::isfinite(k)) return Error{Errc::value, "a knot in " + name + " is not finite"};
  if (!std::is_sorted(knots.begin(), knots.end()))
    return Error{Errc::value, "the knots of a patch in " + name + " must ascend"};
  for (Index i = 1; i + degree < count + degree; ++i)
    if (knots[i + degree] <= knots[i])
      return Error{Errc::value, "knot " + std::to_string(i) + " of a patch in " + name +
                                    " is repeated more than degree times: the surface would break"};
  return std::nullopt;
}

}  // namespace

Vec2 NurbsPatch::lower() const {
  return {knots_u[degree_u], knots_v[degree_v]};
}

Vec2 NurbsPatch::upper() const {
  return {knots_u[count_u], knots_v[count_v]};
}

std::optional<Error> fault_of(const NurbsPatch& patch) {
  if (auto fault = fault_of_knots(patch.knots_u, patch.degree_u, patch.count_u, "u")) return fault;
  if (auto fault = fault_of_knots(patch.knots_v, patch.degree_v, patch.count_v, "v")) return fault;
  const Index wanted = patch.count_u * patch.count_v;
  if (static_cast<Index>(patch.points.size()) != wanted)
    return Error{Errc::value, "a patch has " + std::to_string(patch.points.size()) +
                                  " control points instead of " + std::to_string(wanted)};
  if (!patch.weights.empty() && static_cast<Index>(patch.weights.size()) != wanted)
    return Error{Errc::value, "a patch has " + std::to_string(patch.weights.size()) +
                                  " weights instead of " + std::to_string(wanted)};
  for (const Vec3& p : patch.points)
    if (!p.allFinite()) return Error{Errc::value, "a control point of a patch is not finite"};
  for (const double w : patch.weights)
    if (!(w > 0) || !std::isfinite(w))
      return Error{Errc::value, "a weight of a patch is not positive: take weights above 0"};
  return std::nullopt;
}

PatchJet evaluate(const NurbsPatch& patch, double u, double v) {
  const Basis bu = basis_at(patch.knots_u, patch.degree_u, patch.count_u, u);
  const Basis bv = basis_at(patch.knots_v, patch.degree_v, patch.count_v, v);
  const Vec4 a = sum(patch, bu, bv, 0, 0);
  const Vec4 au = sum(patch, bu, bv, 1, 0);
  const Vec4 av = sum(patch, bu, bv, 0, 1);
  const Vec4 auu = sum(patch, bu, bv, 2, 0);
  const Vec4 auv = sum(patch, bu, bv, 1, 1);
  const Vec4 avv = sum(patch, bu, bv, 0, 2);
  const double w = a[3];
  PatchJet jet;
  jet.f = a.head<3>() / w;
  jet.fu = (au.head<3>() - au[3] * jet.f) / w;
  jet.fv = (av.head<3>() - av[3] * jet.f) / w;
  jet.fuu = (auu.head<3>() - 2 * au[3] * jet.fu - auu[3] * jet.f) / w;
  jet.fvv = (avv.head<3>() - 2 * av[3] * jet.fv - avv[3] * jet.f) / w;
  jet.fuv = (auv.head<3>() - au[3] * jet.fv - av[3] * jet.fu - auv[3] * jet.f) / w;
  return jet;
}

}  // namespace tact
