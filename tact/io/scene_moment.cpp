// io/scene_moment.cpp - from a scene file to the contact problem of a moment.
#include "tact/io/scene_moment.hpp"

#include <algorithm>
#include <charconv>

#include "tact/base/tolerance.hpp"
#include "tact/contact/detect.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/scene_traits.hpp"
#include "tact/io/urdf_reader.hpp"

namespace tact {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return text.size() >= end.size() &&
         std::equal(end.begin(), end.end(), text.end() - static_cast<std::ptrdiff_t>(end.size()),
                    [&](char a, char b) { return a == lower(b); });
}

/// The keyframe that a word means, or -1.
Index keyframe_at(const Model& model, const std::string& word) {
  if (const Index named = find_keyframe(model, word); named >= 0) return named;
  Index number = -1;
  const char* end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, number);
  const bool known = read.ec == std::errc{} && read.ptr == end && number >= 0 &&
                     number < static_cast<Index>(model.keyframes.size());
  return known ? number : -1;
}

std::string known_keyframes(const Model& model) {
  if (model.keyframes.empty()) return "the scene has none, leave --keyframe out";
  std::string out = "the scene has";
  for (std::size_t i = 0; i < model.keyframes.size(); ++i) {
    const std::string& name = model.keyframes[i].name;
    out += (i > 0 ? ", " : " ") + (name.empty() ? std::to_string(i) : name);
  }
  return out;
}

std::vector<ContactChoice> choices(const Scene& scene, const SceneContacts& contacts) {
  std::vector<ContactChoice> out;
  for (const SceneContact& c : contacts.contacts) out.push_back(choice_of(scene, c.geom1, c.geom2));
  return out;
}

std::string plural(std::size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace

bool is_scene_name(const std::string& path) {
  return ends_with(path, ".xml") || ends_with(path, ".mjcf") || ends_with(path, ".urdf");
}

std::string_view scene_format(const std::string& path) {
  return ends_with(path, ".urdf") ? "URDF" : "MJCF";
}

Result<Scene> read_scene(const std::string& path) {
  return ends_with(path, ".urdf") ? read_urdf(path) : read_mjcf(path);
}

std::string_view scene_text_format(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF", blank = " \t\r\n";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t start = text.find_first_not_of(blank);
  if (start == std::string_view::npos || text[start] != '<') return {};
  // The first element that is no declaration and no comment.
  for (std::size_t at = start; at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = text.find("-->", at);
      if (at == std::string_view::npos) break;
    }
    if (rest.starts_with("<!") || rest.starts_with("<?")) continue;
    return rest.starts_with("<robot") ? "URDF" : "MJCF";
  }
  return "MJCF";
}

Result<Scene> read_scene_text(std::string_view text, const std::string& name) {
  std::vector<std::string> read;
  const FileReader files = noted(disk_files(), read);
  Result<Scene> scene = scene_text_format(text) == "URDF" ? read_urdf_text(text, name, files)
                                                          : read_mjcf_text(text, name, files);
  if (!scene) return scene;
  Scene out = *std::move(scene);
  out.files = std::move(read);
  return out;
}

Result<State> scene_state(const Scene& scene, const std::string& source,
                          const std::string& keyframe) {
  const Model& model = scene.model;
  Index key = -1;
  if (keyframe.empty()) {
    key = find_keyframe(model, "init");
  } else if (keyframe != "none") {
    key = keyframe_at(model, keyframe);
    if (key < 0)
      return Error{Errc::value, source + ": there is no keyframe \"" + keyframe + "\"; " +
                                    known_keyframes(model)};
  }
  if (key < 0) return initial_state(model);
  State state = keyframe_state(model, model.keyframes[key]);
  if (key < static_cast<Index>(scene.key_driven.size()) && !scene.key_driven[key].empty())
    state.driven = scene.key_driven[key];
  return state;
}

Result<Moment> moment_of(const Scene& scene, const State& state, const MomentOptions& options) {
  const Model& model = scene.model;
  Kinematics kin;
  forward_kinematics(model, state, kin);
  forward_velocities(model, state.qvel, kin);
  const bool step = options.use == MomentUse::step;
  SceneProblemOptions problem;
  problem.dt = options.dt > 0 ? options.dt : model.timestep;
  problem.with_gaps = step;
  problem.with_actuators = options.with_actuators;
  problem.with_forces = options.use != MomentUse::impact;
  problem.with_dry_friction = step;
  problem.limit_reach =
      step && model.nv > 0 ? problem.dt * state.qvel.lpNorm<Eigen::Infinity>() : tolerance::written;
  DetectOptions near;
  near.reach = options.touch;
  if (step) {
    constexpr double skin = 1e-3;  // of the smaller geom: what forces may close within a step
    near.size_share = skin;
    near.travel_time = problem.dt;
  } else if (options.touch == 0) {
    near.size_share = tolerance::written;
  }
  Moment out;
  DetectWorkspace work;
  prepare(model, work);
  detect(model, kin, near, work, out.contacts);
  problem.choices = choices(scene, out.contacts);
  auto made = scene_problem(model, state, out.contacts, problem);
  if (!made) return made.error();
  out.made = *std::move(made);
  return out;
}

std::string scene_summary(const Scene& scene) {
  const Model& m = scene.model;
  double mass = 0;
  for (const Body& body : m.bodies) mass += body.mass;
  const auto shown = std::count_if(m.geoms.begin(), m.geoms.end(), [](const Geom& g) {
    return g.contype == 0 && g.conaffinity == 0;
  });
  std::string out = m.name.empty() ? "" : m.name + ": ";
  out += plural(m.bodies.size() - 1, "body", "bodies") + ", " +
         plural(m.joints.size(), "joint", "joints") + ", " + std::to_string(m.nv) + " dof, " +
         plural(m.geoms.size(), "geom", "geoms");
  if (shown > 0) out += " (" + std::to_string(shown) + " only to be looked at)";
  out += ", " + short_number(mass) + " kg";
  const auto add = [&](std::size_t n, const char* one, const char* many) {
    if (n > 0) out += ", " + plural(n, one, many);
  };
  add(m.actuators.size(), "actuator", "actuators");
  add(m.equalities.size(), "equality constraint", "equality constraints");
  add(m.tendons.size(), "fixed tendon", "fixed tendons");
  add(m.sensors.size(), "sensor", "sensors");
  add(m.keyframes.size(), "keyframe", "keyframes");
  return out;
}

}  // namespace tact
