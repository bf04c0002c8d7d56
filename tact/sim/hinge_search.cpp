// sim/hinge_search.cpp - scan the edges, turn the worst, solve for those that have turned.
#include "tact/sim/hinge_search.hpp"

#include <algorithm>
#include <cmath>

#include "tact/sim/mobility.hpp"

namespace tact {
namespace {

using Turn = PositionWork::Turn;

constexpr Index most_turns = 20;

constexpr std::uint32_t bit(Index k) {
  return std::uint32_t{1} << static_cast<unsigned>(k);
}

struct Search {
  const PositionStep& step;
  double enough;
  BlockLu& lu;
  PositionWork& work;
  double response[most_turns][most_turns];  ///< of turn r to a unit of turn c
  double missing[most_turns];               ///< of turn r in the answer of the system

  [[nodiscard]] Index groups() const { return static_cast<Index>(step.rows.groups.size()); }

  [[nodiscard]] std::span<const Vec2> corners(Index i) const {
    return step.rows.laws[i].patch->cone.turned_hull().vertices();
  }
  /// That may turn: none of a patch that is no polygon of 3 to 32 corners, which stays on its
  /// piece.
  [[nodiscard]] Index edges(Index i) const {
    constexpr Index room = 32;  // bits
    if (work.mobility[i].normal.size() != 3) return count(work.mobility[i].normal);
    const PlanarSet& set = step.rows.laws[i].patch->cone.turned_hull();
    const auto n = static_cast<Index>(set.vertices().size());
    return set.kind() == PlanarSet::Kind::polygon && n >= 3 && n <= room ? n : 0;
  }

  /// The normal of a side of K, of any length.
  [[nodiscard]] Vec3 side(Index i, Index edge) const {
    if (work.mobility[i].normal.size() == 1) return Vec3::UnitX();
    const std::span<const Vec2> at = corners(i);
    const Vec2& p = at[static_cast<std::size_t>(edge)];
    const Vec2& q = at[static_cast<std::size_t>(edge) + 1 == at.size() ? 0 : edge + 1];
    return {p[1] - q[1], q[0] - p[0], p[0] * q[1] - p[1] * q[0]};
  }
  /// The same with aᵀS⁻¹a = 1.
  [[nodiscard]] Vec3 unit_side(Index i, Index edge) const {
    const Vec3 a = side(i, edge);
    return a / std::sqrt(a.dot(inverse_of(work.mobility[i]) * a));
  }

  [[nodiscard]] Vec3 gathered(Index i, const double* from) const {
    return tact::gathered(work.mobility[i], from + step.rows.groups[i].first_row);
  }
  /// The normal rows of G Λ of one group.
  [[nodiscard]] Vec3 product(Index i, const double* load) const {
    const BlockMatrix& G = step.problem.G;
    const std::span<const Index> rows = work.mobility[i].normal;
    const Index n = G.rows_of(i);
    // Rows that are not there are added up as the first, and left out.
    const Index r0 = rows[0], r1 = rows.size() == 3 ? rows[1] : r0,
                r2 = rows.size() == 3 ? rows[2] : r0;
    Vec3 out = Vec3::Zero();
    for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e) {
      const double* column = G.values.data() + G.at[e];
      const double* x = load + G.offset[G.col[e]];
      for (Index c = 0; c < G.rows_of(G.col[e]); ++c, column += n) {
        out[0] += column[r0] * x[c];
        out[1] += column[r1] * x[c];
        out[2] += column[r2] * x[c];
      }
    }
    return rows.size() == 3 ? out : Vec3(out[0], 0, 0);
  }

  /// Bits of the edges that the system took for hinges.
  void take_pieces() const {
    for (Index i = 0; i < groups(); ++i) {
      Mobility& m = work.mobility[i];
      m.hinges = m.turned = 0;
      const Index n = edges(i);
      if (n == 0 || m.rested) continue;
      if (m.normal.size() == 1) {
        m.hinges = 1;
        continue;
      }
      const auto first = static_cast<Index>(m.face.first);
      if (m.face.kind == ConeFace::Kind::plane) m.hinges = bit(first);
      if (m.face.kind == ConeFace::Kind::ray) m.hinges = bit(first) | bit((first + n - 1) % n);
    }
  }

  [[nodiscard]] bool apart(const Mobility& m) const {
    return m.normal.size() == 3 && !m.rested && m.hinges == 0;
  }

  /// d with a.d = 1 for this hinge, 0 for the other at its corner, nothing along K's ray.
  [[nodiscard]] Vec3 along(Index i, Index edge) const {
    const Mobility& m = work.mobility[i];
    const Vec3 a = unit_side(i, edge);
    Vec3 d = inverse_of(m) * a;
    const std::uint32_t rest = m.hinges & ~bit(edge);
    if (rest == 0) return d;
    Index other = 0;
    while (rest != bit(other)) ++other;
    const Vec3 b = unit_side(i, other);
    const double both = b.dot(d);
    return (d - both * (inverse_of(m) * b)) / (1 - both * both);
  }

