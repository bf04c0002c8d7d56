// io/scene_simulation.hpp - from a scene to a simulation: start, law, surfaces, drives, controls.
//
// What a scene says of its run comes from three places: MJCF (step, start, actuators), <custom>
// (tact_restitution, tact_law) and the side-car, whose word goes before that of <custom>.
#pragma once

#include <optional>
#include <string>

#include "tact/io/scene_moment.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

/// Everything make_simulation asks for; the caller may change it before.
struct SceneSetup {
  State start;
  SimOptions options;
  Prescribed prescribed;
  SurfaceChoices choices;
  SoftScene soft;
};

/// What the caller wants whatever the scene says.
struct SetupWishes {
  std::string law = "";               ///< name of an impact law; empty: the scene's
  std::optional<double> restitution;  ///< of all contacts
};

/// The keyframe as in scene_state(). The scene's law, where it names one, and its wish for impacts
/// at their time go into the options; the laws moreau (its e) and generalized_reflections (its
/// blend; 1 where nobody gives a restitution) have that of all contacts. Refuses an unknown law,
/// and several: a run has one.
[[nodiscard]] Result<SceneSetup> scene_setup(const Scene& scene, const std::string& source,
                                             const std::string& keyframe, const SimOptions& options,
                                             const SetupWishes& wishes = {});

/// The same, made.
[[nodiscard]] Result<Simulation> scene_simulation(const Scene& scene, const std::string& source,
                                                  const std::string& keyframe,
                                                  const SimOptions& options);

}  // namespace tact
