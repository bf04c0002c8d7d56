#include "tact/modes/modes.hpp"

#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "tact/modes/mode_cone.hpp"
#include "tact/modes/mode_scenes.hpp"

namespace tact {
namespace {

ModeSystem scene(std::string_view name) {
  return mode_scene(name)->system;
}
MatX no_tangents(Index dof) {
  return MatX(0, dof);
}

std::set<std::string> set_of(const ModeSystem& system, ModeOptions options = {}) {
  std::set<std::string> out;
  const auto visit = visit_modes(system, options, [&](const ModeView& mode) {
    EXPECT_TRUE(out.insert(std::string(mode.cs) + "|" + std::string(mode.ss)).second);
    return true;
  });
  EXPECT_TRUE(visit);
  return out;
}

TEST(Modes, NothingHasOneMode) {
  for (const Index dof : {0, 3}) {
    ModeSystem system;
    system.rows.resize(0, dof);
    const auto counts = count_modes(system);
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->cs, ModeCount{1});
    EXPECT_EQ(counts->full, ModeCount{1});
    ASSERT_EQ(counts->cs_by_dim.size(), static_cast<std::size_t>(dof) + 1);
    EXPECT_EQ(counts->cs_by_dim.back(), ModeCount{1});
    EXPECT_EQ(set_of(system), (std::set<std::string>{"|"}));
  }
}

TEST(Modes, NoVelocityKeepsEveryContact) {
  ModeSystem system;
  add_contact(system, VecX(0), MatX(2, 0));
  EXPECT_EQ(set_of(system), (std::set<std::string>{"0|00"}));
  EXPECT_EQ(count_modes(system)->full, ModeCount{1});
}

TEST(Modes, OneContactInThePlane) {
  ModeSystem system;
  MatX t(1, 2);
  t << 1, 0;
  add_contact(system, Vec2(0, 1), t);
  EXPECT_EQ(set_of(system), (std::set<std::string>{"+|", "0|+", "0|-", "0|0"}));
}

TEST(Modes, ZeroRowsNeverMove) {
  ModeSystem system;
  MatX t(2, 2);
  t << 0, 0, 1, 0;
  add_contact(system, Vec2(0, 0), t);
  EXPECT_EQ(set_of(system), (std::set<std::string>{"0|0+", "0|0-", "0|00"}));
}

TEST(Modes, RefusesWhatIsNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    ModeSystem system;
    add_contact(system, Vec2(0, bad), no_tangents(2));
    const auto counts = count_modes(system);
    ASSERT_FALSE(counts);
    EXPECT_NE(counts.error().message.find("contact 0"), std::string::npos);
    EXPECT_FALSE(visit_modes(system, {}, {}));
    EXPECT_FALSE(mode_cone(system, "0", ""));
  }
}

TEST(Modes, PlanarModesGrowLinearly) {
  // A cone over an n-gon has 2 n + 2 faces; each facet's own tangent cuts it once: 2 n more.
  for (const int n : {3, 5, 50, 200}) {
    ModeSystem system;
    for (int t = 1; t <= n; ++t) {
      MatX tangent(1, 3);
      tangent << 0, 1, 2 * t;
      add_contact(system, Vec3(1, t, t * t), tangent);
    }
    const auto counts = count_modes(system);
    EXPECT_EQ(counts->cs, static_cast<ModeCount>(2 * n + 2));
    EXPECT_EQ(counts->full, static_cast<ModeCount>(4 * n + 2));
  }
}

TEST(Modes, SinkMayStop) {
  int seen = 0;
  const auto visit = visit_modes(scene("box-2"), {}, [&](const ModeView&) { return ++seen < 5; });
  ASSERT_TRUE(visit);
  EXPECT_EQ(seen, 5);
  EXPECT_TRUE(visit->counts.stopped);
}

TEST(Modes, ListsAreSortedWhateverTheThreads) {
  std::vector<std::string> one;
  for (const int threads : {1, 3}) {
    ModeOptions options;
    options.threads = threads;
    std::vector<std::string> list;
    const auto visit = visit_modes(scene("box-box-1"), options, [&](const ModeView& mode) {
      list.push_back(std::string(mode.cs) + "|" + std::string(mode.ss));
      return true;
    });
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    EXPECT_EQ(to_string(visit->counts.full), "9996");
    if (threads == 1)
      one = list;
    else
      EXPECT_EQ(list, one);
  }
}