  /// Column of a turn: the system's answer to a unit of it.
  void add_column(const Turn& t, Index column) const {
    const Mobility& m = work.mobility[t.group];
    Vec3 right = t.along;
    if (t.opens) right = m.rested ? t.across : Vec3(m.slope * (inverse_of(m) * t.across));
    work.newton_step.setZero(step.rows.rows);
    for (Index k = 0; k < count(m.normal); ++k)
      work.newton_step[step.rows.groups[t.group].first_row + m.normal[k]] = right[k];
    lu.solve(work.newton_step);
    if (work.columns.rows() != step.rows.rows || work.columns.cols() != most_turns)
      work.columns.resize(step.rows.rows, most_turns);
    work.columns.col(column) = work.newton_step;
  }

  /// u_N of a group without what its open edges turn.
  [[nodiscard]] Vec3 unopened(Index i) const {
    Vec3 u = product(i, work.impulse.data()) + gathered(i, work.target.data());
    if (work.mobility[i].turned != 0)
      for (const Turn& t : work.turns)
        if (t.taken && t.opens && t.group == i) u -= t.drive * t.across;
    return u;
  }

  struct Worst {
    double amount = 0;  ///< [m]
    Index group = -1, edge = 0;
    bool here = false;  ///< something is wrong in the group that was scanned last
  };

  /// The edge of one group that is worst off, if it is worse than the one given; false where one
  /// that was apart lands.
  [[nodiscard]] bool scan(Index i, Worst& worst) const {
    const Mobility& m = work.mobility[i];
    const auto note = [&](double amount, Index edge) {
      worst.here = worst.here || amount > enough;
      if (amount > worst.amount) worst = {amount, i, edge, true};
    };
    if (apart(m)) {
      const Vec3 u = product(i, work.impulse.data()) + gathered(i, work.target.data());
      return step.dt * step.rows.laws[i].patch->cone.dual_margin(u) >= -enough;
    }
    const Vec3 whole = gathered(i, work.impulse.data()) + m.borne;
    const Index n = edges(i);
    for (Index k = 0; k < n; ++k) {
      if ((m.hinges | m.turned) & bit(k)) continue;
      const Vec3 a = side(i, k);
      if (a.dot(whole) >= 0) continue;
      note(-step.dt * speed_scale(m) * a.dot(whole) / std::sqrt(a.dot(inverse_of(m) * a)), k);
    }
    if (const std::uint32_t kept = m.hinges & ~m.turned; kept != 0) {
      const Vec3 u = unopened(i), d = inverse_of(m) * u;
      const bool alone = (m.hinges & (m.hinges - 1)) == 0;
      for (Index k = 0; k < n; ++k) {
        if (!(kept & bit(k)) || (alone && side(i, k).dot(d) >= 0)) continue;
        note(-step.dt * speed_scale(m) * along(i, k).dot(u), k);
      }
    }
    return true;
  }

  /// Turns one edge, by a column that is there or a new one.
  [[nodiscard]] bool turn(const Worst& worst) {
    Mobility& m = work.mobility[worst.group];
    m.turned |= bit(worst.edge);
    for (Turn& t : work.turns)
      if (t.group == worst.group && t.edge == worst.edge) return t.taken = true;
    const auto column = static_cast<Index>(work.turns.size());
    if (column == most_turns) return false;
    Turn t;
    t.group = worst.group;
    t.edge = worst.edge;
    t.across = unit_side(t.group, t.edge);
    t.opens = !(m.hinges & bit(t.edge));
    t.along = t.opens ? Vec3(Vec3::Zero()) : along(t.group, t.edge);
    t.taken = true;
    add_column(t, column);
    work.turns.push_back(t);
    note_responses(column);
    return true;
  }

  /// What loads give an edge that has turned: to be zero.
  [[nodiscard]] double given(const Turn& t, const double* load) const {
    return t.opens ? t.across.dot(gathered(t.group, load)) : t.along.dot(product(t.group, load));
  }
  [[nodiscard]] double response_of(const Turn& t, Index column) const {
    const Turn& by = work.turns[column];
    const double own = given(t, work.columns.col(column).data());
    return !t.opens && by.opens && by.group == t.group ? own - t.along.dot(by.across) : own;
  }
  void note_missing(Index k) {
    const Turn& t = work.turns[k];
    missing[k] = -given(t, work.based.data());
    missing[k] -= t.opens ? t.across.dot(work.mobility[t.group].borne)
                          : t.along.dot(gathered(t.group, work.target.data()));
  }
  /// Of the newest turn and to it.
  void note_responses(Index newest) {
    const Turn& t = work.turns[newest];
    note_missing(newest);
    for (Index k = 0; k <= newest; ++k) {
      response[newest][k] = response_of(t, k);
      response[k][newest] = response_of(work.turns[k], newest);
    }
  }

