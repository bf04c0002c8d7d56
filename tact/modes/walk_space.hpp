// modes/walk_space.hpp - the velocities on which some rows vanish, and points in them.
//
// A walk by witnesses (witness_walk.hpp) stands in one such space after the other. The space is
// kept by lines that span it, a line by its values on all rows. Each line has an anchor: a row that
// it alone moves, so that the coordinates of a point can be read off its values. A witness is a
// point by its coordinates; they are doubles and meant exactly, whatever rounding led to them.
#pragma once

#include <vector>

#include "tact/modes/doubled.hpp"
#include "tact/modes/open_cone.hpp"
#include "tact/modes/split_cone.hpp"

namespace tact::detail {

/// What a line's coordinates are meant for, in whole numbers and how many of their unit it is.
struct ExactLine {
  std::vector<mpz_class> whole;
  Exact unit;

  [[nodiscard]] Exact at(int row) const { return unit * whole[row]; }
};

/// The unit is the one in which the largest plane value is the double that stands for it. The
/// others are then off by the error of the line twice, and by its roundings: line_error().
inline ExactLine exact_line(const SplitCone<Doubled>& cone, int line) {
  ExactLine out{Filtered::exactly(cone.line_tag(line)), 1};
  const DoublePair* values = cone.line(line);
  int largest = 0;
  for (int k = 1; k < cone.planes; ++k)
    if (std::abs(values[k].head) > std::abs(values[largest].head)) largest = k;
  if (sgn(out.whole[largest]) != 0) out.unit = Exact(values[largest].head) / out.whole[largest];
  return out;
}
inline double line_error(const SplitCone<Doubled>& cone, int line) {
  return 4 * cone.line_tag(line).error + 2 * tolerance::epsilon;
}
inline double nearby(const DoublePair& x) {
  return x.head;
}
inline void sharpen_line(SplitCone<Doubled>& cone, int line) {
  Doubled::sharpen(cone.line_tag(line), cone.line(line));
}

/// What a tolerance has made is taken as it is.
inline ExactLine exact_line(const SplitCone<Snapped>& cone, int line) {
  ExactLine out{{}, 1};
  const ExactVector values(cone.line(line), cone.line(line) + cone.width);
  mpz_class common = 1;
  for (const Exact& v : values) common = lcm(common, v.get_den());
  for (const Exact& v : values) out.whole.emplace_back(v.get_num() * (common / v.get_den()));
  out.unit = Exact(1) / common;
  return out;
}
inline double line_error(const SplitCone<Snapped>& /*cone*/, int /*line*/) {
  return 0;
}
inline double nearby(double x) {
  return x;
}
inline void sharpen_line(SplitCone<Snapped>& /*cone*/, int /*line*/) {}

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
  std::vector<ExactLine> exact;   ///< lines, once they were asked for
  std::vector<Circuit> circuits;  ///< known here, and so in every space inside this one
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
      for (int row = 0; row < cone.planes; ++row) values(row, l) = nearby(cone.line(l)[row]);
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

  const std::vector<ExactLine>& exact_lines() {
    if (exact.empty())
      for (int l = 0; l < cone.lines; ++l) exact.push_back(exact_line(cone, l));
    return exact;
  }
  ExactVector exact_row(int row, int sign) {
    ExactVector out;
    out.reserve(cone.lines);
    for (const ExactLine& line : exact_lines())
      out.push_back(sign > 0 ? line.at(row) : Exact(-line.at(row)));
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
    cutter.slide(cone, pivot, row, cone.line_view(l), out, to.cone.line_tag(to.cone.lines));
    if (std::all_of(out, out + cone.planes, [](const auto& v) { return sign_of(v) == 0; })) {
      ++to.cone.silent;  // a tolerance alone can do that
      continue;
    }
    sharpen_line(to.cone, to.cone.lines);
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

  [[nodiscard]] Exact coordinate(int line) const {
    return exact.empty() ? Exact(z[line]) : exact[line];
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
    for (int l = 0; l < space.dim(); ++l) sum += coordinate(l) * space.exact_lines()[l].at(row);
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
