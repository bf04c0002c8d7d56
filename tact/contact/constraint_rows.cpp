// contact/constraint_rows.cpp - sides, their products, and the matrix of all of them.
#include "tact/contact/constraint_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/body/collision_rules.hpp"
#include "tact/contact/contact_rows.hpp"
#include "tact/contact/surface_law.hpp"

namespace tact {
namespace {

std::span<const Index> chain_to(const Tree& tree, Index leaf) {
  return std::span(tree.column)
      .subspan(static_cast<std::size_t>(tree.row[leaf]),
               static_cast<std::size_t>(tree.row[leaf + 1] - tree.row[leaf]));
}

/// Whether some motion tilts the plane of contact or takes its origin, at r from that of the body,
/// along the normal, by more than rounding.
bool moves_along(const Kinematics& kin, std::span<const Index> dofs, const Vec3& normal,
                 const Vec3& r, const std::vector<Motion>& columns) {
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    const Motion &S = kin.axis[dofs[k]], &at = columns[k];
    const double turns = S.w.norm(), size = S.v.norm() + turns * r.norm();
    if (at.w.cross(normal).norm() > tolerance::immovable * turns) return true;
    if (std::abs(at.v.dot(normal)) > tolerance::immovable * size) return true;
  }
  return false;
}

/// The rows of one body of a contact; sign -1 for the second.
void add_body(const Model& model, const Kinematics& kin, std::span<const Index> kinds, Index body,
              const Pose& X_WC, double sign, ConstraintRows& rows) {
  const Index link = model.tree.link_of(body);
  const std::span<const Index> dofs = chain(model, body);
  if (dofs.empty()) return;
  // The first dofs of a free root move everything along the axes of W.
  const std::size_t along = model.tree.links[model.tree.links[link].root].free ? 3 : 0;
  const Vec3 r = X_WC.p - kin.origin[link];
  rows.columns.clear();
  for (const Index d : dofs.subspan(along)) {
    const Motion& S = kin.axis[d];
    rows.columns.push_back({S.w, S.v + S.w.cross(r)});
  }
  rows.sides.push_back({static_cast<Index>(rows.groups.size()) - 1, dofs.back(),
                        static_cast<Index>(dofs.size()), static_cast<Index>(rows.jacobian.size())});
  RowGroup& group = rows.groups.back();
  group.side_count += 1;
  group.opens = group.opens || along > 0 || moves_along(kin, dofs, X_WC.R.col(2), r, rows.columns);
  const std::size_t at = rows.jacobian.size();
  rows.jacobian.resize(at + kinds.size() * dofs.size());
  double* to = rows.jacobian.data() + at;
  for (const Index kind : kinds) {
    const Vec3 axis = sign * X_WC.R.col(kind % 3);
    const bool turns = kind < 3;
    for (std::size_t k = 0; k < along; ++k) *to++ = turns ? 0.0 : axis[static_cast<Index>(k)];
    for (const Motion& m : rows.columns) *to++ = axis.dot(turns ? m.w : m.v);
  }
}

/// A new group with rows at the end.
RowGroup& add_group(const RowKey& key, Index place, const LocalLaw& law, ConstraintRows& rows) {
  RowGroup group;
  group.key = key;
  group.place = place;
  group.first_row = rows.rows;
  group.row_count = law.rows;
  group.first_side = static_cast<Index>(rows.sides.size());
  rows.rows += law.rows;
  rows.laws.push_back(law);
  rows.groups.push_back(group);
  return rows.groups.back();
}

/// How many of the contacts before it belong to the same two geoms.
std::uint32_t ordinal(const ConstraintRows& rows, std::uint64_t what) {
  std::uint32_t count = 0;
  for (std::size_t i = rows.groups.size(); i-- > 0;) {
    if (rows.groups[i].key.source != RowSource::surface || rows.groups[i].key.what != what) break;
    ++count;
  }
  return count;
}

/// Sides by the tree they belong to.
void sort_by_tree(const Model& model, ConstraintRows& rows) {
  const Tree& tree = model.tree;
  const auto trees = static_cast<std::size_t>(model.nv);  // named by their first dof
  rows.tree_begin.assign(trees + 1, 0);
  rows.side_tree.resize(rows.sides.size());
  rows.tree_side.resize(rows.sides.size());
  for (std::size_t s = 0; s < rows.sides.size(); ++s) {
    const Index root = tree.column[static_cast<std::size_t>(tree.row[rows.sides[s].leaf])];
    rows.side_tree[s] = root;
    ++rows.tree_begin[static_cast<std::size_t>(root) + 1];
  }
  for (std::size_t t = 0; t < trees; ++t) rows.tree_begin[t + 1] += rows.tree_begin[t];
  for (std::size_t s = 0; s < rows.sides.size(); ++s)
    rows.tree_side[static_cast<std::size_t>(
        rows.tree_begin[static_cast<std::size_t>(rows.side_tree[s])]++)] = static_cast<Index>(s);
  for (std::size_t t = trees; t > 0; --t) rows.tree_begin[t] = rows.tree_begin[t - 1];
  rows.tree_begin[0] = 0;
}

/// Block rows and columns of `groups`, ascending: those that share a tree, if they are coupled. No
/// other group may share one with them.
void make_pattern(ConstraintRows& rows, std::span<const Index> groups, bool coupled,
                  BlockMatrix& G) {
  const auto n = static_cast<Index>(groups.size());
  rows.place.resize(rows.groups.size());
  for (Index i = 0; i < n; ++i) rows.place[groups[i]] = i;
  G.offset.assign(1, 0);
  G.row_begin.assign(1, 0);
  G.col.clear();
  G.at.clear();
  G.diagonal.resize(static_cast<std::size_t>(n));
  rows.seen.assign(static_cast<std::size_t>(n), -1);
  Index size = 0;
  for (Index i = 0; i < n; ++i) {
    const RowGroup& group = rows.groups[groups[i]];
    const auto first = static_cast<std::ptrdiff_t>(G.col.size());
    G.col.push_back(i);
    rows.seen[i] = i;
    const Index sides = coupled ? group.side_count : 0;
    for (Index s = group.first_side; s < group.first_side + sides; ++s) {
      const auto tree = static_cast<std::size_t>(rows.side_tree[s]);
      for (Index k = rows.tree_begin[tree]; k < rows.tree_begin[tree + 1]; ++k) {
        const Index j = rows.place[rows.sides[rows.tree_side[k]].group];
        if (rows.seen[j] == i) continue;
        rows.seen[j] = i;
        G.col.push_back(j);
      }
    }
    std::sort(G.col.begin() + first, G.col.end());
    for (auto e = static_cast<std::size_t>(first); e < G.col.size(); ++e) {
      if (G.col[e] == i) G.diagonal[i] = static_cast<Index>(e);
      G.at.push_back(size);
      size += group.row_count * rows.groups[groups[G.col[e]]].row_count;
    }
    G.offset.push_back(G.offset.back() + group.row_count);
    G.row_begin.push_back(static_cast<Index>(G.col.size()));
  }
  G.values.resize(static_cast<std::size_t>(size));
}

/// How many dofs two chains have in common.
Index common_length(const Tree& tree, const ChainRows& a, const ChainRows& b) {
  if (a.leaf == b.leaf) return a.length;
  const Index* ca = tree.column.data() + tree.row[a.leaf];
  const Index* cb = tree.column.data() + tree.row[b.leaf];
  const Index most = std::min(a.length, b.length);
  Index k = 0;
  while (k < most && ca[k] == cb[k]) ++k;
  return k;
}

/// out (ra x rb, by columns) += Ya Ybᵀ over the first n dofs.
template <int Fixed>
void add_product(const double* ya, Index la, Index ra, const double* yb, Index lb, Index rb,
                 Index n, double* out) {
  const Index count = Fixed > 0 ? Fixed : n;
  for (Index c = 0; c < rb; ++c) {
    const double* y = yb + c * lb;
    for (Index r = 0; r < ra; ++r) {
      const double* x = ya + r * la;
      double sum = 0;
      for (Index k = 0; k < count; ++k) sum += x[k] * y[k];
      out[c * ra + r] += sum;
    }
  }
}

/// The same for six rows of six numbers each, a column at a time.
void add_product_of_six(const double* ya, const double* yb, double* out) {
  double turned[36];
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 6; ++k) turned[6 * k + r] = ya[6 * r + k];
  for (int c = 0; c < 6; ++c) {
    const double* row = yb + static_cast<std::ptrdiff_t>(6) * c;
    double column[6];
    for (int r = 0; r < 6; ++r) column[r] = turned[r] * row[0];
    for (int k = 1; k < 6; ++k) {
      const double y = row[k];
      for (int r = 0; r < 6; ++r) column[r] += turned[6 * k + r] * y;
    }
    for (int r = 0; r < 6; ++r) out[6 * c + r] += column[r];
  }
}

