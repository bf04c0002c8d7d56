// Random contact problems with known properties, and brute force on the smallest of them.
#pragma once

#include <cmath>
#include <vector>

#include <Eigen/LU>

#include "tact/base/rng.hpp"
#include "tact/contact/delassus.hpp"

namespace tact::testing {

inline MatX random_dense(Rng& rng, Index rows, Index cols) {
  MatX m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m(i) = rng.normal();
  return m;
}

/// Laws with an LCP form.
inline Law polygonal_law(Rng& rng) {
  const double mu = rng.uniform(0.05, 1.2);
  switch (rng.below(6)) {
    case 0:
      return Frictionless{};
    case 1:
      return CoulombLaw{mu, true};
    case 2:
      return BoxLaw{mu};
    case 3:
      return PyramidLaw{mu, 3 + static_cast<int>(rng.below(6))};
    case 4:
      return BoxLaw{mu, 1, true};
    default: {
      PolygonShape shape;
      const auto corners = 1 + rng.below(5);
      for (std::uint64_t k = 0; k < corners; ++k)
        shape.points.emplace_back(rng.normal(), rng.normal());
      return FrictionlessPatch{{shape}};
    }
  }
}

/// Laws the box solver knows.
inline Law box_like_law(Rng& rng) {
  const double mu = rng.uniform(0.05, 1);
  switch (rng.below(4)) {
    case 0:
      return Frictionless{};
    case 1:
      return CoulombLaw{mu, true};
    default:
      return BoxLaw{mu};
  }
}

struct RandomContacts {
  std::vector<Law> laws;
  MatX J, inverse_mass;
  VecX b;

  [[nodiscard]] DelassusProblem problem() const {
    std::vector<LocalLaw> local;
    std::vector<Index> offset{0};
    for (const Law& law : laws) {
      local.push_back(local_law(law));
      offset.push_back(offset.back() + row_count(law));
    }
    const MatX G = J * inverse_mass * J.transpose();
    return delassus_problem(local, block_matrix(sparse(G), offset), b);
  }
};

/// Rows of a frictionless patch that come from a body: [ω_T, v_N] of one random twist map.
/// b = J v + c with c in K* on the normal rows: some velocity satisfies all constraints.
inline RandomContacts random_contacts(Rng& rng, const std::vector<Law>& laws, Index dof,
                                      bool symmetric = true) {
  RandomContacts out;
  out.laws = laws;
  Index rows = 0;
  for (const Law& law : laws) rows += row_count(law);
  out.J = random_dense(rng, rows, dof);
  VecX mass(dof);
  for (Index i = 0; i < dof; ++i) mass[i] = rng.log_uniform(0.1, 10);
  MatX m = mass.asDiagonal();
  if (!symmetric) {
    const MatX a = random_dense(rng, dof, dof);
    m += 0.3 * (a - a.transpose());
  }
  out.inverse_mass = m.inverse();
  out.b = out.J * random_dense(rng, dof, 1);
  Index at = 0;
  for (const Law& law : laws) {
    at += row_count(law);
    if (rng.below(2) == 0) out.b[at - 1] += rng.uniform(0, 0.3);
  }
  return out;
}

}  // namespace tact::testing
