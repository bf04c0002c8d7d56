#include "tact/io/slice_view.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "tact/impact/certificate.hpp"
#include "tact/io/number_text.hpp"

namespace tact {
namespace {

VecX rounded(const ExactVector& x) {
  VecX out(static_cast<Index>(x.size()));
  for (Index k = 0; k < out.size(); ++k) out[k] = nearest(x[k]);
  return out;
}

MatX rounded(const std::vector<ExactVector>& rows, Index columns) {
  MatX out(static_cast<Index>(rows.size()), columns);
  for (Index k = 0; k < out.rows(); ++k) out.row(k) = rounded(rows[k]).transpose();
  return out;
}

bool diagonal(const std::vector<ExactVector>& m) {
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j)
      if (i != j && sgn(m[i][j]) != 0) return false;
  return true;
}

/// x = map y + origin.
struct Chart {
  MatX map;
  VecX origin, unit;
  std::vector<std::string> axes;

  Chart(const ConsistencySet& set, const ConsistencyShown& shown) {
    const Index n = set.dimension();
    if (n == set.dof() && diagonal(set.given.mass)) {
      unit = VecX(n);
      for (Index k = 0; k < n; ++k) unit[k] = std::sqrt(nearest(set.given.mass[k][k]));
      map = unit.asDiagonal() * rounded(set.axis, n).transpose();
      origin = unit.cwiseProduct(rounded(set.given.free));
      for (Index k = 0; k < n; ++k)
        axes.push_back(n == 1 ? "u"
                              : concat({"u", k == 0   ? "\u2081"
                                             : k == 1 ? "\u2082"
                                                      : "\u2083"}));
      for (std::string& a : axes) a += " [m/s or rad/s]";
      return;
    }
    // Upper triangular: the first axis is the direction in which the first generator pushes.
    map = rounded(set.metric, n).llt().matrixU();
    const ExactVector rest(set.given.free.size());
    origin = -(map * rounded(seen_in_slice(set, rest)));
    unit = VecX::Ones(n);
    axes.push_back(
        concat({"along the push of ", contact_name(shown, set.given.push.contact[set.basis[0]]),
                " [\u221a(kg) m/s]"}));
    for (Index k = 1; k < n; ++k) axes.emplace_back("across [\u221a(kg) m/s]");
  }

  [[nodiscard]] VecX point(const ExactVector& y) const { return map * rounded(y) + origin; }
  [[nodiscard]] VecX direction(const ExactVector& y) const { return map * rounded(y); }
  /// constant + normal.y >= 0.
  [[nodiscard]] SliceHalfSpace half_space(const ExactVector& normal, double constant) const {
    VecX n = map.transpose().partialPivLu().solve(rounded(normal));
    const double length = n.norm();
    n /= length;
    return {n, n.dot(origin) - constant / length, 0};
  }
};

bool is_zero(const ExactVector& x) {
  return std::all_of(x.begin(), x.end(), [](const Exact& v) { return sgn(v) == 0; });
}

std::vector<SliceBall> balls(const ConsistencySet& set, const Chart& chart,
                             const VelocityPolyhedron& p, double side) {
  std::vector<SliceBall> out;
  for (const PolyhedronCorner& b : p.corners) {
    SliceBall ball{chart.point(b.at), nearest(b.radius2), {}, false};
    for (const Index k : b.active)
      if (!is_zero(set.push[k]))
        ball.normal_cone.push_back(side * chart.direction(set.push[k]).normalized());
    out.push_back(std::move(ball));
  }
  return out;
}

std::string joules(const Exact& work) {
  return concat({short_number(nearest(work)), " J"});
}

std::string range_of_work(const ConsistencyMembership& m) {
  if (!m.least)
    return m.most ? concat({"contact work at most ", joules(*m.most)})
                  : "contact work without bounds";
  if (!m.most) return concat({"contact work at least ", joules(*m.least)});
  if (*m.most == *m.least)
    return concat({"contact work ", joules(*m.least), " whatever the impulses"});
  return concat({"contact work between ", joules(*m.least), " and ", joules(*m.most)});
}

std::string energy_sentence(const ConsistencySet& set, const ConsistencyMembership& m) {
  const std::string range = range_of_work(m);
  if (sgn(set.alpha) != 0)
    return concat({range, m.dissipative ? ", within the " : ", more than the ", joules(set.alpha),
                   " allowed"});
  const std::string_view verdict =
      !m.dissipative ? "the contacts must have delivered energy: "
      : m.strong     ? "the contacts delivered no energy: "
                     : "some impulses explain u\u207a without energy from the contacts: ";
  return concat({verdict, range});
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t k = 0; k < names.size(); ++k)
    out += concat({k == 0 ? "" : k + 1 == names.size() ? " and " : ", ", names[k]});
  return out;
}

}  // namespace

