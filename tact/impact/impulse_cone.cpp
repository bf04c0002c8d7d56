// impact/impulse_cone.cpp - laws as hulls, and what can be said about them by products.
#include "tact/impact/impulse_cone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/contact/local_law.hpp"
#include "tact/impact/products.hpp"

namespace tact {
namespace {

template <class T>
BaseEllipse<T> point(std::vector<T> at) {
  return {std::move(at), {}};
}

/// |x| <= radius in two rows.
template <class T>
BaseEllipse<T> disc(const T& radius) {
  const T none(0);
  return {{none, none}, {{radius, none}, {none, radius}}};
}

/// Corners of a friction polygon at unit coefficient, times the coefficient. Cosines that are zero
/// but for rounding are zero.
template <class T>
std::vector<BaseEllipse<T>> polygon(const std::vector<Vec2>& corners, const T& mu) {
  std::vector<BaseEllipse<T>> out;
  for (const Vec2& c : corners) {
    std::vector<T> at(2, T(0));
    for (Index k = 0; k < 2; ++k)
      if (std::abs(c[k]) > tolerance::rounding) at[k] = mu * T(c[k]);
    out.push_back(point(std::move(at)));
  }
  return out;
}

template <class T>
std::vector<BaseEllipse<T>> interval(const T& half_width) {
  std::vector<T> low{T(-half_width)}, high{half_width};
  return {point(std::move(low)), point(std::move(high))};
}

/// The moment m_T of a unit force at x: x^⊥. [MontMarin25] (11)
template <class T>
std::vector<T> moment_of(const Vec2& x) {
  return {T(x[1]), T(-x[0])};
}

PlanarSet hull_of(const PatchShape& shape) {
  auto hull = convex_hull_of(shape);
  TACT_EXPECTS(hull.has_value());
  return *std::move(hull);
}

/// The moments of unit normal loads on a patch.
template <class T>
std::vector<BaseEllipse<T>> moments(const PlanarSet& hull) {
  std::vector<BaseEllipse<T>> out;
  if (hull.kind() == PlanarSet::Kind::polygon) {
    for (const Vec2& x : hull.vertices()) out.push_back(point(moment_of<T>(x)));
    return out;
  }
  for (const BoundaryArc& arc : hull.arcs()) {
    BaseEllipse<T> part{moment_of<T>(arc.ellipse.center), {}};
    for (Index k = 0; k < 2; ++k)
      if (arc.ellipse.axes.col(k).norm() > 0)
        part.axes.push_back(moment_of<T>(arc.ellipse.axes.col(k)));
    out.push_back(std::move(part));
  }
  return out;
}

/// Corners of a polygon around the set: its own, or where neighbouring support lines meet.
std::vector<Vec2> corners_around(const PlanarSet& hull) {
  if (hull.kind() == PlanarSet::Kind::polygon)
    return {hull.vertices().begin(), hull.vertices().end()};
  constexpr int sides = 64;
  const auto line = [&](int k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    const Vec2 n(std::cos(angle), std::sin(angle));
    return std::pair(n, hull.support_value(n));
  };
  std::vector<Vec2> out;
  for (int k = 0; k < sides; ++k) {
    const auto [a, p] = line(k);
    const auto [b, q] = line(k + 1);
    const double turn = a.x() * b.y() - a.y() * b.x();
    out.emplace_back((p * b.y() - q * a.y()) / turn, (q * a.x() - p * b.x()) / turn);
  }
  return out;
}

/// Rows [m_T, m_N, f_T] of Coulomb's cone at every corner; with a spin radius the ellipsoid there.
template <class T>
BaseFactor<T> any_pressure(const PlanarSet& hull, const T& mu, double spin) {
  BaseFactor<T> out{{0, 1, 2, 3, 4}, {}};
  for (const Vec2& x : corners_around(hull)) {
    const T px(x[0]), py(x[1]), none(0);
    BaseEllipse<T> at{{py, T(-px), none, none, none}, {}};
    if (mu > 0) {
      at.axes.push_back({none, none, T(-mu * py), mu, none});
      at.axes.push_back({none, none, T(mu * px), none, mu});
      if (spin > 0) at.axes.push_back({none, none, T(mu * T(spin)), none, none});
    }
    out.hull.push_back(std::move(at));
  }
  return out;
}

double spin_radius(const FrictionalPatch& law, const PlanarSet& hull) {
  const auto* ellipsoid = std::get_if<EllipsoidAtCop>(&law.model);
  if (ellipsoid == nullptr) return 0;
  if (ellipsoid->radius) return *ellipsoid->radius;
  // The law's own default is at most the spin of a disc around the patch.
  return hull.radius();
}

template <class T>
struct ConeOf {
  const T& mu;

