// tests/support/shaken_stack.hpp - five balls in a shaken box: an engine small enough to be read,
// with everything in it that moves energy.
//
// Planar balls [x, z, ω] lie on each other under gravity. The floor is a belt that runs sideways
// and shakes up and down, the ceiling pumps, both side walls shake together. Contacts rub, bounce
// (Poisson); side walls are met in advance, the others when they are penetrated, and pushed out. A
// step is
//     z  = u⁻ + M⁻¹ p,
//     λ1 = (1 + e) compression + expansion of the closed contacts, without friction, true χ,
//     λ2 = the contacts with friction, e = 0, χ~ = χ + s, from where λ1 left them,
// which keeps W_contact at or below zero whatever the walls do: Poisson's law does for λ1, e = 0
// does for λ2, and s <= 0 where λ1 acts.
//
// Faults can be planted; what the books then say is what the tests look at.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tact/impact/ledger.hpp"
#include "tact/solve/solve.hpp"

namespace tact::testing {

enum class Fault {
  none,
  bouncy,           ///< e = 1.05
  flipped_walls,    ///< the engine takes χ with the wrong sign
  dropped_contact,  ///< one impulse acts and is not written down
};

struct StackOptions {
  double restitution = 0.5;
  double friction = 0.4;
  double stabilisation = 0.2;
  double belt = 0.7;  ///< [m/s]
  double dt = 0.002;
  double boost = 0;  ///< everything, walls too, moves sideways at this speed
  Fault fault = Fault::none;
};

/// One step as it is written down.
struct StackStep {
  ContactProblem problem;
  std::vector<LocalLaw> laws;
  VecX free, after, lambda;
  double potential_change = 0;
  bool solved = true;  ///< the judge accepted every solve
};

class ShakenStack {
 public:
  static constexpr Index balls = 5, dof = 3 * balls;

  explicit ShakenStack(const StackOptions& options) : o_(options) {
    q_ = VecX::Zero(dof);
    u_ = VecX::Zero(dof);
    mass_ = VecX(dof);
    for (Index i = 0; i < balls; ++i) {
      q_[3 * i] = (i % 2 == 0 ? 0.2 : -0.2) * radius;
      q_[3 * i + 1] = radius + 2 * radius * static_cast<double>(i);
      const double m = 1 + 0.3 * static_cast<double>(i);
      mass_.segment<3>(3 * i) << m, m, 0.4 * m * radius * radius;
      u_[3 * i] = o_.boost;
    }
  }

  const StackStep& step() {
    const double h = o_.dt;
    begin();
    VecX speed = step_.free;
    VecX& lambda = step_.lambda;
    lambda = VecX::Zero(step_.problem.rows.rows());
    ContactProblem engine = step_.problem;
    if (o_.fault == Fault::flipped_walls) engine.excitation = -engine.excitation;
    bounce(engine, speed, lambda);
    close(engine, speed, lambda);
    step_.after = step_.free + solve_mass(engine.rows.transpose() * lambda);
    if (o_.fault == Fault::dropped_contact) drop_strongest(lambda);
    step_.potential_change = 0;
    for (Index i = 0; i < balls; ++i)
      step_.potential_change += mass_[3 * i] * gravity * h * step_.after[3 * i + 1];
    // Positions are kept in the frame of the box.
    q_ += h * step_.after;
    for (Index i = 0; i < balls; ++i) q_[3 * i] -= h * o_.boost;
    u_ = step_.after;
    time_ += h;
    return step_;
  }

 private:
  static constexpr double radius = 0.05, gravity = 9.81;
  static constexpr double half_width = 1.4 * radius, height = 10.8 * radius, near = 0.02;

  struct Place {
    Vec2 normal = Vec2::Zero();
    double gap = 0;
    Vec2 wall = Vec2::Zero();  ///< velocity of the wall
    Index ball = 0, other = -1;
    bool ahead = false;  ///< met before it closes; it then has nothing to bounce from
    const char* name = "";
  };

  void begin() {
    ContactProblem& p = step_.problem;
    p = ContactProblem{};
    p.mass = SparseMatrix(dof, dof);
    p.mass.reserve(Eigen::VectorXi::Constant(dof, 1));
    for (Index i = 0; i < dof; ++i) p.mass.insert(i, i) = mass_[i];
    p.mass.makeCompressed();
    p.velocity = u_;
    p.dt = o_.dt;
    p.impulse = VecX::Zero(dof);
    for (Index i = 0; i < balls; ++i) p.impulse[3 * i + 1] = -gravity * mass_[3 * i] * o_.dt;
    step_.free = u_ + solve_mass(p.impulse);
    step_.laws.clear();
    step_.solved = true;
    find_places();
    std::vector<Eigen::Triplet<double>> entries;
    p.excitation = VecX::Zero(2 * static_cast<Index>(places_.size()));
    int row = 0;
    for (const Place& c : places_) {
      const Vec2 t(c.normal[1], -c.normal[0]);
      const auto put = [&](Index ball, double sign) {
        const int at = 3 * static_cast<int>(ball);
        for (int a = 0; a < 2; ++a) {
          entries.emplace_back(row, at + a, sign * t[a]);
          entries.emplace_back(row + 1, at + a, sign * c.normal[a]);
        }
        entries.emplace_back(row, at + 2, radius);
      };
      put(c.ball, 1);
      if (c.other >= 0) put(c.other, -1);
      p.excitation[row] = -t.dot(c.wall);
      p.excitation[row + 1] = -c.normal.dot(c.wall);
      const Law law = CoulombLaw{o_.friction, true};
      p.contacts.push_back({c.name, law, 0, c.gap, o_.stabilisation});
      step_.laws.push_back(local_law(law));
      row += 2;
    }
    p.rows = SparseMatrix(row, dof);
    p.rows.setFromTriplets(entries.begin(), entries.end());
  }

