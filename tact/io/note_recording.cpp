#include "tact/io/note_recording.hpp"

namespace tact {

std::string note_recording(const RecordingTitle& title, const RecordingNotes& notes) {
  std::string out(recording_magic);
  out += block_bytes(recording_block::header, empty_recording_header(title));
  for (const RecordedModes& modes : notes.modes)
    out += block_bytes(recording_block::modes, modes_payload(modes));
  for (const RecordedCertificate& certificate : notes.certificates)
    out += block_bytes(recording_block::certificate, certificate_payload(certificate));
  const RecordingEnd end{std::string(name(RunStatus::finished)), 0, 0, 0, 0};
  return out += block_bytes(recording_block::summary, recording_end(end, {}));
}

}  // namespace tact
