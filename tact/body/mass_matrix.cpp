#include "tact/body/mass_matrix.hpp"

#include "tact/base/expects.hpp"
#include "tact/body/motion_algebra.hpp"

namespace tact {

namespace {

/// The 6 × 6 block of a body that is alone, rows of the lower triangle one after the other.
void write_alone(const Tree::Link& link, const Mat3& R, double* out) {
  const double m = link.mass;
  const Vec3& c = link.com_B;
  const Mat3& I = link.inertia_B;
  out[0] = m;                       // 0
  out[1] = 0, out[2] = m;           // 1
  out[3] = out[4] = 0, out[5] = m;  // 2
  // A turn about R e_k moves the centre with R (e_k × c).
  const Vec3 x = m * (c[1] * R.col(2) - c[2] * R.col(1));
  const Vec3 y = m * (c[2] * R.col(0) - c[0] * R.col(2));
  const Vec3 z = m * (c[0] * R.col(1) - c[1] * R.col(0));
  for (int i = 0; i < 3; ++i) {
    out[6 + i] = x[i];
    out[10 + i] = y[i];
    out[15 + i] = z[i];
  }
  out[9] = I(0, 0);
  out[13] = I(1, 0), out[14] = I(1, 1);
  out[18] = I(2, 0), out[19] = I(2, 1), out[20] = I(2, 2);
}

/// The same of a free link that carries others: its composite inertia about its origin, in W.
void write_free(const PointInertia& I, const Mat3& R, double* out) {
  out[0] = I.mass;
  out[1] = 0, out[2] = I.mass;
  out[3] = out[4] = 0, out[5] = I.mass;
  double* row = out + 6;
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = R.col(k);
    const Vec3 linear = cross(a, I.moment);
    const Vec3 angular = I.turned(a);
    for (int i = 0; i < 3; ++i) row[i] = linear[i];
    for (int i = 0; i <= k; ++i) row[3 + i] = R.col(i).dot(angular);
    row += 4 + k;
  }
}

/// The six entries of a row that belong to the free joint at the root: its axes are those of W, and
/// of the body about O.
void couple_free(const Motion& force, const Mat3& R, double* row) {
  row[0] = force.v[0], row[1] = force.v[1], row[2] = force.v[2];
  row[3] = R.col(0).dot(force.w);
  row[4] = R.col(1).dot(force.w);
  row[5] = R.col(2).dot(force.w);
}

void write_rows(const Tree& tree, const Kinematics& kin, const Tree::Link& link,
                const PointInertia& composite, double* values) {
  const Tree::Link& root = tree.links[link.root];
  const Index skip = root.free ? 6 : 0;
  const Mat3& R = kin.X_WB[root.body].R;
  const Motion* axis = kin.axis.data();
  for (Index d = link.first_dof; d < link.first_dof + link.dof_count; ++d) {
    const Motion force = momentum(composite, axis[d]);
    double* row = values + tree.row[d];
    const Index* column = tree.column.data() + tree.row[d];
    const Index count = tree.row[d + 1] - tree.row[d];
    if (skip > 0) couple_free(force, R, row);
    for (Index e = skip; e < count; ++e) row[e] = power(axis[column[e]], force);
  }
}

}  // namespace

void mass_matrix(const Model& model, const Kinematics& kin, MassMatrix& mass) {
  const Tree& tree = model.tree;
  mass.values.resize(tree.row[model.nv]);
  mass.composite.resize(tree.links.size());
  const auto links = static_cast<Index>(tree.links.size());
  for (Index i = 0; i < links; ++i)
    if (!tree.links[i].alone) mass.composite[i] = kin.inertia[i];
  double* values = mass.values.data();
  for (Index i = links - 1; i >= 0; --i) {
    const Tree::Link& link = tree.links[i];
    double* block = values + tree.row[link.first_dof];
    if (link.alone) {
      write_alone(link, kin.X_WB[link.body].R, block);
      continue;
    }
    if (link.free) {
      write_free(mass.composite[i], kin.X_WB[link.body].R, block);
      continue;
    }
    write_rows(tree, kin, link, mass.composite[i], values);
    if (link.parent >= 0) mass.composite[link.parent] += mass.composite[i];
  }
  for (Index d = 0; d < model.nv; ++d) values[tree.row[d + 1] - 1] += tree.armature[d];
}

