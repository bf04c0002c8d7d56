// solve/solution_piece.cpp - the affine hull of a piece, its ranges and its corners.
#include "tact/solve/solution_piece.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "tact/base/expects.hpp"
#include "tact/solve/extreme_rays.hpp"

namespace tact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A point with as many columns above zero as there are anywhere in the piece; the others are
/// proved to be zero.
ExactVector inner_point(const ExactSystem& system, ExactVector point, SolutionPiece& out) {
  for (Index c = 1; c < system.columns; ++c) {
    if (sgn(point[c]) > 0) continue;
    const ExactVerdict found = decide(with_positive(system, c));
    if (!found.feasible) {
      out.idle_columns.push_back(c);
      out.idle_proofs.push_back(as_terms(found.multipliers));
      continue;
    }
    point = point + found.point;
  }
  return point;
}

/// Directions of the columns in which the piece extends, x_0 held.
std::vector<ExactVector> directions(const ExactSystem& system, const std::vector<Index>& idle) {
  std::vector<ExactVector> A;
  for (std::size_t r = 0; r < system.rows.size(); ++r)
    if (system.sense[r] == Sense::zero) A.push_back(system.rows[r]);
  A.push_back(unit_vector(system.columns, 0));
  for (const Index c : idle) A.push_back(unit_vector(system.columns, c));
  return null_space(std::move(A), system.columns);
}

/// Both ends of a functional over the piece. The functional is of λ or u times the scale of x_0.
std::pair<double, double> range_of(const ExactSystem& system, const ExactVector& f,
                                   const Exact& scale) {
  const auto high = greatest(system, f), low = greatest(system, Exact(-1) * f);
  return {low ? nearest(-*low / scale) : -infinity, high ? nearest(*high / scale) : infinity};
}