/// What the sides of two groups give where they share a tree.
void fill_block(const Tree& tree, const ConstraintRows& rows, const RowGroup& gi,
                const RowGroup& gj, double* block) {
  std::fill_n(block, gi.row_count * gj.row_count, 0.0);
  for (Index s = gi.first_side; s < gi.first_side + gi.side_count; ++s) {
    const ChainRows& a = rows.sides[s];
    for (Index t = gj.first_side; t < gj.first_side + gj.side_count; ++t) {
      const ChainRows& b = rows.sides[t];
      if (rows.side_tree[s] != rows.side_tree[t]) continue;
      const Index common = common_length(tree, a, b);
      const double *ya = rows.scaled.data() + a.at, *yb = rows.scaled.data() + b.at;
      const bool free = common == 6 && a.length == 6 && b.length == 6;
      if (free && gi.row_count == 6 && gj.row_count == 6)
        add_product_of_six(ya, yb, block);
      else if (common == 6)
        add_product<6>(ya, a.length, gi.row_count, yb, b.length, gj.row_count, 6, block);
      else
        add_product<0>(ya, a.length, gi.row_count, yb, b.length, gj.row_count, common, block);
    }
  }
}

/// The block (j, i) from the block (i, j) of entry e.
void mirror_block(BlockMatrix& G, Index i, Index e) {
  const Index j = G.col[e], rows = G.rows_of(i), columns = G.rows_of(j);
  const auto begin = G.col.begin() + G.row_begin[j], end = G.col.begin() + G.diagonal[j];
  const auto other = std::lower_bound(begin, end, i) - G.col.begin();
  const double* from = G.values.data() + G.at[e];
  double* to = G.values.data() + G.at[other];
  for (Index c = 0; c < columns; ++c)
    for (Index r = 0; r < rows; ++r) to[r * columns + c] = from[c * rows + r];
}