  void find_places() {
    places_.clear();
    const auto add = [&](const Place& c) {
      if (c.gap < (c.ahead ? near : 0)) places_.push_back(c);
    };
    const double floor = 0.1 * radius * std::sin(40 * time_);
    const double floor_speed = 4 * radius * std::cos(40 * time_);
    const double pump = 0.2 * radius * std::sin(25 * time_);
    const double pump_speed = 5 * radius * std::cos(25 * time_);
    const double side = 0.1 * radius * std::sin(31 * time_);
    const double side_speed = 3.1 * radius * std::cos(31 * time_) + o_.boost;
    add({{0, 1}, q_[1] - radius - floor, {o_.belt + o_.boost, floor_speed}, 0, -1, false, "belt"});
    for (Index i = 0; i < balls; ++i) {
      const Vec2 centre = q_.segment<2>(3 * i);
      add({{1, 0}, centre[0] - radius - side + half_width, {side_speed, 0}, i, -1, true, "left"});
      add({{-1, 0}, side + half_width - centre[0] - radius, {side_speed, 0}, i, -1, true, "right"});
      for (Index k = 0; k < i; ++k) {
        const Vec2 apart = centre - q_.segment<2>(3 * k);
        const double distance = apart.norm();
        add({apart / distance, distance - 2 * radius, Vec2::Zero(), i, k, false, "balls"});
      }
      add({{0, -1},
           height + pump - centre[1] - radius,
           {o_.boost, pump_speed},
           i,
           -1,
           false,
           "ceiling"});
    }
  }

  [[nodiscard]] VecX solve_mass(const VecX& x) const { return x.cwiseQuotient(mass_); }

  /// Poisson's law for the closed contacts, without friction.
  void bounce(const ContactProblem& engine, VecX& speed, VecX& lambda) {
    ContactProblem closed;
    std::vector<Index> row;
    for (std::size_t i = 0; i < engine.contacts.size(); ++i)
      if (engine.contacts[i].gap <= 0) {
        row.push_back(2 * static_cast<Index>(i) + 1);
        closed.contacts.push_back({"", Frictionless{}});
      }
    if (row.empty()) return;
    closed.mass = engine.mass;
    closed.rows = SparseMatrix(static_cast<Index>(row.size()), dof);
    closed.excitation = VecX(closed.rows.rows());
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < row.size(); ++k) {
      closed.excitation[static_cast<Index>(k)] = engine.excitation[row[k]];
      for (SparseMatrix::InnerIterator it(engine.rows, row[k]); it; ++it)
        entries.emplace_back(static_cast<int>(k), static_cast<int>(it.col()), it.value());
    }
    closed.rows.setFromTriplets(entries.begin(), entries.end());
    const double e = o_.fault == Fault::bouncy ? 1.05 : o_.restitution;
    const VecX pressed = solve_from(closed, speed);
    speed += solve_mass(closed.rows.transpose() * ((1 + e) * pressed));
    const VecX rest = solve_from(closed, speed);
    speed += solve_mass(closed.rows.transpose() * rest);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto at = static_cast<Index>(k);
      lambda[row[k]] += (1 + e) * pressed[at] + rest[at];
    }
  }

  /// All contacts with friction and stabilisation.
  void close(ContactProblem engine, const VecX& speed, VecX& lambda) {
    if (engine.contacts.empty()) return;
    lambda += solve_from(engine, speed);
  }

  VecX solve_from(ContactProblem& p, const VecX& speed) {
    p.velocity = speed;
    p.impulse = VecX();
    const auto reduced = reduce(p);
    VecX lambda = VecX::Zero(p.rows.rows());
    SolveOptions options;
    options.polish = true;
    const SolveReport report = solve(*reduced, options, work_, lambda);
    step_.solved = step_.solved && report.status == SolveStatus::converged;
    return lambda;
  }

  static void drop_strongest(VecX& lambda) {
    if (lambda.size() == 0) return;
    Index strongest = 0;
    lambda.cwiseAbs().maxCoeff(&strongest);
    lambda.segment<2>(strongest - strongest % 2).setZero();
  }

  StackOptions o_;
  VecX q_, u_, mass_;
  double time_ = 0;
  std::vector<Place> places_;
  StackStep step_;
  SolveWorkspace work_;
};

}  // namespace tact::testing
