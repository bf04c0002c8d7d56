// The roll-over of a foot: where it presses, or will, is known in every sample and moves steadily
// from heel to toe; only impacts make it jump. [MontMarin25] (18), (19)
#include <gtest/gtest.h>

#include "tact/sim/sensors.hpp"
#include "tests/support/sim_scenes.hpp"

namespace tact {
namespace {

struct Sample {
  double time = 0;
  std::optional<Vec2> cop;  ///< in the plane of the floor, in W [m]
  bool near = false, loaded = false, impact = false;
  Regime regime = Regime::idle;
};

std::vector<Sample> rolled_over(double seconds) {
  Simulation sim = testing::sim_scene(
      "foot_roll_over", [](Scene&, SceneSetup& setup) { setup.options.margin_share = 0.1; });
  const Index foot = find_body(sim.scene.model, "ankle");
  std::vector<Sample> out;
  std::vector<ContactSample> contacts;
  testing::run(sim, seconds, [&](const StepReport& report) {
    observe(sim, contacts);
    const NetContact net = net_contact(sim.scene.model, contacts, std::span(&foot, 1));
    Sample s;
    s.time = sim.state.time;
    s.near = !contacts.empty();
    s.loaded = net.normal_force > 0;
    s.impact = !report.impacts.empty();
    if (net.extended_cop_W) s.cop = net.extended_cop_W->head<2>();
    if (s.near) s.regime = contacts[0].label.regime;
    out.push_back(s);
  });
  return out;
}

TEST(SimFoot, TheCentreOfPressureIsDefinedAndContinuous) {
  const std::vector<Sample> run = rolled_over(1.2);
  std::size_t near = 0, jumps = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (!run[i].near) continue;
    ++near;
    ASSERT_TRUE(run[i].cop) << "within the margin at " << run[i].time << " s";
    if (i == 0 || !run[i - 1].near) continue;
    // A landing takes two steps: it arrives, and stops.
    bool event = false;
    for (std::size_t k = i; k + 3 > i && k < run.size(); --k) event = event || run[k].impact;
    // Nothing says how a foot that cannot roll to the side leans: it stays as it was.
    EXPECT_NEAR((*run[i].cop)[1], 0, 1e-6) << run[i].time << " s";
    const double step = (*run[i].cop - *run[i - 1].cop).norm();
    if (step > 0.01) {
      ++jumps;
      EXPECT_TRUE(event) << step << " m at " << run[i].time << " s";
    }
  }
  EXPECT_GT(near, 900U);
  EXPECT_LE(jumps, 3U);
}

TEST(SimFoot, ItTouchesWhereItWasSaidTo) {
  const std::vector<Sample> run = rolled_over(0.3);
  std::size_t touch = 0;
  while (touch < run.size() && !run[touch].loaded) ++touch;
  ASSERT_GT(touch, 0U);
  ASSERT_LT(touch, run.size());
  ASSERT_TRUE(run[touch - 1].near) << "the faces are within the margin before they touch";
  ASSERT_TRUE(run[touch - 1].cop && run[touch].cop);
  EXPECT_LE((*run[touch - 1].cop - *run[touch].cop).norm(), 1e-3);
}

}  // namespace
}  // namespace tact