  /// The drives of the turns that are taken, and Λ.
  [[nodiscard]] bool solve() const {
    Index taken[most_turns];
    Index n = 0;
    for (std::size_t k = 0; k < work.turns.size(); ++k)
      if (work.turns[k].taken) taken[n++] = static_cast<Index>(k);
    double A[most_turns][most_turns], x[most_turns];
    for (Index r = 0; r < n; ++r) {
      x[r] = missing[taken[r]];
      for (Index c = 0; c < n; ++c) A[r][c] = response[taken[r]][taken[c]];
    }
    // The matrix is positive definite, if not symmetric: no rows are exchanged.
    for (Index k = 0; k < n; ++k) {
      if (!(A[k][k] > 0)) return false;
      for (Index r = k + 1; r < n; ++r) {
        const double share = A[r][k] / A[k][k];
        for (Index c = k + 1; c < n; ++c) A[r][c] -= share * A[k][c];
        x[r] -= share * x[k];
      }
    }
    work.impulse = work.based;
    for (Index k = n - 1; k >= 0; --k) {
      for (Index c = k + 1; c < n; ++c) x[k] -= A[k][c] * x[c];
      x[k] /= A[k][k];
      work.turns[taken[k]].drive = x[k];
      work.impulse += x[k] * work.columns.col(taken[k]);
    }
    return work.impulse.allFinite();
  }

  /// The turn that would be pulled most is taken back; whether there is one.
  [[nodiscard]] bool take_back() const {
    Turn* worst = nullptr;
    double amount = enough;
    for (Turn& t : work.turns) {
      const double pulled = -step.dt * speed_scale(work.mobility[t.group]) * t.drive;
      if (!t.taken || pulled <= amount) continue;
      amount = pulled;
      worst = &t;
    }
    if (worst == nullptr) return false;
    worst->taken = false;
    work.mobility[worst->group].turned &= ~bit(worst->edge);
    return true;
  }

  /// What the pull adds to the rows of the system; the largest of it, as a distance [m].
  [[nodiscard]] double pulled(VecX& out) const {
    const BlockMatrix& G = step.problem.G;
    out.setZero(step.rows.rows);
    double largest = 0;
    for (Index i = 0; i < groups(); ++i) {
      const Mobility& m = work.mobility[i];
      const auto own = G.diagonal_block(i);
      const Index at = step.rows.groups[i].first_row;
      const auto pull = [&](Index r) {
        const double rate = step.pull * own(r, r) * (work.impulse[at + r] - work.centre[at + r]);
        largest = std::max(largest, step.dt * std::abs(rate));
        return rate;
      };
      for (const Index r : m.held) out[at + r] = pull(r);
      Vec3 normal = Vec3::Zero();
      for (Index k = 0; k < count(m.normal); ++k) normal[k] = pull(m.normal[k]);
      if (!m.rested) normal = m.slope * (inverse_of(m) * normal);
      for (Index k = 0; k < count(m.normal); ++k) out[at + m.normal[k]] = normal[k];
    }
    return largest;
  }

  /// Pulls towards what has been found from now on; false where that is where it pulls to already.
  [[nodiscard]] bool recentre() {
    if (step.pull == 0 || pulled(work.newton_step) <= 0.1 * enough) return false;
    lu.solve(work.newton_step);
    work.based += work.newton_step;
    work.centre = work.impulse;
    for (std::size_t k = 0; k < work.turns.size(); ++k) note_missing(static_cast<Index>(k));
    return true;
  }

  /// The edge of all groups that is worst off; false where the search is not for them.
  [[nodiscard]] bool look(Worst& worst) const {
    Index wrong = 0;
    for (Index i = 0; i < groups(); ++i) {
      if (work.mobility[i].normal.empty()) continue;
      worst.here = false;
      if (!scan(i, worst)) return false;
      wrong += worst.here;
    }
    return wrong <= 2 * most_turns;  // one hinge relieves its neighbours
  }

  [[nodiscard]] bool run() {
    constexpr int most = 60, most_centres = 4;
    int recentred = 0;
    for (int k = 0; k < most; ++k) {
      if (!take_back()) {
        Worst worst{enough};
        if (!look(worst)) return false;
        const bool found = worst.group < 0;
        if (found && (recentred++ == most_centres || !recentre())) return true;
        if (!found && !turn(worst)) return false;
      }
      if (!solve()) return false;
    }
    return false;
  }
};

}  // namespace

bool search_hinges(const PositionStep& step, double enough, BlockLu& lu, PositionWork& work) {
  Search search{step, enough, lu, work, {}, {}};
  work.turns.clear();
  search.take_pieces();
  work.based = work.impulse;
  if (search.run()) return true;
  work.impulse = work.based;
  return false;
}

}  // namespace tact