  ImpulseCone<T> operator()(const Frictionless&) const { return {1, 0, {}}; }
  ImpulseCone<T> operator()(const CoulombLaw& law) const {
    if (law.planar) return {2, 1, {{{0}, interval(mu)}}};
    return {3, 2, {{{0, 1}, {mu > 0 ? disc(mu) : point<T>({T(0), T(0)})}}}};
  }
  ImpulseCone<T> operator()(const BoxLaw& law) const {
    return polygonal(BoxLaw{1, 1, false}, mu * T(law.scale), law.planar);
  }
  ImpulseCone<T> operator()(const PyramidLaw& law) const {
    return polygonal(PyramidLaw{1, law.edges, false}, mu, law.planar);
  }
  ImpulseCone<T> operator()(const RollingLaw& law) const {
    ImpulseCone<T> out{6, 5, {}};
    out.factors.push_back({{3, 4}, {disc(mu)}});
    out.factors.push_back({{0, 1}, {disc(T(law.rolling))}});
    out.factors.push_back({{2}, interval(T(law.spinning))});
    return out;
  }
  ImpulseCone<T> operator()(const FrictionlessPatch& law) const {
    return {3, 2, {{{0, 1}, moments<T>(hull_of(law.shape))}}};
  }
  ImpulseCone<T> operator()(const FrictionalPatch& law) const {
    const PlanarSet hull = hull_of(law.shape);
    return {6, 5, {any_pressure(hull, mu, spin_radius(law, hull))}};
  }
  /// Its impulses are an interval, no cone: impacts with such rows are refused before.
  ImpulseCone<T> operator()(const BoundedLaw& /*law*/) const {
    TACT_EXPECTS(false);
    return {};
  }

