// solve/newton_operators.hpp - how a system of the augmented Lagrangian is made and solved: on the
// graph of bodies, with G, or with a mass matrix of any pattern. Part of augmented_newton.cpp.
//
// An operator keeps the point x and its velocities u in the workspace:
//     start(λ)      x = M⁻¹Jᵀλ, u = J x + b
//     error(λ)      F = M x - Jᵀλ; |F|_{M⁻¹}
//     momentum(λ)   |Jᵀλ|_{M⁻¹}
//     set_force(f)  F = Jᵀf
//     factor(α, symmetric)   of H = M + JᵀCJ, from the pieces and slopes in the workspace
//     aim(α)        dx = -H⁻¹F and du = J dx; dx.F
//     begun(), growing()   dx.M x and dx.M dx: the slope dx.F(x + t dx) without its impulses
//     go(t)         x += t dx, u += t du
#pragma once

#include <algorithm>
#include <cmath>

#include "tact/solve/augmented_newton.hpp"

namespace tact::detail {

using Work = AugmentedNewtonWorkspace;

/// C = -∂λ/∂u of a constraint that is not open.
inline void compliance(Piece piece, const LocalMatrix& slope, const LocalMetric& metric,
                       double alpha, LocalMatrix& C) {
  if (piece == Piece::resting)
    C = metric.inverse() / alpha;
  else
    C.noalias() = slope.lazyProduct(metric.inverse()) / alpha;
}

// ---- through the bodies -------------------------------------------------------------------------

/// H = I + YᵀCY on the graph of bodies; x = w, F = w - Yᵀλ(w).
struct BodyOperator {
  static constexpr bool on_impulses = false;
  const BodyProblem& problem;
  Work& w;
  bool analysed = false;

  void start(const VecX& lambda) {
    body_impulses(problem, lambda, w.point);
    body_velocities(problem, w.point, w.u);
    w.u += problem.contacts.b;
  }
  [[nodiscard]] double error(const VecX& image) {
    body_impulses(problem, image, w.force);
    w.force = w.point - w.force;
    return w.force.norm();
  }
  /// Of impulses that cancel nothing is left.
  [[nodiscard]] double momentum(const VecX& lambda) {
    set_force(lambda);
    return w.force.norm();
  }
  void set_force(const VecX& impulses) { body_impulses(problem, impulses, w.force); }

  void analyse() {
    make_body_pattern(problem.bodies, w.pattern, w.graph);
    if (!w.lu.fits(w.graph)) w.lu.analyse(w.graph);
    analysed = true;
  }

  /// column += Y_aᵀ cy.
  void add_column(const BodyRows::Side& a, const double* cy, Index rows, double* column) const {
    const BodyRows& bodies = problem.bodies;
    const Index base = bodies.node_begin[a.node];
    for (Index k = 0; k < a.length; ++k) {
      double sum = 0;
      for (Index r = 0; r < rows; ++r) sum += a.Y[r * a.length + k] * cy[r];
      column[bodies.dof(a, k) - base] += sum;
    }
  }
  /// YᵀCY of one constraint; of a symmetric matrix the half that is read.
  void add(Index i, const LocalMatrix& C) {
    const auto sides = problem.bodies.sides_of(i);
    const auto has_six = [](const BodyRows::Side& s) { return s.together && s.length == 6; };
    if (std::all_of(sides.begin(), sides.end(), has_six)) {
      if (C.rows() == 6) return add_free<6>(i, C);
      if (C.rows() == 3) return add_free<3>(i, C);
      if (C.rows() == 1) return add_free<1>(i, C);
    }
    const Index count = static_cast<Index>(sides.size()), rows = C.rows();
    const Index* entries = w.pattern.entry.data() + w.pattern.pair_begin[i];
    double cy[6];
    for (Index q = 0; q < count; ++q) {
      const BodyRows::Side& b = sides[q];
      const Index base = problem.bodies.node_begin[b.node];
      for (Index k = 0; k < b.length; ++k) {
        for (Index r = 0; r < rows; ++r) {
          double sum = 0;
          for (Index s = 0; s < rows; ++s) sum += C(r, s) * b.Y[s * b.length + k];
          cy[r] = sum;
        }
        for (Index p = 0; p < count; ++p) {
          const Index entry = entries[p * count + q];
          if (!w.lu.reads(entry)) continue;
          Index stride = 0;
          double* block = w.lu.place(entry, stride);
          add_column(sides[p], cy, rows, block + (problem.bodies.dof(b, k) - base) * stride);
        }
      }
    }
  }
  /// The same where all chains are six dofs, those of free bodies: sizes that the compiler knows.
  template <int Rows>
  void add_free(Index i, const LocalMatrix& C) {
    const auto sides = problem.bodies.sides_of(i);
    const std::size_t count = sides.size();
    const Index* entries = w.pattern.entry.data() + w.pattern.pair_begin[i];
    double CY[6 * Rows];
    for (std::size_t q = 0; q < count; ++q) {
      for (int r = 0; r < Rows; ++r)
        for (int k = 0; k < 6; ++k) {
          double sum = 0;
          for (int s = 0; s < Rows; ++s) sum += C.data()[s * Rows + r] * sides[q].Y[6 * s + k];
          CY[6 * r + k] = sum;
        }
      for (std::size_t p = 0; p < count; ++p)
        add_block<Rows>(entries[p * count + q], sides[p].Y, CY);
    }
  }
  /// YᵀCY into one entry.
  template <int Rows>
  void add_block(Index entry, const double* Y, const double* CY) {
    if (!w.lu.reads(entry)) return;
    Index stride = 0;
    double* to = w.lu.place(entry, stride);
    for (int k = 0; k < 6; ++k, to += stride) {
      double column[6] = {};
      for (int r = 0; r < Rows; ++r)
        for (int j = 0; j < 6; ++j) column[j] += Y[6 * r + j] * CY[6 * r + k];
      for (int j = 0; j < 6; ++j) to[j] += column[j];
    }
  }