/// All blocks of the pattern; those on the diagonal from `own`, where that is given.
void fill_blocks(const Tree& tree, const ConstraintRows& rows, std::span<const Index> groups,
                 const BlockMatrix* own, BlockMatrix& G) {
  const auto n = static_cast<Index>(groups.size());
  for (Index i = 0; i < n; ++i)
    for (Index e = G.diagonal[i]; e < G.row_begin[i + 1]; ++e) {
      const Index j = G.col[e];
      double* block = G.values.data() + G.at[e];
      if (j == i && own != nullptr)
        std::copy_n(own->diagonal_block(groups[i]).data(), own->diagonal_block(groups[i]).size(),
                    block);
      else
        fill_block(tree, rows, rows.groups[groups[i]], rows.groups[groups[j]], block);
      if (j != i) mirror_block(G, i, e);
    }
}

void make_problem(const Model& model, bool coupled, ConstraintRows& rows, DelassusProblem& out) {
  rows.listed.resize(rows.groups.size());
  std::iota(rows.listed.begin(), rows.listed.end(), Index{0});
  sort_by_tree(model, rows);
  make_pattern(rows, rows.listed, coupled, out.G);
  fill_blocks(model.tree, rows, rows.listed, nullptr, out.G);
  out.laws.assign(rows.laws.begin(), rows.laws.end());
  if (out.b.size() != rows.rows) out.b.resize(rows.rows);
  update_metrics(out);
}

}  // namespace

