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
/// A body of a recording without motion, with one geom of its shape in its frame.
struct StillBody {
  std::string name;
  Shape shape;
  Pose X_WB;
};
/// Of such a recording: the world, and these.
[[nodiscard]] std::string still_recording_header(const RecordingTitle& title,
                                                 const std::vector<StillBody>& bodies);
[[nodiscard]] Result<RecordingHeader> read_recording_header(std::string_view json,
                                                            const std::string& source);

[[nodiscard]] std::string recording_end(const RecordingEnd& end,
                                        const std::vector<std::string>& warnings);
[[nodiscard]] Result<RecordingEnd> read_recording_end(std::string_view json,
                                                      const std::string& source);

/// [bodies] The origin of the centred frame in the user's; zero where they are one.
[[nodiscard]] std::vector<Vec3> body_shifts(const CentredModel& scene);

}  // namespace tact
