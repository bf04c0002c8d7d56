#include "built_in_scenes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "commands.hpp"
#include "tact/io/scene_moment.hpp"

namespace tact::app {

bool is_built_in(const std::string& word) {
  std::string plain = word;
  std::replace(plain.begin(), plain.end(), '-', '_');
  const auto known = built_in_sims();
  return std::any_of(known.begin(), known.end(), [&](const auto& s) { return s.name == plain; });
}

Result<Scene> named_scene(const std::string& word) {
  std::string plain = word;
  std::replace(plain.begin(), plain.end(), '-', '_');
  if (is_built_in(word)) return built_in_scene(plain);
  if (word == "-") {
    const auto text = read_input(word);
    if (!text) return text.error();
    return read_scene_text(*text, source_name(word));
  }
  if (!is_scene_name(word) && word.find('/') == std::string::npos)
    return Error{Errc::value,
                 fmt::format("{} is neither a built-in scene nor a file of MJCF or URDF; tact sim "
                             "--list names the former",
                             word)};
  return read_scene(word);
}

namespace {

constexpr double most_steps = 1e15;

Result<double> scene_duration(const Scene& scene, const std::string& source) {
  const auto it = scene.numerics.find("tact_duration");
  constexpr double usual = 10;
  if (it == scene.numerics.end()) return usual;
  const double seconds = it->second.size() > 0 ? it->second[0] : 0;
  if (std::isfinite(seconds) && seconds > 0) return seconds;
  return Error{Errc::value, fmt::format("{}: tact_duration is {:g}; write a positive number of "
                                        "seconds or leave it out",
                                        source, seconds)};
}

}  // namespace

Result<double> run_duration(double asked, const Scene& scene, const std::string& source,
                            double dt) {
  auto duration = asked > 0 ? Result<double>(asked) : scene_duration(scene, source);
  if (duration && !(*duration / dt <= most_steps))
    return Error{Errc::value, fmt::format("{}: {:g} s in steps of {:g} s are more than {:g} steps; "
                                          "take a shorter --duration or a longer --dt",
                                          source, *duration, dt, most_steps)};
  return duration;
}

Index frame_stride(Index asked, double dt) {
  if (asked > 0) return asked;
  constexpr double rate = 60;
  return std::max<Index>(1, static_cast<Index>(std::min(most_steps, 1 / (rate * dt))));
}

Result<Scene> built_in_scene(const std::string& name) {
  for (const BuiltInSim& scene : built_in_sims()) {
    if (scene.name != name) continue;
    const std::string side_car = name + ".tact.json";
    FileReader files = no_files();
    if (!scene.side_car.empty())
      files = {[side_car](const std::string& path) { return path == side_car; },
               [scene](const std::string&) -> Result<std::string> {
                 return std::string(scene.side_car);
               }};
    return read_mjcf_text(scene.text, name + ".xml", files);
  }
  return Error{Errc::value, name + " is not built in"};
}

}  // namespace tact::app
