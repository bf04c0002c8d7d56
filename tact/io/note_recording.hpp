// io/note_recording.hpp - a recording without motion: modes and certificates of a contact problem.
#pragma once

#include <string>
#include <vector>

#include "tact/io/recording_header.hpp"
#include "tact/io/recording_notes.hpp"

namespace tact {

struct RecordingNotes {
  std::vector<StillBody> bodies;  ///< besides the world
  std::vector<RecordedModes> modes;
  std::vector<RecordedCertificate> certificates;
};

/// The bytes of the file: a header, one frame of the bodies as they stand, the notes, an end.
[[nodiscard]] std::string note_recording(const RecordingTitle& title, const RecordingNotes& notes);

}  // namespace tact
