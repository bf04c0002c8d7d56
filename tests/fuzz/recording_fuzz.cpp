// Whatever the bytes are, reading a recording ends in frames that fit their header, or in one
// sentence; and what is read can be judged. The first byte says what the others are: a file, or the
// payload of one block in a file that is good otherwise, for no fuzzer guesses checksums.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tact/io/recording.hpp"
#include "tact/io/recording_audit.hpp"
#include "tact/io/recording_frame.hpp"
#include "tact/io/recording_soft.hpp"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

bool one_sentence(const tact::Error& error) {
  return error.message.starts_with("fuzz") && error.message.find('\n') == std::string::npos;
}

const std::string& good_header() {
  static const std::string json =
      R"({"format":"tact-recording/1","tact":"1","name":"n","dt":0.01,"gravity":[0,0,-9.81],)"
      R"("nq":2,"nv":1,"controls":1,"driven":1,"options":{"tolerance":1e-10},)"
      R"("energy":{"kinetic":0,"potential":1},"words":{"accounts":["normal","friction"]},)"
      R"("bodies":[{"name":"w"},{"name":"b"}],)"
      R"("geoms":[{"name":"f","body":0,"extent":0},{"name":"","body":1,"extent":0.1}]})";
  return json;
}

std::string file_of(std::uint8_t kind, const std::string& payload) {
  using namespace tact;
  if (kind % 9 == 0) return payload;
  std::string out(recording_magic);
  if (kind % 9 == 1) return out + block_bytes(recording_block::header, payload);
  out += block_bytes(recording_block::header, good_header());
  const std::string_view types[] = {recording_block::frame,       recording_block::impacts,
                                    recording_block::summary,     recording_block::soft,
                                    recording_block::certificate, recording_block::modes,
                                    recording_block::solve};
  const std::string_view type = types[kind % 9 - 2];
  const std::string own = block_bytes(type, payload);
  if (type != recording_block::soft && type != recording_block::solve) return out + own;
  RecordedFrame frame;  // that these belong to
  frame.qpos.setZero(2);
  frame.qvel.setZero(1);
  frame.ctrl.setZero(1);
  frame.bodies.resize(2);
  frame.driven.resize(1);
  frame.works.resize(2);
  const std::string whole = block_bytes(recording_block::frame, frame_payload(frame));
  return type == recording_block::soft ? out + whole + own : out + own + whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string payload(reinterpret_cast<const char*>(data + 1), size - 1);
  auto opened = tact::RecordingReader::of(file_of(data[0], payload), "fuzz");
  if (!opened) {
    must(one_sentence(opened.error()));
    return 0;
  }
  tact::RecordingReader reader = *std::move(opened);
  tact::RecordingAudit audit;
  audit.header = reader.header();
  using Found = tact::RecordingReader::Found;
  while (true) {
    const auto found = reader.poll();
    if (!found) must(one_sentence(found.error()));
    if (!found || *found == Found::nothing) break;
    if (*found == Found::frame) {
      const tact::RecordedFrame& f = reader.frame();
      must(f.qpos.size() == audit.header.nq && f.bodies.size() == audit.header.bodies.size());
      tact::RecordedFrame again;
      must(tact::read_frame(tact::frame_payload(f), audit.header, again));
      must(again.contacts.size() == f.contacts.size());
      add_frame(audit, f);
    }
    if (*found == Found::soft) {
      tact::Index step = 0;
      std::vector<tact::SoftSample> again;
      must(tact::read_soft(tact::soft_payload(reader.frame().step, reader.frame().soft),
                           audit.header, step, again));
      add_soft(audit, reader.frame());
    }
    if (*found == Found::impacts) add_impacts(audit, reader.impacts());
    if (*found == Found::certificate) {
      tact::RecordedCertificate again;
      must(read_certificate_payload(certificate_payload(reader.certificate()), again));
    }
    if (*found == Found::modes) {
      tact::RecordedModes again;
      must(read_modes_payload(modes_payload(reader.modes()), audit.header.geoms.size(),
                              audit.header.bodies.size(), again));
    }
  }
  if (audit.frames == 0) return 0;
  must(!audit_json(audit).empty());
  must(!audit_table(audit).empty());
  return 0;
}
