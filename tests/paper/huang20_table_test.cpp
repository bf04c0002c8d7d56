// [Huang20] Table 1 and sec. 5.3, 6: the library's enumeration against what is printed, against
// every string put to an exact linear program, and against closed forms.
#include <numeric>

#include <gtest/gtest.h>

#include "tact/modes/mode_scenes.hpp"
#include "tact/modes/modes.hpp"
#include "tests/support/mode_referee.hpp"
#include "tests/support/random_modes.hpp"

namespace tact {
namespace {

using Strings = std::set<std::string>;

ModeSystem scene_system(std::string_view name) {
  return mode_scene(name).value().system;
}

/// What visit_modes shows, as "cs|ss"; a mode shown twice is a failure.
Strings visited(const ModeSystem& system, const ModeOptions& options = {}) {
  Strings modes;
  const auto visit = visit_modes(system, options, [&](const ModeView& mode) {
    const auto text = std::string(mode.cs).append("|").append(mode.ss);
    EXPECT_TRUE(modes.insert(text).second) << text;
    return true;
  });
  EXPECT_TRUE(visit.has_value());
  return modes;
}

/// The signs of a mode as sticking and slipping contacts; two tangents a contact.
std::string slipping(const std::string& mode) {
  const std::size_t bar = mode.find('|');
  std::string text = mode.substr(0, bar + 1);
  for (std::size_t k = bar + 1; k < mode.size(); k += 2)
    text += mode[k] == '0' && mode[k + 1] == '0' ? '0' : 's';
  return text;
}

/// `copies` bodies with the contacts of one, far from each other.
ModeSystem side_by_side(const ModeSystem& one, Index copies) {
  ModeSystem all;
  for (Index c = 0; c < copies; ++c)
    for (const ModeContact& contact : one.contacts) {
      MatX rows = MatX::Zero(1 + contact.tangents, copies * one.dof());
      rows.middleCols(c * one.dof(), one.dof()) =
          one.rows.middleRows(contact.normal, 1 + contact.tangents);
      add_contact(all, rows.row(0).transpose(), rows.bottomRows(contact.tangents));
    }
  return all;
}

/// The same contacts, each held from the other side too: none may separate.
ModeSystem held(const ModeSystem& system) {
  ModeSystem both = system;
  for (const ModeContact& contact : system.contacts)
    add_contact(both, -system.rows.row(contact.normal).transpose(), MatX(0, system.dof()));
  return both;
}

ModeCount sum(const std::vector<ModeCount>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), ModeCount{0});
}

// [Huang20] Table 1: counts, where they are known, and whether the print agrees.
TEST(Huang20Table, CountsOfEveryScene) {
  for (const ModeSceneName& about : mode_scene_names()) {
    const ModeSystem system = scene_system(about.name);
    const auto cs = count_modes(system, {.kind = ModeKind::contacting});
    ASSERT_TRUE(cs.has_value()) << about.name;
    EXPECT_TRUE(cs->cs == about.cs.value()) << about.name << ": " << to_string(cs->cs);
    EXPECT_TRUE(cs->full == cs->cs);
    if (!about.full) continue;
    const auto all = count_modes(system);
    ASSERT_TRUE(all.has_value()) << about.name;
    EXPECT_TRUE(all->full == *about.full) << about.name << ": " << to_string(all->full);
    EXPECT_TRUE(sum(all->full_by_dim) == all->full);
    EXPECT_TRUE(sum(all->cs_by_dim) == all->cs);
  }
}

// [Huang20] Table 1: cs of one scene and ss of five are not those printed.
TEST(Huang20Table, ErratumPrintedCountsThatAreWrong) {
  Strings cs;
  Strings ss;
  for (const ModeSceneName& about : mode_scene_names()) {
    if (!about.printed_cs || !about.full) continue;
    const auto counts = count_modes(scene_system(about.name));
    ASSERT_TRUE(counts.has_value());
    if (counts->cs != *about.printed_cs) cs.emplace(about.name);
    if (counts->full != *about.printed_ss) ss.emplace(about.name);
  }
  EXPECT_EQ(cs, (Strings{"box-3"}));
  EXPECT_EQ(ss, (Strings{"box-2", "box-3", "box-4", "box-box-1", "box-box-2"}));
}

