#include "tact/body/jacobian.hpp"

#include "tact/base/expects.hpp"
#include "tact/body/motion_algebra.hpp"

namespace tact {

namespace {

/// The force and the moment about O whose power in an axis is the entry of the row.
Motion force_of(const Model& model, const Kinematics& kin, const RowSide& side) {
  const Index link = model.tree.link_of(side.body);
  if (link < 0) return {};
  return {side.axis + cross(side.point_W - kin.origin[link], side.direction), side.direction};
}

}  // namespace

std::span<const Index> chain(const Model& model, Index body) {
  const Tree& tree = model.tree;
  const Index link = tree.link_of(body);
  if (link < 0) return {};
  const Index last = tree.links[link].first_dof + tree.links[link].dof_count - 1;
  return std::span(tree.column)
      .subspan(static_cast<std::size_t>(tree.row[last]),
               static_cast<std::size_t>(tree.row[last + 1] - tree.row[last]));
}

void point_jacobian(const Model& model, const Kinematics& kin, Index body, const Vec3& point_W,
                    std::vector<Motion>& columns) {
  columns.clear();
  const std::span<const Index> dofs = chain(model, body);
  if (dofs.empty()) return;
  const Vec3 r = point_W - kin.origin[model.tree.link_of(body)];
  for (const Index d : dofs) {
    const Motion& S = kin.axis[d];
    columns.push_back({S.w, S.v + cross(S.w, r)});
  }
}

void SparseRows::clear() {
  begin.assign(1, 0);
  column.clear();
  value.clear();
}

void SparseRows::add(Index at, double entry) {
  column.push_back(at);
  value.push_back(entry);
}

void SparseRows::finish_row() {
  begin.push_back(static_cast<Index>(column.size()));
}

double SparseRows::times(Index row, const VecX& x) const {
  double sum = 0;
  for (Index e = begin[row]; e < begin[row + 1]; ++e) sum += value[e] * x[column[e]];
  return sum;
}

void SparseRows::add_transposed(Index row, double s, VecX& y) const {
  for (Index e = begin[row]; e < begin[row + 1]; ++e) y[column[e]] += s * value[e];
}

SparseMatrix sparse(const SparseRows& rows, Index columns) {
  SparseMatrix out(rows.rows(), columns);
  out.reserve(static_cast<Index>(rows.value.size()));
  for (Index i = 0; i < rows.rows(); ++i) {
    out.startVec(i);
    for (Index e = rows.begin[i]; e < rows.begin[i + 1]; ++e)
      out.insertBack(i, rows.column[e]) = rows.value[e];
  }
  out.finalize();
  return out;
}

void append_row(const Model& model, const Kinematics& kin, const RowSide& first,
                const RowSide& second, SparseRows& rows) {
  const std::span<const Index> a = chain(model, first.body);
  const std::span<const Index> b = chain(model, second.body);
  const Motion force_a = force_of(model, kin, first);
  const Motion force_b = force_of(model, kin, second);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i] < b[j])) {
      rows.add(a[i], power(kin.axis[a[i]], force_a));
      ++i;
    } else if (i == a.size() || b[j] < a[i]) {
      rows.add(b[j], power(kin.axis[b[j]], force_b));
      ++j;
    } else {
      const Motion& S = kin.axis[a[i]];
      const double both = power(S, force_a) + power(S, force_b);
      if (both != 0) rows.add(a[i], both);
      ++i;
      ++j;
    }
  }
  rows.finish_row();
}

void append_row(const Model& model, const Kinematics& kin, const RowSide& side, SparseRows& rows) {
  append_row(model, kin, side, RowSide{}, rows);
}

}  // namespace tact
