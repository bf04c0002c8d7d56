#include "tact/cone/winkler.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

constexpr int max_iterations = 200;
constexpr double armijo = 1e-4;

/// The face of the hull that must carry the load: everything, an edge or a corner.
struct Carrier {
  Vec2 at;    ///< the centre of pressure, on that face
  Vec2 a, b;  ///< ends of the edge; equal for a corner
  bool all = true;
};

Carrier carrier_of(const PlanarSet& hull, const Vec2& c) {
  const auto v = hull.vertices();
  const double slack = tolerance::centre * hull.radius();
  Carrier out{hull.contains(c) ? c : hull.nearest(c), v[0], v[0], v.size() > 2};
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec2& a = v[i];
    const Vec2& b = v[i + 1 == v.size() ? 0 : i + 1];
    if ((out.at - a).norm() <= slack) return {a, a, a, false};
    const double length = (b - a).norm();
    if (length == 0) continue;
    if (std::abs(cross(b - a, out.at - a)) <= slack * length) {
      out.all = false;
      out.a = a;
      out.b = b;
      out.at = a + (b - a).dot(out.at - a) / (length * length) * (b - a);
    }
  }
  return out;
}

bool carries(const Carrier& carrier, const Vec2& x, double slack) {
  if (carrier.all) return true;
  const Vec2 e = carrier.b - carrier.a;
  const double length = e.norm();
  if (length == 0) return (x - carrier.a).norm() <= slack;
  return std::abs(cross(e, x - carrier.a)) <= slack * length;
}

/// max over q of q.(1, c) - ½ Σ A_i max(0, q.(1, x_i))²: concave, piecewise quadratic.
class Bed {
 public:
  Bed(const Winkler& bed, const Carrier& carrier, double size)
      : bed_(bed), carrier_(carrier), size_(size), slack_(tolerance::centre * size) {}

  /// Minus the objective and, if asked, gradient and Hessian, in coordinates about c in units of
  /// the bed's size.
  double evaluate(const Vec3& q, Vec3* gradient, Mat3* hessian) const {
    double value = -q[0];
    if (gradient != nullptr) *gradient = -Vec3::UnitX();
    if (hessian != nullptr) hessian->setZero();
    for (std::size_t i = 0; i < bed_.points().size(); ++i) {
      if (!carries(carrier_, bed_.points()[i], slack_)) continue;
      const Vec3 row = row_of(i);
      const double pressure = q.dot(row), area = bed_.areas()[i] / unit_area();
      if (pressure <= 0) continue;
      value += 0.5 * area * pressure * pressure;
      if (gradient != nullptr) *gradient += area * pressure * row;
      if (hessian != nullptr) *hessian += area * row * row.transpose();
    }
    return value;
  }

  [[nodiscard]] Vec3 row_of(std::size_t i) const {
    const Vec2 x = (bed_.points()[i] - carrier_.at) / size_;
    return {1, x[0], x[1]};
  }
  [[nodiscard]] double weight(std::size_t i, const Vec3& q) const {
    if (!carries(carrier_, bed_.points()[i], slack_)) return 0;
    return bed_.areas()[i] / unit_area() * std::max(0.0, q.dot(row_of(i)));
  }

 private:
  [[nodiscard]] double unit_area() const { return bed_.areas()[0]; }  // only ratios matter

  const Winkler& bed_;
  const Carrier& carrier_;
  double size_, slack_;
};

}  // namespace

Winkler::Winkler(std::vector<Vec2> points, std::vector<double> areas, std::vector<double> radii)
    : points_(std::move(points)),
      areas_(std::move(areas)),
      radii_(std::move(radii)),
      hull_(PlanarSet::hull_of_points(points_)) {}

Result<Winkler> Winkler::from_nodes(std::vector<Vec2> points, std::vector<double> areas,
                                    std::vector<double> radii) {
  if (points.empty()) return Error{Errc::geometry, "an elastic bed needs at least one node"};
  if (areas.size() != points.size() || radii.size() != points.size())
    return Error{Errc::value, "an elastic bed needs one area and one radius per node"};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite() || !std::isfinite(areas[i]) || !std::isfinite(radii[i]))
      return Error{Errc::value, "node " + std::to_string(i) + " of an elastic bed is not finite"};
    if (!(areas[i] > 0))
      return Error{Errc::value, "the area of node " + std::to_string(i) + " must be positive"};
    if (radii[i] < 0)
      return Error{Errc::value,
                   "the radius of node " + std::to_string(i) + " must not be negative"};
  }
  return Winkler(std::move(points), std::move(areas), std::move(radii));
}

// Newton's method on a piecewise quadratic function: with the right nodes pressing one step is
// exact.
WinklerReport winkler_weights(const Winkler& bed, const Vec2& c, std::span<double> weights) {
  TACT_EXPECTS(weights.size() == bed.points().size());
  TACT_EXPECTS(c.allFinite());
  const Carrier carrier = carrier_of(bed.hull(), c);
  const double size = bed.hull().radius() > 0 ? bed.hull().radius() : 1;
  const Bed nodes(bed, carrier, size);
  WinklerReport report;
  Vec3 q = Vec3::UnitX(), gradient;
  Mat3 hessian;
  double value = nodes.evaluate(q, &gradient, &hessian);
  for (; report.iterations < max_iterations; ++report.iterations) {
    report.residual = gradient.norm();
    if (report.residual <= tolerance::rounding) break;
    const double ridge = tolerance::rounding * hessian.trace();
    const Vec3 step = -(hessian + ridge * Mat3::Identity()).ldlt().solve(gradient);
    const double slope = gradient.dot(step);
    double share = 1;
    while (share > tolerance::epsilon &&
           nodes.evaluate(q + share * step, nullptr, nullptr) > value + armijo * share * slope &&
           -slope > tolerance::rounding * (1 + std::abs(value)))
      share /= 2;
    q += share * step;
    value = nodes.evaluate(q, &gradient, &hessian);
  }
  report.residual = gradient.norm();
  const bool surrounded = (carrier.at - c).norm() <= tolerance::centre * size;
  report.converged = surrounded && report.residual <= tolerance::friction;
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] = nodes.weight(i, q);
  for (double& w : weights) w /= sum > 0 ? sum : 1;
  return report;
}

}  // namespace tact