// The set, not its size: every string is tried.
TEST(Huang20Table, ModesOfSmallScenesAreThoseOfTheReferee) {
  for (const char* name :
       {"box-1", "box-2", "box-3", "box-4", "box-5", "peg-4", "peg-8", "box-box-1"}) {
    const ModeSystem system = scene_system(name);
    EXPECT_EQ(visited(system), testing::tried_modes(testing::mode_rows(system))) << name;
  }
}

TEST(Huang20Table, ModesOfSystemsFullOfCoincidencesAreThoseOfTheReferee) {
  Rng rng(2);
  for (int i = 0; i < 1000; ++i) {
    const ModeSystem system = testing::random_modes(rng);
    const Strings tried = testing::tried_modes(testing::mode_rows(system));
    EXPECT_EQ(visited(system), tried) << "case " << i;
    const auto counts = count_modes(system);
    ASSERT_TRUE(counts.has_value());
    EXPECT_TRUE(counts->full == tried.size()) << "case " << i;
  }
}

TEST(Huang20Table, ContactingModesAreThoseOfTheReferee) {
  for (const char* name : {"box-box-2", "box-in-hand"}) {
    const ModeSystem system = scene_system(name);
    Strings cs;
    for (const std::string& mode : visited(system, {.kind = ModeKind::contacting}))
      cs.insert(mode.substr(0, mode.find('|')));
    EXPECT_EQ(cs, testing::tried_cs_modes(testing::mode_rows(system))) << name;
  }
}

// [Huang20] sec. 5.3: for a nonlinear cone a contact sticks or slips, in whatever direction.
TEST(Huang20Table, Sec53SlippingModesAreSlidingModesWithoutDirection) {
  for (const char* name : {"box-1", "box-2", "peg-4"}) {
    const ModeSystem system = scene_system(name);
    Strings expected;
    for (const std::string& mode : testing::tried_modes(testing::mode_rows(system)))
      expected.insert(slipping(mode));
    EXPECT_EQ(visited(system, {.kind = ModeKind::slipping}), expected) << name;
  }
}

// [Huang20] sec. 6: copies of a scene multiply its modes, so that the exponent in d stays.
TEST(Huang20Table, Sec6CopiesMultiply) {
  const auto counts = count_modes(side_by_side(scene_system("box-1"), 4));
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(to_string(counts->full), "1475789056");  // 196^4
  EXPECT_EQ(to_string(counts->cs), "10000");
}

// [Huang20] Table 1 has no sliding modes of the hand: more than an hour. Those of its
// all-contacting mode are 342063 faces of 24 planes in 5 dimensions.
TEST(Huang20Table, HandBallHeldFast) {
  const auto counts = count_modes(held(scene_system("hand-ball")));
  ASSERT_TRUE(counts.has_value());
  EXPECT_TRUE(counts->cs == 1);
  EXPECT_EQ(to_string(counts->full), "342063");
}

// [Huang20] Table 1 of box-3: 136 in any basis and any scale of rows; no hull to be left in halves.
TEST(Huang20Table, CountsDoNotDependOnBasisOrScale) {
  ModeSystem system = scene_system("box-3");
  MatX basis = MatX::Identity(6, 6);
  for (Index i = 0; i < 6; ++i)
    for (Index k = 0; k < i; ++k) basis(i, k) = static_cast<double>((3 * i + 5 * k) % 7 - 3);
  system.rows = (system.rows * basis).eval();
  for (Index k = 0; k < system.rows.rows(); ++k)
    system.rows.row(k) *= std::ldexp(1.0, static_cast<int>(7 * k % 41) - 20);
  const auto counts = count_modes(system);
  ASSERT_TRUE(counts.has_value());
  EXPECT_TRUE(counts->cs == 136);
  EXPECT_TRUE(counts->full == 136);
  std::vector<ModeCount> by_dim = counts->cs_by_dim;
  by_dim.resize(7);
  EXPECT_TRUE((by_dim == std::vector<ModeCount>{1, 9, 30, 47, 36, 12, 1}));
}

}  // namespace
}  // namespace tact
