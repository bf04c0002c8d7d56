#include "tact/io/recording_audit.hpp"

#include <fstream>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/io/file.hpp"
#include "tact/io/recording_frame.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/recorded_run.hpp"

namespace tact {
namespace {

using recorded::Folder;
using recorded::record_run;
using recorded::sliding_boxes;

TEST(RecordingAudit, ARunOfTactIsClean) {
  const Folder folder;
  Simulation sim = sliding_boxes(2, 0.4, 0.07);
  record_run(sim, folder / "run.tact", 1, {3, "", ""});
  const auto audit = audit_recording(folder / "run.tact", tolerance::audit);
  ASSERT_TRUE(audit.has_value());
  EXPECT_TRUE(audit->clean()) << audit_table(*audit);
  EXPECT_GT(audit->impacts, 0);
  EXPECT_GT(audit->largest_force, 9);
  const auto json = nlohmann::json::parse(audit_json(*audit));
  EXPECT_EQ(json["steps"], 250);
  EXPECT_TRUE(json["worst"].is_null());
  EXPECT_NEAR(json["ledger"]["friction"].get<double>(), sim.ledger.of(Account::friction), 1e-12);
  EXPECT_LT(std::abs(json["ledger"]["closure"].get<double>()), 1e-12);
  EXPECT_NE(audit_table(*audit).find("clean: "), std::string::npos);
}

/// A recording of which one frame was changed.
struct Forged {
  RecordingViolation kind;
  std::function<void(RecordedFrame&)> change;
};

/// A run that was recorded and read again.
auto read_again(Simulation sim, double seconds) {
  const Folder folder;
  record_run(sim, folder / "run.tact", seconds);
  return read_recording(folder / "run.tact");
}

TEST(RecordingAudit, EveryKindIsFoundWhereItIs) {
  const auto good = read_again(sliding_boxes(2), 0.08);
  ASSERT_TRUE(good.has_value());
  ASSERT_EQ(good->frames.size(), 21U);
  constexpr std::size_t at = 9;
  ASSERT_EQ(good->frames[at].contacts.size(), 2U);
  const std::vector<Forged> forgeries = {
      {RecordingViolation::penetration, [](RecordedFrame& f) { f.figures.penetration = 0.001; }},
      {RecordingViolation::closing, [](RecordedFrame& f) { f.contacts[1].closing_C.v[2] -= 0.01; }},
      {RecordingViolation::cone, [](RecordedFrame& f) { f.contacts[1].wrench_C.m[0] += 1; }},
      {RecordingViolation::cone, [](RecordedFrame& f) { f.contacts[1].wrench_C.f[2] *= -1; }},
      {RecordingViolation::friction,
       [](RecordedFrame& f) {
         f.contacts[1].wrench_C.f[0] *= 1.1;
         f.contacts[1].wrench_C.f[1] *= 1.1;
       }},
      {RecordingViolation::slip,
       [](RecordedFrame& f) {
         f.contacts[1].twist_C.v *= -1;
         f.contacts[1].twist_C.w *= -1;
       }},
      {RecordingViolation::complementarity,
       [](RecordedFrame& f) { f.contacts[1].closing_C.v[2] += 0.01; }},
      {RecordingViolation::closure, [](RecordedFrame& f) { f.closure += 1e-3; }},
      {RecordingViolation::residual, [](RecordedFrame& f) { f.figures.residual = 1e-3; }},
  };
  for (const Forged& forged : forgeries) {
    RecordingAudit audit;
    audit.header = good->header;
    for (std::size_t i = 0; i < good->frames.size(); ++i) {
      RecordedFrame frame = good->frames[i];
      if (i == at) forged.change(frame);
      add_frame(audit, frame);
    }
    const RecordingCount& count = audit.of(forged.kind);
    const bool twice = forged.kind == RecordingViolation::closure;  // there and back
    EXPECT_EQ(count.count, twice ? 2 : 1) << name(forged.kind);
    EXPECT_EQ(count.first, 9) << name(forged.kind);
    if (!count.worst.contact.empty()) {
      EXPECT_EQ(count.worst.contact, "box1 on floor");
    }
    EXPECT_GT(count.worst.amount, count.worst.limit);
    EXPECT_FALSE(audit.clean());
    ASSERT_TRUE(audit.worst().has_value());
    EXPECT_NE(audit_table(audit).find("worst: step "), std::string::npos);
  }
  RecordingAudit audit;
  audit.header = good->header;
  ImpactEvent event;
  event.geom1 = 1;
  event.work = 0.5;
  event.verdict = WorkVerdict::generating;
  add_impacts(audit, {4, {event}});
  EXPECT_EQ(audit.of(RecordingViolation::impact).count, 1);
  EXPECT_EQ(audit.of(RecordingViolation::impact).worst.amount, 0.5);
}

TEST(RecordingAudit, JudgesWhatIsThereOfACutFile) {
  const Folder folder;
  Simulation sim = sliding_boxes(1);
  record_run(sim, folder / "run.tact", 0.08);
  const std::string bytes = *read_file(folder / "run.tact");
  ASSERT_FALSE(write_file({folder / "cut.tact", bytes.substr(0, bytes.size() * 2 / 3)}));
  const auto audit = audit_recording(folder / "cut.tact", tolerance::audit);
  ASSERT_TRUE(audit.has_value());
  EXPECT_TRUE(audit->clean());
  ASSERT_TRUE(audit->cut.has_value());
  EXPECT_NE(audit->cut->find("ends within a block"), std::string::npos);
  EXPECT_LT(audit->frames, 21);
  const auto json = nlohmann::json::parse(audit_json(*audit));
  EXPECT_TRUE(json["status"].is_null());
  EXPECT_NE(audit_table(*audit).find("clean so far: the recording has no end"), std::string::npos);
  EXPECT_FALSE(audit_recording(folder / "none.tact", tolerance::audit).has_value());
  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 1;
  ASSERT_FALSE(write_file({folder / "damaged.tact", damaged}));
  const auto broken = audit_recording(folder / "damaged.tact", tolerance::audit);
  ASSERT_TRUE(broken.has_value());
  EXPECT_FALSE(broken->clean()) << "what cannot be read was not judged";
  EXPECT_NE(audit_table(*broken).find("damaged: nothing after"), std::string::npos);
}

TEST(RecordingAudit, ARunThatDivergedIsNotClean) {
  const Folder folder;
  Simulation sim = sliding_boxes(1);
  Recorder writes = *Recorder::open(folder / "run.tact", sim);
  RunSummary summary = simulate(sim, {0.08, 10}, recording_watcher(writes, true));
  summary.status = RunStatus::diverged;
  ASSERT_FALSE(writes.finish(summary).has_value());
  const auto audit = audit_recording(folder / "run.tact", tolerance::audit);
  ASSERT_TRUE(audit.has_value());
  EXPECT_FALSE(audit->worst().has_value()) << "every frame is good";
  EXPECT_FALSE(audit->clean());
  EXPECT_EQ(nlohmann::json::parse(audit_json(*audit))["status"], "diverged");
  const std::string text = audit_table(*audit);
  EXPECT_NE(text.find("diverged: the run broke off after its last frame, at 0.08 s"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("clean"), std::string::npos);
}

/// The audit of one frame that was changed.
RecordingAudit audit_of(const RecordingHeader& header, RecordedFrame frame,
                        const std::function<void(RecordedFrame&)>& change) {
  RecordingAudit audit;
  audit.header = header;
  change(frame);
  add_frame(audit, frame);
  return audit;
}

TEST(RecordingAudit, FaultsOfOnePercentAreFoundInEveryFrame) {
  const auto good = read_again(sliding_boxes(2), 0.08);
  ASSERT_TRUE(good.has_value());
  for (std::size_t i = 1; i < good->frames.size(); ++i) {
    const RecordedFrame& frame = good->frames[i];
    const auto found = [&](const std::function<void(ContactSample&)>& change) {
      return audit_of(good->header, frame, [&](RecordedFrame& f) { change(f.contacts[1]); });
    };
    EXPECT_TRUE(found([](ContactSample&) {}).clean()) << i;
    const auto more = found([](ContactSample& c) { c.wrench_C.f.head<2>() *= 1.01; });
    EXPECT_EQ(more.of(RecordingViolation::friction).count, 1) << i;
    const auto twice = found([](ContactSample& c) { c.wrench_C.f.head<2>() *= 2; });
    EXPECT_EQ(twice.of(RecordingViolation::friction).count, 1) << i;
    const auto around = found([](ContactSample& c) {
      c.wrench_C.f.head<2>() *= -1;
      c.wrench_C.m[2] *= -1;
    });
    EXPECT_EQ(around.of(RecordingViolation::slip).count, 1) << i;
    const auto open = found([&](ContactSample& c) {
      c.wrench_C = {Vec3::Zero(), 0.01 * frame.contacts[0].wrench_C.f_n() * Vec3::UnitZ()};
      c.closing_C = {Vec3::Zero(), 0.01 * Vec3::UnitZ()};
    });
    EXPECT_EQ(open.of(RecordingViolation::complementarity).count, 1) << i;
  }
}

/// A box of 1 kg at some 0.3 m/s with a step of 4 ms: a residual of 1e-7 is some 1e-5 N.
TEST(RecordingAudit, WhatTheSolveLeftIsSaidOnceByTheResidual) {
  const auto good = read_again(sliding_boxes(2), 0.08);
  ASSERT_TRUE(good.has_value());
  const auto judged = [&](double residual, double part, double excess) {
    return audit_of(good->header, good->frames[9], [&](RecordedFrame& f) {
      f.figures.residual = residual;
      if (part > 0) f.solve.length = part;
      ContactSample& c = f.contacts[1];
      c.wrench_C.f.head<2>() = (c.mu * c.wrench_C.f_n() + excess) * c.wrench_C.f_t().normalized();
    });
  };
  const auto kind = RecordingViolation::friction;
  EXPECT_EQ(judged(1e-7, 0, 5e-5).of(kind).count, 0);
  EXPECT_EQ(judged(1e-12, 0, 5e-5).of(kind).count, 1);
  EXPECT_EQ(judged(1e-7, 0, 5e-3).of(kind).count, 1);
  EXPECT_EQ(judged(1e-7, 4e-6, 5e-3).of(kind).count, 0) << "the same impulse in a short part";
  const RecordingAudit unsolved = judged(1, 0, 0.1);
  EXPECT_EQ(unsolved.of(kind).count, 1) << "a bad residual excuses nothing";
  EXPECT_EQ(unsolved.of(RecordingViolation::residual).count, 1);
}

TEST(RecordingAudit, AnOverlapOfTheSceneIsTakenBackNotDeepened) {
  const Folder folder;
  Simulation sim = sliding_boxes(1, 0, 0.04);
  record_run(sim, folder / "run.tact", 0.08, {2, "", ""});
  const auto audit = audit_recording(folder / "run.tact", tolerance::audit);
  ASSERT_TRUE(audit.has_value());
  EXPECT_NEAR(audit->deepest, 0.01, 1e-9);
  EXPECT_TRUE(audit->clean()) << audit_table(*audit);
  const auto good = read_recording(folder / "run.tact");
  ASSERT_TRUE(good.has_value());
  for (const std::size_t at : {std::size_t{1}, good->frames.size() - 1}) {
    RecordingAudit worse;
    worse.header = good->header;
    for (std::size_t i = 0; i < good->frames.size(); ++i) {
      RecordedFrame frame = good->frames[i];
      if (i == at) frame.figures.penetration = i == 1 ? 0.011 : 0.001;
      add_frame(worse, frame);
    }
    EXPECT_EQ(worse.of(RecordingViolation::penetration).count, 1) << at;
  }
}

TEST(RecordingAudit, RoundingIsNoLoad) {
  const auto good = read_again(sliding_boxes(1), 0.02);
  ASSERT_TRUE(good.has_value());
  const auto loaded = [&](double force) {
    return audit_of(good->header, good->frames.back(), [&](RecordedFrame& f) {
      f.contacts[0].wrench_C = {Vec3::Zero(), Vec3(force, 0, force)};
      f.contacts[0].closing_C.v[2] = 1e-3;
    });
  };
  EXPECT_TRUE(loaded(1e-30).clean()) << "though it is the largest force of the frame";
  EXPECT_EQ(loaded(1e-3).of(RecordingViolation::complementarity).count, 1);
  EXPECT_EQ(loaded(1e-3).of(RecordingViolation::friction).count, 1);
}

/// A ball that slides, and rolls against its rolling friction.
TEST(RecordingAudit, RollingFrictionIsFriction) {
  const Folder folder;
  auto scene = read_mjcf_text(
      R"(<mujoco><option timestep="0.004"/><worldbody><geom name="floor" type="plane" size="9 9 1"/>
         <body pos="0 0 0.1"><freejoint/>
         <geom name="ball" type="sphere" size="0.1" condim="6" friction="0.5 0.01 0.01"/></body>
         </worldbody></mujoco>)",
      "ball.xml", no_files());
  ASSERT_TRUE(scene.has_value());
  State state = initial_state(scene->model);
  state.qvel[0] = 1;
  Simulation sim = *make_simulation(scene->model, state, {});
  record_run(sim, folder / "run.tact", 0.2);
  const auto audit = audit_recording(folder / "run.tact", tolerance::audit);
  ASSERT_TRUE(audit.has_value());
  EXPECT_TRUE(audit->clean()) << audit_table(*audit);
  const auto good = read_recording(folder / "run.tact");
  const RecordedFrame& last = good->frames.back();
  const ContactSample& c = last.contacts.at(0);
  ASSERT_LT(c.wrench_C.m.dot(c.twist_C.w), -0.1) << "it brakes the rolling";
  const auto pushed =
      audit_of(good->header, last, [](RecordedFrame& f) { f.contacts[0].wrench_C.m *= -1; });
  EXPECT_EQ(pushed.of(RecordingViolation::slip).count, 1);
}

TEST(RecordingAudit, EveryFrameSaysWhatItsContactsWereSolvedWith) {
  const Folder folder;
  Simulation sim = sliding_boxes(2, 0.4, 0.07);
  Recorder writes = *Recorder::open(folder / "run.tact", sim);
  std::vector<double> parts = {0}, scales = {0};
  const RunSummary summary =
      simulate(sim, {0.4, 10}, [&](const Simulation& s, const StepReport& report, bool last) {
        std::vector<ContactSample> contacts;
        observe(s, contacts);
        parts.push_back(contacts.empty() ? 0 : s.work->dt);
        scales.push_back(contacts.empty() ? 0 : energy_scale(s.work->problem, s.work->lambda));
        return !writes.record(s, report, last);
      });
  ASSERT_FALSE(writes.finish(summary).has_value());
  const auto read = read_recording(folder / "run.tact");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->frames.size(), parts.size());
  std::size_t cut = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(read->frames[i].solve.length, parts[i]) << i;
    EXPECT_EQ(read->frames[i].solve.scale, scales[i]) << i;
    cut += parts[i] > 0 && parts[i] < sim.options.dt;
  }
  EXPECT_GT(cut, 0U);
}

}  // namespace
}  // namespace tact
