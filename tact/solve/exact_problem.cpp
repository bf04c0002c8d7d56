// solve/exact_problem.cpp - doubles taken at their word, and what each mode demands.
#include "tact/solve/exact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "tact/base/expects.hpp"
#include "tact/solve/exact_numbers.hpp"

namespace tact {
namespace {

/// Corners of the friction bound of a point, tangents in the first rows.
std::vector<ExactVector> corners_of(const Law& law, const Exact& mu) {
  const LocalLaw local = local_law(law);
  const Index rows = local.rows;
  const ExactVector none(static_cast<std::size_t>(rows));
  if (local.kind == LawKind::frictionless || sgn(mu) == 0) return {none};
  Exact size = mu;
  if (const auto* box = std::get_if<BoxLaw>(&law)) size *= Exact(box->scale);
  std::vector<ExactVector> out;
  if (local.kind == LawKind::interval) {
    out.assign(2, none);
    out[0][0] = -size;
    out[1][0] = size;
    return out;
  }
  // The unit polygon in doubles, times an exact size. Cosines that are zero but for rounding are.
  Law unit = law;
  if (auto* box = std::get_if<BoxLaw>(&unit)) *box = BoxLaw{1, 1, false};
  if (auto* pyramid = std::get_if<PyramidLaw>(&unit)) pyramid->mu = 1;
  const LocalLaw shape = local_law(unit);
  for (const Vec2& c : *shape.polygon) {
    ExactVector corner = none;
    for (Index k = 0; k < 2; ++k)
      if (std::abs(c[k]) > tolerance::rounding) corner[k] = size * Exact(c[k]);
    out.push_back(std::move(corner));
  }
  return out;
}

Result<bool> add_units(const ContactProblem& p, std::size_t i, Index at, const Exact& mu,
                       std::vector<ExactUnit>& units) {
  const Law& law = p.contacts[i].law;
  const Index rows = row_count(law);
  ExactUnit unit;
  unit.contact = static_cast<Index>(i);
  unit.at = at;
  unit.rows = rows;
  unit.normal.resize(static_cast<std::size_t>(rows));
  unit.normal[rows - 1] = 1;
  const auto refuse = [&](const std::string& what) {
    return Error{Errc::value, "contacts[" + std::to_string(i) + "] " + what};
  };
  if (std::holds_alternative<BoundedLaw>(law))
    return refuse(
        "is a bounded row, whose impulses are no cone; eliminate equations, or leave it out");
  if (std::holds_alternative<RollingLaw>(law))
    return refuse("has rolling friction, whose modes cannot all be listed; use another law");
  if (std::holds_alternative<FrictionalPatch>(law))
    return refuse(
        "is a patch with friction, whose modes cannot all be listed; give its corners as points");
  if (std::holds_alternative<FrictionlessPatch>(law)) {
    const LocalLaw local = local_law(law);
    const PlanarSet& hull = local.patch->cone.hull();
    if (hull.kind() != PlanarSet::Kind::polygon)
      return refuse("is a patch with a round rim, whose modes cannot all be listed; use a polygon");
    unit.corners.assign(1, ExactVector(3));
    for (const Vec2& x : hull.vertices()) {
      unit.normal = {Exact(x[1]), Exact(-x[0]), Exact(1)};
      units.push_back(unit);
    }
    return true;
  }
  const auto* disc = std::get_if<CoulombLaw>(&law);
  if (disc && !disc->planar && sgn(mu) > 0) {
    unit.round = true;
    unit.mu = mu;
  } else {
    unit.corners = corners_of(law, mu);
  }
  units.push_back(std::move(unit));
  return true;
}

/// e γ⁻ + s, as law_shift.
void add_shift(const ContactProblem& p, const RationalProblem& n, const ExactVector& before,
               ExactVector& b) {
  const auto offset = row_offsets(p.contacts);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const RowSplit rows = row_split(p.contacts[i].law);
    for (Index k = 0; k < rows.normal_count; ++k) {
      const Index row = offset[i] + rows.normal[k];
      b[row] += n.restitution[i] * before[row];
    }
    const Index row = offset[i] + rows.normal[rows.normal_count - 1];
    if (!p.contacts[i].gap_slope.isZero(0)) {
      // A slope has no exact spelling: the doubles it means.
      const Vec3 gap = gap_velocity(p.contacts[i], p.dt);
      for (Index k = 0; k < rows.normal_count; ++k) b[offset[i] + rows.normal[k]] += Exact(gap[k]);
    } else if (sgn(n.gap[i]) != 0) {
      const Exact share = sgn(n.gap[i]) > 0 ? Exact(1) : n.stabilisation[i];
      b[row] += share * n.gap[i] / n.dt;
    }
  }
}

/// M X = [J', p].
Result<bool> reduce_mass(const ContactProblem& p, const RationalProblem& n, ExactProblem& out) {
  const auto solve = [&](const ExactVector& r) { return solve_exactly(n.mass, r); };
  // The exact mass may be singular though its doubles are not.
  const Error singular{Errc::value, "mass is singular; give a regular one"};
  const auto pushed = solve(n.impulse);
  if (!pushed) return singular;
  std::vector<ExactVector> moved;  // M⁻¹ J', row by row of J
  ExactVector before = n.excitation;
  for (std::size_t r = 0; r < n.rows.size(); ++r) {
    auto own = solve(n.rows[r]);
    if (!own) return singular;
    moved.push_back(*std::move(own));
    before[r] += dot(n.rows[r], n.velocity);
  }
  out.b = before;
  for (std::size_t r = 0; r < n.rows.size(); ++r) out.b[r] += dot(n.rows[r], *pushed);
  add_shift(p, n, before, out.b);
  for (const ExactVector& a : n.rows) {
    ExactVector& row = out.G.emplace_back();
    for (const ExactVector& m : moved) row.push_back(dot(a, m));
  }
  return true;
}

/// The power of two next to x > 0.
Exact power_of_two(double x) {
  constexpr double far = 1000;  // doubles end soon behind 2^1000, and 1/x of a denormal is infinite
  return {std::ldexp(1.0, static_cast<int>(std::lround(std::clamp(std::log2(x), -far, far))))};
}

void choose_scales(ExactProblem& p) {
  for (ExactUnit& unit : p.units) {
    Exact own;
    for (Index r = 0; r < unit.rows; ++r)
      for (Index c = 0; c < unit.rows; ++c)
        own += unit.normal[r] * p.G[unit.at + r][unit.at + c] * unit.normal[c];
    const double size = std::abs(own.get_d());
    if (size > 0 && std::isfinite(size)) unit.scale = power_of_two(1 / std::sqrt(size));
  }
  double largest = 0;
  for (const ExactUnit& unit : p.units)
    for (Index r = 0; r < unit.rows; ++r)
      largest = std::max(largest, std::abs(Exact(p.b[unit.at + r] * unit.scale).get_d()));
  if (largest > 0 && std::isfinite(largest)) p.scale = power_of_two(1 / largest);
}

// --------------------------------------------------------------------------------------- modes

/// What a unit adds to the conditions: loads, and functionals of its own rows of u.
struct UnitConditions {
  std::vector<ExactVector> loads;
  std::vector<std::pair<ExactVector, Sense>> rows;
};

/// h + size d in the rows [t1, t2, n].
ExactVector round_load(const ExactUnit& unit, const ExactDirection& d, const Exact& size) {
  return {size * d.x, size * d.y, unit.normal[2]};
}

/// Where the tangents at two directions meet.
ExactDirection tangents_meet(const ExactDirection& a, const ExactDirection& b) {
  const Exact share = 1 / (1 + a.x * b.x + a.y * b.y);
  return {(a.x + b.x) * share, (a.y + b.y) * share};
}

/// Keeps so many binary digits: short numbers make short rationals, and those are quick. The last
/// digit is a one: simple directions, such as that of (3, 4), are where bodies slide, and a
/// solution on the border of two sectors is proved in neither.
double shortened(double t, int digits) {
  int exponent = 0;
  const double mantissa = std::frexp(t, &exponent);
  const double odd = 2 * std::floor(std::ldexp(mantissa, digits - 1)) + 1;
  return std::ldexp(odd, exponent - digits);
}
double t_of_angle(double angle) {
  constexpr int digits = 11;
  return shortened(std::tan(std::remainder(angle, 2 * std::numbers::pi) / 2), digits);
}
double angle_of_t(double t) {
  return 2 * std::atan(t);
}

/// Directions that no scene has: neither axes nor simple fractions of a turn from them.
constexpr double first_angle = 0.3141;

/// Loads that span the whole cone of a unit; of a round one, a polygonal one in its place.
std::vector<ExactVector> cone_loads(const ExactUnit& unit, const RoundStick& round) {
  std::vector<ExactVector> out;
  for (const ExactVector& c : unit.corners) out.push_back(unit.normal + c);
  std::vector<ExactDirection> rim;
  for (Index k = 0; unit.round && k < round.rim; ++k)
    rim.push_back(
        direction_at(t_of_angle(first_angle + 2 * std::numbers::pi * static_cast<double>(k) /
                                                  static_cast<double>(round.rim))));
  for (std::size_t k = 0; k < rim.size(); ++k) {
    const ExactDirection d =
        round.inside ? rim[k] : tangents_meet(rim[k], rim[(k + 1) % rim.size()]);
    out.push_back(round_load(unit, d, unit.mu));
  }
  return out;
}

UnitConditions sector_conditions(const ExactUnit& unit, const UnitMode& mode) {
  const ExactDirection a = direction_at(mode.from), b = direction_at(mode.to);
  UnitConditions out;
  for (const ExactDirection& d : {a, b, tangents_meet(a, b)})
    out.loads.push_back(round_load(unit, d, -unit.mu));
  out.rows = {{unit.normal, Sense::zero},
              {{-a.y, a.x, 0}, Sense::at_least},
              {{b.y, -b.x, 0}, Sense::at_least},
              {{a.x + b.x, a.y + b.y, 0}, Sense::above}};
  return out;
}

UnitConditions ray_conditions(const ExactUnit& unit, const UnitMode& mode) {
  const ExactDirection d = direction_of(mode);
  return {
      {round_load(unit, d, -unit.mu)},
      {{unit.normal, Sense::zero}, {{-d.y, d.x, 0}, Sense::zero}, {{d.x, d.y, 0}, Sense::above}}};
}

UnitConditions face_conditions(const ExactUnit& unit, const UnitMode& mode,
                               const RoundStick& round) {
  UnitConditions out{cone_loads(unit, round), {{unit.normal, Sense::zero}}};
  for (Index k = 0; unit.round && k < 2; ++k)
    out.rows.emplace_back(unit_vector(unit.rows, k), Sense::zero);
  const bool all = mode.first < 0;
  if (!all) out.loads.clear();
  // Of all corners, two differences from the first one say that nothing moves.
  const Index base = all ? 0 : mode.first;
  for (Index k = 0; k < static_cast<Index>(unit.corners.size()); ++k) {
    const bool in_face = all || k == mode.first || k == mode.last;
    if (in_face && !all) out.loads.push_back(unit.normal + unit.corners[k]);
    if (k != base && (!all || k <= 2))
      out.rows.emplace_back(unit.corners[k] - unit.corners[base],
                            in_face ? Sense::zero : Sense::above);
  }
  return out;
}

UnitConditions unit_conditions(const ExactUnit& unit, const std::optional<UnitMode>& mode,
                               const RoundStick& round) {
  if (!mode) return {cone_loads(unit, {round.rim, false}), {{unit.normal, Sense::at_least}}};
  switch (mode->kind) {
    case UnitMode::Kind::separate:
      return {{}, {{unit.normal, Sense::above}}};
    case UnitMode::Kind::face:
      return face_conditions(unit, *mode, round);
    case UnitMode::Kind::sector:
      return sector_conditions(unit, *mode);
    case UnitMode::Kind::ray:
      return ray_conditions(unit, *mode);
  }
  return {};
}

}  // namespace

