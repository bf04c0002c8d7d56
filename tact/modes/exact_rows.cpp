#include "tact/modes/exact_rows.hpp"

#include "tact/base/expects.hpp"

namespace tact {

ExactRow exact_row(const VecX& doubles, std::span<const ExactEntry> exact, Index row) {
  ExactRow out(doubles.begin(), doubles.end());
  for (const ExactEntry& entry : exact) {
    if (entry.row != row) continue;
    mpq_class value(mpz_class(entry.value.numerator), mpz_class(entry.value.denominator));
    value.canonicalize();
    out[entry.column] = value;
  }
  return out;
}

ExactRow combined(const ExactRow& x, const mpq_class& a, const ExactRow& y) {
  TACT_EXPECTS(x.size() == y.size());
  ExactRow out = x;
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += a * y[j];
  return out;
}

std::vector<ExactRow> exact_planes(const ExactRow& t1, const ExactRow& t2, Index planes) {
  TACT_EXPECTS(planes >= 1 && t1.size() == t2.size());
  std::vector<ExactRow> out;
  const ExactRow zero(t1.size());
  for (Index k = 0; k < planes; ++k) {
    const Vec2 d = plane_direction(k, planes);
    out.push_back(combined(combined(zero, d[0], t1), d[1], t2));
  }
  return out;
}

void add_contact(ModeSystem& system, const ExactRow& normal,
                 const std::vector<ExactRow>& tangents) {
  const auto dof = static_cast<Index>(normal.size());
  const Index first = system.rows.rows();
  const auto doubles = [&](const ExactRow& row, Index place) {
    VecX out(dof);
    for (Index j = 0; j < dof; ++j) {
      out[j] = row[j].get_d();
      if (mpq_class(out[j]) != row[j])
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
