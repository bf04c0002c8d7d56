// io/recording_notes_test.cpp - soft contacts, certificates and modes: written, read, damaged.
#include "tact/io/recording_notes.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/io/impact_note.hpp"
#include "tact/io/mode_note.hpp"
#include "tact/io/note_recording.hpp"
#include "tact/io/recording_audit.hpp"
#include "tact/io/recording_soft.hpp"
#include "tests/support/recorded_run.hpp"

namespace tact {
namespace {

using recorded::Folder;
using recorded::record_run;
using recorded::sliding_boxes;

constexpr double inf = std::numeric_limits<double>::infinity();

SoftSample soft_sample() {
  SoftSample s;
  s.geom1 = 1;
  s.which = 2;
  s.state = SoftState::slips;
  s.X_WC.p = Vec3(0.5, -0.25, 2);
  s.depth = 0.125;
  s.semi_axes = Vec2(0.5, 0.25);
  s.extension = Vec3(1, -2, 0.5);
  s.wrench_C = Wrench::from((Vec6() << 1, 2, 3, 4, 5, 6).finished());
  s.energy = 0.75;
  s.friction_use = 1;
  s.slip_limits = Vec3(3, 4, inf);
  return s;
}

RecordingHeader two_geoms() {
  RecordingHeader header;
  header.bodies = {"world", "ball"};
  header.geoms.resize(2);
  return header;
}

TEST(RecordingSoft, ComesBackAndHasItsDocumentedSize) {
  const std::string payload = soft_payload(17, {soft_sample(), SoftSample{}});
  EXPECT_EQ(payload.size(), 8 + 4 + 2 * 112U) << "docs/recording.md";
  Index step = 0;
  std::vector<SoftSample> back;
  ASSERT_TRUE(read_soft(payload, two_geoms(), step, back));
  EXPECT_EQ(step, 17);
  ASSERT_EQ(back.size(), 2U);
  const SoftSample &a = back[0], b = soft_sample();
  EXPECT_EQ(a.geom1, b.geom1);
  EXPECT_EQ(a.which, b.which);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.X_WC.p, b.X_WC.p);
  EXPECT_EQ(a.depth, b.depth);
  EXPECT_EQ(a.semi_axes, b.semi_axes);
  EXPECT_EQ(a.extension, b.extension);
  EXPECT_EQ(a.wrench_C.vec(), b.wrench_C.vec());
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.friction_use, b.friction_use);
  EXPECT_EQ(a.slip_limits, b.slip_limits);
}

TEST(RecordingSoft, WhatDoesNotFitIsRefused) {
  Index step = 0;
  std::vector<SoftSample> back;
  const std::string payload = soft_payload(3, {soft_sample()});
  for (std::size_t cut = 0; cut < payload.size(); ++cut)
    EXPECT_FALSE(read_soft(payload.substr(0, cut), two_geoms(), step, back)) << cut;
  EXPECT_FALSE(read_soft(payload + '\0', two_geoms(), step, back));
  const auto changed = [&](std::size_t at, char to) {
    std::string out = payload;
    out[at] = to;
    return read_soft(out, two_geoms(), step, back);
  };
  EXPECT_FALSE(changed(12, 2)) << "no such geom";
  EXPECT_FALSE(changed(24, 3)) << "no such state";
  EXPECT_FALSE(changed(25, 1)) << "padding";
  EXPECT_FALSE(changed(8, 2)) << "a count of two";
  SoftSample broken = soft_sample();
  broken.energy = std::nan("");
  EXPECT_FALSE(read_soft(soft_payload(3, {broken}), two_geoms(), step, back));
}

TEST(RecordingNotes, CertificatesComeBack) {
  RecordedCertificate c;
  c.step = 12;
  c.time = 0.5;
  c.contacts = {"ball on floor", "\"quoted\" <name>"};
  c.verdict = "consistent_weak";
  c.W_min = -inf;
  c.W_max = 0.25;
  c.why = {"because"};
  c.svg = "<svg/>";
  RecordedCertificate back;
  ASSERT_TRUE(read_certificate_payload(certificate_payload(c), back));
  EXPECT_EQ(back.step, 12);
  EXPECT_EQ(back.contacts, c.contacts);
  EXPECT_EQ(back.W_min, -inf);
  EXPECT_EQ(back.W_max, 0.25);
  EXPECT_EQ(back.W_actual, std::nullopt);
  EXPECT_EQ(back.why, c.why);
  EXPECT_EQ(back.svg, c.svg);
  for (const char* bad :
       {"", "{}", "[1]", R"({"step":-1,"time":0,"contacts":[],"verdict":"","why":[]})",
        R"({"step":1,"time":0,"contacts":[],"verdict":"","W_min":"low","why":[]})"})
    EXPECT_FALSE(read_certificate_payload(bad, back)) << bad;
}