bool before(const RowKey& a, const RowKey& b) {
  return std::tie(a.source, a.what, a.which) < std::tie(b.source, b.what, b.which);
}

void clear(ConstraintRows& rows) {
  rows.groups.clear();
  rows.sides.clear();
  rows.jacobian.clear();
  rows.laws.clear();
  rows.patches.restart();
  rows.rows = 0;
}

void add_surface(const Model& model, const Kinematics& kin, const SceneContacts& all, Index contact,
                 const PatchFriction& pressure, ConstraintRows& rows) {
  const SceneContact& c = all.contacts[contact];
  const LocalLaw law = surface_local_law(c.surface, all.buffer, c.pair, pressure, rows.patches);
  RowKey key{RowSource::surface, pair_key(c.geom1, c.geom2), 0};
  key.which = ordinal(rows, key.what);
  RowGroup& group = add_group(key, contact, law, rows);
  group.X_WC = c.surface.X_WC;
  group.one_robot = of_one_robot(model, model.geoms[c.geom1].body, model.geoms[c.geom2].body);
  if (c.surface.kind == PatchKind::point) {
    // A point has no frame of its own: the rows are taken where it is.
    const Vec2& at = all.buffer.points[c.surface.first_point];
    group.X_WC.p += group.X_WC.R * Vec3(at[0], at[1], 0);
    group.gap = Vec3(0, 0, c.surface.gap[0]);
  } else {
    group.gap = gap_twist(c.surface.gap);
  }
  const Pose X_WC = group.X_WC;
  const std::span<const Index> kinds = twist_rows_of(law);
  add_body(model, kin, kinds, model.geoms[c.geom1].body, X_WC, 1, rows);
  add_body(model, kin, kinds, model.geoms[c.geom2].body, X_WC, -1, rows);
}

void add_twist_rows(const Model& model, const Kinematics& kin, Index body1, Index body2,
                    const Mat3& R_WC, const Vec3& p1_W, const Vec3& p2_W, ConstraintRows& rows) {
  constexpr Index all[6] = {0, 1, 2, 3, 4, 5};
  LocalLaw none;
  none.rows = 6;
  add_group(RowKey{}, static_cast<Index>(rows.groups.size()), none, rows).X_WC = {R_WC, p1_W};
  add_body(model, kin, all, body1, {R_WC, p1_W}, 1, rows);
  add_body(model, kin, all, body2, {R_WC, p2_W}, -1, rows);
}

void drop_last(ConstraintRows& rows) {
  const RowGroup& group = rows.groups.back();
  rows.rows -= group.row_count;
  if (group.side_count > 0) {
    rows.jacobian.resize(static_cast<std::size_t>(rows.sides[group.first_side].at));
    rows.sides.resize(static_cast<std::size_t>(group.first_side));
  }
  rows.laws.pop_back();
  rows.groups.pop_back();
}

RowGroup& add_rows(const Model& model, const SparseRows& from, Index first, const RowKey& key,
                   const LocalLaw& law, ConstraintRows& rows) {
  RowGroup& group = add_group(key, first, law, rows);
  // From the last entry upwards: its chain takes what lies on it, the rest begins another side.
  const Index begin = from.begin[first];
  std::vector<Index>& left = rows.seen;  // columns that no side has yet, else -1
  left.assign(from.column.begin() + begin, from.column.begin() + from.begin[first + law.rows]);
  while (true) {
    const auto last = std::max_element(left.begin(), left.end());
    if (last == left.end() || *last < 0) return group;
    const Index leaf = *last;
    const std::span<const Index> dofs = chain_to(model.tree, leaf);
    rows.sides.push_back({static_cast<Index>(rows.groups.size()) - 1, leaf,
                          static_cast<Index>(dofs.size()),
                          static_cast<Index>(rows.jacobian.size())});
    group.side_count += 1;
    for (Index row = first; row < first + law.rows; ++row) {
      Index e = from.begin[row];
      for (const Index d : dofs) {
        while (e < from.begin[row + 1] && left[e - begin] < d) ++e;
        const bool there = e < from.begin[row + 1] && left[e - begin] == d;
        rows.jacobian.push_back(there ? from.value[static_cast<std::size_t>(e)] : 0.0);
        if (there) left[e - begin] = -1;
      }
    }
  }
}

