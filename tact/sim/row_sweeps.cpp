// sim/row_sweeps.cpp - visits of contacts through their bodies.
#include "tact/sim/row_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "tact/base/parallel.hpp"
#include "tact/cone/planar_cone.hpp"
#include "tact/sim/position_step.hpp"
#include "tact/solve/one_contact.hpp"

namespace tact {
namespace {

/// u += Y w over the rows of one side.
void add_side_rates(const Model& model, const ConstraintRows& rows, const ChainRows& side,
                    Index count, const VecX& w, double* u) {
  const Index* dofs = model.tree.column.data() + model.tree.row[side.leaf];
  const double* Y = rows.scaled.data() + side.at;
  if (side.length == 6 && dofs[5] - dofs[0] == 5) {
    // In pairs, as registers hold them.
    const double* x = w.data() + dofs[0];
    for (Index r = 0; r < count; ++r, Y += 6) {
      const double even = Y[0] * x[0] + Y[2] * x[2] + Y[4] * x[4];
      const double odd = Y[1] * x[1] + Y[3] * x[3] + Y[5] * x[5];
      u[r] += even + odd;
    }
    return;
  }
  for (Index r = 0; r < count; ++r, Y += side.length)
    for (Index k = 0; k < side.length; ++k) u[r] += Y[k] * w[dofs[k]];
}

void add_rates(const Model& model, const ConstraintRows& rows, const RowGroup& group, const VecX& w,
               double* u) {
  for (Index s = group.first_side; s < group.first_side + group.side_count; ++s)
    add_side_rates(model, rows, rows.sides[s], group.row_count, w, u);
}

/// w += Yᵀ Δλ of one side.
void add_side_loads(const Model& model, const ConstraintRows& rows, const ChainRows& side,
                    Index count, const double* change, VecX& w) {
  const Index* dofs = model.tree.column.data() + model.tree.row[side.leaf];
  const double* Y = rows.scaled.data() + side.at;
  if (side.length == 6 && dofs[5] - dofs[0] == 5) {
    double* x = w.data() + dofs[0];
    double sum[6] = {x[0], x[1], x[2], x[3], x[4], x[5]};
    for (Index r = 0; r < count; ++r, Y += 6)
      for (Index k = 0; k < 6; ++k) sum[k] += Y[k] * change[r];
    std::copy_n(sum, 6, x);
    return;
  }
  for (Index r = 0; r < count; ++r, Y += side.length)
    for (Index k = 0; k < side.length; ++k) w[dofs[k]] += Y[k] * change[r];
}

void add_loads(const Model& model, const ConstraintRows& rows, const RowGroup& group,
               const double* change, VecX& w) {
  for (Index s = group.first_side; s < group.first_side + group.side_count; ++s)
    add_side_loads(model, rows, rows.sides[s], group.row_count, change, w);
}

/// The inverse of a positive definite matrix of six, by its Cholesky factor. False where it has
/// none.
bool invert_six(const double* __restrict a, double* __restrict out) {
  double l[6][6];
  double unit[6];  // 1 / l_ii
  for (int j = 0; j < 6; ++j) {
    double pivot = a[6 * j + j];
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    if (!(pivot > tolerance::epsilon * a[6 * j + j])) return false;
    unit[j] = 1 / std::sqrt(pivot);
    for (int i = j + 1; i < 6; ++i) {
      double sum = a[6 * j + i];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = sum * unit[j];
    }
  }
  double inverse[6][6];  // of L, below the diagonal
  for (int j = 0; j < 6; ++j) {
    inverse[j][j] = unit[j];
    for (int i = j + 1; i < 6; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum -= l[i][k] * inverse[k][j];
      inverse[i][j] = sum * unit[i];
    }
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = i; k < 6; ++k) sum += inverse[k][i] * inverse[k][j];
      out[6 * i + j] = out[6 * j + i] = sum;
    }
  return true;
}

/// Where the inverses of the blocks of six have their place.
void place_inverses(const DelassusProblem& p, std::span<const Index> groups, RowSweepWork& work) {
  work.at.resize(p.laws.size());
  Index size = 0;
  for (const Index i : groups) {
    work.at[i] = size;
    if (p.laws[i].rows == 6) size += 36;
  }
  work.inverse.resize(static_cast<std::size_t>(size));
}

/// Inverses of the blocks of six that have one.
void invert_blocks(const DelassusProblem& p, std::span<const Index> groups, RowSweepWork& work) {
  for (const Index i : groups) {
    if (p.laws[i].rows != 6) continue;
    double* inverse = work.inverse.data() + work.at[i];
    if (!invert_six(p.G.values.data() + p.G.at[p.G.diagonal[i]], inverse)) inverse[0] = 0;
  }
}

/// A visit takes back that much of what it finds, and its law has the last word. Eight sweeps of a
/// pile of a thousand boxes leave half as much as with 1, and boxes creep less; from 1.6 on loads
/// swing (docs/solvers.md).
constexpr double over_relaxation = 1.4;

Vec3 normal_of(const double* x) {
  return {x[0], x[1], x[5]};
}

/// The load that stops the contact, if its law allows it.
bool try_stick(const LocalLaw& law, const double* inverse, const double* u, const double* l,
               double* next) {
  if (inverse[0] == 0) return false;
  for (int r = 0; r < 6; ++r) next[r] = l[r];
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) next[r] -= inverse[6 * c + r] * u[c];
  if (!(next[5] > 0)) return false;
  // The set of friction loads is asked in the inner of the patch only.
  return clearly_in_friction_set(law.patch->model, law.patch->cone.hull(),
                                 NormalLoad::from_wrench(normal_of(next)), law.mu,
                                 {next[3], next[4], next[2]});
}