/// The half-spaces of { λ* + D y } in (1, y): λ* is inside of all, D being all directions it has.
std::vector<ExactVector> half_spaces_of(const ExactProblem& p, const std::vector<UnitMode>& modes,
                                        const ExactVector& lambda,
                                        const std::vector<ExactVector>& D) {
  std::vector<ExactVector> rows{unit_vector(static_cast<Index>(D.size()) + 1, 0)};
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    if (modes[i].kind == UnitMode::Kind::separate) continue;
    for (const ExactVector& f : face_half_spaces(p.units[i], modes[i])) {
      ExactVector row{dot_at(f, lambda, p.units[i].at)};
      for (const ExactVector& d : D) row.push_back(dot_at(f, d, p.units[i].at));
      if (std::any_of(row.begin(), row.end(), [](const Exact& x) { return sgn(x) != 0; }))
        rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// Corners and rays of { λ* + D y : half-spaces }.
void list_corners(const ExactProblem& p, const std::vector<UnitMode>& modes,
                  const ExactVector& lambda, const std::vector<ExactVector>& D, Index most,
                  SolutionPiece& out) {
  const auto dimension = static_cast<Index>(D.size()) + 1;
  const auto rays = extreme_rays(half_spaces_of(p, modes, lambda, D), dimension, most);
  if (!rays) return;
  out.listed = true;
  for (const ExactVector& z : *rays) {
    const ExactVector l = combined(z[0] * lambda, D, {z.begin() + 1, z.end()});
    const bool corner = sgn(z[0]) > 0;
    (corner ? out.vertices : out.rays).push_back(as_doubles(corner ? Exact(1 / z[0]) * l : l));
  }
}

/// A basis of the span.
std::vector<ExactVector> basis_of(const std::vector<ExactVector>& all) {
  std::vector<ExactVector> out;
  for (const ExactVector& v : all) {
    out.push_back(v);
    if (exact_rank(out) < static_cast<Index>(out.size())) out.pop_back();
  }
  return out;
}

Regime patch_label(Index open, Index closed, bool pressed) {
  if (open == 0) return pressed ? Regime::stick : Regime::idle;
  if (closed == 0) return Regime::separate;
  if (!pressed) return Regime::separate_grazing;
  return closed == 1 ? Regime::tip_vertex : Regime::tip_edge;
}

/// Whether a face of the unit's polygon slides; without friction nothing is known of it.
bool slides(const ExactUnit& unit, const UnitMode& mode) {
  if (mode.kind == UnitMode::Kind::sector || mode.kind == UnitMode::Kind::ray) return true;
  return (unit.round || unit.corners.size() > 1) && mode.first >= 0;
}

/// u_r - value x_0 as a sum of rows that are zero, on the columns that are not idle.
ExactTerms velocity_proof(const ExactSystem& system, const std::vector<Index>& idle, ExactVector f,
                          const Exact& value) {
  f[0] -= value;
  std::vector<ExactVector> A;
  ExactVector r;
  for (Index c = 0; c < system.columns; ++c) {
    if (std::find(idle.begin(), idle.end(), c) != idle.end()) continue;
    ExactVector a;
    for (std::size_t k = 0; k < system.rows.size(); ++k)
      a.push_back(system.sense[k] == Sense::zero ? system.rows[k][c] : Exact(0));
    A.push_back(std::move(a));
    r.push_back(f[c]);
  }
  const auto y = solve_exactly(std::move(A), std::move(r));
  TACT_EXPECTS(y.has_value());
  return as_terms(*y);
}

}  // namespace

std::vector<ExactVector> face_half_spaces(const ExactUnit& unit, const UnitMode& mode) {
  const auto count = static_cast<Index>(unit.corners.size());
  // The loads h n + T with along.(T - n corner) >= 0.
  const auto beyond = [](ExactVector along, const ExactVector& corner) {
    along.back() = -dot(along, corner);
    return along;
  };
  const bool all = mode.first < 0;
  if (mode.kind == UnitMode::Kind::ray || count == 1 || (!all && mode.first == mode.last))
    return {unit.normal};
  if (count == 2 || !all) {
    const ExactVector& a = unit.corners[all ? 0 : mode.first];
    const ExactVector& b = unit.corners[all ? 1 : mode.last];
    return {beyond(b - a, a), beyond(a - b, b)};
  }
  std::vector<ExactVector> out;
  for (Index k = 0; k < count; ++k) {
    const ExactVector& a = unit.corners[k];
    const ExactVector& b = unit.corners[(k + 1) % count];
    // Left of the side from a to b: (b - a) × (T - n a) >= 0.
    out.push_back(beyond({a[1] - b[1], b[0] - a[0], 0}, a));
  }
  return out;
}

ExactTerms as_terms(const ExactVector& y) {
  ExactTerms out;
  for (std::size_t r = 0; r < y.size(); ++r)
    if (sgn(y[r]) != 0) out.emplace_back(static_cast<Index>(r), y[r].get_str());
  return out;
}

std::optional<ExactVector> from_terms(const ExactTerms& terms, std::size_t size) {
  ExactVector out(size);
  for (const auto& [k, text] : terms) {
    if (k < 0 || k >= static_cast<Index>(size)) return std::nullopt;
    if (out[k].set_str(text, 10) != 0 || sgn(out[k].get_den()) == 0) return std::nullopt;
    out[k].canonicalize();
  }
  return out;
}

ExactSystem with_positive(const ExactSystem& system, Index column) {
  ExactSystem out = system;
  out.add(unit_vector(system.columns, column), Sense::above);
  return out;
}

std::optional<Exact> greatest(const ExactSystem& system, const ExactVector& f) {
  const ExactMaximum found = maximise(system, f, 0);
  if (found.end != ExactMaximum::End::found) return std::nullopt;
  return found.value;
}

std::vector<bool> loaded_units(const ExactProblem& p, const PieceSystem& modes,
                               const ExactVector& point) {
  std::vector<bool> out(p.units.size(), false);
  for (std::size_t k = 0; k < modes.columns.size(); ++k)
    if (sgn(point[k + 1]) > 0) out[modes.columns[k].unit] = true;
  return out;
}

ModeChoice choice_of(const SolutionPiece& piece) {
  return {piece.modes.begin(), piece.modes.end()};
}

std::vector<Regime> piece_labels(const ExactProblem& p, const std::vector<UnitMode>& modes,
                                 const std::vector<bool>& loaded) {
  std::vector<Regime> out;
  for (std::size_t i = 0; i < p.units.size();) {
    Index open = 0, closed = 0;
    bool pressed = false;
    const Index contact = p.units[i].contact;
    const std::size_t first = i;
    for (; i < p.units.size() && p.units[i].contact == contact; ++i) {
      ++(modes[i].kind == UnitMode::Kind::separate ? open : closed);
      pressed = pressed || loaded[i];
    }
    Regime label = patch_label(open, closed, pressed);
    if (label == Regime::stick && slides(p.units[first], modes[first])) label = Regime::slide;
    out.push_back(label);
  }
  return out;
}

namespace {

/// Freedoms of loads and velocities over the conditions, and why the velocity is one.
struct Extent {
  std::vector<ExactVector> loads;  ///< a basis
  Index motions = 0;
};
Extent extent_of(const ExactProblem& p, const PieceSystem& modes, const std::vector<Index>& idle) {
  std::vector<ExactVector> loads, motions;
  for (const ExactVector& d : directions(modes.system, idle)) {
    loads.push_back(sum_of_loads(p, modes, d));
    motions.push_back(effect_of(p, 0, loads.back()));
  }
  return {basis_of(loads), exact_rank(std::move(motions))};
}

void find_ranges(const ExactProblem& p, const PieceSystem& modes, SolutionPiece& out) {
  for (Index r = 0; r < p.rows(); ++r) {
    std::tie(out.low[r], out.high[r]) = range_of(modes.system, load_row(p, modes, r), p.scale);
    if (out.velocity_freedom > 0)
      std::tie(out.u_low[r], out.u_high[r]) =
          range_of(modes.system, velocity_row(p, modes, r), p.scale);
  }
}

}  // namespace

SolutionPiece describe_piece(const ExactProblem& p, const ModeChoice& choice,
                             const PieceSystem& modes, const PieceSystem& around,
                             const ExactVector& point, Index max_vertices) {
  SolutionPiece out;
  bool patches = false;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    out.modes.push_back(*choice[i]);
    out.round = out.round || (p.units[i].round && choice[i]->kind == UnitMode::Kind::face);
    patches = patches || (i > 0 && p.units[i].contact == p.units[i - 1].contact);
  }
  const ExactVector inner = inner_point(modes.system, point, out);
  Extent extent = extent_of(p, modes, out.idle_columns);
  if (out.round) {
    // Of the polygons around the discs: where they allow no more, neither do the discs.
    out.idle_columns.clear();
    out.idle_proofs.clear();
    static_cast<void>(inner_point(around.system, decide(around.system).point, out));
    extent.motions = extent_of(p, around, out.idle_columns).motions;
  }
  for (const Exact& x : inner) out.witness.push_back(x.get_str());
  out.labels = piece_labels(p, out.modes, loaded_units(p, modes, inner));
  out.force_freedom = static_cast<Index>(extent.loads.size());
  out.velocity_freedom = extent.motions;
  const ExactVector lambda = load_of(p, modes, inner);
  const ExactVector u = motion_of(p, lambda);
  for (Index r = 0; r < p.rows() && out.velocity_freedom == 0; ++r)
    out.velocity_proofs.push_back(velocity_proof(around.system, out.idle_columns,
                                                 velocity_row(p, around, r), u[r] * p.scale));
  out.lambda = as_doubles(lambda);
  out.u = as_doubles(u);
  out.low = out.high = out.lambda;
  out.u_low = out.u_high = out.u;
  if (out.round && out.velocity_freedom > 0) {  // no bound is proved
    const auto n = out.lambda.size();
    out.low = out.u_low = VecX::Constant(n, -infinity);
    out.high = out.u_high = VecX::Constant(n, infinity);
  }
  if (out.round) return out;
  if (out.force_freedom > 0) find_ranges(p, modes, out);
  // Corners of the loads alone: where the motion varies with them it bounds them too.
  if (!patches && out.velocity_freedom == 0)
    list_corners(p, out.modes, lambda, extent.loads, max_vertices, out);
  return out;
}

bool touch(const ExactProblem& p, const SolutionPiece& a, const SolutionPiece& b) {
  const PieceSystem first = mode_system(p, choice_of(a), {});
  const PieceSystem second = mode_system(p, choice_of(b), {});
  // Columns side by side, but for the constants, which they share.
  const Index shift = first.system.columns - 1;
  ExactSystem both;
  both.columns = shift + second.system.columns;
  const auto moved = [&](const ExactVector& row, Index by) {
    ExactVector out(static_cast<std::size_t>(both.columns));
    out[0] = row[0];
    std::copy(row.begin() + 1, row.end(), out.begin() + 1 + by);
    return out;
  };
  const auto add_closure = [&](const ExactSystem& s, Index by) {
    for (std::size_t r = 0; r < s.rows.size(); ++r) {
      const bool open = s.sense[r] == Sense::above && r > 0;
      both.add(moved(s.rows[r], by), open ? Sense::at_least : s.sense[r]);
    }
  };
  add_closure(first.system, 0);
  add_closure(second.system, shift);
  for (Index r = 0; r < p.rows(); ++r)
    both.add(moved(load_row(p, first, r), 0) - moved(load_row(p, second, r), shift), Sense::zero);
  return decide(both).feasible;
}

}  // namespace tact