Result<ExactProblem> exact_problem(const ContactProblem& p, const std::vector<ExactNumber>& exact) {
  if (const auto valid = validate(p); !valid) return valid.error();
  if (p.in_mass_form())
    if (const auto factor = MassFactor::from(p.mass, p.mass_is_general); !factor)
      return factor.error();
  const auto offset = row_offsets(p.contacts);
  auto made = rational_problem(p, exact);
  if (!made) return made.error();
  RationalProblem numbers = *std::move(made);
  ExactProblem out;
  for (std::size_t i = 0; i < p.contacts.size(); ++i)
    if (const auto good = add_units(p, i, offset[i], numbers.mu[i], out.units); !good)
      return good.error();
  if (p.in_mass_form()) {
    if (const auto good = reduce_mass(p, numbers, out); !good) return good.error();
  } else {
    out.G = std::move(numbers.delassus);
    out.b = std::move(numbers.free_velocity);
  }
  choose_scales(out);
  return out;
}

ExactDirection direction_at(double t) {
  const Exact s(t);
  const Exact share = 1 / (1 + s * s);
  return {(1 - s * s) * share, 2 * s * share};
}

ExactDirection direction_of(const UnitMode& ray) {
  const Exact x(ray.from), y(ray.to);
  const Exact length(std::hypot(ray.from, ray.to));
  TACT_EXPECTS(sgn(length) > 0 && length * length == x * x + y * y);
  return {x / length, y / length};
}

