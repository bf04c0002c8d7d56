// sim/position_newton.cpp - pieces read off, one linear system, edges turned or a sweep where they
// were wrong.
#include "tact/sim/position_newton.hpp"

#include <algorithm>
#include <cmath>

#include "tact/sim/hinge_search.hpp"
#include "tact/sim/mobility.hpp"

namespace tact {
namespace {

/// What a unit of a row's velocity moves a point of the contact by.
double reach(const LocalLaw& law, Index row) {
  return law.is_patch() && law.turns(row) ? law.patch->cone.hull().radius() : 1;
}

struct System {
  const PositionStep& step;
  BlockLu& lu;
  PositionWork& work;

  [[nodiscard]] const BlockMatrix& matrix() const { return step.problem.G; }
  [[nodiscard]] Index groups() const { return static_cast<Index>(step.rows.groups.size()); }
  [[nodiscard]] Index first_row(Index i) const { return step.rows.groups[i].first_row; }

  bool prepare() const {
    work.mobility.resize(step.rows.groups.size());
    work.words.resize(step.rows.groups.size());
    for (Index i = 0; i < groups(); ++i) {
      const RowGroup& group = step.rows.groups[i];
      const bool held = step.sticks[i] || group.key.source == RowSource::equality;
      if (!make_mobility(group, step.rows.laws[i], held, matrix().diagonal_block(i),
                         work.mobility[i]))
        return false;
      Mobility& m = work.mobility[i];
      m.pressed = m.rested = false;
      m.borne.setZero();
      m.hinges = m.turned = 0;
      m.left = 0;
    }
    return true;
  }

  /// The largest gap that a contact ends with at ū₀ [m].
  [[nodiscard]] double widest(Index i) const {
    const Vec3 rate = gathered(i, work.target);
    const LocalLaw& law = step.rows.laws[i];
    return step.dt * (law.is_patch() ? -law.patch->cone.dual_margin(-rate) : rate[0]);
  }

  /// The pieces of the velocity solve; what rests in it, and ends next to closed, is pressed.
  /// Whether anything is.
  bool take_pieces_of_loads() const {
    constexpr double closed = 0.1 * tolerance::support;
    multiply(matrix(), *step.loads, work.newton_rates);
    work.newton_rates += step.problem.b;
    bool any = false;
    for (Index i = 0; i < groups(); ++i) {
      Mobility& m = work.mobility[i];
      if (m.normal.empty()) continue;
      m.read = gathered(i, *step.loads) - inverse_of(m) * gathered(i, work.newton_rates);
      m.pressed = m.read.norm() > 0 && in_cone(i, m.read) == m.read && widest(i) <= closed;
      if (m.pressed) m.borne = 0.5 * gathered(i, *step.loads);
      any = any || m.pressed;
    }
    return any;
  }

  void release_all() const {
    for (Mobility& m : work.mobility) m.pressed = false;
  }

  [[nodiscard]] Vec3 gathered(Index i, const VecX& from) const {
    return tact::gathered(work.mobility[i], from.data() + first_row(i));
  }

  /// P_K(y) in the metric S, less and with what it bears beside; any load of a contact that is
  /// pressed.
  [[nodiscard]] Vec3 admissible(Index i, const Vec3& y) const {
    if (work.mobility[i].pressed) return y;
    return in_cone(i, y + work.mobility[i].borne) - work.mobility[i].borne;
  }
  [[nodiscard]] Vec3 in_cone(Index i, const Vec3& y) const {
    const LocalLaw& law = step.rows.laws[i];
    if (!law.is_patch()) return {std::max(0.0, y[0]), 0, 0};
    return law.patch->cone.project(y, metric_of(work.mobility[i]).normal_upper());
  }