SliceView slice_view(const ConsistencySet& set, const ConsistencyShown& shown) {
  const Chart chart(set, shown);
  SliceView out;
  out.dimension = set.dimension();
  out.unit = chart.unit;
  out.axes = chart.axes;
  for (std::size_t k = 0; k < set.open.normal.size(); ++k) {
    if (is_zero(set.open.normal[k])) continue;
    out.opening.push_back(chart.half_space(set.open.normal[k], nearest(set.open.constant[k])));
    out.opening.back().contact = set.given.open.contact[k];
  }
  for (std::size_t k = 0; k < set.push.size(); ++k) {
    if (is_zero(set.push[k])) continue;
    out.pushes.push_back(chart.direction(set.push[k]).normalized());
  }
  for (const ExactVector& face : set.reach) out.reach.push_back(chart.half_space(face, 0));
  out.corners = balls(set, chart, set.opening, -1);
  out.closing = balls(set, chart, set.closing, 1);
  for (const PolyhedronEdge& e : set.opening.edges) {
    const VecX from = out.corners[e.from].center;
    if (e.unbounded)
      out.rays.emplace_back(from, chart.direction(set.opening.rays[e.to]).normalized());
    else
      out.edges.emplace_back(from, out.corners[e.to].center);
  }
  out.free = chart.origin;
  out.before = chart.point(set.before);
  out.half_impulse = chart.direction(set.half_impulse);
  out.excited = !is_zero(set.half_impulse);
  out.friction = set.friction();
  out.jammed = set.jam.has_value();
  if (set.projection) {
    out.projection = chart.point(*set.projection);
    out.projection_inside = membership(set, velocity_at(set, *set.projection)).inside();
  }
  if (shown.repaired) out.repaired = chart.point(seen_in_slice(set, *shown.repaired));
  if (!shown.after) return out;
  out.after = chart.point(seen_in_slice(set, *shown.after));
  out.verdict = membership(set, *shown.after);
  if (out.verdict->reachable)
    for (const Index i : out.verdict->least_at) out.corners[i].best = true;
  return out;
}

std::string contact_name(const ConsistencyShown& shown, Index contact) {
  const auto i = static_cast<std::size_t>(contact);
  if (i < shown.contacts.size() && !shown.contacts[i].empty()) return shown.contacts[i];
  return concat({"contact ", std::to_string(i + 1)});
}

std::string_view admissible_words(const SliceView& view) {
  return view.friction ? "A: every contact opens or stays"
                       : "P\u207a: every contact opens or stays";
}

std::string_view verdict_word(const ConsistencySet& set, const SliceView& view) {
  using enum ImpactVerdict;
  if (view.verdict && !view.verdict->reachable) return name(kinetically_incompatible);
  if (set.jam) return name(kinematically_infeasible);
  if (!view.verdict) return "consistency set";
  if (!view.verdict->admissible) return name(kinematically_incompatible);
  if (!view.verdict->dissipative) return name(inconsistent);
  return name(view.verdict->strong ? consistent_strong : consistent_weak);
}

std::string verdict_sentence(const ConsistencySet& set, const SliceView& view,
                             const ConsistencyShown& shown) {
  if (view.verdict && !view.verdict->reachable)
    return "no impulses of the contacts lead to u\u207a";
  const auto named = [&](const ExactVector& value, int sign) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < value.size(); ++k) {
      if (sgn(value[k]) != sign) continue;
      std::string name = contact_name(shown, set.given.open.contact[k]);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
    return listed(names);
  };
  if (set.jam)
    return concat({"no admissible velocity exists: ", named(*set.jam, 1), " close on the body"});
  if (!view.verdict) return "what contacts can do to the velocity without giving energy";
  if (view.verdict->admissible) return energy_sentence(set, *view.verdict);
  return concat({"u\u207a closes ", named(set.given.open.gamma(*shown.after), -1), "; ",
                 range_of_work(*view.verdict)});
}

}  // namespace tact