/// argmin over F(N) of |T - y|_D; `slip` is a guess of its velocity, the last visit's a better one.
Vec3 project_friction(const LocalLaw& law, const NormalLoad& load, const Mat3& D, const Vec3& y,
                      const Vec3& slip, RowSweepWork::Spin& spin, LocalWorkspace& work) {
  const PlanarSet& hull = law.patch->cone.hull();
  if (!std::holds_alternative<EllipsoidAtCop>(law.patch->model)) {
    if (clearly_in_friction_set(law.patch->model, hull, load, law.mu, y)) return y;
    make_friction_set(law.patch->model, hull, load, law.mu, work.friction, work.set);
    const FrictionSolution found =
        work.set.project(D, y, work.friction.friction, spin.slip.isZero(0) ? slip : spin.slip);
    spin.slip = found.direction;
    return found.T;
  }
  const Vec2 c = load.s / load.f;
  constexpr double near = 1e-3;
  if (spin.radius < 0 ||
      (c - spin.at).squaredNorm() > near * near * hull.radius() * hull.radius()) {
    make_friction_set(law.patch->model, hull, load, law.mu, work.friction, work.set);
    if (work.set.nodes().empty()) return Vec3::Zero();
    spin = {c, work.set.nodes().front().r, Vec3::Zero()};
  }
  const FrictionNode node{c, law.mu * load.f, spin.radius};
  return project_on_friction({&node, 1}, D, y, work.friction.friction).T;
}

/// The normal load given friction, then friction given the normal load.
void stagger(const LocalLaw& law, const LocalMetric& metric, const double* block, const double* u,
             const double* l, double* next, RowSweepWork::Spin& spin, LocalWorkspace& work) {
  constexpr Index normal[] = {0, 1, 5}, tangent[] = {3, 4, 2};
  Vec3 y;
  for (Index r = 0; r < 3; ++r) {
    y[r] = l[normal[r]];
    for (Index c = 0; c < 3; ++c) y[r] -= metric.inverse(normal[r], normal[c]) * u[normal[c]];
  }
  const Vec3 N =
      project_on_planar_cone(law.patch->cone.turned_hull(), Mat3(metric.normal_upper()), y);
  for (Index r = 0; r < 3; ++r) next[normal[r]] = N[r];
  for (const Index r : tangent) next[r] = 0;
  if (!(N[2] > 0)) return;
  Vec3 slip, T;
  Mat3 D;
  for (Index r = 0; r < 3; ++r) {
    slip[r] = u[tangent[r]];
    for (Index c = 0; c < 3; ++c) {
      slip[r] += block[normal[c] * 6 + tangent[r]] * (N[c] - l[normal[c]]);
      D(r, c) = metric.matrix(tangent[r], tangent[c]);
    }
  }
  for (Index r = 0; r < 3; ++r) {
    T[r] = l[tangent[r]];
    for (Index c = 0; c < 3; ++c) T[r] -= metric.inverse(tangent[r], tangent[c]) * slip[c];
  }
  T = project_friction(law, NormalLoad::from_wrench(N), D, T, slip, spin, work);
  for (Index r = 0; r < 3; ++r) next[tangent[r]] = T[r];
}