namespace {

/// A free body about its centre of mass, along its principal axes: nothing off the diagonal.
bool is_diagonal(const Tree::Link& link) {
  return link.alone && link.diagonal && link.com_B.isZero(0);
}

/// Where the diagonal entries of a free body's six rows are, from its first entry.
constexpr Index diagonal_of_six[] = {0, 2, 5, 9, 14, 20};

/// Row k and what it takes from those above; false where the pivot is not positive.
bool factor_row(const Tree& tree, Index k, double* F) {
  double* row = F + tree.row[k];
  const Index* column = tree.column.data() + tree.row[k];
  const Index above = tree.row[k + 1] - tree.row[k] - 1;
  const bool definite = row[above] > 0;
  const double inverse = 1 / row[above];
  row[above] = inverse;
  // Deepest first: row a takes the entries of row k up to itself before they become those of L.
  for (Index e = above - 1; e >= 0; --e) {
    if (row[e] == 0) continue;  // as most are of a free body
    const double l = row[e] * inverse;
    double* target = F + tree.row[column[e]];
    for (Index j = 0; j <= e; ++j) target[j] -= l * row[j];
    row[e] = l;
  }
  return definite;
}

}  // namespace

bool factor(const Model& model, const MassMatrix& mass, TreeFactor& factor) {
  return tact::factor(model, mass.values, factor);
}

bool factor(const Model& model, const VecX& values, TreeFactor& factor) {
  const Tree& tree = model.tree;
  TACT_EXPECTS(values.size() == tree.row[model.nv]);
  factor.values = values;
  double* F = factor.values.data();
  bool definite = true;
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Tree::Link& link = tree.links[i];
    if (is_diagonal(link)) {
      double* block = F + tree.row[link.first_dof];
      for (const Index at : diagonal_of_six) {
        definite = definite && block[at] > 0;
        block[at] = 1 / block[at];
      }
      continue;
    }
    for (Index k = link.first_dof + link.dof_count - 1; k >= link.first_dof; --k)
      definite = factor_row(tree, k, F) && definite;
  }
  return definite;
}

void solve_in_place(const Model& model, const TreeFactor& factor, Eigen::Ref<VecX> x) {
  const Tree& tree = model.tree;
  TACT_EXPECTS(x.size() == model.nv);
  const double* F = factor.values.data();
  const Index* column = tree.column.data();
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Tree::Link& link = tree.links[i];
    if (is_diagonal(link)) {
      const double* block = F + tree.row[link.first_dof];
      for (Index k = 0; k < 6; ++k) x[link.first_dof + k] *= block[diagonal_of_six[k]];
      continue;
    }
    for (Index k = link.first_dof + link.dof_count - 1; k >= link.first_dof; --k) {
      const double xk = x[k];
      if (xk == 0) continue;
      for (Index e = tree.row[k]; e < tree.row[k + 1] - 1; ++e) x[column[e]] -= F[e] * xk;
    }
  }
  for (const Tree::Link& link : tree.links) {
    if (is_diagonal(link)) continue;
    for (Index k = link.first_dof; k < link.first_dof + link.dof_count; ++k) {
      const Index diagonal = tree.row[k + 1] - 1;
      double sum = x[k] * F[diagonal];
      for (Index e = tree.row[k]; e < diagonal; ++e) sum -= F[e] * x[column[e]];
      x[k] = sum;
    }
  }
}

void product(const Model& model, const MassMatrix& mass, const VecX& x, VecX& y) {
  const Tree& tree = model.tree;
  TACT_EXPECTS(x.size() == model.nv && &x != &y);
  y.setZero(model.nv);
  for (Index k = 0; k < model.nv; ++k) {
    const Index diagonal = tree.row[k + 1] - 1;
    double sum = mass.values[diagonal] * x[k];
    for (Index e = tree.row[k]; e < diagonal; ++e) {
      const Index a = tree.column[e];
      sum += mass.values[e] * x[a];
      y[a] += mass.values[e] * x[k];
    }
    y[k] += sum;
  }
}

MatX dense(const Model& model, const MassMatrix& mass) {
  const Tree& tree = model.tree;
  MatX M = MatX::Zero(model.nv, model.nv);
  for (Index k = 0; k < model.nv; ++k)
    for (Index e = tree.row[k]; e < tree.row[k + 1]; ++e)
      M(k, tree.column[e]) = M(tree.column[e], k) = mass.values[e];
  return M;
}

SparseMatrix sparse(const Model& model, const MassMatrix& mass) {
  const Tree& tree = model.tree;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * tree.column.size());
  for (Index k = 0; k < model.nv; ++k)
    for (Index e = tree.row[k]; e < tree.row[k + 1]; ++e) {
      const auto row = static_cast<int>(k), column = static_cast<int>(tree.column[e]);
      if (row == column)
        entries.emplace_back(row, row, mass.values[e]);
      else if (mass.values[e] != 0) {
        entries.emplace_back(row, column, mass.values[e]);
        entries.emplace_back(column, row, mass.values[e]);
      }
    }
  SparseMatrix M(model.nv, model.nv);
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

}  // namespace tact
