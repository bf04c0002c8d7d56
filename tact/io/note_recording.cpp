#include "tact/io/note_recording.hpp"

#include "tact/io/recording_frame.hpp"

namespace tact {

std::string note_recording(const RecordingTitle& title, const RecordingNotes& notes) {
  std::string out(recording_magic);
  out += block_bytes(recording_block::header, still_recording_header(title, notes.bodies));
  RecordedFrame moment;
  moment.bodies.resize(1);
  for (const StillBody& body : notes.bodies) moment.bodies.push_back(body.X_WB);
  moment.works.resize(account_count);
  out += block_bytes(recording_block::frame, frame_payload(moment));
  for (const RecordedModes& modes : notes.modes)
    out += block_bytes(recording_block::modes, modes_payload(modes));
  for (const RecordedCertificate& certificate : notes.certificates)
    out += block_bytes(recording_block::certificate, certificate_payload(certificate));
  const RecordingEnd end{std::string(name(RunStatus::finished)), 0, 1, 0, 0};
  return out += block_bytes(recording_block::summary, recording_end(end, {}));
}

}  // namespace tact
