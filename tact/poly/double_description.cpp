// poly/double_description.cpp - half-spaces one by one; neighbours are told by their zeros.
#include "tact/poly/double_description.hpp"

#include <algorithm>

namespace tact {
namespace {

struct Ray {
  ExactVector z;
  std::vector<bool> zero;  ///< of every half-space taken so far, and of those to come
};

/// dimension many independent rows, greedily.
std::vector<std::size_t> independent_rows(const std::vector<ExactVector>& rows, Index dimension) {
  std::vector<std::size_t> chosen;
  std::vector<ExactVector> taken;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (static_cast<Index>(chosen.size()) == dimension) break;
    taken.push_back(rows[r]);
    if (exact_rank(taken) == static_cast<Index>(taken.size()))
      chosen.push_back(r);
    else
      taken.pop_back();
  }
  return chosen;
}

std::vector<bool> zeros(const std::vector<ExactVector>& rows, const ExactVector& z) {
  std::vector<bool> out;
  out.reserve(rows.size());
  for (const ExactVector& a : rows) out.push_back(sgn(dot(a, z)) == 0);
  return out;
}

/// Two rays span a face when no third ray has all their common zeros.
bool neighbours(const std::vector<Ray>& rays, const std::vector<std::size_t>& taken, std::size_t p,
                std::size_t q) {
  std::vector<std::size_t> common;
  for (const std::size_t r : taken)
    if (rays[p].zero[r] && rays[q].zero[r]) common.push_back(r);
  // A face of dimension two lies on all but two of the dimensions' worth of half-spaces.
  if (common.size() + 2 < rays[p].z.size()) return false;
  for (std::size_t k = 0; k < rays.size(); ++k) {
    if (k == p || k == q) continue;
    if (std::all_of(common.begin(), common.end(), [&](std::size_t r) { return rays[k].zero[r]; }))
      return false;
  }
  return true;
}

void normalise(ExactVector& z) {
  for (const Exact& lead : z) {
    if (sgn(lead) == 0) continue;
    const Exact size = abs(lead);
    for (Exact& x : z) x /= size;
    return;
  }
}

/// The rays of the cone cut by one more half-space.
std::vector<Ray> cut(const std::vector<ExactVector>& rows, const std::vector<std::size_t>& taken,
                     std::size_t row, const std::vector<Ray>& rays) {
  std::vector<Exact> value;
  std::vector<Ray> out;
  for (const Ray& ray : rays) {
    value.push_back(dot(rows[row], ray.z));
    if (sgn(value.back()) >= 0) out.push_back(ray);
  }
  for (std::size_t p = 0; p < rays.size(); ++p) {
    if (sgn(value[p]) <= 0) continue;
    for (std::size_t q = 0; q < rays.size(); ++q) {
      if (sgn(value[q]) >= 0 || !neighbours(rays, taken, p, q)) continue;
      ExactVector z(rays[p].z.size());
      for (std::size_t k = 0; k < z.size(); ++k)
        z[k] = value[p] * rays[q].z[k] - value[q] * rays[p].z[k];
      normalise(z);
      auto zero = zeros(rows, z);
      out.push_back({std::move(z), std::move(zero)});
    }
  }
  return out;
}

}  // namespace

std::optional<std::vector<ExactVector>> extreme_rays(const std::vector<ExactVector>& half_spaces,
                                                     Index dimension, Index most) {
  if (dimension == 0) return std::vector<ExactVector>{};
  auto taken = independent_rows(half_spaces, dimension);
  if (static_cast<Index>(taken.size()) < dimension) return std::nullopt;
  std::vector<Ray> rays;
  std::vector<ExactVector> chosen;
  chosen.reserve(taken.size());
  for (const std::size_t row : taken) chosen.push_back(half_spaces[row]);
  for (Index k = 0; k < dimension; ++k) {
    ExactVector r(static_cast<std::size_t>(dimension));
    r[k] = 1;
    auto z = solve_exactly(chosen, std::move(r));
    if (!z) return std::nullopt;
    normalise(*z);
    auto zero = zeros(half_spaces, *z);
    rays.push_back({std::move(*z), std::move(zero)});
  }
  for (std::size_t row = 0; row < half_spaces.size(); ++row) {
    if (std::find(taken.begin(), taken.end(), row) != taken.end()) continue;
    rays = cut(half_spaces, taken, row, rays);
    taken.push_back(row);
    if (static_cast<Index>(rays.size()) > most) return std::nullopt;
  }
  std::vector<ExactVector> out;
  out.reserve(rays.size());
  for (Ray& ray : rays) out.push_back(std::move(ray.z));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tact
