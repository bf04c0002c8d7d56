#include "tact/io/recording.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/io/blocks.hpp"
#include "tact/io/bytes.hpp"
#include "tact/io/file.hpp"
#include "tact/io/json_line.hpp"
#include "tact/io/recording_frame.hpp"
#include "tact/io/recording_header.hpp"
#include "tests/support/recorded_run.hpp"

namespace tact {
namespace {

using recorded::Folder;
using recorded::record_run;
using recorded::sliding_boxes;
using Found = RecordingReader::Found;

TEST(JsonLine, HasVectorsAndNoBytesThatAreNoText) {
  const nlohmann::ordered_json json{{"v", list(Vec3(1, 0.5, -2))}, {"t", "a\xff"}};
  EXPECT_EQ(text_of(json), "{\"v\":[1.0,0.5,-2.0],\"t\":\"a\xef\xbf\xbd\"}");
}

TEST(Bytes, ComeBackAndEndWhereTheyEnd) {
  ByteWriter out;
  out.u8(200);
  out.u32(0x01020304);
  out.f64(-0.1);
  out.f32(0.5);
  EXPECT_EQ(out.bytes.substr(1, 4), "\x04\x03\x02\x01");
  ByteReader in(out.bytes);
  EXPECT_EQ(in.u8(), 200);
  EXPECT_EQ(in.u32(), 0x01020304U);
  EXPECT_EQ(in.f64(), -0.1);
  EXPECT_EQ(in.f32(), 0.5);
  EXPECT_TRUE(in.finished());
  EXPECT_EQ(in.u32(), 0U);
  EXPECT_FALSE(in.good());
  ByteReader counts(std::string_view("\xff\xff\xff\x7f....", 8));
  EXPECT_EQ(counts.count(1), 0U) << "more than is left";
  EXPECT_FALSE(counts.good());
}

TEST(Blocks, AreWholeOrNotThere) {
  const std::string bytes = block_bytes("TEST", std::string(1000, 'x'));
  EXPECT_LT(bytes.size(), 200U) << "compressed";
  Block block;
  std::size_t size = 0;
  std::string why;
  ASSERT_EQ(take_block(bytes + "more", block, size, why), BlockFound::whole);
  EXPECT_EQ(size, bytes.size());
  EXPECT_EQ(block.type, "TEST");
  EXPECT_EQ(block.payload, std::string(1000, 'x'));
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_EQ(take_block(bytes.substr(0, cut), block, size, why), BlockFound::partial) << cut;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 16);
    EXPECT_NE(take_block(wrong, block, size, why), BlockFound::whole) << at;
  }
}

