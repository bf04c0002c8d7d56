// soft/soft_contact_test.cpp - one contact over prescribed motions: every joule accounted for.
#include "tact/soft/soft_contact.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/soft/close_energy.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/shape_zoo.hpp"

namespace tact {
namespace {

Vec3 random_vector(Rng& rng, double size) {
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}

/// A pair whose stiffness depends on load and curvature, with everything switched on.
SoftPair hertz_pair(Rng& rng) {
  SoftPair pair;
  pair.normal = HertzNormal{rng.uniform(1e5, 1e6), rng.uniform(0.0, 1.0)};
  pair.tangent = MindlinTangent{rng.uniform(5e4, 2e5), rng.uniform(5e4, 2e5)};
  pair.friction.coefficient = rng.uniform(0.1, 0.8);
  pair.damping.tangential_s = rng.uniform(0.0, 1e-3);
  pair.centre_share = rng.uniform(0.0, 1.0);
  pair.cells = rng.uniform(0.0, 1.0) < 0.5 ? 1 : 4;
  return pair;
}

Surface ellipsoid(Rng& rng) {
  return {EllipsoidSurface{
              Vec3(rng.uniform(0.02, 0.05), rng.uniform(0.02, 0.05), rng.uniform(0.02, 0.05))},
          false};
}

/// Moves body 2 by a twist in the frame of body 1 through the time dt.
Pose moved(const Pose& X, const Twist& T, double dt) {
  return integrate_spatial(X, T, dt);
}

struct Step {
  double work = 0;  ///< of the contact on body 2
  double loss = 0;
  bool fine = true;
};

/// One step of body 2 with a constant twist, as a foreign integrator would drive it.
Step drive(const SoftContactModel& model, const Twist& T, double dt, Pose& X_12,
           SoftContactState& state) {
  const Pose middle = moved(X_12, T, dt / 2), end = moved(X_12, T, dt);
  SoftFrame frame;
  SoftAnswer answer;
  Step out;
  out.fine = begin_soft_step(model, state, middle, frame) == TrackStatus::tracked;
  if (!out.fine) return out;
  const Twist T_C = transform_inverse(frame.X_1C, T);
  try_soft_step(model, state, frame, T_C, dt, end, answer);
  out.fine = answer.status == TrackStatus::tracked;
  if (!out.fine) return out;
  EXPECT_GE(answer.viscous_loss, 0);
  EXPECT_GE(answer.slip_loss, -1e-16);
  out.work = answer.impulse.dot(T_C.vec());
  out.loss = answer.viscous_loss + answer.slip_loss;
  state = answer.end;
  X_12 = end;
  return out;
}

/// Two bodies next to each other; body 2 touches by `depth`.
bool touching(const SoftContactModel& model, Rng& rng, double depth, Pose& X_12,
              SoftContactState& state) {
  X_12 = {exp_so3(random_vector(rng, 2)), 0.06 * random_vector(rng, 1).normalized()};
  for (int k = 0; k < 20; ++k) {
    const FacingSearch search = find_facing(model.one, model.two, X_12);
    if (search.status != TrackStatus::tracked) return false;
    const FacingPoints& facing = search.found.front();
    if (std::abs(facing.gap + depth) < 1e-12) break;
    X_12.p += (-depth - facing.gap) * facing.one.n;
  }
  const FacingSearch search = find_facing(model.one, model.two, X_12);
  if (search.status != TrackStatus::tracked) return false;
  state = soft_contact_state(model, search.found.front(), X_12);
  return true;
}

// Press, shear, twist, roll and release at random: in every step the work and the losses are what
// the energy lost, and over a cycle that begins and ends apart nothing is gained. Ten thousand
// cycles where TACT_MANY is set.
TEST(SoftContact, NoStepCreatesEnergyAtAnyStep) {
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    Rng rng(7);
    Index cycles = 0;
    // About half of all cycles end before their release, where the bodies lose each other.
    const int tried = std::min(testing::how_many(60), 22000);
    for (int c = 0; c < tried; ++c) {
      const SoftContactModel model =
          soft_contact_model(ellipsoid(rng), ellipsoid(rng), hertz_pair(rng));
      Pose X_12;
      SoftContactState state;
      if (!touching(model, rng, -2e-4, X_12, state)) continue;
      EXPECT_EQ(stored_energy(state), 0);
      double work = 0, most = 0;
      bool fine = true;
      for (int leg = 0; leg < 6 && fine; ++leg) {
        const double speed = 1e-3 / (10 * dt);  // a millimetre in ten steps
        Twist T{random_vector(rng, 20 * speed), random_vector(rng, speed)};
        const Vec3 n = state.facing.one.n;
        const double towards = leg == 0 ? -1.0 : leg == 5 ? 1.0 : 0.0;
        if (towards != 0) T = {Vec3::Zero(), towards * 1.2 * speed * n};
        for (int k = 0; k < (leg == 5 ? 30 : 10) && fine; ++k) {
          const double before = stored_energy(state);
          const Step step = drive(model, T, dt, X_12, state);
          fine = step.fine;
          if (!fine) break;
          const double after = stored_energy(state);
          most = std::max({most, before, after});
          EXPECT_NEAR(step.work + step.loss, before - after, 1e-12 * most + 1e-18);
          work += step.work;
        }
      }
      if (!fine || state.touches) continue;
      ++cycles;
      EXPECT_LE(work, 1e-12 * most);
      EXPECT_EQ(stored_energy(state), 0);
    }
    EXPECT_GT(cycles, tried / 22 * 10);
  }
}

// Bodies exchanged: X_21, the twist of 1 relative to 2, 1 - α. Same forces, same energies.
TEST(SoftContact, AnExchangeOfTheBodiesChangesNothing) {
  Rng rng(3);
  for (int c = 0; c < 30; ++c) {
    const SoftPair pair = hertz_pair(rng);
    SoftPair swapped = pair;
    swapped.centre_share = 1 - pair.centre_share;
    const Surface a = ellipsoid(rng), b = ellipsoid(rng);
    const SoftContactModel model = soft_contact_model(a, b, pair);
    const SoftContactModel other = soft_contact_model(b, a, swapped);
    Pose X_12;
    SoftContactState state;
    if (!touching(model, rng, 5e-4, X_12, state)) continue;
    const FacingPoints facing = state.facing;
    Pose X_21 = inverse(X_12);
    SoftContactState mirrored =
        soft_contact_state(other, {facing.two, facing.one, facing.gap}, X_21);
    for (int k = 0; k < 20; ++k) {
      const Twist T{random_vector(rng, 5), random_vector(rng, 0.02)};
      const double dt = 1e-3;
      const Pose before = X_12;
      const Step one = drive(model, T, dt, X_12, state);
      if (!one.fine) break;
      // The same motion seen from body 2, which is constant there too.
      const Twist T_2 = -transform_inverse(before, T);
      const Step two = drive(other, T_2, dt, X_21, mirrored);
      ASSERT_TRUE(two.fine);
      const double size = stored_energy(state) + std::abs(one.work);
      EXPECT_NEAR(one.work, two.work, 1e-9 * size);
      EXPECT_NEAR(stored_energy(state), stored_energy(mirrored), 1e-9 * size);
    }
  }
}

// Without the rolling wrench a stiffness that follows the curvature gives energy: press at the
// sharp end of an ellipsoid, roll to the flat one, release. With it the cycle is closed.
// [Stramigioli] sec. 6
TEST(SoftContact, RollingFromSharpToFlatGivesNothing) {
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 0};
  pair.friction.coefficient = 0;
  const SoftContactModel model =
      soft_contact_model(Surface{PlaneSurface{}, false},
                         Surface{EllipsoidSurface{Vec3(0.05, 0.03, 0.02)}, false}, pair);
  // Upright on its long axis, then laid down on its short one, always 1 mm deep.
  const auto pose = [](double angle) {
    const Mat3 R = exp_so3(Vec3(0, angle, 0));
    const Vec3 n = R.transpose() * Vec3(0, 0, -1), a(0.05, 0.03, 0.02);
    const Vec3 lowest = a.cwiseAbs2().cwiseProduct(n) / a.cwiseProduct(n).norm();
    return Pose{R, Vec3(0, 0, -1e-3 - (R * lowest)[2])};
  };
  const double upright = std::acos(-1.0) / 2;
  Pose X = pose(upright);
  const FacingSearch search = find_facing(model.one, model.two, X);
  ASSERT_EQ(search.status, TrackStatus::tracked);
  SoftContactState state = soft_contact_state(model, search.found.front(), X);
  const double start = stored_energy(state);
  double work = 0, without = 0;
  const int steps = 2000;
  for (int k = 0; k < steps; ++k) {
    const Pose next = pose(upright * (1 - (k + 1.0) / steps));
    const Twist T = log(next * inverse(X));
    SoftFrame frame;
    SoftAnswer answer;
    ASSERT_EQ(begin_soft_step(model, state, moved(X, T, 0.5), frame), TrackStatus::tracked);
    const Twist T_C = transform_inverse(frame.X_1C, T);
    try_soft_step(model, state, frame, T_C, 1, next, answer);
    ASSERT_EQ(answer.status, TrackStatus::tracked);
    work += answer.impulse.dot(T_C.vec());
    without += answer.normal_force * T_C.v[2];
    state = answer.end;
    X = next;
  }
  const double end = stored_energy(state);
  EXPECT_GT(end, 1.5 * start);
  EXPECT_NEAR(work, start - end, 1e-12 * end);
  // The gap never changed: the plain force does no work while the energy grows.
  EXPECT_LT(std::abs(without), 1e-4 * end);  // second order in the step
}

TEST(CloseEnergy, MakesTheWorkWhatIsWanted) {
  Rng rng(1);
  for (int k = 0; k < 100; ++k) {
    Vec6 T, impulse;
    for (Index i = 0; i < 6; ++i) {
      T[i] = rng.uniform(-1, 1);
      impulse[i] = rng.uniform(-1, 1);
    }
    const double wanted = rng.uniform(-1, 1);
    close_energy(T, 0.3, wanted, 0, impulse);
    EXPECT_NEAR(impulse.dot(T), wanted, 1e-14);
  }
  Vec6 impulse = Vec6::Ones();
  close_energy(Vec6::Zero(), 1, 5, 0, impulse);
  EXPECT_EQ(impulse, Vec6::Ones());
  close_energy(Vec6::Ones(), 1, 6.01, 0.02, impulse);  // what is missing may be left
  EXPECT_EQ(impulse, Vec6::Ones());
}

}  // namespace
}  // namespace tact
