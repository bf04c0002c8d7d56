#include "tact/modes/witness_walk.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/modes/exact_rows.hpp"
#include "tact/modes/mode_machine.hpp"
#include "tact/modes/mode_scenes.hpp"
#include "tact/modes/modes.hpp"

namespace tact {
namespace {

struct Seen {
  std::vector<std::string> modes;  ///< with their dimensions
  ModeVisit visit;
};

Seen seen_by(const ModeSystem& system, ModeMethod method, ModeKind kind, ModePolicy policy) {
  ModeOptions options;
  options.method = method;
  options.kind = kind;
  options.policy = policy;
  Seen out;
  const auto visit = visit_modes(system, options, [&](const ModeView& mode) {
    out.modes.push_back(std::string(mode.cs).append("|").append(mode.ss).append(" ").append(
        std::to_string(mode.dim)));
    return true;
  });
  EXPECT_TRUE(visit);
  out.visit = *visit;
  EXPECT_EQ(out.visit.counts.method, method);
  return out;
}

/// Same modes, same order, same dimensions, same hash, same counts, counted or visited.
void expect_equal(const ModeSystem& system, ModeKind kind, ModePolicy policy = ModePolicy::exact) {
  const Seen rays = seen_by(system, ModeMethod::rays, kind, policy);
  const Seen walk = seen_by(system, ModeMethod::witnesses, kind, policy);
  ASSERT_EQ(walk.modes, rays.modes);
  EXPECT_EQ(walk.visit.hash, rays.visit.hash);
  ModeOptions options;
  options.method = ModeMethod::witnesses;
  options.kind = kind;
  options.policy = policy;
  for (ModeCounts counts : {walk.visit.counts, *count_modes(system, options)}) {
    EXPECT_EQ(counts.method, ModeMethod::witnesses);
    counts.method = ModeMethod::rays;
    EXPECT_TRUE(counts == rays.visit.counts);
  }
}

constexpr ModeKind kinds[] = {ModeKind::contacting, ModeKind::sliding, ModeKind::slipping};

TEST(WitnessWalk, AgreesWithRaysOnScenes) {
  for (const ModeSceneName& about : mode_scene_names()) {
    if (!about.full || *about.full > 10000) continue;
    SCOPED_TRACE(about.name);
    const ModeSystem system = mode_scene(about.name)->system;
    for (const ModeKind kind : kinds)
      for (const ModePolicy policy : {ModePolicy::exact, ModePolicy::tolerance})
        expect_equal(system, kind, policy);
  }
}

/// A small system with what makes trouble: rows that are zero, equal, opposite or dependent,
/// contacts without tangents, directions that no row feels.
ModeSystem random_system(Rng& rng) {
  const auto dof = static_cast<Index>(1 + rng.below(5));
  const auto count = static_cast<int>(1 + rng.below(6));
  std::vector<VecX> rows;
  const bool blind = rng.below(4) == 0;
  const auto row = [&] {
    VecX out = VecX::Zero(dof);
    const std::uint64_t choice = rng.below(12);
    if (choice == 0) return out;
    if (choice <= 2 && !rows.empty())
      return VecX((choice == 1 ? 2.0 : -1.0) * rows[rng.below(rows.size())]);
    if (choice == 3 && !rows.empty())
      return VecX(rows[rng.below(rows.size())] + rows[rng.below(rows.size())]);
    const bool real = rng.below(3) == 0;
    for (Index j = 0; j < dof - (blind ? 1 : 0); ++j)
      out[j] = real ? rng.normal() : static_cast<double>(rng.below(5)) - 2;
    return out;
  };
  ModeSystem system;
  system.rows.resize(0, dof);
  for (int k = 0; k < count; ++k) {
    const VecX normal = row();
    rows.push_back(normal);
    MatX tangents(static_cast<Index>(rng.below(4)), dof);
    for (Index t = 0; t < tangents.rows(); ++t) {
      rows.push_back(row());
      tangents.row(t) = rows.back().transpose();
    }
    add_contact(system, normal, tangents);
  }
  return system;
}

TEST(WitnessWalk, AgreesWithRaysOnRandomSystems) {
  Rng rng(2026);
  for (int k = 0; k < 400; ++k) {
    SCOPED_TRACE(k);
    const ModeSystem system = random_system(rng);
    for (const ModeKind kind : kinds) {
      expect_equal(system, kind);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(WitnessWalk, NothingHasOneMode) {
  for (const Index dof : {0, 3}) {
    ModeSystem system;
    system.rows.resize(0, dof);
    expect_equal(system, ModeKind::sliding);
  }
}

ModeSystem random_contacts(int contacts, Index dof, Index planes, std::uint64_t seed) {
  Rng rng(seed);
  ModeSystem system;
  const auto row = [&] {
    VecX out(dof);
    for (double& x : out) x = std::round(1024 * rng.normal()) / 1024;
    return out;
  };
  const VecX up = row();
  for (int k = 0; k < contacts; ++k) {
    // Turned to one side, so that there is a velocity that separates all.
    VecX normal = row();
    if (normal.dot(up) < 0) normal = -normal;
    MatX tangents(planes, dof);
    for (Index t = 0; t < planes; ++t) tangents.row(t) = row().transpose();
    add_contact(system, normal, tangents);
  }
  return system;
}

/// The mode of a velocity by the definition, in rationals.
std::string mode_of(const ModeSystem& system, std::span<const Rational> x) {
  ExactVector velocity;
  for (const Rational& r : x)
    velocity.emplace_back(mpz_class(r.numerator), mpz_class(r.denominator));
  const auto sign = [&](Index row) {
    const int s =
        sgn(dot(exact_row(system.rows.row(row).transpose(), system.exact, row), velocity));
    return s > 0 ? '+' : (s < 0 ? '-' : '0');
  };
  std::string cs, ss;
  for (const ModeContact& contact : system.contacts) {
    cs.push_back(sign(contact.normal));
    for (Index t = 1; cs.back() == '0' && t <= contact.tangents; ++t)
      ss.push_back(sign(contact.normal + t));
  }
  return cs + "|" + ss;
}

TEST(WitnessWalk, TakesTurnsWithRays) {
  ModeOptions options;
  options.kind = ModeKind::contacting;
  const ModeSystem few = random_contacts(14, 7, 0, 3);
  EXPECT_EQ(count_modes(few, options)->method, ModeMethod::rays);
  const ModeSystem many = random_contacts(40, 20, 0, 3);
  std::atomic<bool> stop = true;  // nobody counts these
  options.stop = &stop;
  const auto counts = count_modes(many, options);
  EXPECT_EQ(counts->method, ModeMethod::witnesses);
  EXPECT_TRUE(counts->stopped);
}

TEST(WitnessWalk, BlocksAreAddedInAnyHands) {
  // Blocks done one by one, each by work of its own, make up the whole: what ranks and resumed
  // runs live by.
  const ModeSystem system = random_contacts(12, 6, 1, 11);
  ModeOptions options;
  options.method = ModeMethod::witnesses;
  const auto whole = visit_modes(system, options, {});
  ModeTotals totals;
  for (bool more = true; more;) {
    const std::uint64_t before = totals.next;
    ModeWork work = *ModeWork::prepare(system, options, true);
    bool asked = false;
    ASSERT_TRUE(work.run(
        [&]() -> std::optional<std::uint64_t> {
          if (asked) return std::nullopt;
          asked = true;
          return totals.next;
        },
        [&](const ModeBlock& block) { totals.add(block); }, {}));
    more = totals.next != before;
  }
  EXPECT_GT(totals.next, 2U);
  EXPECT_EQ(totals.hash.value(), whole->hash);
}

TEST(WitnessWalk, StreamsWhereRaysExplode) {
  const ModeSystem system = random_contacts(40, 20, 2, 7);
  ModeOptions options;
  options.witnesses = true;
  std::vector<std::string> modes;
  const auto visit = visit_modes(system, options, [&](const ModeView& mode) {
    modes.push_back(std::string(mode.cs).append("|").append(mode.ss));
    EXPECT_EQ(mode_of(system, mode.exact_witness), modes.back());
    const Index zeros = std::count(modes.back().begin(), modes.back().end(), '0');
    EXPECT_EQ(mode.dim, 20 - zeros);  // rows in general position
    return modes.size() < 1000;
  });
  ASSERT_TRUE(visit);
  EXPECT_EQ(visit->counts.method, ModeMethod::witnesses);
  EXPECT_TRUE(visit->counts.stopped);
  ASSERT_EQ(modes.size(), 1000U);
  EXPECT_EQ(std::adjacent_find(modes.begin(), modes.end(), std::greater_equal<>()), modes.end());
}

}  // namespace
}  // namespace tact