TEST(Recording, HoldsWhatTheSimulationDid) {
  const Folder folder;
  Simulation sim = sliding_boxes(3);
  auto opened = Recorder::open(folder / "run.tact", sim, {5, "", "boxes.xml"});
  ASSERT_TRUE(opened.has_value());
  Recorder recorder = *std::move(opened);
  std::vector<State> states;
  std::vector<std::vector<ContactSample>> samples;
  std::vector<EnergyLedger> ledgers;
  const RunSummary summary =
      simulate(sim, {0.2, 10}, [&](const Simulation& s, const StepReport& report, bool last) {
        EXPECT_FALSE(recorder.record(s, report, last));
        states.push_back(state_of(s));
        observe(s, samples.emplace_back());
        ledgers.push_back(s.ledger);
        return true;
      });
  ASSERT_FALSE(recorder.finish(summary));

  const auto read = read_recording(folder / "run.tact");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->cut, std::nullopt);
  EXPECT_EQ(read->header.name, "sliding boxes");
  EXPECT_EQ(read->header.nq, 21);
  ASSERT_EQ(read->frames.size(), 11U);
  ASSERT_TRUE(read->end.has_value());
  EXPECT_EQ(read->end->status, "finished");
  EXPECT_EQ(read->end->steps, 50);
  for (std::size_t i = 1; i < read->frames.size(); ++i) {
    const RecordedFrame& f = read->frames[i];
    const std::size_t k = 5 * i - 1;
    EXPECT_EQ(f.step, static_cast<Index>(5 * i));
    EXPECT_EQ(f.figures.steps, 5);
    EXPECT_EQ(f.time, states[k].time);
    EXPECT_EQ(f.qpos, states[k].qpos) << "to the last bit";
    EXPECT_EQ(f.qvel, states[k].qvel);
    EXPECT_EQ(f.closure, ledgers[k].closure());
    EXPECT_EQ(f.works[static_cast<std::size_t>(Account::friction)],
              ledgers[k].of(Account::friction));
    for (Index b = 0; b < 3; ++b) {
      const Vec3 p = states[k].qpos.segment<3>(7 * b);
      EXPECT_LT((f.bodies[static_cast<std::size_t>(b + 1)].p - p).norm(), 1e-6)
          << "the user's frame, not the centre of mass";
    }
    ASSERT_EQ(f.contacts.size(), samples[k].size());
    for (std::size_t c = 0; c < f.contacts.size(); ++c) {
      const ContactSample &a = f.contacts[c], &b = samples[k][c];
      EXPECT_EQ(a.geom1, b.geom1);
      EXPECT_EQ(a.kind, b.kind);
      EXPECT_EQ(a.label.regime, b.label.regime);
      EXPECT_EQ(a.label.cop.has_value(), b.label.cop.has_value());
      EXPECT_EQ(a.points.size(), b.points.size());
      EXPECT_EQ(a.extended.points.size(), b.extended.points.size());
      EXPECT_LT((a.wrench_C.vec() - b.wrench_C.vec()).norm(), 1e-6 * b.wrench_C.vec().norm());
      EXPECT_LT((a.X_WC.R - b.X_WC.R).norm(), 1e-6);
    }
  }
}

/// A viewer draws from the header alone: geom frames and body frames must belong together.
TEST(Recording, TheHeaderHasTheShapesInTheirFrames) {
  const Folder folder;
  Simulation sim = sliding_boxes(1);
  record_run(sim, folder / "run.tact", 0.04);
  const auto read = read_recording(folder / "run.tact");
  ASSERT_TRUE(read.has_value());
  const auto json = nlohmann::json::parse(read->header.json);
  EXPECT_EQ(json["format"], recording_format);
  EXPECT_EQ(json["geoms"][1]["type"], "box");
  EXPECT_NEAR(json["geoms"][1]["pose"]["p"][0].get<double>(), 0.01, 1e-12);
  EXPECT_EQ(json["geoms"][1]["size"].size(), 3U);
  EXPECT_EQ(json["words"]["accounts"].size(), account_count);
  EXPECT_EQ(json["joints"][0]["type"], "free");
}

TEST(Recording, IsReadWhileItGrows) {
  const Folder folder;
  Simulation sim = sliding_boxes(1);
  auto opened = Recorder::open(folder / "run.tact", sim, {});
  ASSERT_TRUE(opened.has_value());
  Recorder recorder = *std::move(opened);
  auto reader = RecordingReader::open(folder / "run.tact");
  ASSERT_TRUE(reader.has_value());
  RecordingReader live = *std::move(reader);
  ASSERT_EQ(*live.poll(), Found::frame) << "the start";
  EXPECT_EQ(*live.poll(), Found::nothing);
  StepReport report;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(step(sim, report));
    ASSERT_FALSE(recorder.record(sim, report, false));
    ASSERT_EQ(*live.poll(), Found::frame);
    EXPECT_EQ(live.frame().step, k + 1);
    EXPECT_EQ(live.frame().qpos, state_of(sim).qpos);
    EXPECT_EQ(*live.poll(), Found::nothing);
  }
  ASSERT_FALSE(recorder.finish({}));
  EXPECT_EQ(*live.poll(), Found::end);
  EXPECT_EQ(*live.poll(), Found::nothing);
}

