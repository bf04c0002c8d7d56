// python/scene.hpp - models and states as Python holds them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "convert.hpp"
#include "tact/io/scene_file.hpp"

namespace tact::python {

/// tact.Model: a scene with the name of where it came from.
struct SceneModel {
  Scene scene;
  std::string source;

  [[nodiscard]] const Model& model() const { return scene.model; }
};
using ModelPtr = std::shared_ptr<SceneModel>;

/// tact.State: what changes. NumPy sees the memory of its vectors, so they never move.
struct ModelState {
  ModelPtr model;
  State state;
};
using StatePtr = std::shared_ptr<ModelState>;

/// Writes into the memory that is there; the sizes are those of one model.
void copy_into(const State& from, State& to);
/// Refuses numbers that are not finite.
void expect_finite(const State& state);
/// The state given, of the same model, or the keyframe's.
[[nodiscard]] State state_or_keyframe(const ModelPtr& model, const StatePtr& state,
                                      const std::string& keyframe);

/// What tells two geoms apart, for people.
[[nodiscard]] std::vector<std::string> actuator_names(const Model& model);
[[nodiscard]] std::vector<std::string> dof_names(const Model& model);

}  // namespace tact::python
