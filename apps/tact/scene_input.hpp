// Commands that take a contact problem also take a scene: the problem of one of its moments.
#pragma once

#include <initializer_list>
#include <string>

#include <CLI/CLI.hpp>

#include "tact/base/result.hpp"
#include "tact/io/scene_moment.hpp"

namespace tact::app {

struct SceneWords {
  std::string keyframe;
  std::string write_problem;
  double touch = 0;
  double dt = 0;
};

/// --keyframe, --touch, --dt.
void add_moment_words(CLI::App& command, SceneWords& words);
/// The same, and --write-problem.
void add_scene_words(CLI::App& command, SceneWords& words);

/// A scene, and the moment of it that was asked for.
struct SceneMoment {
  Scene scene;
  State state;
  Moment moment;
};

/// Says on stderr what the scene has and tact does not model, and what the problem leaves out.
[[nodiscard]] Result<SceneMoment> read_moment(const std::string& file, const SceneWords& words,
                                              MomentOptions options);

/// The bytes of a problem file; of a scene, the problem of its moment in the same format. Writes
/// --write-problem where it is asked for. Refuses where it or one of `outputs` is a file of the
/// scene.
[[nodiscard]] Result<std::string> read_problem_or_scene(
    const std::string& file, const SceneWords& words, MomentUse use,
    std::initializer_list<std::string> outputs = {});

}  // namespace tact::app