  [[nodiscard]] bool factor(double alpha, bool symmetric) {
    if (!analysed) analyse();
    w.lu.clear(symmetric);
    for (Index n = 0; n < problem.bodies.nodes(); ++n) {
      Index stride = 0;
      double* block = w.lu.place(w.graph.diagonal[n], stride);
      for (Index k = 0; k < w.graph.rows_of(n); ++k) block[k * stride + k] += 1;
    }
    LocalMatrix C;
    for (Index i = 0; i < problem.contacts.contacts(); ++i) {
      if (w.piece[i] == Piece::open) continue;
      compliance(w.piece[i], w.slope[i], problem.contacts.metric(i), alpha, C);
      add(i, C);
    }
    return w.lu.factor();
  }
  /// dx and du; dx.F.
  [[nodiscard]] double aim(double) {
    w.direction = -w.force;
    w.lu.solve(w.direction);
    body_velocities(problem, w.direction, w.du);
    return w.direction.dot(w.force);
  }
  [[nodiscard]] double begun() const { return w.direction.dot(w.point); }
  [[nodiscard]] double growing() const { return w.direction.squaredNorm(); }
  void go(double t) {
    w.point += t * w.direction;
    w.u += t * w.du;
  }
};

// ---- with G -------------------------------------------------------------------------------------

/// The same in impulses y that stand for x = M⁻¹Jᵀy: F = Jᵀ(y - λ), dy = -(αD C' + C' G)...
struct ExplicitOperator {
  static constexpr bool on_impulses = true;  ///< dx are impulses
  const DelassusProblem& problem;
  Work& w;

  void start(const VecX& lambda) {
    w.point = lambda;
    multiply(problem.G, lambda, w.u);
    w.u += problem.b;
  }
  [[nodiscard]] double error(const VecX& image) {
    w.force = w.point - image;
    multiply(problem.G, w.force, w.momentum);
    return std::sqrt(std::abs(w.force.dot(w.momentum)));
  }
  [[nodiscard]] double momentum(const VecX& lambda) {
    multiply(problem.G, lambda, w.force);
    return std::sqrt(std::max(0.0, lambda.dot(w.force)));
  }
  void set_force(const VecX& impulses) { w.force = impulses; }

