// solve/static_equilibrium.cpp - contacts as points under the associated law.
#include "tact/solve/static_equilibrium.hpp"

namespace tact {
namespace {

using Work = StaticEquilibriumWorkspace;

LocalLaw associated_law(Index rows, double mu) {
  LocalLaw out;
  out.kind = rows == 2 ? LawKind::interval : LawKind::disc;
  out.rows = static_cast<std::uint8_t>(rows);
  out.mu = mu;
  out.associated = true;
  return out;
}

void add_part(Index contact, const LocalLaw& law, const LocalMatrix& T, Work& work) {
  work.parts.push_back({contact, T});
  work.problem.laws.push_back(law);
}

/// Velocity [t1, t2, n] of the point x of a contact with the rows [ω_T, ω_N, v_T, v_N].
LocalMatrix point_rows(const Vec2& x) {
  LocalMatrix T = LocalMatrix::Zero(3, 6);
  T.block<3, 3>(0, 3).setIdentity();
  T(0, 2) = -x[1];
  T(1, 2) = x[0];
  T(2, 0) = x[1];
  T(2, 1) = -x[0];
  return T;
}

void add_contact(Index i, const LocalLaw& law, Work& work) {
  constexpr int rim = 12;  // points of a round edge
  switch (law.kind) {
    case LawKind::interval:
    case LawKind::disc:
    case LawKind::polygon:
      return add_part(i, associated_law(law.rows, law.mu),
                      LocalMatrix::Identity(law.rows, law.rows), work);
    case LawKind::rolling:
      return add_part(i, associated_law(3, law.mu), point_rows(Vec2::Zero()), work);
    case LawKind::patch_friction:
      for (const Vec2& x : law.patch->cone.hull().outline(rim))
        add_part(i, associated_law(3, law.mu), point_rows(x), work);
      return;
    default:
      return add_part(i, law, LocalMatrix::Identity(law.rows, law.rows), work);
  }
}

/// b and the blocks of G on the diagonal.
void cut_numbers(const DelassusProblem& whole, Work& work) {
  BlockMatrix& G = work.problem.G;
  clear(G);
  for (const auto& [i, T] : work.parts) {
    const LocalMatrix block = T * whole.G.diagonal_block(i) * T.transpose();
    append_diagonal(block.data(), block.rows(), G);
  }
  work.problem.b.resize(G.size());
  for (std::size_t p = 0; p < work.parts.size(); ++p) {
    const auto& [i, T] = work.parts[p];
    work.problem.b.segment(G.offset[p], T.rows()) =
        T * whole.b.segment(whole.G.offset[i], T.cols());
  }
  update_metrics(work.problem);
}

/// Y of the parts: T Y of their contacts.
void cut_rows(const BodyRows& from, Work& work) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  BodyRows& to = work.bodies;
  to.node_begin = from.node_begin;
  to.of_dof = from.of_dof;
  to.dofs = from.dofs;
  to.side_begin.assign(1, 0);
  to.sides.clear();
  Index size = 0;
  for (const Work::Part& part : work.parts)
    for (const BodyRows::Side& side : from.sides_of(part.contact))
      size += part.T.rows() * side.length;
  work.Y.resize(static_cast<std::size_t>(size));
  double* at = work.Y.data();
  for (const Work::Part& part : work.parts) {
    for (BodyRows::Side side : from.sides_of(part.contact)) {
      const Eigen::Map<const Rows> Y(side.Y, part.T.cols(), side.length);
      Eigen::Map<Rows>(at, part.T.rows(), side.length).noalias() = part.T.lazyProduct(Y);
      side.Y = at;
      at += part.T.rows() * side.length;
      to.sides.push_back(side);
    }
    to.side_begin.push_back(static_cast<Index>(to.sides.size()));
  }
}

}  // namespace

void static_impulses(const BodyProblem& problem, const SolveOptions& options, Work& work,
                     VecX& lambda) {
  const DelassusProblem& whole = problem.contacts;
  work.parts.clear();
  work.problem.laws.clear();
  for (Index i = 0; i < whole.contacts(); ++i) add_contact(i, whole.laws[i], work);
  cut_numbers(whole, work);
  cut_rows(problem.bodies, work);
  work.lambda.setZero(work.problem.rows());
  AugmentedNewtonOptions settings;
  settings.acceptable = tolerance::rest;
  work.iterations = augmented_newton(BodyProblem{work.problem, work.bodies}, options, settings,
                                     work.newton, work.lambda)
                        .iterations;
  lambda.setZero(whole.rows());
  for (std::size_t p = 0; p < work.parts.size(); ++p) {
    const auto& [i, T] = work.parts[p];
    lambda.segment(whole.G.offset[i], T.cols()) +=
        T.transpose() * work.lambda.segment(work.problem.G.offset[p], T.rows());
  }
}

}  // namespace tact
