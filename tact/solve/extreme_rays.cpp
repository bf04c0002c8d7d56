// solve/extreme_rays.cpp - half-spaces one by one cut all of space, as in the enumeration of modes.
#include "tact/solve/extreme_rays.hpp"

#include <algorithm>

#include "tact/base/expects.hpp"
#include "tact/modes/split_cone.hpp"

namespace tact {
namespace {

using detail::WholeBig;
using WholeCone = detail::SplitCone<WholeBig>;

/// All of space, with the rows as planes, in whole numbers, and coordinates carried along.
WholeCone all_of_space(const std::vector<ExactVector>& rows, int dimension) {
  WholeCone out;
  const int planes = static_cast<int>(rows.size());
  out.shape(planes, planes + dimension, std::max(1, detail::words_for(planes)));
  out.reserve(0, dimension);
  out.lines = out.dim = dimension;
  for (int i = 0; i < planes; ++i) {
    mpz_class common = 1;
    for (const Exact& x : rows[i]) common = lcm(common, x.get_den());
    for (int j = 0; j < dimension; ++j) out.line(j)[i] = Exact(rows[i][j] * common).get_num();
  }
  for (int j = 0; j < dimension; ++j) out.line(j)[planes + j] = 1;
  out.classify();
  return out;
}

ExactVector ray_of(const WholeCone& cone, int r) {
  const mpz_class* z = cone.ray(r) + cone.planes;
  const mpz_class* end = cone.ray(r) + cone.width;
  const mpz_class size = abs(*std::find_if(z, end, [](const mpz_class& x) { return sgn(x) != 0; }));
  ExactVector out;
  for (; z != end; ++z) {
    out.emplace_back(*z, size);
    out.back().canonicalize();
  }
  return out;
}

}  // namespace

std::optional<std::vector<ExactVector>> extreme_rays(const std::vector<ExactVector>& half_spaces,
                                                     Index dimension, Index most) {
  WholeCone cone = all_of_space(half_spaces, static_cast<int>(dimension)), next;
  detail::Cutter<WholeBig> cutter{WholeBig{}};
  for (int plane = 0; plane < cone.planes; ++plane) {
    if (!detail::has(cone.cut.data(), plane)) {
      TACT_EXPECTS(!detail::has(cone.negative.data(), plane));
      continue;
    }
    cutter.cut(cone, plane, 1, plane, next);
    next.classify();
    std::swap(cone, next);
    if (cone.rays > most) return std::nullopt;
  }
  if (cone.lines + cone.silent > 0) return std::nullopt;
  std::vector<ExactVector> out;
  out.reserve(cone.rays);
  for (int r = 0; r < cone.rays; ++r) out.push_back(ray_of(cone, r));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tact