  /// Only what the problem lets a load be: K on normal rows, nothing on rows that are not held.
  void admit(VecX& load) const {
    for (Index i = 0; i < groups(); ++i) keep(i, admissible(i, gathered(i, load)), load);
  }
  /// Nothing on rows that are not held.
  void leave_out_free_rows(VecX& load) const {
    for (Index i = 0; i < groups(); ++i) keep(i, gathered(i, load), load);
  }
  void keep(Index i, const Vec3& N, VecX& load) const {
    const Mobility& m = work.mobility[i];
    Vec3 T = Vec3::Zero();
    for (Index k = 0; k < count(m.held); ++k) T[k] = load[first_row(i) + m.held[k]];
    load.segment(first_row(i), step.rows.groups[i].row_count).setZero();
    for (Index k = 0; k < count(m.normal); ++k) load[first_row(i) + m.normal[k]] = N[k];
    for (Index k = 0; k < count(m.held); ++k) load[first_row(i) + m.held[k]] = T[k];
  }

  /// u = G Λ + b into newton_rates; q(Λ).
  [[nodiscard]] double move(const VecX& load) const {
    multiply(matrix(), load, work.newton_rates);
    work.newton_rates += work.target;
    return 0.5 * load.dot(work.newton_rates + work.target);
  }

  /// The least of q over the loads of one contact.
  void visit(Index i) const {
    Mobility& m = work.mobility[i];
    if (m.normal.empty() && m.held.empty()) return;
    const Index at = first_row(i), n = step.rows.groups[i].row_count;
    double* load = work.impulse.data() + at;
    double u[6];
    std::copy_n(work.target.data() + at, n, u);
    add_row_without_diagonal(matrix(), i, work.impulse.data(), u);
    const double* own = matrix().values.data() + matrix().at[matrix().diagonal[i]];
    for (Index c = 0; c < n; ++c)
      for (Index r = 0; r < n; ++r) u[r] += own[c * n + r] * load[c];
    Vec3 W = Vec3::Zero(), T = Vec3::Zero(), N = Vec3::Zero();
    for (Index k = 0; k < count(m.normal); ++k) {
      W[k] = u[m.normal[k]];
      N[k] = load[m.normal[k]];
    }
    for (Index k = 0; k < count(m.held); ++k) T[k] = u[m.held[k]];
    Vec3 change = Vec3::Zero();
    if (!m.normal.empty()) {
      const Vec3 left = W - m.held_by_normal.transpose() * T;
      m.read = N - inverse_of(m) * left;
      change = admissible(i, m.read) - N;
    }
    const Vec3 tied = -m.inverse_held * T - m.held_by_normal * change;
    for (Index k = 0; k < count(m.normal); ++k) load[m.normal[k]] += change[k];
    for (Index k = 0; k < count(m.held); ++k) load[m.held[k]] += tied[k];
  }

  void sweep() const {
    for (Index i = 0; i < groups(); ++i) visit(i);
    for (Index i = groups() - 2; i >= 0; --i) visit(i);
  }

  /// Where the natural map at (Λ, u) is read, for all contacts; its largest error, as a distance at
  /// the end of the step [m].
  [[nodiscard]] double read() const {
    double worst = 0;
    for (Index i = 0; i < groups(); ++i) {
      Mobility& m = work.mobility[i];
      const LocalLaw& law = step.rows.laws[i];
      for (const Index r : m.held)
        worst = std::max(worst, std::abs(work.newton_rates[first_row(i) + r]) * reach(law, r));
      if (m.normal.empty()) continue;
      const Vec3 load = gathered(i, work.impulse);
      m.read = load - inverse_of(m) * gathered(i, work.newton_rates);
      const Vec3 missing = admissible(i, m.read) - load;
      m.left = speed_scale(m) * std::sqrt(energy(metric_of(m), missing.data()));
      worst = std::max(worst, m.left);
    }
    return step.dt * worst;
  }

  /// Whether the velocities of Λ are known that well [m]: loads that a singular system throws far
  /// out cancel to what rounding leaves of them.
  [[nodiscard]] bool is_known(double enough) const {
    for (Index i = 0; i < groups(); ++i) {
      const BlockMatrix::Block own = matrix().diagonal_block(i);
      for (Index r = 0; r < own.rows(); ++r) {
        const double moved = own(r, r) * work.impulse[first_row(i) + r];
        const double rounded = tolerance::epsilon * step.dt * reach(step.rows.laws[i], r) * moved;
        if (!(std::abs(rounded) <= enough)) return false;
      }
    }
    return true;
  }

