// contact/body_problem.hpp - a contact problem kept on its bodies: G = Y Yᵀ is never made.
//
// Y = J L⁻¹ D^-½ of constraint_rows.hpp, so that w = Yᵀλ are velocities in coordinates in which the
// mass matrix is the identity: u = Y w + b. A node is a tree (a free body, a robot), reduced to the
// degrees of freedom that some constraint of the problem acts on.
#pragma once

#include <span>
#include <vector>

#include "tact/contact/constraint_rows.hpp"
#include "tact/contact/residual.hpp"

namespace tact {

/// Which bodies the constraints of a problem act on.
struct BodyRows {
  /// The part of a constraint's rows that acts on one body, dense over a chain of its dofs.
  struct Side {
    Index node = 0;
    Index length = 0;
    Index first = 0;        ///< dof of the problem, where `together`; else its place in `dofs`
    bool together = false;  ///< the dofs follow each other
    const double* Y = nullptr;
  };
  std::vector<Index> side_begin;  ///< [constraints + 1]
  std::vector<Side> sides;
  std::vector<Index> dofs;        ///< of the problem, of chains that do not lie together
  std::vector<Index> node_begin;  ///< [nodes + 1] first dof of every node
  std::vector<Index> of_dof;      ///< [dofs of the problem] which dof of the model

  [[nodiscard]] Index nodes() const { return static_cast<Index>(node_begin.size()) - 1; }
  [[nodiscard]] Index size() const { return node_begin.back(); }
  /// The k-th dof of a side's chain.
  [[nodiscard]] Index dof(const Side& side, Index k) const {
    return side.together ? side.first + k : dofs[side.first + k];
  }
  [[nodiscard]] std::span<const Side> sides_of(Index i) const {
    return std::span(sides).subspan(static_cast<std::size_t>(side_begin[i]),
                                    static_cast<std::size_t>(side_begin[i + 1] - side_begin[i]));
  }
};

/// The constraints `groups` of `rows`, whose Y is known. `local` [dofs of the model] is scratch
/// that islands may share: each reads and writes only where its own bodies are.
void make_body_rows(const Model& model, const ConstraintRows& rows, std::span<const Index> groups,
                    std::span<Index> local, BodyRows& out);

/// Laws, free velocities and metrics of `contacts`, G of which only its diagonal is read, on
/// `bodies`.
struct BodyProblem {
  const DelassusProblem& contacts;
  const BodyRows& bodies;
};

/// out = Y w.
void body_velocities(const BodyProblem& problem, const VecX& w, VecX& out);
/// w = Yᵀ λ.
void body_impulses(const BodyProblem& problem, const VecX& lambda, VecX& w);

/// The pattern of I + YᵀCY, block by block, and where every pair of sides adds to it.
struct BodyPattern {
  std::vector<Index> pair_begin;  ///< [constraints] first of its sides² entries in `entry`
  std::vector<Index> entry;       ///< of the block matrix
  std::vector<std::pair<Index, Index>> pairs;  ///< scratch
};
void make_body_pattern(const BodyRows& bodies, BodyPattern& pattern, BlockMatrix& graph);

/// The residual of impulses whose velocities are found through the bodies.
[[nodiscard]] Residual residual(const BodyProblem& problem, const VecX& lambda, VecX& w, VecX& u,
                                LocalWorkspace& work);

}  // namespace tact