double sector_width(const UnitMode& sector) {
  const double width = angle_of_t(sector.to) - angle_of_t(sector.from);
  return width > 0 ? width : width + 2 * std::numbers::pi;
}

std::pair<UnitMode, UnitMode> halves(const UnitMode& sector) {
  UnitMode first = sector, second = sector;
  const double width = sector_width(sector);
  const double middle = angle_of_t(sector.from) + width / 2;
  const double t = std::tan(std::remainder(middle, 2 * std::numbers::pi) / 2);
  // The fewest digits that do not upset the balance.
  constexpr int least = 11;
  for (int digits = least; digits <= std::numeric_limits<double>::digits; ++digits) {
    first.to = second.from = shortened(t, digits);
    if (std::abs(sector_width(first) - width / 2) < width / 8) break;
  }
  return {first, second};
}

std::vector<UnitMode> modes_of(const ExactUnit& unit) {
  using Kind = UnitMode::Kind;
  std::vector<UnitMode> out{{Kind::separate, -1, -1, 0, 0}};
  if (unit.round) {
    out.push_back({Kind::face, -1, -1, 0, 0});
    constexpr int quarters = 4;
    for (int k = 0; k < quarters; ++k)
      out.push_back({Kind::sector, -1, -1, t_of_angle(first_angle + k * std::numbers::pi / 2),
                     t_of_angle(first_angle + ((k + 1) % quarters) * std::numbers::pi / 2)});
    return out;
  }
  const auto count = static_cast<Index>(unit.corners.size());
  if (count > 1)
    for (Index k = 0; k < count; ++k) out.push_back({Kind::face, k, k, 0, 0});
  if (count > 2)
    for (Index k = 0; k < count; ++k) out.push_back({Kind::face, k, (k + 1) % count, 0, 0});
  out.push_back({Kind::face, -1, -1, 0, 0});
  return out;
}

