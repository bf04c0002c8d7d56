// Commands that take a contact problem also take a scene: the problem of one of its moments.
#pragma once

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

/// --keyframe, --touch, --dt, --write-problem.
void add_scene_words(CLI::App& command, SceneWords& words);

/// The bytes of a problem file; of a scene, the problem of its moment in the same format. What the
/// scene has and tact does not model is said on stderr. Writes --write-problem where it is asked
/// for.
[[nodiscard]] Result<std::string> read_problem_or_scene(const std::string& file,
                                                        const SceneWords& words, MomentUse use);

/// One line for what a scene contains and tact does not model; empty when there is nothing.
[[nodiscard]] std::string left_out(const Scene& scene, const std::string& source);

}  // namespace tact::app
