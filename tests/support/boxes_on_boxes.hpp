// tests/support/boxes_on_boxes.hpp - boxes that sit on each other and on the ground, as one step's
// contact problem.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "tact/contact/delassus.hpp"
#include "tests/support/bodies.hpp"

namespace tact::testing {

/// A square face of side 2 half between two boxes, the lower one -1 for the ground.
struct Seat {
  int above = 0, below = -1;
  Vec3 at = Vec3::Zero();
  double half = 0.1;
};

struct Boxes {
  std::vector<double> mass;
  std::vector<Vec3> centre;
  std::vector<Seat> seats;
  double mu = 0.5;
  double dt = 2e-3;
  std::vector<Vec3> push;  ///< [boxes] impulses [N s]; may be fewer
};

/// Two columns of `count` boxes, 0.4 m apart, and a plank across both: a loop of patches.
inline Boxes portal(int count) {
  constexpr double half = 0.1;
  Boxes out;
  for (const double x : {-0.2, 0.2})
    for (int i = 0; i < count; ++i) {
      const int box = static_cast<int>(out.mass.size());
      out.mass.push_back(1);
      out.centre.emplace_back(x, 0, (2 * i + 1) * half);
      out.seats.push_back({box, i == 0 ? -1 : box - 1, {x, 0, 2 * i * half}, half});
    }
  const int plank = static_cast<int>(out.mass.size());
  out.mass.push_back(3);
  out.centre.emplace_back(0, 0, (2 * count + 1) * half);
  for (const int side : {0, 1})
    out.seats.push_back(
        {plank, (side + 1) * count - 1, {side == 0 ? -0.2 : 0.2, 0, 2 * count * half}, half});
  return out;
}

inline DelassusProblem problem_of(const Boxes& boxes) {
  constexpr double weight = 9.81;
  const auto count = static_cast<Index>(boxes.mass.size());
  const Index n = 6 * count;
  ContactProblem p;
  VecX mass(n);
  p.velocity = VecX::Zero(n);
  p.impulse = VecX::Zero(n);
  for (Index i = 0; i < count; ++i) {
    const double m = boxes.mass[i];
    mass.segment<6>(6 * i) << m, m, m, Vec3::Constant(m * 0.02 / 3);
    p.impulse.segment<3>(6 * i) = m * boxes.dt * Vec3(0, 0, -weight);
  }
  for (std::size_t i = 0; i < boxes.push.size(); ++i)
    p.impulse.segment<3>(6 * static_cast<Index>(i)) += boxes.push[i];
  MatX rows = MatX::Zero(6 * static_cast<Index>(boxes.seats.size()), n);
  for (std::size_t s = 0; s < boxes.seats.size(); ++s) {
    const Seat& seat = boxes.seats[s];
    const double a = seat.half;
    Contact contact;
    contact.law = rough_patch({PolygonShape{{{-a, -a}, {a, -a}, {a, a}, {-a, a}}}}, boxes.mu);
    p.contacts.push_back(contact);
    const auto put = [&](int body, double sign) {
      const Index r = 6 * static_cast<Index>(s), c = 6 * body;
      const Vec3 d = seat.at - boxes.centre[body];
      Mat3 turning;  // ω x d
      turning << 0, d[2], -d[1], -d[2], 0, d[0], d[1], -d[0], 0;
      rows.block<3, 3>(r, c + 3) = sign * Mat3::Identity();
      rows.block<3, 3>(r + 3, c) = sign * Mat3::Identity();
      rows.block<3, 3>(r + 3, c + 3) = sign * turning;
    };
    put(seat.above, 1);
    if (seat.below >= 0) put(seat.below, -1);
  }
  p.mass = sparse(MatX(mass.asDiagonal()));
  p.rows = sparse(rows);
  auto reduced = reduce(p);
  EXPECT_TRUE(reduced) << reduced.error().message;
  return *std::move(reduced);
}

/// The problem with G + pull D for G and b - pull D λ₀ for b: what a pull towards λ₀ makes of it,
/// with the metrics it had.
inline DelassusProblem pulled_problem(const DelassusProblem& p, double pull, const VecX& towards) {
  DelassusProblem out = p;
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalMetric metric = p.metric(i);
    const Index at = p.G.offset[i];
    double* block = out.G.values.data() + out.G.at[out.G.diagonal[i]];
    for (Index c = 0; c < metric.n; ++c)
      for (Index r = 0; r < metric.n; ++r) {
        const double by = pull * metric.matrix(r, c);
        block[c * metric.n + r] += by;
        out.b[at + r] -= by * towards[at + c];
      }
  }
  return out;
}

}  // namespace tact::testing