void add_limit(const Model& model, const LimitRows& from, Index i, ConstraintRows& rows) {
  const LimitRows::Source& source = from.source[i];
  const RowKey key{RowSource::limit, static_cast<std::uint64_t>(source.index),
                   (source.kind == LimitRows::Kind::tendon ? 2U : 0U) + (source.upper ? 1U : 0U)};
  add_rows(model, from.rows, i, key, LocalLaw{}, rows).gap[2] = from.gap[i];
}

void add_dry_friction(const Model& model, const FrictionRows& from, Index i, double dt,
                      ConstraintRows& rows) {
  const RowKey key{RowSource::dry_friction, static_cast<std::uint64_t>(i), 0};
  const double bound = dt * from.bound[i];
  add_rows(model, from.rows, i, key, local_law(BoundedLaw{-bound, bound}), rows);
}

void add_equality(const Model& model, const EqualityRows& from, Index i, ConstraintRows& rows) {
  const RowKey key{RowSource::equality, static_cast<std::uint64_t>(i), 0};
  const Index first = from.begin[i], count = from.begin[i + 1] - first;
  RowGroup& group = add_rows(model, from.rows, first, key, equation_law(count), rows);
  for (Index k = 0; k < count; ++k) group.gap[3 - count + k] = from.error[first + k];
}

SparseMatrix sparse(const Model& model, const ConstraintRows& rows) {
  std::vector<Index> place(static_cast<std::size_t>(model.nv));
  std::iota(place.begin(), place.end(), Index{0});
  return sparse(model, rows, place, model.nv);
}

SparseMatrix sparse(const Model& model, const ConstraintRows& rows, std::span<const Index> place,
                    Index count) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(rows.jacobian.size());
  for (const ChainRows& side : rows.sides) {
    const RowGroup& group = rows.groups[side.group];
    const std::span<const Index> dofs = chain_to(model.tree, side.leaf);
    const double* J = rows.jacobian.data() + side.at;
    for (Index r = 0; r < group.row_count; ++r)
      for (const Index d : dofs) {
        if (const double entry = *J++; entry != 0 && place[d] >= 0)
          entries.emplace_back(static_cast<int>(group.first_row + r), static_cast<int>(place[d]),
                               entry);
      }
  }
  SparseMatrix out(rows.rows, count);
  out.setFromTriplets(entries.begin(), entries.end());
  out.prune([](Index, Index, double entry) { return entry != 0; });  // both bodies move alike
  return out;
}

namespace {

/// The rows of a free body whose mass matrix is diagonal, as it is about its centre of mass along
/// its principal axes. False where it is not.
bool scale_diagonal(const double* F, const Tree& tree, const Index* dofs, Index count,
                    const double* from, double* to) {
  double root[6];
  for (Index k = 0; k < 6; ++k) {
    const double* row = F + tree.row[dofs[k]];
    for (Index e = 0; e < k; ++e)
      if (row[e] != 0) return false;
    root[k] = std::sqrt(row[k]);
  }
  for (Index r = 0; r < count; ++r, from += 6, to += 6)
    for (Index k = 0; k < 6; ++k) to[k] = from[k] * root[k];
  return true;
}

}  // namespace