TEST(Modes, SlippingCountsOfTheBoxes) {
  const std::vector<int> known = {31, 77, 136, 10, 2};
  for (int k = 0; k < 5; ++k) {
    ModeOptions options;
    options.kind = ModeKind::slipping;
    const ModeSystem system = scene("box-" + std::to_string(k + 1));
    EXPECT_EQ(count_modes(system, options)->full, static_cast<ModeCount>(known[k]));
    EXPECT_EQ(visit_modes(system, options, {})->counts.full, static_cast<ModeCount>(known[k]));
  }
}

TEST(Modes, PoliciesAnswerDifferentQuestions) {
  // One corner of a box on the floor leans by a billionth.
  ModeSystem system = scene("box-1");
  VecX lean = system.rows.row(system.contacts[3].normal).transpose();
  lean[3] += 1e-9;  // of the velocity along x
  system.rows.row(system.contacts[3].normal) = lean.transpose();
  ModeOptions options;
  EXPECT_EQ(to_string(count_modes(system, options)->cs), "16");
  EXPECT_EQ(to_string(count_modes(system, options)->full), "332");
  options.policy = ModePolicy::tolerance;
  EXPECT_EQ(to_string(count_modes(system, options)->cs), "10");
  EXPECT_EQ(to_string(count_modes(system, options)->full), "196");
  EXPECT_EQ(set_of(system, options), set_of(scene("box-1")));
}

TEST(Modes, RationalsMeanWhatTheySay) {
  // (1/10, -3/100) and (-1, 3/10) are opposite, their doubles are not.
  ModeSystem system;
  add_contact(system, Vec2(0.1, -0.03), no_tangents(2));
  add_contact(system, Vec2(-1, 0.3), no_tangents(2));
  add_contact(system, Vec2(0, 1), no_tangents(2));
  EXPECT_EQ(set_of(system).size(), 4U);
  system.exact.push_back({1, 1, {"3", "10"}});
  system.exact.push_back({0, 0, {"1", "10"}});
  system.exact.push_back({0, 1, {"-3", "100"}});
  EXPECT_EQ(set_of(system), (std::set<std::string>{"00+|", "000|"}));
}

TEST(ModeCone, WitnessesAndGenerators) {
  const ModeSystem system = scene("box-2");
  ModeOptions options;
  options.witnesses = true;
  int checked = 0;
  const auto visit = visit_modes(system, options, [&](const ModeView& mode) {
    const auto cone = mode_cone(system, mode.cs, mode.ss);
    EXPECT_TRUE(cone && cone->has_value());
    EXPECT_EQ((*cone)->dim, mode.dim);
    for (const VecX& x :
         {VecX(Eigen::Map<const VecX>(mode.witness.data(), system.dof())), (*cone)->witness}) {
      const VecX values = system.rows * x;  // whole numbers and halves: exact
      std::size_t next = 0;
      for (std::size_t k = 0; k < system.contacts.size(); ++k) {
        const ModeContact& contact = system.contacts[k];
        EXPECT_EQ(values[contact.normal] > 0, mode.cs[k] == '+');
        EXPECT_GE(values[contact.normal], 0);
        if (mode.cs[k] != '0') continue;
        for (Index t = 1; t <= contact.tangents; ++t) {
          const double v = values[contact.normal + t];
          EXPECT_EQ(mode.ss[next++], v > 0 ? '+' : (v < 0 ? '-' : '0'));
        }
      }
    }
    ++checked;
    return true;
  });
  EXPECT_TRUE(visit);
  EXPECT_EQ(checked, 228);
}

TEST(ModeCone, SaysNoToWhatDoesNotExist) {
  const ModeSystem system = scene("box-1");
  const auto none = mode_cone(system, "0++0", "0000");  // opposite corners alone
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->has_value());
  EXPECT_FALSE(mode_cone(system, "0++", ""));
  EXPECT_FALSE(mode_cone(system, "000x", "00000000"));
  EXPECT_FALSE(mode_cone(system, "0000", "0000"));
  EXPECT_FALSE(mode_cone(system, "0000", "000000000"));
}

TEST(ModeSystem, DividingPlanesAreEqualAnglesApart) {
  const MatX two = dividing_planes(Vec2(3, 0), Vec2(0, 5), 2);
  EXPECT_EQ(two, (MatX(2, 2) << 3, 0, 0, 5).finished());
  const MatX four = dividing_planes(Vec2(1, 0), Vec2(0, 1), 4);
  for (Index k = 1; k < 4; ++k)
    EXPECT_NEAR(four.row(k).normalized().dot(four.row(k - 1).normalized()), std::sqrt(0.5),
                4 * tolerance::epsilon);
}

}  // namespace
}  // namespace tact
