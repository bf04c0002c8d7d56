// solve/jam.cpp - the search for a ray, and its check.
#include "tact/solve/jam.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tact/base/expects.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/solve/load_set.hpp"

namespace tact {
namespace {

/// The rows of the normal load of a contact, moments first, or of equations; -1 where there is
/// none.
struct NormalRows {
  Index row[3];
};
NormalRows normal_rows(const DelassusProblem& p, Index i) {
  const Index at = p.G.offset[i];
  const LocalLaw& law = p.laws[i];
  if (law.kind == LawKind::bounded)
    return {{law.rows > 2 ? at : -1, law.rows > 1 ? at + law.rows - 2 : -1, at + law.rows - 1}};
  if (!law.is_patch()) return {{-1, -1, at + law.normal_row()}};
  return {{at, at + 1, at + law.normal_row()}};
}

/// λ of a normal load [m_T, f_N] of one contact; of a point only the last counts.
VecX push(const DelassusProblem& p, Index contact, const Vec3& load) {
  VecX out = VecX::Zero(p.rows());
  const NormalRows rows = normal_rows(p, contact);
  for (Index k = 0; k < 3; ++k)
    if (rows.row[k] >= 0) out[rows.row[k]] = load[k];
  return out;
}

/// y = G'x.
void multiply_transposed(const BlockMatrix& G, const VecX& x, VecX& y) {
  y.setZero(G.size());
  for (Index i = 0; i < G.blocks(); ++i) {
    for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e) {
      const auto block = G.block(i, e);
      const Index to = G.offset[G.col[e]];
      for (Index c = 0; c < block.cols(); ++c)
        for (Index r = 0; r < block.rows(); ++r) y[to + c] += block(r, c) * x[G.offset[i] + r];
    }
  }
}

/// |x|_D, or |x|_{D⁻¹}; D diagonal.
double size_of(const DelassusProblem& p, const VecX& x, bool dual) {
  double sum = 0;
  for (Index i = 0; i < p.contacts(); ++i) {
    for (Index r = 0; r < p.laws[i].rows; ++r) {
      const double d = p.metric(i).matrix(r, r);
      const double value = x[p.G.offset[i] + r];
      sum += value * value * (dual ? 1 / d : d);
    }
  }
  return std::sqrt(sum);
}

Vec3 force_at(const Vec2& x) {
  const Vec2 turned = perp(x);
  return {turned[0], turned[1], 1};
}

/// The normal force of a point, forces at points of a hull, and the impulse of a bounded row on a
/// side where it has no bound.
std::vector<VecX> first_pushes(const DelassusProblem& p) {
  std::vector<VecX> pushes;
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalLaw& law = p.laws[i];
    const bool bounded = law.kind == LawKind::bounded;
    for (Index k = bounded ? 3 - law.rows : 2; k < 3 && !law.is_patch(); ++k) {
      if (!bounded || std::isinf(law.upper)) pushes.push_back(push(p, i, Vec3::Unit(k)));
      if (bounded && std::isinf(law.lower)) pushes.push_back(push(p, i, -Vec3::Unit(k)));
    }
    if (!law.is_patch()) continue;
    const PlanarSet& hull = law.patch->cone.hull();
    for (const Vec2& x : hull.vertices()) pushes.push_back(push(p, i, force_at(x)));
    if (hull.kind() == PlanarSet::Kind::polygon) continue;
    for (const Vec2& d : {Vec2(1, 0), Vec2(0, 1), Vec2(-1, 0), Vec2(0, -1)})
      pushes.push_back(push(p, i, force_at(hull.support(d))));
  }
  return pushes;
}

class Search {
 public:
  explicit Search(const DelassusProblem& p)
      : p_(p), size_(size_of(p, p.b, true)), unit_(row_units(p)) {
    for (const VecX& z : first_pushes(p)) add(z);
  }

  std::optional<VecX> run() {
    constexpr int rounds = 60;
    if (pushes_.empty()) return std::nullopt;
    const VecX target = VecX::Unit(p_.rows() + 1, p_.rows());
    for (int round = 0; round < rounds; ++round) {
      const auto count = static_cast<Index>(pushes_.size());
      const Nnls fit = nnls(system_.leftCols(count), target);
      VecX z = VecX::Zero(p_.rows());
      for (Index k = 0; k < count; ++k) z += fit.x[k] * pushes_[k];
      const double length = size_of(p_, z, false);
      if (length > 0) {
        z /= length;
        if (is_jam_ray(p_, z)) return z;
      }
      if (!add_worst(fit.residual)) break;
    }
    return std::nullopt;
  }

