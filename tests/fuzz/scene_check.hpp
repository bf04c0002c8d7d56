// What every scene that was read must be, and the files beside it, for the fuzz targets.
#pragma once

#include <cstdlib>
#include <string>

#include "tact/io/scene_file.hpp"

namespace tact::fuzz {

inline void must(bool holds) {
  if (!holds) std::abort();
}

/// One small mesh under every name that ends like one, one part of a scene, and no disk.
inline FileReader files_in_memory() {
  const auto content = [](const std::string& path) -> std::string {
    if (path.ends_with(".obj"))
      return "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    if (path.ends_with("part.xml"))
      return "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>";
    return "";
  };
  return {[content](const std::string& path) { return !content(path).empty(); },
          [content](const std::string& path) -> Result<std::string> {
            std::string found = content(path);
            if (found.empty()) return Error{Errc::io, "fuzz: no such file; name another"};
            return found;
          }};
}

/// make_model takes its own models: nothing is left in them that it would refuse.
inline void check_scene(const Result<Scene>& scene) {
  if (!scene) {
    must(!scene.error().message.empty());
    return must(scene.error().message.find('\n') == std::string::npos);
  }
  const Model& model = scene->model;
  must(!model.bodies.empty() && model.qpos0.size() == model.nq && model.qpos0.allFinite());
  const auto again = make_model(model);
  must(again.has_value() && again->nq == model.nq && again->nv == model.nv);
  must(scene->geom_mesh.empty() || scene->geom_mesh.size() == model.geoms.size());
  for (const std::string& line : scene->not_modelled) must(line.find('\n') == std::string::npos);
}

}  // namespace tact::fuzz
