#include "tact/modes/exact_rows.hpp"

#include "tact/base/expects.hpp"

namespace tact {

ExactVector exact_row(const VecX& doubles, std::span<const ExactEntry> exact, Index row) {
  ExactVector out(doubles.begin(), doubles.end());
  for (const ExactEntry& entry : exact) {
    if (entry.row != row) continue;
    Exact value(mpz_class(entry.value.numerator), mpz_class(entry.value.denominator));
    value.canonicalize();
    out[entry.column] = value;
  }
  return out;
}

ExactVector combined(const ExactVector& x, const Exact& a, const ExactVector& y) {
  TACT_EXPECTS(x.size() == y.size());
  ExactVector out = x;
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += a * y[j];
  return out;
}

std::vector<ExactVector> exact_planes(const ExactVector& t1, const ExactVector& t2, Index planes) {
  TACT_EXPECTS(planes >= 1 && t1.size() == t2.size());
  std::vector<ExactVector> out;
  const ExactVector zero(t1.size());
  for (Index k = 0; k < planes; ++k) {
    const Vec2 d = plane_direction(k, planes);
    out.push_back(combined(combined(zero, d[0], t1), d[1], t2));
  }
  return out;
}

void add_contact(ModeSystem& system, const ExactVector& normal,
                 const std::vector<ExactVector>& tangents) {
  const auto dof = static_cast<Index>(normal.size());
  const Index first = system.rows.rows();
  const auto doubles = [&](const ExactVector& row, Index place) {
    VecX out(dof);
    for (Index j = 0; j < dof; ++j) {
      out[j] = nearest(row[j]);
      if (Exact(out[j]) != row[j])
        system.exact.push_back(
            {place, j, {row[j].get_num().get_str(), row[j].get_den().get_str()}});
    }
    return out;
  };
  const VecX n = doubles(normal, first);
  MatX t(static_cast<Index>(tangents.size()), dof);
  for (Index k = 0; k < t.rows(); ++k) t.row(k) = doubles(tangents[k], first + 1 + k).transpose();
  add_contact(system, n, t);
}

}  // namespace tact