TEST(RecordingNotes, ModesComeBackAndMustFit) {
  const auto scene = mode_scene("box-1");
  ASSERT_TRUE(scene);
  const auto modes = mode_note(*scene, "a box");
  ASSERT_TRUE(modes) << modes.error().message;
  EXPECT_EQ(modes->modes.size(), 196U);
  EXPECT_TRUE(modes->complete);
  RecordedModes back;
  ASSERT_TRUE(read_modes_payload(modes_payload(*modes), 1, 2, back));
  EXPECT_EQ(back.modes.size(), 196U);
  EXPECT_EQ(back.contacts[3].name, modes->contacts[3].name);
  EXPECT_EQ(*back.contacts[3].p_W, *modes->contacts[3].p_W);
  EXPECT_EQ(back.modes[50].velocity, modes->modes[50].velocity);
  EXPECT_EQ(back.modes[50].faces, modes->modes[50].faces);
  const auto damaged = [&](const auto& change) {
    auto json = nlohmann::json::parse(modes_payload(*modes));
    change(json);
    return read_modes_payload(json.dump(), 1, 2, back);
  };
  EXPECT_FALSE(damaged([](auto& j) { j["modes"][0]["cs"] = "0"; }));
  EXPECT_FALSE(damaged([](auto& j) { j["modes"][0]["cs"] = "00x0"; }));
  EXPECT_FALSE(damaged([](auto& j) { j["modes"][0]["velocity"] = {1, 2}; }));
  EXPECT_FALSE(damaged([](auto& j) { j["modes"][0]["faces"] = {196}; }));
  EXPECT_FALSE(damaged([](auto& j) { j["contacts"][0]["geom1"] = 1; })) << "there is one geom";
  EXPECT_FALSE(damaged([](auto& j) { j["modes"][0]["contact_velocities"] = {{1, 2, 3}}; }));
}

// What a mode's strings say is what its velocity does at the contacts.
TEST(ModeNote, VelocitiesDoWhatTheStringsSay) {
  const auto scene = mode_scene("box-2");
  ASSERT_TRUE(scene);
  const auto note = mode_note(*scene, "box-2");
  ASSERT_TRUE(note);
  ASSERT_EQ(note->modes.size(), 228U);
  for (const RecordedModes::Mode& m : note->modes) {
    std::size_t next = 0;
    for (std::size_t c = 0; c < note->contacts.size(); ++c) {
      const double opening = note->contacts[c].n_W->dot(m.contact_velocities[c]);
      if (m.cs[c] == '+') {
        EXPECT_GT(opening, 0);
        continue;
      }
      EXPECT_NEAR(opening, 0, 1e-12);
      for (const Vec3& t : note->contacts[c].t_W) {
        const double along = t.dot(m.contact_velocities[c]);
        const char sign = m.ss[next++];
        if (sign == '0') EXPECT_NEAR(along, 0, 1e-12);
        if (sign == '+') EXPECT_GT(along, 0);
        if (sign == '-') EXPECT_LT(along, 0);
      }
    }
    for (const Index face : m.faces) EXPECT_EQ(note->modes[face].dim, m.dim - 1);
  }
}

TEST(ModeNote, MoreThanTheLimitAreTheFirst) {
  const auto scene = mode_scene("box-1");
  ModeNoteOptions few;
  few.most = 10;
  const auto note = mode_note(*scene, "box-1", few);
  ASSERT_TRUE(note);
  EXPECT_FALSE(note->complete);
  EXPECT_EQ(note->modes.size(), 10U);
  EXPECT_TRUE(note->modes[0].faces.empty());
}

