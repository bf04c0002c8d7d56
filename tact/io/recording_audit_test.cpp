#include "tact/io/recording_audit.hpp"

#include <fstream>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/io/file.hpp"
#include "tact/io/recording_frame.hpp"
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

TEST(RecordingAudit, EveryKindIsFoundWhereItIs) {
  const Folder folder;
  Simulation sim = sliding_boxes(2);
  record_run(sim, folder / "run.tact", 0.08);
  const auto good = read_recording(folder / "run.tact");
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
  EXPECT_FALSE(audit_recording(folder / "none.tact", tolerance::audit).has_value());
}

}  // namespace
}  // namespace tact