  /// The pieces at (Λ, u), without the errors.
  void read_pieces() const {
    for (Index i = 0; i < groups(); ++i) {
      Mobility& m = work.mobility[i];
      m.read = gathered(i, work.impulse) - inverse_of(m) * gathered(i, work.newton_rates);
    }
  }

  /// Of neighbours that rested and are to tip now only the worst does: a chain of boxes that falls
  /// over an edge bends the load out of many faces, and tipping at one of them relieves the rest.
  void tip_the_worst() const {
    const BlockMatrix& G = matrix();
    for (Index i = 0; i < groups(); ++i) {
      Mobility& m = work.mobility[i];
      if (m.normal.empty() || !m.rested || m.left == 0) continue;
      for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e) {
        const Mobility& other = work.mobility[G.col[e]];
        if (other.rested && other.left > m.left) m.pressed = true;
      }
    }
  }

  /// The piece of a group as the slope of P_K there: identity where it rests.
  void take_slope(Index i) const {
    Mobility& m = work.mobility[i];
    const LocalLaw& law = step.rows.laws[i];
    m.slope.setIdentity();
    m.rested = m.pressed;
    if (m.rested) return;
    const Vec3 whole = m.read + m.borne;
    if (!law.is_patch()) {
      m.rested = whole[0] > 0;
      if (!m.rested) m.slope.setZero();
      return;
    }
    const PlanarSet& set = law.patch->cone.turned_hull();
    if (set.kind() == PlanarSet::Kind::polygon && set.vertices().size() > 2) {
      (void)project_on_polygon_cone(set.vertices(), metric_of(m).normal_upper(), whole, m.face);
      m.rested = m.face.kind == ConeFace::Kind::inside;
      take_slope_of_face(set, m);
      return;
    }
    Vec3 image;
    work.plain.kind = LawKind::patch;
    work.plain.rows = 3;
    work.plain.patch = law.patch;
    project(work.plain, metric_of(m), whole.data(), image.data(), work.slope, work.local);
    m.rested = image == whole;
    m.slope = work.slope;
    m.face.kind = ConeFace::Kind::inside;  // it has no faces to tell apart
  }

  /// The projection in the metric S onto the plane or the line of a face of K.
  static void take_slope_of_face(const PlanarSet& set, Mobility& m) {
    const auto ray = [&](std::size_t k) { return Vec3(set.vertices()[k].homogeneous()); };
    if (m.face.kind == ConeFace::Kind::tip) m.slope.setZero();
    if (m.face.kind == ConeFace::Kind::ray) {
      const Vec3 g = ray(m.face.first), Sg = Eigen::Map<const Mat3>(m.metric) * g;
      m.slope = g * (Sg / g.dot(Sg)).transpose();
    }
    if (m.face.kind == ConeFace::Kind::plane) {
      const Vec3 a = ray(m.face.first).cross(ray(m.face.second)), d = inverse_of(m) * a;
      m.slope -= d * (a / a.dot(d)).transpose();
    }
  }

  /// The word for the rows of a group on the piece that was taken.
  [[nodiscard]] std::uint32_t word(Index i) const {
    const Mobility& m = work.mobility[i];
    const auto rows = static_cast<std::size_t>(step.rows.groups[i].row_count);
    const bool held = !m.held.empty(), all = m.normal.size() + m.held.size() == rows;
    constexpr std::uint32_t own = BlockLu::rows_of_problem, unit = BlockLu::rows_of_unit;
    constexpr std::uint32_t rests_alone = BlockLu::first_free, rests = rests_alone + 1;
    constexpr std::uint32_t apart_held = rests + 1, faces = rests + 2;
    if (m.normal.empty() || m.rested)
      return all ? own : held ? rests : m.normal.empty() ? unit : rests_alone;
    if (m.slope.isZero(0)) return held ? apart_held : unit;
    if (m.normal.size() == 1 || m.face.kind == ConeFace::Kind::inside) return BlockLu::unknown;
    const std::uint32_t how = (m.face.kind == ConeFace::Kind::ray ? 1U : 0U) + (held ? 2U : 0U);
    return faces + how + 4 * static_cast<std::uint32_t>(m.face.first);
  }