ExactVector operator+(ExactVector a, const ExactVector& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}
ExactVector operator-(ExactVector a, const ExactVector& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
  return a;
}
ExactVector operator*(const Exact& size, ExactVector a) {
  for (Exact& x : a) x *= size;
  return a;
}
ExactVector unit_vector(Index size, Index k) {
  ExactVector out(static_cast<std::size_t>(size));
  out[k] = 1;
  return out;
}

ExactVector combined(ExactVector start, const std::vector<ExactVector>& v,
                     const ExactVector& sizes) {
  for (std::size_t k = 0; k < v.size(); ++k) start = start + sizes[k] * v[k];
  return start;
}
Exact dot_at(const ExactVector& f, const ExactVector& x, Index at) {
  Exact sum;
  for (std::size_t k = 0; k < f.size(); ++k) sum += f[k] * x[at + k];
  return sum;
}

ExactVector load_row(const ExactProblem& p, const PieceSystem& modes, Index row) {
  ExactVector out(1);
  for (const ExactColumn& column : modes.columns) {
    const ExactUnit& unit = p.units[column.unit];
    const bool inside = row >= unit.at && row < unit.at + unit.rows;
    out.push_back(inside ? column.load[row - unit.at] : Exact(0));
  }
  return out;
}

ExactVector velocity_row(const ExactProblem& p, const PieceSystem& modes, Index row) {
  ExactVector out{p.b[row] * p.scale};
  for (const ExactColumn& column : modes.columns) out.push_back(column.effect[row]);
  return out;
}