void visit(const Model& model, const ConstraintRows& rows, const DelassusProblem& p, Index i,
           RowSweepWork& work, LocalWorkspace& local, VecX& lambda) {
  const RowGroup& group = rows.groups[i];
  const LocalLaw& law = p.laws[i];
  const Index n = law.rows;
  double* l = lambda.data() + group.first_row;
  double u[6], next[6];
  std::copy_n(p.b.data() + group.first_row, n, u);
  add_rates(model, rows, group, work.w, u);
  for (Index r = 0; r < n; ++r) u[r] *= over_relaxation;
  const double* block = p.G.values.data() + p.G.at[p.G.diagonal[i]];
  if (law.kind == LawKind::patch_friction) {
    if (l[5] == 0 && law.patch->cone.dual_margin(normal_of(u)) >= 0) return;  // apart
    if (!try_stick(law, work.inverse.data() + work.at[i], u, l, next))
      stagger(law, p.metric(i), block, u, l, next, work.spins[i], local);
  } else {
    for (Index c = 0; c < n; ++c)
      for (Index r = 0; r < n; ++r) u[r] -= block[c * n + r] * l[c];
    std::copy_n(l, n, next);
    (void)solve_one_contact(law, p.metric(i), p.G.diagonal_block(i), u, next, local);
  }
  double change[6];
  bool moved = false;
  for (Index r = 0; r < n; ++r) {
    change[r] = next[r] - l[r];
    moved = moved || change[r] != 0;
    l[r] = next[r];
  }
  if (moved) add_loads(model, rows, group, change, work.w);
}

/// What changes on the normal rows of a patch whose gap closes at W; false where nothing does.
bool open_patch(const LocalLaw& law, const LocalMetric& metric, const Vec3& W, const double* l,
                double* change) {
  const std::span<const Index> normal = normal_rows(law);
  if (l[normal[2]] == 0 && law.patch->cone.dual_margin(W) >= 0) return false;
  Vec3 y;
  for (Index k = 0; k < 3; ++k) {
    y[k] = l[normal[k]];
    for (Index c = 0; c < 3; ++c) y[k] -= metric.inverse(normal[k], normal[c]) * W[c];
  }
  const Vec3 N =
      project_on_planar_cone(law.patch->cone.turned_hull(), Mat3(metric.normal_upper()), y);
  for (Index k = 0; k < 3; ++k) change[normal[k]] = N[k] - l[normal[k]];
  return true;
}

/// What keeps the rows along the plane where they are.
void hold_plane(const LocalMetric& metric, const double* block, const double* u, double* change) {
  constexpr Index normal[] = {0, 1, 5}, tangent[] = {2, 3, 4};
  double slip[3];
  for (Index r = 0; r < 3; ++r) {
    slip[r] = u[tangent[r]];
    for (const Index c : normal) slip[r] += block[c * 6 + tangent[r]] * change[c];
  }
  for (const Index r : tangent)
    for (Index c = 0; c < 3; ++c) change[r] -= metric.inverse(r, tangent[c]) * slip[c];
}

/// Normal rows of one group, and those along the plane where it sticks.
void visit_position(const Model& model, const ConstraintRows& rows, const DelassusProblem& p,
                    Index i, bool holds, RowSweepWork& work) {
  const RowGroup& group = rows.groups[i];
  const LocalLaw& law = p.laws[i];
  const std::span<const Index> normal = normal_rows(law);
  const auto count = static_cast<Index>(normal.size());
  if (count == 0) return;
  const double* block = p.G.values.data() + p.G.at[p.G.diagonal[i]];
  double u[6] = {}, change[6] = {};
  add_rates(model, rows, group, work.w, u);
  double* l = work.normal.data() + group.first_row;
  Vec3 W = work.target[i];
  for (Index k = 0; k < count; ++k) W[3 - count + k] += u[normal[k]];
  if (law.is_patch()) {
    if (!open_patch(law, p.metric(i), W, l, change)) return;
  } else {
    const Index r = normal[0];
    const double g = block[r * law.rows + r];
    if (!(g > 0)) return;
    change[r] = std::max(0.0, l[r] - W[2] / g) - l[r];
  }
  if (holds && law.kind == LawKind::patch_friction) hold_plane(p.metric(i), block, u, change);
  for (Index r = 0; r < law.rows; ++r) l[r] += change[r];
  add_loads(model, rows, group, change, work.w);
}

/// The sides of a group that move when it is opened from the ground up: the upper body's, both
/// where neither is.
struct Movers {
  Index first, last;
};
Movers movers(const RowGroup& group, const Vec3& up) {
  const Index first = group.first_side, last = first + group.side_count;
  constexpr double upright = 0.5;
  const double slope = group.X_WC.R.col(2).dot(up);
  if (group.side_count < 2 || std::abs(slope) < upright) return {first, last};
  return slope > 0 ? Movers{first, first + 1} : Movers{first + 1, last};
}

