// What rides on something that turns stays where it is, on anything that can turn, to second order.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "tact/sim/sensors.hpp"
#include "tests/support/sim_scenes.hpp"

namespace tact {
namespace {

using testing::run;

constexpr double turn = 2;  // [rad/s]
constexpr double seconds = 10;

enum class Table { driven, belt, hinged, free };

std::string table_text(Table kind) {
  const char* const geom = "<geom name=\"table\" type=\"cylinder\" size=\"1 0.05\" mass=\"10\"/>";
  const std::string at = "pos=\"0 0 0.05\"";
  std::string table, start;
  switch (kind) {
    case Table::driven:
      table = "<body mocap=\"true\" " + at + ">" + geom + "</body>";
      break;
    case Table::belt:
      table = "<body " + at + ">" + geom + "</body>";
      break;
    case Table::hinged:
      table = "<body " + at + "><joint type=\"hinge\" axis=\"0 0 1\"/>" + geom + "</body>";
      start = "2 ";
      break;
    case Table::free:  // on ice
      table =
          "<geom type=\"plane\" size=\"5 5 1\"/><body " + at + "><freejoint/>" + geom + "</body>";
      start = "0 0 0 0 0 2 ";
      break;
  }
  return "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><default><geom "
         "friction=\"0 0 0\"/></default><worldbody>" +
         table +
         "<body name=\"box\" pos=\"0.5 0 0.2\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\" "
         "mass=\"1\" friction=\"0.8 0 0\"/></body></worldbody><keyframe><key name=\"init\" "
         "qvel=\"" +
         start + "0 1 0 0 0 2\"/></keyframe></mujoco>";
}

Drive turning_drive() {
  Drive out;
  out.motion.time = {0};
  Vec6 motion = Vec6::Zero();
  motion[5] = turn;
  out.motion.value = {motion};
  return out;
}

Simulation simulation_of(const std::string& text, double dt, const testing::Change& change) {
  auto read = read_mjcf_text(text, "test.xml", no_files());
  if (!read) throw std::runtime_error(read.error().message);
  Scene scene = *std::move(read);
  SimOptions options;
  options.dt = dt;
  auto setup = scene_setup(scene, "test.xml", "init", options);
  if (!setup) throw std::runtime_error(setup.error().message);
  SceneSetup said = *std::move(setup);
  change(scene, said);
  auto made = make_simulation(scene.model, said.start, said.options, said.prescribed, said.choices);
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}

Simulation table_simulation(Table kind, double dt) {
  return simulation_of(table_text(kind), dt, [&](Scene&, SceneSetup& setup) {
    if (kind == Table::driven) setup.prescribed.drives.push_back(turning_drive());
    if (kind == Table::belt)
      setup.prescribed.surfaces.push_back({0, Vec3::Zero(), Vec3(0, 0, turn)});
  });
}

/// Where the box is on its table after ten seconds, less where it was: outwards, along.
Vec2 drift(Table kind, double dt) {
  Simulation sim = table_simulation(kind, dt);
  run(sim, seconds);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-12 * 11 * 9.81);  // m g of table and box, a metre
  const State end = state_of(sim);
  double angle = turn * seconds;
  Vec2 middle = Vec2::Zero(), box = end.qpos.head<2>();
  if (kind == Table::hinged) {
    angle = end.qpos[0];
    box = end.qpos.segment<2>(1);
  } else if (kind == Table::free) {
    angle = 2 * std::atan2(end.qpos[6], end.qpos[3]);
    middle = end.qpos.head<2>();
    box = end.qpos.segment<2>(7);
  }
  const Vec2 at = box - middle;
  return Vec2(std::cos(angle) * at[0] + std::sin(angle) * at[1] - 0.5,
              std::cos(angle) * at[1] - std::sin(angle) * at[0]);
}

/// A scheme of first order drifts by ½ r ω² h a second, a centimetre here.
TEST(SimTurning, ABoxStaysWhereItIsOnATurntable) {
  constexpr double dt = 1e-3, way = 0.5 * turn * seconds;
  constexpr double angle = turn * dt;
  for (const Table kind : {Table::driven, Table::belt, Table::hinged, Table::free}) {
    const Vec2 fine = drift(kind, dt), coarse = drift(kind, 2 * dt);
    // Heun's rule on a circle: a fourth of (ω h)³ of its way outwards, and along it less than (ω
    // h)².
    EXPECT_LT(std::abs(fine[0]), angle * angle * angle * way) << static_cast<int>(kind);
    EXPECT_LT(std::abs(fine[1]), angle * angle * way) << static_cast<int>(kind);
    EXPECT_NEAR(coarse[1] / fine[1], 4, 0.2) << static_cast<int>(kind) << ": second order";
  }
}

/// A ball that rolls on a turntable goes round in a circle of its own, 2/7 as fast as the table.
TEST(SimTurning, ABallOnATurntableGoesRoundAtTwoSeventhsOfItsPace) {
  const std::string text =
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><default><geom friction=\"0.8 0 "
      "0\"/></default><worldbody><body mocap=\"true\" pos=\"0 0 -0.05\"><geom type=\"cylinder\" "
      "size=\"3 0.05\" mass=\"1\"/></body><body pos=\"0.5 0 0.1\"><freejoint/><geom "
      "type=\"sphere\" size=\"0.1\" mass=\"1\"/></body></worldbody><keyframe><key name=\"init\" "
      "qvel=\"0 0.3 0 7 0 0\"/></keyframe></mujoco>";
  constexpr double pace = 2 * turn / 7, speed = 0.3;
  const double period = 2 * std::numbers::pi / pace;
  const auto error = [&](double dt) {
    Simulation sim = simulation_of(text, dt, [](Scene&, SceneSetup& setup) {
      setup.prescribed.drives.push_back(turning_drive());
    });
    const double phase = pace * run(sim, period).simulated, radius = speed / pace;
    const Vec2 expected(0.5 - radius + radius * std::cos(phase), radius * std::sin(phase));
    return (state_of(sim).qpos.head<2>() - expected).norm();
  };
  constexpr double dt = 1e-3;
  const double below = 0.5 * turn * period;  // how far the table goes below it
  EXPECT_LT(error(dt), turn * dt * turn * dt * below);
  EXPECT_NEAR(error(2 * dt) / error(dt), 4, 0.2) << "second order";
}

/// Rollers: surfaces that run about an axis in the plane of contact move what lies on them and
/// close no gap.
TEST(SimTurning, APlankGoesAlongOnTwoRollers) {
  constexpr double radius = 0.1, spin = 5, mu = 0.5, time = 0.5, speed = radius * spin;
  const std::string text =
      "<mujoco><option gravity=\"0 0 -9.81\"/><default><geom friction=\"0.5 0 0\"/></default>"
      "<worldbody><geom type=\"cylinder\" size=\"0.1 0.3\" euler=\"90 0 0\" pos=\"-0.5 0 "
      "0\"/><geom "
      "type=\"cylinder\" size=\"0.1 0.3\" euler=\"90 0 0\" pos=\"0.5 0 0\"/><body pos=\"0 0 "
      "0.12\"><freejoint/><geom type=\"box\" size=\"1 .1 .02\" mass=\"2\"/></body></worldbody>"
      "<keyframe><key name=\"init\"/></keyframe></mujoco>";
  Simulation sim = simulation_of(text, 1e-3, [&](Scene& scene, SceneSetup& setup) {
    for (Index geom = 0; geom < 2; ++geom) {
      const Mat3 R = scene.model.geoms[geom].X_BG.R;
      setup.prescribed.surfaces.push_back({geom, Vec3::Zero(), R.transpose() * Vec3(0, spin, 0)});
    }
  });
  run(sim, time);
  const State end = state_of(sim);
  const double sliding = speed / (mu * 9.81);  // until it goes as fast as they turn
  EXPECT_NEAR(end.qpos[0], speed * (time - sliding / 2), 1e-5);
  EXPECT_NEAR(end.qvel[0], speed, 1e-9);
  EXPECT_NEAR(end.qpos[2], 0.12, 1e-9);
  EXPECT_NEAR(end.qvel[2], 0, 1e-9);
  const double paid = 2 * speed * speed;  // as much in the plank as friction took on the way
  EXPECT_NEAR(sim.ledger.accounts[static_cast<std::size_t>(Account::wall)].value(), paid, 1e-6);
}

/// A wheel on a point of its axle goes round level at m g l/(I ω): contacts and ties turn the mean
/// velocity that gyroscopic forces belong to.
TEST(SimTurning, AGyroscopeOnATieStaysLevel) {
  constexpr double mass = 1, arm = 0.1, spin = 100, inertia = 0.005;
  const double precession = mass * 9.81 * arm / (inertia * spin);
  const std::string text =
      "<mujoco><option gravity=\"0 0 -9.81\"/><worldbody><body name=\"w\" pos=\"0.1 0 "
      "1\"><freejoint/>"
      "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.005 0.003 0.003\"/></body></worldbody>"
      "<equality><connect body1=\"w\" anchor=\"-0.1 0 0\"/></equality><keyframe><key "
      "name=\"init\" qvel=\"0 " +
      std::to_string(arm * precession) + " 0 100 0 " + std::to_string(precession) +
      "\"/></keyframe></mujoco>";
  const auto sunk = [&](double dt) {
    Simulation sim = simulation_of(text, dt, [](Scene&, SceneSetup&) {});
    run(sim, 2);
    return std::abs(state_of(sim).qpos[2] - 1);
  };
  const double fine = sunk(5e-4), coarse = sunk(1e-3);
  EXPECT_LT(coarse, 1e-3 * arm);  // 27 mm with the gyroscopic impulse of free flight
  EXPECT_LT(fine, coarse);
}

// ---- equalities

/// An ideal joint does no work, whether rows or coordinates keep it: both errors fall by the square
/// of the step and better. A scheme of first order loses 6 % here at 1 ms.
TEST(SimTurning, APendulumHeldByRowsKeepsItsEnergy) {
  const std::string text =
      "<mujoco><option gravity=\"0 0 -9.81\"/><worldbody><body name=\"p\" pos=\"1 0 "
      "2\"><freejoint/>"
      "<geom type=\"sphere\" size=\".1\" mass=\"2\"/></body></worldbody><equality><connect "
      "body1=\"p\" anchor=\"-1 0 0\"/></equality><keyframe><key "
      "name=\"init\"/></keyframe></mujoco>";
  constexpr double energy = 2 * 9.81;
  const auto lost = [&](double dt, double& error) {
    Simulation sim = simulation_of(text, dt, [](Scene&, SceneSetup&) {});
    const RunSummary summary = run(sim, seconds);
    error = summary.max_joint_error;
    return sim.ledger.kinetic_change.value() + sim.ledger.potential_change.value();
  };
  double coarse_error = 0, fine_error = 0;
  const double coarse = lost(2e-3, coarse_error), fine = lost(1e-3, fine_error);
  EXPECT_LT(std::abs(fine), 1e-5 * energy);
  EXPECT_LT(std::abs(fine), std::abs(coarse) / 3);
  // True errors: the rows of the end of the step take back what those of its middle leave.
  EXPECT_LT(fine_error, tolerance::turning);
  EXPECT_LT(coarse_error, tolerance::turning);
}

/// What is welded or connected to a driven body goes with it, and the drive pays for it.
TEST(SimTurning, ABodyHeldByADrivenOneGoesWithIt) {
  for (const std::string kind : {"weld", "connect"}) {
    const std::string text =
        "<mujoco><option gravity=\"0 0 -9.81\"/><worldbody><body name=\"m\" mocap=\"true\" pos=\"0 "
        "0 "
        "1\"/><body name=\"b\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\" "
        "mass=\"2\"/></body></worldbody><equality><" +
        kind + " body1=\"m\" body2=\"b\" " + (kind == "weld" ? "" : "anchor=\"0 0 0\"") +
        "/></equality><sensor><framelinvel objtype=\"body\" objname=\"m\"/></sensor>"
        "<keyframe><key name=\"init\"/></keyframe></mujoco>";
    Simulation sim = simulation_of(text, 1e-3, [](Scene&, SceneSetup& setup) {
      Drive drive;
      drive.motion.time = {0, 1};
      drive.motion.value = {VecX::Zero(6), (Vec6() << 1, 0, 1, 0, 0, 0).finished()};
      setup.prescribed.drives.push_back(drive);
    });
    const RunSummary summary = run(sim, 2);
    const State end = state_of(sim);
    EXPECT_LT((end.qpos.head<3>() - Vec3(1.5, 0, 2.5)).norm(), 1e-9) << kind;
    EXPECT_LT((end.qvel.head<3>() - Vec3(1, 0, 1)).norm(), 1e-9) << kind;
    EXPECT_LT(summary.max_joint_error, tolerance::turning) << kind;
    const double paid = 0.5 * 2 * 2 + 2 * 9.81 * 1.5;
    EXPECT_NEAR(sim.ledger.accounts[static_cast<std::size_t>(Account::wall)].value(), paid, 1e-9)
        << kind;
    std::vector<double> reading;
    read_sensor(sim, {}, sim.scene.model.sensors[0], reading);
    ASSERT_EQ(reading.size(), 3U);
    EXPECT_LT((Eigen::Map<const Vec3>(reading.data()) - Vec3(1, 0, 1)).norm(), 1e-12);
  }
}

/// An accelerometer at a distance on a turntable that starts: what turns, what speeds up, weight.
TEST(SimTurning, SensorsOfADrivenBodyFeelItsDrive) {
  const std::string text =
      "<mujoco><option gravity=\"0 0 -9.81\"/><worldbody><body mocap=\"true\"><geom type=\"box\" "
      "size=\".1 .1 .1\"/><body pos=\"0.5 0 0\"><site name=\"s\"/></body></body><body pos=\"0 0 "
      "5\"><freejoint/><geom type=\"sphere\" size=\".1\"/></body></worldbody><sensor>"
      "<accelerometer site=\"s\"/><gyro site=\"s\"/><velocimeter "
      "site=\"s\"/></sensor><keyframe><key "
      "name=\"init\"/></keyframe></mujoco>";
  Simulation sim = simulation_of(text, 1e-3, [](Scene&, SceneSetup& setup) {
    Drive drive;
    drive.motion.time = {0, 1};
    drive.motion.value = {VecX::Zero(6), (Vec6() << 0, 0, 0, 0, 0, turn).finished()};
    setup.prescribed.drives.push_back(drive);
  });
  run(sim, 0.5);
  constexpr double rate = 0.5 * turn;
  const auto reading = [&](std::size_t i) {
    std::vector<double> out;
    read_sensor(sim, {}, sim.scene.model.sensors[i], out);
    EXPECT_EQ(out.size(), 3U);
    return Vec3(out[0], out[1], out[2]);
  };
  EXPECT_LT((reading(0) - Vec3(-0.5 * rate * rate, 0.5 * turn, 9.81)).norm(), 1e-9);
  EXPECT_LT((reading(1) - Vec3(0, 0, rate)).norm(), 1e-9);
  EXPECT_LT((reading(2) - Vec3(0, 0.5 * rate, 0)).norm(), 1e-9);
}

/// And one that turns takes it round.
TEST(SimTurning, AWeldToATurningBodyHoldsAtADistance) {
  const std::string text =
      "<mujoco><option gravity=\"0 0 0\"/><worldbody><body name=\"m\" mocap=\"true\"/><body "
      "name=\"b\" "
      "pos=\"0.5 0 0\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\" "
      "mass=\"2\"/></body></worldbody>"
      "<equality><weld body1=\"m\" body2=\"b\"/></equality><keyframe><key name=\"init\" qvel=\"0 1 "
      "0 0 0 "
      "2\"/></keyframe></mujoco>";
  Simulation sim = simulation_of(text, 1e-3, [](Scene&, SceneSetup& setup) {
    setup.prescribed.drives.push_back(turning_drive());
  });
  const RunSummary summary = run(sim, seconds);
  EXPECT_LT(summary.max_joint_error, 1e-8);
  const State end = state_of(sim);
  const double angle = turn * seconds;
  const Vec2 expected(0.5 * std::cos(angle), 0.5 * std::sin(angle));
  EXPECT_LT((end.qpos.head<2>() - expected).norm(), 1e-8);
  EXPECT_NEAR(end.qvel.head<3>().norm(), 1, 1e-5);
  EXPECT_NEAR(end.qvel[5], turn, 1e-5);
}

TEST(SimTurning, JointsBelowADrivenBodyAreRefused) {
  const std::string text =
      "<mujoco><worldbody><body name=\"base\" mocap=\"true\"><geom type=\"sphere\" "
      "size=\".1\"/><body "
      "name=\"arm\" pos=\"0 0 1\"><joint axis=\"0 1 0\"/><geom type=\"sphere\" "
      "size=\".1\"/></body></body>"
      "</worldbody><keyframe><key name=\"init\"/></keyframe></mujoco>";
  EXPECT_NO_THROW((void)simulation_of(text, 1e-3, [](Scene&, SceneSetup&) {}));
  try {
    (void)simulation_of(text, 1e-3, [](Scene&, SceneSetup& setup) {
      setup.prescribed.drives.push_back(turning_drive());
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "body \"arm\" hangs by a joint on body \"base\", which is driven, and would not feel "
              "it; weld it, or move its base by joints with actuators");
  }
}

}  // namespace
}  // namespace tact
