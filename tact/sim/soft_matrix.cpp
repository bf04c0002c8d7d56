// sim/soft_matrix.cpp - masses, and the slopes of the elements through their rows.
#include "tact/sim/soft_matrix.hpp"

#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

template <int N>
using SideRows = Eigen::Map<const Eigen::Matrix<double, 6, N, Eigen::RowMajor>>;

/// matrix += ½ Jaᵀy for one chain of A dofs and the columns of another.
template <int A, int B>
void add_block(const double* Ja, const Index* da, const Eigen::Matrix<double, 6, B>& y,
               const Index* db, SoftWork& w) {
  const Eigen::Matrix<double, A, B> block = SideRows<A>(Ja).transpose().lazyProduct(y);
  for (int c = 0; c < B; ++c) {
    double* column = w.matrix.col(w.place[db[c]]).data();
    for (int r = 0; r < A; ++r) column[w.place[da[r]]] += block(r, c);
  }
}

/// The columns of one chain of B dofs; others have three or six.
template <int B>
void add_columns(const Tree& tree, const RowGroup& group, const ChainRows& right, const Mat6& S,
                 SoftWork& w) {
  const double* J = w.rows.jacobian.data();
  const Index* db = tree.column.data() + tree.row[right.leaf];
  const Eigen::Matrix<double, 6, B> y = 0.5 * S.lazyProduct(SideRows<B>(J + right.at));
  for (Index a = group.first_side; a < group.first_side + group.side_count; ++a) {
    const ChainRows& left = w.rows.sides[a];
    const Index* da = tree.column.data() + tree.row[left.leaf];
    if (left.length == 6)
      add_block<6, B>(J + left.at, da, y, db, w);
    else
      add_block<3, B>(J + left.at, da, y, db, w);
  }
}

/// Chains of three and six dofs, those of carriages and free bodies. False where there are others.
bool add_blocks(const Tree& tree, const RowGroup& group, const Mat6& S, SoftWork& w) {
  const Index last = group.first_side + group.side_count;
  for (Index s = group.first_side; s < last; ++s)
    if (const Index n = w.rows.sides[s].length; n != 3 && n != 6) return false;
  for (Index b = group.first_side; b < last; ++b) {
    const ChainRows& right = w.rows.sides[b];
    if (right.length == 6)
      add_columns<6>(tree, group, right, S, w);
    else
      add_columns<3>(tree, group, right, S, w);
  }
  return true;
}

/// matrix += ½ JᵀSJ over the sides of one element. Rows of J lie one after the other, so that a
/// column of the block is a sum of six of them.
void add_slope(const Simulation& sim, const RowGroup& group, const Mat6& S, SoftWork& w) {
  const Tree& tree = sim.scene.model.tree;
  if (add_blocks(tree, group, S, w)) return;
  for (Index b = group.first_side; b < group.first_side + group.side_count; ++b) {
    const ChainRows& right = w.rows.sides[b];
    const double* Jb = w.rows.jacobian.data() + right.at;
    const Index* db = tree.column.data() + tree.row[right.leaf];
    for (Index c = 0; c < right.length; ++c) {
      Vec6 y = Vec6::Zero();
      for (Index i = 0; i < 6; ++i) y += (0.5 * Jb[i * right.length + c]) * S.col(i);
      // By name, so that the compiler sees that the matrix does not change them.
      const double y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3], y4 = y[4], y5 = y[5];
      double* column = w.matrix.col(w.place[db[c]]).data();
      for (Index a = group.first_side; a < group.first_side + group.side_count; ++a) {
        const ChainRows& left = w.rows.sides[a];
        const double* Ja = w.rows.jacobian.data() + left.at;
        const Index* da = tree.column.data() + tree.row[left.leaf];
        const Index n = left.length;
        for (Index r = 0; r < n; ++r)
          column[w.place[da[r]]] += Ja[r] * y0 + Ja[n + r] * y1 + Ja[2 * n + r] * y2 +
                                    Ja[3 * n + r] * y3 + Ja[4 * n + r] * y4 + Ja[5 * n + r] * y5;
      }
    }
  }
}

}  // namespace

void choose_soft_dofs(const Simulation& sim, SoftWork& w) {
  const Tree& tree = sim.scene.model.tree;
  w.place.assign(static_cast<std::size_t>(sim.scene.model.nv), -1);
  w.dofs.clear();
  for (const ChainRows& side : w.rows.sides)
    w.place[tree.column[tree.row[side.leaf]]] = 0;  // its root
  for (Index d = 0; d < sim.scene.model.nv; ++d) {
    if (w.place[tree.column[tree.row[d]]] < 0) continue;
    w.place[d] = static_cast<Index>(w.dofs.size());
    w.dofs.push_back(d);
  }
}

void fill_soft_mass(const Simulation& sim, SoftWork& w) {
  const Tree& tree = sim.scene.model.tree;
  const auto n = static_cast<Index>(w.dofs.size());
  w.mass.setZero(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index d = w.dofs[i];
    for (Index k = tree.row[d]; k < tree.row[d + 1]; ++k) {
      const Index j = w.place[tree.column[k]];
      w.mass(i, j) = w.mass(j, i) = sim.work->lumped[k];
    }
  }
}

bool factor_soft_matrix(const Simulation& sim, SoftWork& w) {
  w.matrix = w.mass;
  for (Index i = 0; i < w.element_count; ++i) {
    const SoftWork::Element& e = w.elements[i];
    if (e.group < 0) continue;
    const Mat6& S = e.spring >= 0 ? e.spring_answer.slope : e.answer.slope;
    add_slope(sim, w.rows.groups[e.group], S, w);
  }
  return w.lu.factor(w.matrix);
}

}  // namespace tact