TEST(Recording, ImpactsAreAlwaysThere) {
  const Folder folder;
  Simulation sim = sliding_boxes(1, 0.5, 0.06);
  const RunSummary summary = record_run(sim, folder / "run.tact", 0.4, {1000, "", ""});
  const auto read = read_recording(folder / "run.tact");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->frames.size(), 2U);
  Index impacts = 0;
  for (const RecordedImpacts& at : read->impacts) impacts += static_cast<Index>(at.events.size());
  EXPECT_GT(impacts, 0);
  EXPECT_EQ(impacts, summary.impacts_dissipative + summary.impacts_generating);
  EXPECT_EQ(read->frames.back().figures.steps, summary.steps);
}

TEST(Recording, IsSmall) {
  const Folder folder;
  constexpr int contacts = 20, rate = 60, seconds = 10;
  constexpr double most = 5e6;
  Simulation sim = sliding_boxes(contacts);
  record_run(sim, folder / "run.tact", 0.4, {4, "", ""});
  const auto read = read_recording(folder / "run.tact");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->frames.back().contacts.size(), static_cast<std::size_t>(contacts));
  const double size = static_cast<double>(std::filesystem::file_size(folder / "run.tact"));
  const double per_frame = size / static_cast<double>(read->frames.size());
  RecordProperty("bytes_per_frame", std::to_string(per_frame));
  EXPECT_LT(per_frame * rate * seconds, most);
}

TEST(Recording, OfAnotherKindIsRefusedInOneSentence) {
  const Folder folder;
  Simulation sim = sliding_boxes(1);
  record_run(sim, folder / "run.tact", 0.02);
  const std::string good = *read_file(folder / "run.tact");
  const auto refused = [&](const std::string& bytes, const char* part) {
    const auto reader = RecordingReader::of(bytes, "run.tact");
    ASSERT_FALSE(reader.has_value()) << part;
    EXPECT_NE(reader.error().message.find(part), std::string::npos) << reader.error().message;
    EXPECT_TRUE(reader.error().message.starts_with("run.tact: "));
  };
  refused("", "is empty");
  refused("TACT", "is empty or ends before its header");
  refused("{\"format\": 1}", "is no recording");
  refused("TACTREC2" + good.substr(8), "another version");
  refused(good.substr(0, 100), "ends before its header is whole");
  refused("TACTREC1" + block_bytes("FRAM", "x"), "the first block of a recording is HEAD");
  refused("TACTREC1" + block_bytes("HEAD", "{}"), "format is missing");
  std::string wrong = good;
  wrong[40] = static_cast<char>(wrong[40] ^ 1);
  refused(wrong, "is damaged at byte 8, its checksum is wrong");
  EXPECT_FALSE(RecordingReader::open(folder / "nowhere.tact").has_value());
  EXPECT_FALSE(RecordingReader::open(folder / ".").has_value());
}

/// Whatever byte is wrong or missing: what stands before it is read, and the rest is not believed.
TEST(Recording, DamageEndsItAndIsSaid) {
  const Folder folder;
  Simulation sim = sliding_boxes(1);
  record_run(sim, folder / "run.tact", 0.02);
  const std::string good = *read_file(folder / "run.tact");
  const auto frames = [](const std::string& bytes, std::string& said) {
    auto opened = RecordingReader::of(bytes, "r");
    if (!opened) return Index{-1};
    RecordingReader reader = *std::move(opened);
    said.clear();
    while (true) {
      const auto found = reader.poll();
      if (!found) said = found.error().message;
      if (found && *found == Found::nothing) said = cut_sentence(reader, "r").value_or("");
      if (!found || *found == Found::nothing) return reader.frames();
    }
  };
  std::string said;
  const Index all = frames(good, said);
  EXPECT_EQ(all, 6);
  EXPECT_EQ(said, "");
  Index last = -1;
  for (std::size_t cut = 8; cut < good.size(); cut += 5) {
    const Index now = frames(good.substr(0, cut), said);
    EXPECT_GE(now, last) << cut;
    last = now;
  }
  EXPECT_EQ(last, all);
  for (std::size_t at = 8; at < good.size(); at += 13) {
    std::string wrong = good;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x20);
    const Index now = frames(wrong, said);
    EXPECT_LE(now, all) << at;
    if (now >= 0) {
      EXPECT_NE(said, "") << at;
    }
  }
}

}  // namespace
}  // namespace tact