/// A box that falls flat on the floor, and bounces.
TEST(ImpactNote, ARecordedImpactIsJudged) {
  const Folder folder;
  Simulation sim = sliding_boxes(1, 0.5, 0.2);
  sim.keep_impacts = true;
  record_run(sim, folder / "run.tact", 0.3);
  const auto read = read_recording(folder / "run.tact");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->cut, std::nullopt);
  ASSERT_FALSE(read->certificates.empty());
  const RecordedCertificate& c = read->certificates[0];
  EXPECT_EQ(c.verdict, "consistent_strong");
  ASSERT_EQ(c.contacts.size(), 1U);
  EXPECT_NE(c.contacts[0].find("box0"), std::string::npos) << c.contacts[0];
  ASSERT_TRUE(c.W_min && c.W_max && c.W_actual);
  const ImpactEvent& event = read->impacts[0].events[0];
  EXPECT_EQ(c.step, read->impacts[0].step);
  EXPECT_NEAR(*c.W_actual, event.work, 1e-9);
  EXPECT_LE(*c.W_min, *c.W_actual + 1e-6);
  EXPECT_LE(*c.W_actual, *c.W_max + 1e-6);
  EXPECT_FALSE(c.why.empty());
}

TEST(ImpactNote, WithoutTheProblemItSaysSo) {
  const Folder folder;
  Simulation sim = sliding_boxes(1, 0.5, 0.2);
  RecordOptions options;
  options.certificates = 1;
  record_run(sim, folder / "run.tact", 0.5, options);
  const auto read = read_recording(folder / "run.tact");
  ASSERT_TRUE(read.has_value());
  ASSERT_GT(read->impacts.size(), 1U);
  ASSERT_EQ(read->certificates.size(), 1U) << "as many as asked for";
  EXPECT_EQ(read->certificates[0].verdict, "dissipative");
  EXPECT_EQ(read->certificates[0].W_min, std::nullopt);
  EXPECT_NE(read->certificates[0].why.back().find("later impacts"), std::string::npos);
}

TEST(NoteRecording, IsARecordingWithoutMotion) {
  RecordingNotes notes;
  notes.certificates.resize(1);
  notes.certificates[0].verdict = "inconsistent";
  notes.modes.resize(1);
  notes.bodies.push_back({"cube", Box{Vec3(1, 1, 1)}, {Mat3::Identity(), Vec3(0, 0, 2)}});
  const std::string bytes = note_recording({"lift", "lift.json", 1}, notes);
  auto opened = RecordingReader::of(bytes, "notes");
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  RecordingReader reader = *std::move(opened);
  using Found = RecordingReader::Found;
  std::vector<Found> found;
  while (true) {
    const auto next = reader.poll();
    ASSERT_TRUE(next.has_value()) << next.error().message;
    if (*next == Found::nothing) break;
    found.push_back(*next);
  }
  EXPECT_EQ(found,
            (std::vector<Found>{Found::frame, Found::modes, Found::certificate, Found::end}));
  EXPECT_EQ(reader.header().name, "lift");
  EXPECT_EQ(reader.header().bodies, (std::vector<std::string>{"world", "cube"}));
  EXPECT_EQ(reader.frame().bodies[1].p, Vec3(0, 0, 2));
  EXPECT_NEAR(reader.header().geoms[0].size, std::sqrt(3.0), 1e-12);
}

TEST(RecordingAuditSoft, FrictionAboveItsLimitIsFound) {
  RecordingAudit audit;
  audit.header = two_geoms();
  RecordedFrame frame;
  frame.soft = {soft_sample()};
  frame.soft[0].slip_limits[2] = 1;
  add_soft(audit, frame);
  EXPECT_TRUE(audit.clean()) << "all used is not too much";
  frame.soft[0].friction_use = 1.01;
  add_soft(audit, frame);
  EXPECT_EQ(audit.of(RecordingViolation::friction).count, 1);
  EXPECT_NEAR(audit.of(RecordingViolation::friction).worst.amount, 0.04, 1e-12);
}

/// The lock ends with the recorder, however that ends.
TEST(Recorder, IsSeenToRecordAndKeepsOthersOut) {
  const Folder folder;
  const std::string path = folder / "run.tact";
  EXPECT_FALSE(is_being_recorded(path));
  Simulation sim = sliding_boxes(1);
  {
    auto opened = Recorder::open(path, sim);
    ASSERT_TRUE(opened.has_value());
    EXPECT_TRUE(is_being_recorded(path));
    const auto second = Recorder::open(path, sim);
    ASSERT_FALSE(second.has_value());
    EXPECT_NE(second.error().message.find("another run"), std::string::npos);
    EXPECT_TRUE(read_recording(path).has_value()) << "it was not emptied";
  }
  EXPECT_FALSE(is_being_recorded(path));
  EXPECT_TRUE(Recorder::open(path, sim).has_value());
}

}  // namespace
}  // namespace tact