PieceSystem mode_system(const ExactProblem& p, const ModeChoice& choice, const RoundStick& round) {
  TACT_EXPECTS(choice.size() == p.units.size());
  std::vector<UnitConditions> conditions;
  PieceSystem out;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const ExactUnit& unit = p.units[i];
    conditions.push_back(unit_conditions(unit, choice[i], round));
    for (const ExactVector& own : conditions[i].loads) {
      const ExactVector load = unit.scale * own;
      out.columns.push_back({static_cast<Index>(i), load, effect_of(p, unit.at, load)});
    }
  }
  out.system.columns = static_cast<Index>(out.columns.size()) + 1;
  out.system.add(unit_vector(out.system.columns, 0), Sense::above);
  for (std::size_t i = 0; i < p.units.size(); ++i)
    for (const auto& [functional, sense] : conditions[i].rows) {
      ExactVector row(static_cast<std::size_t>(out.system.columns));
      for (Index r = 0; r < p.units[i].rows; ++r)
        if (sgn(functional[r]) != 0)
          row = row +
                Exact(functional[r] * p.units[i].scale) * velocity_row(p, out, p.units[i].at + r);
      out.system.add(std::move(row), sense);
    }
  return out;
}

ExactVector sum_of_loads(const ExactProblem& p, const PieceSystem& modes, const ExactVector& x) {
  ExactVector lambda(static_cast<std::size_t>(p.rows()));
  for (std::size_t k = 0; k < modes.columns.size(); ++k) {
    if (sgn(x[k + 1]) == 0) continue;
    const ExactColumn& column = modes.columns[k];
    for (std::size_t r = 0; r < column.load.size(); ++r)
      lambda[p.units[column.unit].at + r] += x[k + 1] * column.load[r];
  }
  return lambda;
}

ExactVector load_of(const ExactProblem& p, const PieceSystem& modes, const ExactVector& point) {
  return Exact(1 / (point[0] * p.scale)) * sum_of_loads(p, modes, point);
}

ExactVector effect_of(const ExactProblem& p, Index at, const ExactVector& load) {
  ExactVector out(static_cast<std::size_t>(p.rows()));
  for (Index r = 0; r < p.rows(); ++r)
    for (std::size_t c = 0; c < load.size(); ++c)
      if (sgn(load[c]) != 0) out[r] += p.G[r][at + c] * load[c];
  return out;
}

ExactVector motion_of(const ExactProblem& p, const ExactVector& lambda) {
  return p.b + effect_of(p, 0, lambda);
}

VecX as_doubles(const ExactVector& x) {
  VecX out(static_cast<Index>(x.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = nearest(x[i]);
  return out;
}

}  // namespace tact