void open_upward(const Model& model, const ConstraintRows& rows, const LocalLaw& law, Index i,
                 const Vec3& up, RowSweepWork& work) {
  const RowGroup& group = rows.groups[i];
  const std::span<const Index> normal = normal_rows(law);
  const auto count = static_cast<Index>(normal.size());
  if (count == 0) return;
  double u[6] = {}, change[6] = {};
  add_rates(model, rows, group, work.w, u);
  Vec3 W = work.target[i];
  for (Index k = 0; k < count; ++k) W[3 - count + k] += u[normal[k]];
  if (least_gap(law, W) >= 0) return;
  const Movers moving = movers(group, up);
  Mat3 D = Mat3::Zero();
  for (Index s = moving.first; s < moving.last; ++s) {
    const ChainRows& side = rows.sides[s];
    for (Index c = 0; c < count; ++c)
      for (Index r = 0; r < count; ++r)
        for (Index k = 0; k < side.length; ++k)
          D(r, c) += rows.scaled[static_cast<std::size_t>(side.at + normal[r] * side.length + k)] *
                     rows.scaled[static_cast<std::size_t>(side.at + normal[c] * side.length + k)];
  }
  if (count == 1) {
    if (!(D(0, 0) > 0)) return;
    change[normal[0]] = -W[2] / D(0, 0);
  } else {
    const Eigen::LLT<Mat3> factor(D);
    if (factor.info() != Eigen::Success) return;
    const Vec3 N = project_on_planar_cone(law.patch->cone.turned_hull(), Mat3(factor.matrixU()),
                                          -factor.solve(W));
    if (!N.allFinite()) return;
    for (Index k = 0; k < 3; ++k) change[normal[k]] = N[k];
  }
  for (Index s = moving.first; s < moving.last; ++s)
    add_side_loads(model, rows, rows.sides[s], group.row_count, change, work.w);
}

/// w = Yᵀ λ of all groups.
void set_loads(const Model& model, const ConstraintRows& rows, const VecX& lambda,
               RowSweepWork& work) {
  work.w.setZero(model.nv);
  for (const RowGroup& group : rows.groups)
    add_loads(model, rows, group, lambda.data() + group.first_row, work.w);
}

/// What the judge says of λ, w being Yᵀ λ.
Residual judge(const Model& model, const ConstraintRows& rows, const DelassusProblem& problem,
               const VecX& lambda, RowSweepWork& work) {
  work.u = problem.b;
  for (const RowGroup& group : rows.groups)
    add_rates(model, rows, group, work.w, work.u.data() + group.first_row);
  if (work.local.empty()) work.local.resize(1);
  return residual(judged(problem), lambda, work.u, work.local.front());
}

/// What the contacts of a part would do to the energy in this step [J], by the split of the
/// certificate: b.λ + ½ λ.G λ, docs/impact.md.
struct PartWork {
  double free = 0;  ///< b.λ
  double own = 0;   ///< λ.G λ

  [[nodiscard]] double sum() const { return free + 0.5 * own; }
  void add(const double* b, const double* u, const double* lambda, Index rows) {
    for (Index r = 0; r < rows; ++r) {
      free += b[r] * lambda[r];
      own += (u[r] - b[r]) * lambda[r];
    }
  }
};

/// Shrinks the loads of a part that give energy to those along them that take most. The laws are
/// cones, so that they are admissible as before. False where nothing had to be done.
bool take_energy_back(const Model& model, const ConstraintRows& rows, std::span<const Index> groups,
                      const PartWork& done, RowSweepWork& work, VecX& lambda) {
  if (!(done.sum() > 0)) return false;
  const double share = std::clamp(-done.free / done.own, 0.0, 1.0);
  for (const Index i : groups) {
    const RowGroup& group = rows.groups[i];
    double change[6];
    double* l = lambda.data() + group.first_row;
    for (Index r = 0; r < group.row_count; ++r) {
      change[r] = (share - 1) * l[r];
      l[r] *= share;
    }
    add_loads(model, rows, group, change, work.w);
  }
  return true;
}