  /// Rows of αD + G where it rests, of the identity where it is open, else of αI + P D⁻¹ G.
  [[nodiscard]] bool factor(double alpha, bool /*symmetric*/) {
    if (!w.lu.fits(problem.G)) w.lu.analyse(problem.G);
    w.lu.clear();
    const BlockMatrix& G = problem.G;
    LocalMatrix B, block;
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Index rows = problem.laws[i].rows;
      const LocalMetric metric = problem.metric(i);
      if (w.piece[i] == Piece::open) {
        block.setIdentity(rows, rows);
        w.lu.add(i, G.diagonal[i], block);
        continue;
      }
      if (w.piece[i] == Piece::resting) {
        block = alpha * metric.matrix();
        w.lu.add(i, G.diagonal[i], block);
        for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e) w.lu.add(i, e, G.block(i, e));
        continue;
      }
      B.noalias() = w.slope[i].lazyProduct(metric.inverse());
      for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e) {
        block.noalias() = B.lazyProduct(G.block(i, e));
        if (e == G.diagonal[i]) block.diagonal().array() += alpha;
        w.lu.add(i, e, block);
      }
    }
    return w.lu.factor();
  }
  [[nodiscard]] double aim(double alpha) {
    w.direction.resize(problem.rows());
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Index at = problem.G.offset[i], rows = problem.laws[i].rows;
      if (w.piece[i] == Piece::resting)
        w.direction.segment(at, rows).noalias() =
            -alpha * problem.metric(i).matrix() * w.force.segment(at, rows);
      else
        w.direction.segment(at, rows) =
            (w.piece[i] == Piece::open ? -1 : -alpha) * w.force.segment(at, rows);
    }
    w.lu.solve(w.direction);
    multiply(problem.G, w.direction, w.du);
    return w.du.dot(w.force);
  }
  [[nodiscard]] double begun() const { return w.du.dot(w.point); }
  [[nodiscard]] double growing() const { return w.du.dot(w.direction); }
  void go(double t) {
    w.point += t * w.direction;
    w.u += t * w.du;
  }
};

// ---- with M and J -------------------------------------------------------------------------------

/// H = M + JᵀCJ, sparse, of a mass matrix of any pattern.
struct MassOperator {
  static constexpr bool on_impulses = false;
  const MassProblem& problem;
  Work& w;
  bool analysed = false;

  void start(const VecX& lambda) {
    w.point = problem.factor.solve(problem.J.transpose() * lambda);
    w.u = problem.J * w.point + problem.b;
  }
  [[nodiscard]] double size() const {
    return std::sqrt(std::max(0.0, w.force.dot(problem.factor.solve(w.force))));
  }
  [[nodiscard]] double error(const VecX& image) {
    w.force = problem.M * w.point - problem.J.transpose() * image;
    return size();
  }
  [[nodiscard]] double momentum(const VecX& lambda) {
    set_force(lambda);
    return size();
  }
  void set_force(const VecX& impulses) { w.force = problem.J.transpose() * impulses; }
  void analyse() {
    make_mass_pattern(problem, w.mass_pattern, w.graph);
    w.lu.analyse(w.graph);
    analysed = true;
  }
  [[nodiscard]] bool factor(double alpha, bool /*symmetric*/) {
    if (!analysed) analyse();
    w.lu.clear();
    for (Index i = 0; i < w.graph.blocks(); ++i)
      for (Index e = w.graph.row_begin[i]; e < w.graph.row_begin[i + 1]; ++e)
        w.lu.add(i, e, w.graph.block(i, e));
    LocalMatrix C;
    for (Index i = 0; i < problem.contacts(); ++i) {
      if (w.piece[i] == Piece::open) continue;
      compliance(w.piece[i], w.slope[i], problem.metric(i), alpha, C);
      const MassPattern::Rows& rows = w.mass_pattern.rows[i];
      const std::size_t count = rows.block.size();
      for (std::size_t a = 0; a < count; ++a) {
        const MatX left = rows.jacobian[a].transpose() * C;
        for (std::size_t b = 0; b < count; ++b)
          w.lu.add(rows.block[a], rows.entry[a * count + b], MatX(left * rows.jacobian[b]));
      }
    }
    return w.lu.factor();
  }
  [[nodiscard]] double aim(double) {
    w.direction = -w.force;
    w.lu.solve(w.direction);
    w.du = problem.J * w.direction;
    return w.direction.dot(w.force);
  }
  [[nodiscard]] double begun() const { return w.direction.dot(problem.M * w.point); }
  [[nodiscard]] double growing() const { return w.direction.dot(problem.M * w.direction); }
  void go(double t) {
    w.point += t * w.direction;
    w.u += t * w.du;
  }
};

}  // namespace tact::detail