void scale_rows(const Model& model, const TreeFactor& factor, ConstraintRows& rows) {
  const Tree& tree = model.tree;
  const double* F = factor.values.data();
  rows.scaled.resize(rows.jacobian.size());
  for (const ChainRows& side : rows.sides) {
    const Index count = rows.groups[side.group].row_count;
    const Index* dofs = tree.column.data() + tree.row[side.leaf];
    const double* from = rows.jacobian.data() + side.at;
    double* to = rows.scaled.data() + side.at;
    if (side.length == 6 && scale_diagonal(F, tree, dofs, count, from, to)) continue;
    std::copy_n(from, count * side.length, to);
    for (Index k = side.length - 1; k >= 0; --k) {
      const double* row = F + tree.row[dofs[k]];
      const double root = std::sqrt(row[k]);  // its diagonal: 1/D
      for (Index e = 0; e < k; ++e) {
        if (row[e] == 0) continue;  // as most are of a free body
        for (Index r = 0; r < count; ++r)
          to[r * side.length + e] -= row[e] * to[r * side.length + k];
      }
      for (Index r = 0; r < count; ++r) to[r * side.length + k] *= root;
    }
  }
}

void make_delassus(const Model& model, ConstraintRows& rows, DelassusProblem& out) {
  make_problem(model, true, rows, out);
}

void make_own_blocks(const Model& model, ConstraintRows& rows, DelassusProblem& out) {
  make_problem(model, false, rows, out);
}

void make_island_matrix(const Model& model, ConstraintRows& rows, std::span<const Index> groups,
                        const BlockMatrix& own, BlockMatrix& G) {
  make_pattern(rows, groups, true, G);
  fill_blocks(model.tree, rows, groups, &own, G);
}

void row_velocities(const Model& model, const ConstraintRows& rows, const VecX& u, VecX& out) {
  out.setZero(rows.rows);
  for (const ChainRows& side : rows.sides) {
    const RowGroup& group = rows.groups[side.group];
    const Index* dofs = model.tree.column.data() + model.tree.row[side.leaf];
    const double* J = rows.jacobian.data() + side.at;
    double* to = out.data() + group.first_row;
    if (side.length == 6 && dofs[5] - dofs[0] == 5) {  // a free body
      const double* x = u.data() + dofs[0];
      for (Index r = 0; r < group.row_count; ++r, J += 6)
        to[r] +=
            (J[0] * x[0] + J[1] * x[1] + J[2] * x[2]) + (J[3] * x[3] + J[4] * x[4] + J[5] * x[5]);
      continue;
    }
    for (Index r = 0; r < group.row_count; ++r, J += side.length) {
      double sum = 0;
      for (Index k = 0; k < side.length; ++k) sum += J[k] * u[dofs[k]];
      to[r] += sum;
    }
  }
}

namespace {

/// A chain of N dofs that lie one after the other: the sums stay in registers.
template <int N>
void add_impulses(const double* J, const double* lambda, Index count, double* p) {
  double sum[N];
  for (int k = 0; k < N; ++k) sum[k] = p[k];
  for (Index r = 0; r < count; ++r, J += N) {
    const double load = lambda[r];
    if (load == 0) continue;
    for (int k = 0; k < N; ++k) sum[k] += J[k] * load;
  }
  for (int k = 0; k < N; ++k) p[k] = sum[k];
}

}  // namespace

void add_row_impulses(const Model& model, const ConstraintRows& rows, const VecX& lambda, VecX& p) {
  for (const ChainRows& side : rows.sides) {
    const RowGroup& group = rows.groups[side.group];
    const Index* dofs = model.tree.column.data() + model.tree.row[side.leaf];
    const double* J = rows.jacobian.data() + side.at;
    const bool together = dofs[side.length - 1] - dofs[0] == side.length - 1;
    if (together && side.length == 6) {  // a free body
      add_impulses<6>(J, lambda.data() + group.first_row, group.row_count, p.data() + dofs[0]);
      continue;
    }
    if (together && side.length == 3) {  // a carriage, a ball joint
      add_impulses<3>(J, lambda.data() + group.first_row, group.row_count, p.data() + dofs[0]);
      continue;
    }
    for (Index r = 0; r < group.row_count; ++r, J += side.length) {
      const double load = lambda[group.first_row + r];
      if (load == 0) continue;
      for (Index k = 0; k < side.length; ++k) p[dofs[k]] += J[k] * load;
    }
  }
}

}  // namespace tact