/// Loads of the last step are a good start, but not those of a blow: where they would give energy,
/// less of them is a better one, and sweeps go downhill from there.
void start_downhill(const Model& model, const ConstraintRows& rows, const DelassusProblem& p,
                    std::span<const Index> groups, RowSweepWork& work, VecX& lambda) {
  PartWork start;
  for (const Index i : groups) {
    const RowGroup& group = rows.groups[i];
    const double *b = p.b.data() + group.first_row, *l = lambda.data() + group.first_row;
    if (std::all_of(l, l + group.row_count, [](double x) { return x == 0; })) continue;
    double u[6];
    std::copy_n(b, group.row_count, u);
    add_rates(model, rows, group, work.w, u);
    start.add(b, u, l, group.row_count);
  }
  (void)take_energy_back(model, rows, groups, start, work, lambda);
}

/// What a budget of sweeps leaves open is no reason to give energy. True where loads have changed;
/// work.u is Y w + b before that.
bool end_downhill(const Model& model, const ConstraintRows& rows, const DelassusProblem& p,
                  const SweptParts& parts, RowSweepWork& work, VecX& lambda) {
  bool changed = false;
  for (int k = 0; k < parts.parts(); ++k) {
    PartWork end;
    for (const Index i : parts.part(k)) {
      const Index at = rows.groups[i].first_row;
      end.add(p.b.data() + at, work.u.data() + at, lambda.data() + at, rows.groups[i].row_count);
    }
    changed = take_energy_back(model, rows, parts.part(k), end, work, lambda) || changed;
  }
  return changed;
}

/// Visits all, even sweeps forwards and odd ones backwards.
template <class Visit>
void there_and_back(std::span<const Index> groups, int sweep, Visit&& visit) {
  if (sweep % 2 == 0)
    for (const Index i : groups) visit(i);
  else
    for (auto i = groups.rbegin(); i != groups.rend(); ++i) visit(*i);
}

}  // namespace

Residual sweep_rows(const Model& model, const ConstraintRows& rows, const DelassusProblem& problem,
                    const SweptParts& parts, int sweeps, int threads, RowSweepWork& work,
                    VecX& lambda) {
  place_inverses(problem, parts.groups, work);
  work.spins.assign(rows.groups.size(), {});
  work.local.resize(static_cast<std::size_t>(std::max(threads, 1)));
  set_loads(model, rows, lambda, work);
  parallel_for(parts.parts(), threads, [&](int part, int worker) {
    const std::span<const Index> groups = parts.part(part);
    invert_blocks(problem, groups, work);
    start_downhill(model, rows, problem, groups, work, lambda);
    for (int k = 0; k < sweeps; ++k)
      there_and_back(groups, k, [&](Index i) {
        visit(model, rows, problem, i, work, work.local[worker], lambda);
      });
  });
  const Residual left = judge(model, rows, problem, lambda, work);
  if (!end_downhill(model, rows, problem, parts, work, lambda)) return left;
  return judge(model, rows, problem, lambda, work);
}

void sweep_positions(const Model& model, const ConstraintRows& rows, const DelassusProblem& problem,
                     const SweptParts& parts, const std::vector<bool>& sticks, int sweeps,
                     int threads, RowSweepWork& work) {
  work.w.setZero(model.nv);
  work.normal.setZero(rows.rows);
  work.order = parts.groups;
  const bool falls = !model.gravity.isZero(0);
  const Vec3 up = falls ? Vec3(-model.gravity.normalized()) : Vec3::Zero();
  const auto height = [&](Index i) { return rows.groups[i].X_WC.p.dot(up); };
  const auto lower = [&](Index a, Index b) {
    return height(a) != height(b) ? height(a) < height(b) : a < b;
  };
  constexpr int upward = 2;
  parallel_for(parts.parts(), threads, [&](int part, int) {
    const std::span<const Index> groups = parts.part(part);
    for (int k = 0; k + upward < sweeps; ++k)
      there_and_back(groups, k,
                     [&](Index i) { visit_position(model, rows, problem, i, sticks[i], work); });
    if (!falls) return;
    const std::span<Index> order =
        std::span(work.order)
            .subspan(static_cast<std::size_t>(groups.data() - parts.groups.data()), groups.size());
    std::sort(order.begin(), order.end(), lower);
    for (int k = 0; k < upward; ++k)
      for (const Index i : order) open_upward(model, rows, problem.laws[i], i, up, work);
  });
}

void unscaled(const Model& model, const TreeFactor& factor, const VecX& w, VecX& out) {
  const Tree& tree = model.tree;
  out.resize(model.nv);
  for (Index d = 0; d < model.nv; ++d) {
    const Index begin = tree.row[d], own = tree.row[d + 1] - 1;
    double value = std::sqrt(factor.values[own]) * w[d];  // its diagonal: 1/D
    for (Index e = begin; e < own; ++e) value -= factor.values[e] * out[tree.column[e]];
    out[d] = value;
  }
}

}  // namespace tact
