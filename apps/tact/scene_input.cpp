// Scenes as input: the contact problem of a moment, written as a problem file.
#include "scene_input.hpp"

#include <cstdio>
#include <utility>

#include <fmt/core.h>

#include "commands.hpp"
#include "tact/io/file.hpp"
#include "tact/io/problem_file.hpp"

namespace tact::app {

namespace {

/// One line for what a scene contains and tact does not model; empty when there is nothing.
std::string left_out(const Scene& scene, const std::string& source) {
  if (scene.not_modelled.empty()) return {};
  if (scene.not_modelled.size() == 1) return scene.not_modelled.front();
  return fmt::format("{}: {} kinds of things are not modelled (tact check {} lists them)", source,
                     scene.not_modelled.size(), source);
}

}  // namespace

void add_moment_words(CLI::App& command, SceneWords& words) {
  command.add_option("--keyframe", words.keyframe,
                     "Of a scene: the keyframe whose moment is meant, by name or number; none for "
                     "the scene's own start. By default `init` where there is one.");
  command
      .add_option("--touch", words.touch,
                  "Of a scene: what is nearer than this touches [m]; by default a millionth of the "
                  "smaller geom.")
      ->check(number_between(0, 1));
  command.add_option("--dt", words.dt, "Of a scene: the time step [s], instead of the scene's.")
      ->check(number_between(0, 10));
}

void add_scene_words(CLI::App& command, SceneWords& words) {
  add_moment_words(command, words);
  command.add_option("--write-problem", words.write_problem,
                     "Of a scene: writes the contact problem to this file too.");
}

namespace {

Result<SceneMoment> moment_in(Result<Scene> scene, const std::string& source,
                              const SceneWords& words, MomentOptions options) {
  if (!scene) return scene.error();
  auto state = scene_state(*scene, source, words.keyframe);
  if (!state) return state.error();
  options.dt = words.dt;
  options.touch = words.touch;
  auto moment = moment_of(*scene, *state, options);
  if (!moment) return Error{moment.error().code, source + ": " + moment.error().message};
  if (const std::string line = left_out(*scene, source); !line.empty())
    fmt::print(stderr, "{}\n", line);
  for (const std::string& note : moment->made.notes) fmt::print(stderr, "{}: {}\n", source, note);
  return SceneMoment{*std::move(scene), *std::move(state), *std::move(moment)};
}

}  // namespace

Result<SceneMoment> read_moment(const std::string& file, const SceneWords& words,
                                MomentOptions options) {
  const std::string source = source_name(file);
  if (file != "-") return moment_in(read_scene(file), source, words, options);
  const auto text = read_input(file);
  if (!text) return text.error();
  return moment_in(read_scene_text(*text, source), source, words, options);
}

Result<std::string> read_problem_or_scene(const std::string& file, const SceneWords& words,
                                          MomentUse use,
                                          std::initializer_list<std::string> outputs) {
  const std::string source = source_name(file);
  Result<std::string> bytes = std::string();
  if (!is_scene_name(file)) {
    bytes = read_input(file);
    if (!bytes) return bytes;
    const bool scene = file == "-" && !scene_text_format(*bytes).empty();
    if (!scene && (!words.write_problem.empty() || !words.keyframe.empty()))
      return Error{Errc::value, fmt::format("{}: is no scene; --keyframe and --write-problem are "
                                            "for .xml and .urdf files",
                                            source)};
    if (!scene) return bytes;
  }
  MomentOptions options;
  options.use = use;
  const auto read = moment_in(file == "-" ? read_scene_text(*bytes, source) : read_scene(file),
                              source, words, options);
  if (!read) return read.error();
  std::string text = write_problem_file(problem_file(read->moment.made.problem));
  for (const std::string& out : outputs)
    if (const auto sentence = clash(read->scene.files, {out})) return Error{Errc::io, *sentence};
  if (!words.write_problem.empty()) {
    if (const auto sentence = clash(read->scene.files, {words.write_problem}))
      return Error{Errc::io, *sentence};
    if (const auto failed = write_file({words.write_problem, text})) return *failed;
  }
  return text;
}

}  // namespace tact::app