 private:
  /// `unit` has a coefficient of one.
  static ImpulseCone<T> polygonal(const Law& unit, const T& size, bool planar) {
    if (planar) return {2, 1, {{{0}, interval(size)}}};
    return {3, 2, {{{0, 1}, polygon(*local_law(unit).polygon, size)}}};
  }
};

template <class T>
std::vector<T> gathered(const std::vector<T>& x, const std::vector<Index>& rows) {
  std::vector<T> out;
  out.reserve(rows.size());
  for (const Index r : rows) out.push_back(x[r]);
  return out;
}

/// |E'γ|².
template <class T>
T reach_squared(const BaseEllipse<T>& e, const std::vector<T>& gamma) {
  T sum(0);
  for (const auto& axis : e.axes) {
    const T along = inner(axis, gamma);
    sum += along * along;
  }
  return sum;
}

/// Where t.γ is least over a hull.
struct WorstMember {
  Index member = 0;
  double value = std::numeric_limits<double>::infinity();
  std::vector<double> gamma;  ///< γ_f
  double reach = 0;           ///< |E'γ| there
};
WorstMember worst_member(const BaseFactor<double>& factor, const std::vector<double>& gamma) {
  WorstMember out;
  out.gamma = gathered(gamma, factor.rows);
  for (std::size_t j = 0; j < factor.hull.size(); ++j) {
    const double reach = std::sqrt(reach_squared(factor.hull[j], out.gamma));
    const double value = inner(factor.hull[j].centre, out.gamma) - reach;
    if (!(value < out.value)) continue;
    out.member = static_cast<Index>(j);
    out.value = value;
    out.reach = reach;
  }
  return out;
}

/// A rational at least as large as the root of x >= 0, by at most 2^-100 of it.
Exact root_from_above(const Exact& x) {
  if (sgn(x) == 0) return 0;
  constexpr unsigned long digits = 200;
  // (p / q)^(1/2) <= (⌊(p q 4^digits)^(1/2)⌋ + 1) / (q 2^digits)
  mpz_class scaled = x.get_num() * x.get_den();
  scaled <<= 2 * digits;
  mpz_class below = sqrt(scaled);
  below += 1;
  mpz_class under = x.get_den();
  under <<= digits;
  Exact out(below, under);
  out.canonicalize();
  return out;
}

/// min t.γ over a hull with at most one round member decided by squares; else by bounds.
Exact least_from_below(const BaseFactor<Exact>& factor, const ExactVector& gamma) {
  std::optional<Exact> least;
  for (const auto& e : factor.hull) {
    Exact value = inner(e.centre, gamma);
    if (!e.axes.empty()) value -= root_from_above(reach_squared(e, gamma));
    if (!least || value < *least) least = value;
  }
  return *least;
}

}  // namespace

template <class T>
bool ImpulseCone<T>::polyhedral() const {
  for (const auto& factor : factors)
    for (const auto& e : factor.hull)
      if (!e.axes.empty()) return false;
  return true;
}

Error no_bounded_rows(Index contact) {
  return {Errc::value, "contacts[" + std::to_string(contact) +
                           "] is a bounded row, and impacts know contacts that push and rub alone; "
                           "eliminate equations, leave forces out"};
}

template <class T>
ImpulseCone<T> impulse_cone(const Law& law, const T& mu) {
  return std::visit(ConeOf<T>{mu}, law);
}

template <class T>
ImpulseCone<T> opening_cone(const Law& law) {
  const Index rows = row_count(law);
  ImpulseCone<T> out{rows, rows - 1, {}};
  BaseFactor<T> idle;
  const RowSplit split = row_split(law);
  for (Index k = 0; k < split.tangent_count; ++k) idle.rows.push_back(split.tangent[k]);
  if (split.tangent_count > 0) {
    idle.hull.push_back(point(std::vector<T>(idle.rows.size(), T(0))));
    out.factors.push_back(std::move(idle));
  }
  const auto on = [&](const PatchShape& shape) {
    out.factors.push_back({{0, 1}, moments<T>(hull_of(shape))});
  };
  if (const auto* patch = std::get_if<FrictionlessPatch>(&law)) on(patch->shape);
  if (const auto* patch = std::get_if<FrictionalPatch>(&law)) on(patch->shape);
  return out;
}

template <class T>
std::vector<ConePiece<T>> coarse_pieces(const ImpulseCone<T>& cone) {
  std::vector<ConePiece<T>> all{{T(1), {}, {}}};
  for (const auto& factor : cone.factors) {
    std::vector<ConePiece<T>> more;
    for (const auto& piece : all)
      for (std::size_t j = 0; j < factor.hull.size(); ++j) {
        const std::size_t axes = factor.hull[j].axes.size();
        for (std::size_t end = 0; end <= 2 * axes; ++end) {
          std::vector<T> s(axes, T(0));
          if (end > 0) s[(end - 1) / 2] = T(end % 2 == 0 ? -1 : 1);
          more.push_back(piece);
          more.back().member.push_back(static_cast<Index>(j));
          more.back().s.push_back(std::move(s));
        }
      }
    all = std::move(more);
  }
  return all;
}

template <class T>
std::vector<ConePiece<T>> corners(const ImpulseCone<T>& cone) {
  TACT_EXPECTS(cone.polyhedral());
  std::vector<ConePiece<T>> out;
  std::vector<std::vector<T>> seen;
  for (auto& piece : coarse_pieces(cone)) {
    auto g = generator_of(cone, piece);
    if (std::find(seen.begin(), seen.end(), g) != seen.end()) continue;
    seen.push_back(std::move(g));
    out.push_back(std::move(piece));
  }
  return out;
}

double least_opening(const ImpulseCone<double>& cone, const std::vector<double>& gamma) {
  double sum = gamma[cone.normal];
  for (const auto& factor : cone.factors) sum += worst_member(factor, gamma).value;
  return sum;
}

void pull_inside(std::vector<double>& s) {
  // Four units of round-off cover those of the sum, the root and the quotients.
  constexpr double largest = 1 - 4 * tolerance::epsilon;
  const double length = std::sqrt(inner(s, s));
  if (!(length > largest)) return;
  for (double& x : s) x *= largest / length;
}

ConePiece<double> worst_piece(const ImpulseCone<double>& cone, const std::vector<double>& gamma) {
  ConePiece<double> out;
  out.weight = 1;
  for (const auto& factor : cone.factors) {
    const WorstMember worst = worst_member(factor, gamma);
    std::vector<double> s;
    for (const auto& axis : factor.hull[worst.member].axes)
      s.push_back(worst.reach > 0 ? -inner(axis, worst.gamma) / worst.reach : 0);
    pull_inside(s);
    out.member.push_back(worst.member);
    out.s.push_back(std::move(s));
  }
  return out;
}

bool in_dual(const ImpulseCone<Exact>& cone, ExactVector gamma, double slack) {
  // One too large for doubles is the largest there is.
  if (slack > 0) gamma[cone.normal] += std::min(slack, std::numeric_limits<double>::max());
  // One factor is decided by squares; of several, roots are bounded from above.
  if (cone.factors.size() == 1) {
    const auto own = gathered(gamma, cone.factors[0].rows);
    return std::all_of(cone.factors[0].hull.begin(), cone.factors[0].hull.end(),
                       [&](const auto& e) {
                         const Exact room = gamma[cone.normal] + inner(e.centre, own);
                         return sgn(room) >= 0 && room * room >= reach_squared(e, own);
                       });
  }
  Exact sum = gamma[cone.normal];
  for (const auto& factor : cone.factors)
    sum += least_from_below(factor, gathered(gamma, factor.rows));
  return sgn(sum) >= 0;
}

bool in_dual(const ImpulseCone<double>& cone, const std::vector<double>& gamma, double slack) {
  return least_opening(cone, gamma) >= -slack;
}

template <class T>
std::vector<T> generator_of(const ImpulseCone<T>& cone, const ConePiece<T>& piece) {
  std::vector<T> out(static_cast<std::size_t>(cone.rows), T(0));
  out[cone.normal] = T(1);
  for (std::size_t f = 0; f < cone.factors.size(); ++f) {
    const auto& factor = cone.factors[f];
    const auto& e = factor.hull[piece.member[f]];
    for (std::size_t k = 0; k < factor.rows.size(); ++k) {
      T value = e.centre[k];
      for (std::size_t a = 0; a < e.axes.size(); ++a) value += piece.s[f][a] * e.axes[a][k];
      out[factor.rows[k]] = value;
    }
  }
  return out;
}

template <class T>
bool admissible(const ImpulseCone<T>& cone, const ConePiece<T>& piece, double slack) {
  const std::size_t count = cone.factors.size();
  if (piece.weight < 0 || piece.member.size() != count || piece.s.size() != count) return false;
  for (std::size_t f = 0; f < count; ++f) {
    const auto& hull = cone.factors[f].hull;
    const Index member = piece.member[f];
    if (member < 0 || member >= static_cast<Index>(hull.size())) return false;
    if (piece.s[f].size() != hull[member].axes.size()) return false;
    if (inner(piece.s[f], piece.s[f]) > T(1 + slack)) return false;
  }
  return true;
}

template <class T>
double largest_speed(const ImpulseCone<T>& cone, const std::vector<double>& sizes) {
  double sum = std::abs(sizes[cone.normal]);
  for (const auto& factor : cone.factors) {
    double most = 0;
    for (const auto& e : factor.hull) {
      double own = 0;
      for (std::size_t k = 0; k < factor.rows.size(); ++k) {
        double reach = magnitude(e.centre[k]);
        for (const auto& axis : e.axes) reach += magnitude(axis[k]);
        own += reach * std::abs(sizes[factor.rows[k]]);
      }
      most = std::max(most, own);
    }
    sum += most;
  }
  return sum;
}

// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define TACT_IMPULSE_CONE_OF(T)                                                     \
  template struct ImpulseCone<T>;                                                   \
  template ImpulseCone<T> impulse_cone(const Law&, const T&);                       \
  template ImpulseCone<T> opening_cone(const Law&);                                 \
  template double largest_speed(const ImpulseCone<T>&, const std::vector<double>&); \
  template std::vector<ConePiece<T>> coarse_pieces(const ImpulseCone<T>&);          \
  template std::vector<ConePiece<T>> corners(const ImpulseCone<T>&);                \
  template std::vector<T> generator_of(const ImpulseCone<T>&, const ConePiece<T>&); \
  template bool admissible(const ImpulseCone<T>&, const ConePiece<T>&, double);
// NOLINTEND(bugprone-macro-parentheses)
TACT_IMPULSE_CONE_OF(double)
TACT_IMPULSE_CONE_OF(Exact)
#undef TACT_IMPULSE_CONE_OF

}  // namespace tact