 private:
  /// The column [G'z in units of the diagonal; -b.z over |b|] of a push, scaled to |z|_D = 1.
  void add(VecX z) {
    z /= size_of(p_, z, false);
    VecX image;
    multiply_transposed(p_.G, z, image);
    const auto k = static_cast<Index>(pushes_.size());
    if (system_.rows() != p_.rows() + 1 || system_.cols() <= k)
      system_.conservativeResize(p_.rows() + 1, 2 * k + 8);
    system_.col(k).head(p_.rows()) = unit_.cwiseProduct(image);
    system_(p_.rows(), k) = -p_.b.dot(z) / size_;
    pushes_.push_back(std::move(z));
  }

  /// On every round hull the point where the velocity left over is most negative. False when no
  /// point is worse than those in use.
  bool add_worst(const VecX& residual) {
    // The gradient of a push z: z.(G D^-½ r - b r_last / |b|).
    VecX d;
    const VecX scaled = unit_.cwiseProduct(residual.head(p_.rows()));
    multiply(p_.G, scaled, d);
    d -= p_.b * (residual[p_.rows()] / size_);
    bool added = false;
    for (Index i = 0; i < p_.contacts(); ++i) {
      if (!p_.laws[i].is_patch()) continue;
      const PatchCone& cone = p_.laws[i].patch->cone;
      if (cone.hull().kind() == PlanarSet::Kind::polygon) continue;
      const NormalRows rows = normal_rows(p_, i);
      const Vec3 direction(d[rows.row[0]], d[rows.row[1]], d[rows.row[2]]);
      const Vec3 load = cone.support(direction);
      const VecX z = push(p_, i, load);
      if (!(direction.dot(load) > tolerance::rounding * size_of(p_, z, false))) continue;
      add(z);
      added = true;
    }
    return added;
  }

  const DelassusProblem& p_;
  double size_;
  VecX unit_;
  MatX system_;
  std::vector<VecX> pushes_;  ///< of size one
};

/// Whether z is zero on friction rows, every normal load in its cone and a bounded row loaded only
/// where it has no bound, to rounding of |z|_D.
bool is_normal_load(const DelassusProblem& p, const VecX& z, double size) {
  const double slack = tolerance::rounding * size;
  VecX rest = z;
  VecX outside = VecX::Zero(z.size());
  for (Index i = 0; i < p.contacts(); ++i) {
    const NormalRows rows = normal_rows(p, i);
    const double force = z[rows.row[2]];
    if (p.laws[i].is_patch()) {
      const Vec3 load(z[rows.row[0]], z[rows.row[1]], force);
      const Vec3 gap = load - p.laws[i].patch->cone.project(load, Mat3(p.metric(i).normal_upper()));
      for (Index k = 0; k < 3; ++k) outside[rows.row[k]] = gap[k];
    } else {
      const bool bounded = p.laws[i].kind == LawKind::bounded;
      const double lower = bounded && std::isinf(p.laws[i].lower) ? force : 0.0;
      const double upper = !bounded || std::isinf(p.laws[i].upper) ? force : 0.0;
      outside[rows.row[2]] = force > 0 ? force - upper : force - lower;
    }
    for (const Index row : rows.row)
      if (row >= 0) rest[row] = 0;
  }
  return rest.isZero(0) && size_of(p, outside, false) <= slack;
}

}  // namespace

bool is_jam_ray(const DelassusProblem& p, const VecX& z, double tolerance) {
  TACT_EXPECTS(z.size() == p.rows());
  const double size = size_of(p, z, false);
  const double gain = -p.b.dot(z);
  if (!(size > 0) || !(gain > 0) || !z.allFinite()) return false;
  // Work against velocities that rounding could have made is none.
  const double motion = size_of(p, p.b, true);
  if (!(gain > tact::tolerance::quadratic * motion * size)) return false;
  if (!is_normal_load(p, z, size)) return false;
  VecX image;
  multiply_transposed(p.G, z, image);
  return size_of(p, image, true) * motion <= tolerance * gain;
}

std::vector<Index> held_by(const JudgedContacts& p, const VecX& ray, double share) {
  std::vector<double> energy;
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const auto part = ray.segment(p.offset[i], p.laws[i].rows);
    energy.push_back(p.metric(i).matrix().diagonal().dot(part.cwiseAbs2()));
  }
  const double most = energy.empty() ? 0 : *std::max_element(energy.begin(), energy.end());
  std::vector<Index> out;
  for (std::size_t i = 0; i < energy.size(); ++i)
    if (std::sqrt(energy[i]) > share * std::sqrt(most)) out.push_back(static_cast<Index>(i));
  return out;
}

std::optional<VecX> jam_ray(const DelassusProblem& problem) {
  if (problem.contacts() == 0 || problem.b.isZero(0)) return std::nullopt;
  return Search(problem).run();
}

}  // namespace tact