  /// The rows of one group are by_rate u + (1 - P)(Λ + borne) = 0 on the piece that was read, Λ = 0
  /// where they are not held and u = 0 where they are: here the piece and the right side.
  void take_piece(Index i) const {
    Mobility& m = work.mobility[i];
    const Index at = first_row(i), n = step.rows.groups[i].row_count;
    if (m.normal.empty())
      m.slope.setIdentity();
    else
      take_slope(i);
    work.words[i] = word(i);
    const Vec3 u = gathered(i, work.newton_rates);
    Vec3 right = -u;
    if (!m.rested) {
      const Vec3 load = gathered(i, work.impulse) + m.borne;
      right = m.slope * (load - inverse_of(m) * u) - load;
    }
    double* to = work.newton_step.data() + at;
    for (Index r = 0; r < n; ++r) to[r] = -work.impulse[at + r];
    for (const Index r : m.held) to[r] = -work.newton_rates[at + r];
    for (Index r = 0; r < count(m.normal); ++r) to[m.normal[r]] = right[r];
  }

  /// And here the matrix.
  void add_rows(Index i) const {
    const BlockMatrix& G = matrix();
    const Mobility& m = work.mobility[i];
    const Index n = step.rows.groups[i].row_count;
    if (work.words[i] == BlockLu::rows_of_unit) {
      lu.add(i, G.diagonal[i], LocalMatrix(LocalMatrix::Identity(n, n)));
      return;
    }
    const Mat3 by_rate = m.rested ? Mat3(Mat3::Identity()) : Mat3(m.slope * inverse_of(m));
    for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e)
      if (n == 6 && G.rows_of(G.col[e]) == 6)
        add_block<6>(i, e, m.slope, by_rate);
      else
        add_block<Eigen::Dynamic>(i, e, m.slope, by_rate);
  }

  template <int N>
  void add_block(Index i, Index e, const Mat3& P, const Mat3& by_rate) const {
    using Block = Eigen::Matrix<double, N, N, 0, 6, 6>;
    const BlockMatrix& G = matrix();
    const Mobility& m = work.mobility[i];
    const Index rows = G.rows_of(i), columns = G.rows_of(G.col[e]), normals = count(m.normal);
    Block from = Eigen::Map<const Block>(G.values.data() + G.at[e], rows, columns);
    if (e == G.diagonal[i]) from.diagonal() *= 1 + step.pull;
    if (work.words[i] == BlockLu::rows_of_problem) {  // u = 0 on all of them
      lu.add(i, e, from);
      return;
    }
    Block block = Block::Zero(rows, columns);
    for (const Index r : m.held) block.row(r) = from.row(r);
    for (Index r = 0; r < normals; ++r)
      for (Index k = 0; k < normals; ++k)
        block.row(m.normal[r]) += by_rate(r, k) * from.row(m.normal[k]);
    if (e == G.diagonal[i]) {
      Block own = Block::Identity(rows, columns);
      for (const Index r : m.held) own(r, r) = 0;
      for (Index r = 0; r < normals; ++r)
        for (Index c = 0; c < normals; ++c)
          own(m.normal[r], m.normal[c]) = (r == c ? 1 : 0) - P(r, c);
      block += own;
    }
    lu.add(i, e, block);
  }

  /// Λ += the step to where the pieces that were read hold exactly. Expects u.
  [[nodiscard]] bool follow_pieces() const {
    work.centre = work.impulse;
    work.newton_step.resize(step.rows.rows);
    for (Index i = 0; i < groups(); ++i) take_piece(i);
    if (!lu.has(work.words)) {
      lu.clear();
      for (Index i = 0; i < groups(); ++i) add_rows(i);
      if (!lu.factor()) return false;
      lu.name(work.words);
    }
    lu.solve(work.newton_step);
    work.impulse += work.newton_step;
    return work.impulse.allFinite();
  }

