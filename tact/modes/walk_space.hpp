// modes/walk_space.hpp - the velocities on which some rows vanish, and points in them.
//
// A walk by witnesses (witness_walk.hpp) stands in one such space after the other. The space is
// kept by lines that span it, a line by its values on all rows. Each line has an anchor: a row that
// it alone moves, so that the coordinates of a point can be read off its values. A witness is a
// point by its coordinates; they are doubles and meant exactly, whatever rounding led to them.
#pragma once

#include <vector>

#include "tact/modes/filtered.hpp"
#include "tact/modes/open_cone.hpp"
#include "tact/modes/split_cone.hpp"

namespace tact::detail {

/// The values of a line without rounding, in the unit in which the largest plane value is the
/// double that stands for it. The others are then off by twice the line's error at most, and by
/// rounding: `error` has room for it.
inline ExactVector exact_line(const SplitCone<Filtered>& cone, int line) {
  const std::vector<mpz_class>& whole = Filtered::exactly(cone.line_tags[line]);
  const double* values = cone.line(line);
  int largest = 0;
  for (int k = 1; k < cone.planes; ++k)
    if (std::abs(values[k]) > std::abs(values[largest])) largest = k;
  const Exact unit =
      sgn(whole[largest]) == 0 ? Exact(1) : Exact(Exact(values[largest]) / whole[largest]);
  ExactVector out;
  out.reserve(whole.size());
  for (const mpz_class& value : whole) out.emplace_back(unit * value);
  return out;
}
inline double line_error(const SplitCone<Filtered>& cone, int line) {
  return 4 * cone.line_tags[line].error;
}
/// What a tolerance has made is taken as it is.
inline ExactVector exact_line(const SplitCone<Snapped>& cone, int line) {
  return {cone.line(line), cone.line(line) + cone.width};
}
inline double line_error(const SplitCone<Snapped>& /*cone*/, int /*line*/) {
  return 0;
}

/// Rows that add up to zero on a space, some of them reversed.
struct Circuit {
  std::vector<Word> plus, minus;
};

template <class A>
struct WalkSpace {
  SplitCone<A> cone;        ///< lines alone
  std::vector<int> anchor;  ///< per line
  std::vector<Word> zero;   ///< rows that vanish
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values;  ///< row x line
  VecX error;                                                                     ///< per line
  std::vector<ExactVector> exact;  ///< lines, once they were asked for
  std::vector<Circuit> circuits;   ///< known here, and so in every space inside this one
  std::size_t oldest = 0;

  [[nodiscard]] int dim() const { return cone.lines; }
  [[nodiscard]] bool vanishes(int row) const { return has(zero.data(), row); }

  /// Fills what follows from the lines.
  void settle() {
    exact.clear();
    circuits.clear();
    oldest = 0;
    values.resize(cone.planes, cone.lines);
    error.resize(cone.lines);
    zero.assign(std::max(1, words_for(cone.planes)), 0);
    for (int l = 0; l < cone.lines; ++l) {
      error[l] = line_error(cone, l);
      for (int row = 0; row < cone.planes; ++row) values(row, l) = cone.line(l)[row];
    }
    for (int row = 0; row < cone.planes; ++row)
      if ((values.row(row).array() == 0).all()) put(zero.data(), row);
  }

  /// The anchors of a part as elimination leaves it.
  void find_anchors() {
    anchor.assign(cone.lines, -1);
    for (int row = 0; row < cone.planes; ++row) {
      int only = -1;
      int count = 0;
      for (int l = 0; l < cone.lines; ++l)
        if (sign_of(cone.line(l)[row]) != 0) {
          only = l;
          ++count;
        }
      if (count == 1 && anchor[only] < 0) anchor[only] = row;
    }
  }

  const std::vector<ExactVector>& exact_lines() {
    if (exact.empty())
      for (int l = 0; l < cone.lines; ++l) exact.push_back(exact_line(cone, l));
    return exact;
  }
  ExactVector exact_row(int row, int sign) {
    ExactVector out;
    out.reserve(cone.lines);
    for (const ExactVector& line : exact_lines())
      out.push_back(sign > 0 ? line[row] : Exact(-line[row]));
    return out;
  }

  /// A sum is worth keeping: it refutes other signs too.
  void keep(Circuit circuit) {
    constexpr std::size_t most = 256;
    if (circuits.size() < most) {
      circuits.push_back(std::move(circuit));
      return;
    }
    circuits[oldest] = std::move(circuit);
    oldest = (oldest + 1) % most;
  }
};

/// `to` becomes the part of `from` on which `row`, which does not vanish there, does.
template <class A>
void restrict_space(Cutter<A>& cutter, const WalkSpace<A>& from, int row, WalkSpace<A>& to) {
  const SplitCone<A>& cone = from.cone;
  const int pivot = Cutter<A>::pivot_line(cone, row);
  to.cone.shape(cone.planes, cone.width, 1);
  to.cone.reserve(0, cone.lines);
  to.cone.silent = cone.silent;
  to.anchor.clear();
  for (int l = 0; l < cone.lines; ++l) {
    if (l == pivot) continue;
    auto* out = to.cone.line(to.cone.lines);
    cutter.slide(cone, pivot, row, cone.line_view(l), out, to.cone.line_tags[to.cone.lines]);
    if (std::all_of(out, out + cone.planes, [](const auto& v) { return sign_of(v) == 0; })) {
      ++to.cone.silent;  // a tolerance alone can do that
      continue;
    }
    ++to.cone.lines;
    to.anchor.push_back(from.anchor[l]);
  }
  to.settle();
}

/// A point of a space with its values on all rows.
struct Witness {
  VecX z;             ///< coordinates, meant exactly, unless
  ExactVector exact;  ///< is there
  VecX value, bound;  ///< per row: what is known of the product

  template <class A>
  void evaluate(WalkSpace<A>& space) {
    const int rows = space.cone.planes;
    value.resize(rows);
    bound.resize(rows);
    if (!exact.empty()) return evaluate_exactly(space);
    const double slack = slack_of(z, space.error);
    for (int row = 0; row < rows; ++row) {
      const BoundedSum sum =
          bounded_sum(space.values.row(row).data(), z.data(), space.dim(), slack);
      value[row] = space.vanishes(row) ? 0 : sum.value;
      bound[row] = space.vanishes(row) ? 0 : sum.bound;
    }
  }

  /// Of a row, without error.
  template <class A>
  [[nodiscard]] int sign(WalkSpace<A>& space, int row) const {
    if (space.vanishes(row)) return 0;
    if (value[row] > bound[row]) return 1;
    if (value[row] < -bound[row]) return -1;
    return sgn(product(space, row));
  }

 private:
  template <class A>
  [[nodiscard]] Exact product(WalkSpace<A>& space, int row) const {
    Exact sum = 0;
    for (int l = 0; l < space.dim(); ++l)
      sum += (exact.empty() ? Exact(z[l]) : exact[l]) * space.exact_lines()[l][row];
    return sum;
  }
  template <class A>
  void evaluate_exactly(WalkSpace<A>& space) {
    for (int row = 0; row < space.cone.planes; ++row) {
      value[row] = space.vanishes(row) ? 0 : nearest(product(space, row));
      bound[row] = tolerance::epsilon * std::abs(value[row]);
    }
  }
};

}  // namespace tact::detail
