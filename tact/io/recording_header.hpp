// io/recording_header.hpp - header and summary of a recording, as JSON.
//
// The header has all that a viewer draws: bodies, geoms with their shapes, meshes, joints. Poses
// are in the frames of the user's model, not in the centred ones of the simulation.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/io/recording.hpp"
#include "tact/sim/simulate.hpp"

namespace tact {

/// What the header says besides the simulation.
struct RecordingTitle {
  std::string name;    ///< of the scene; empty: the model's
  std::string source;  ///< the scene's file
  Index every = 1;     ///< steps from frame to frame
};

[[nodiscard]] std::string recording_header(const Simulation& sim, const RecordingTitle& title);
/// Of a recording without motion: the only body is the world.
[[nodiscard]] std::string empty_recording_header(const RecordingTitle& title);
[[nodiscard]] Result<RecordingHeader> read_recording_header(std::string_view json,
                                                            const std::string& source);

[[nodiscard]] std::string recording_end(const RecordingEnd& end,
                                        const std::vector<std::string>& warnings);
[[nodiscard]] Result<RecordingEnd> read_recording_end(std::string_view json,
                                                      const std::string& source);

/// [bodies] The origin of the centred frame in the user's; zero where they are one.
[[nodiscard]] std::vector<Vec3> body_shifts(const CentredModel& scene);

}  // namespace tact