  /// Λ + t step with what K does not admit left out, for the first t = 1, ½, ¼ that brings q down;
  /// else Λ stays.
  double descend(double q) const {
    constexpr int halvings = 6;
    double t = 1;
    for (int k = 0; k < halvings; ++k, t *= 0.5) {
      work.trial = work.kept + t * work.newton_step;
      admit(work.trial);
      const double now = move(work.trial);
      if (now < q) {
        work.kept.swap(work.trial);
        return now;
      }
    }
    return q;
  }
};

/// From the pieces that were read to those that the answer shows, until it confirms them.
bool settle_by_tipping(const System& system, double enough) {
  // Of a loop the first pieces are right or far off.
  const int most = system.step.pull > 0 ? 3 : 24;
  // The gaps of a loop fit together as well as positions are known: its last digits are no one's.
  const double loose = system.step.pull > 0 ? tolerance::turning : enough;
  bool few = true;  // edges turn, so that a column for each is cheaper than the next system
  PositionWork& work = system.work;
  for (int k = 0; k < most; ++k) {
    if (!system.follow_pieces()) return false;
    system.release_all();
    few = few && search_hinges(system.step, enough, system.lu, work);
    (void)system.move(work.impulse);
    const double left = system.read();
    if (left <= enough || (few && left <= loose)) return system.is_known(loose);
    system.tip_the_worst();
  }
  return false;
}

/// Down the slope of q, with a sweep after every system. Expects loads in K in work.impulse.
bool settle_by_descent(const System& system, double enough) {
  constexpr int most = 20;
  constexpr int patience = 2;  // steps in a row of which nothing was of use
  int lost = 0;
  PositionWork& work = system.work;
  double q = system.move(work.impulse);
  (void)system.read();
  for (int k = 0; k < most; ++k) {
    work.kept = work.impulse;
    if (!system.follow_pieces()) return false;
    (void)system.move(work.impulse);
    if (system.read() <= enough) return system.is_known(enough);
    const double now = system.descend(q);
    work.impulse = work.kept;
    // Where nothing of the step was of use, what it says of the pieces may be.
    if (now < q || ++lost > patience) {
      system.sweep();
      lost = 0;
    }
    q = system.move(work.impulse);
  }
  return false;
}

/// u of the loads in work.impulse, or of none where those are worse than none.
void begin(const System& system) {
  PositionWork& work = system.work;
  if (system.move(work.impulse) < 0) return;
  work.impulse.setZero();
  (void)system.move(work.impulse);
}

/// From the loads in work.impulse, or from none.
bool settle_pieces(const System& system, double enough) {
  PositionWork& work = system.work;
  system.leave_out_free_rows(work.impulse);
  begin(system);
  system.read_pieces();
  work.begun = work.impulse;
  if (settle_by_tipping(system, enough)) return true;
  if (system.step.pull > 0) return false;
  system.release_all();
  work.impulse = work.begun;
  system.admit(work.impulse);
  begin(system);
  return settle_by_descent(system, enough);
}

}  // namespace

bool position_newton(const PositionStep& step, BlockLu& lu, PositionWork& work) {
  const System system{step, lu, work};
  if (!system.prepare()) return false;
  if (!lu.fits(step.problem.G)) lu.analyse(step.problem.G);
  if (!step.factor_is_ours) lu.forget();
  const double far = step.dt * work.target.lpNorm<Eigen::Infinity>();
  const double enough = std::max(0.1 * tolerance::overlap, tolerance::repair * far);
  if (step.loads != nullptr && system.take_pieces_of_loads()) {
    work.newton_rates = work.target;  // of no loads
    if (settle_by_tipping(system, enough)) return true;
    system.release_all();
    work.impulse.setZero();
  }
  return settle_pieces(system, enough);
}

}  // namespace tact
