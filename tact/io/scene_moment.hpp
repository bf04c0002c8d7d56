// io/scene_moment.hpp - one moment of a scene: its state, its contacts, its contact problem.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/contact/scene_problem.hpp"
#include "tact/io/scene_file.hpp"

namespace tact {

/// MJCF or URDF, by what the file is called; with its side-car where there is one.
[[nodiscard]] Result<Scene> read_scene(const std::string& path);

/// The same of a text that comes without a file, MJCF or URDF by its root element; files that it
/// names are looked for in the working folder.
[[nodiscard]] Result<Scene> read_scene_text(std::string_view text, const std::string& name);

/// "MJCF" or "URDF", by the name of the file.
[[nodiscard]] std::string_view scene_format(const std::string& path);
/// The same by the root element; empty where the text is no XML.
[[nodiscard]] std::string_view scene_text_format(std::string_view text);

/// Whether a file of this name is a scene: .xml, .mjcf, .urdf.
[[nodiscard]] bool is_scene_name(const std::string& path);

/// The keyframe of that name, or of that number; "" takes `init` where there is one, else the
/// model's own start, and `none` always the latter. Refuses a name that is not there.
[[nodiscard]] Result<State> scene_state(const Scene& scene, const std::string& source,
                                        const std::string& keyframe);

/// What a moment is asked for.
enum class MomentUse {
  step,    ///< a time step: contacts near enough to close in it, with their gaps, and all forces
  modes,   ///< what touches now, and all forces
  impact,  ///< what touches now; forces have no time to act
};

struct MomentOptions {
  MomentUse use = MomentUse::step;
  bool with_actuators = true;  ///< their forces at the state's controls; else they are left open
  double dt = 0;               ///< [s]; zero takes the scene's
  double touch = 0;  ///< [m] nearer than this is touching; zero takes a share tolerance::written of
                     ///< the smaller geom
};

struct Moment {
  SceneContacts contacts;
  SceneProblem made;
};

/// Detects contacts and makes the problem; named after the scene's model.
[[nodiscard]] Result<Moment> moment_of(const Scene& scene, const State& state,
                                       const MomentOptions& options);

/// What `tact check` says: bodies, joints, degrees of freedom, geoms, mass, what is not modelled.
[[nodiscard]] std::string scene_summary(const Scene& scene);

}  // namespace tact
