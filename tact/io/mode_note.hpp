// io/mode_note.hpp - the contact modes of a system as a recording has them, with velocities to
// show.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tact/io/mode_input.hpp"
#include "tact/io/recording_notes.hpp"
#include "tact/io/scene_moment.hpp"
#include "tact/modes/mode_scenes.hpp"
#include "tact/modes/modes.hpp"

namespace tact {

struct ModeNoteOptions {
  ModeOptions modes;  ///< kind and policy; witnesses are always asked for
  Index most = 5000;  ///< modes that are listed
  Index rim = 8;      ///< corners that stand for a round rim of a patch
};

/// Rows alone: names of the contacts (or none), modes, velocities scaled to largest entry 1, and
/// faces where all modes are listed.
[[nodiscard]] Result<RecordedModes> mode_note(const ModeSystem& system, const std::string& title,
                                              const std::vector<std::string>& names,
                                              const ModeNoteOptions& options = {});

/// Of a built-in scene: with contact points, normals, the velocities there and those of the world
/// and of the scene's bodies.
[[nodiscard]] Result<RecordedModes> mode_note(const ModeScene& scene, const std::string& title,
                                              const ModeNoteOptions& options = {});

/// Of a problem file; a polygon is its corners.
[[nodiscard]] Result<RecordedModes> mode_note(const ProblemFile& file, const std::string& source,
                                              const ModeNoteOptions& options = {});

/// Of a moment of a scene made with MomentUse::modes: with geoms, contact points, and the motion of
/// all bodies.
[[nodiscard]] Result<RecordedModes> mode_note(const Scene& scene, const State& state,
                                              const Moment& moment, const std::string& source,
                                              const ModeNoteOptions& options = {});

}  // namespace tact
