// What every scene that was read must be, and the files beside it, for the fuzz targets.
#pragma once

#include <cstdlib>
#include <string>

#include "tact/io/scene_file.hpp"

namespace tact::fuzz {

inline void must(bool holds) {
  if (!holds) std::abort();
}

/// One small mesh under every name that ends like a mesh, and nothing else: no disk.
inline FileReader one_mesh() {
  const auto is_mesh = [](const std::string& path) { return path.ends_with(".obj"); };
  return {is_mesh, [is_mesh](const std::string& path) -> Result<std::string> {
            if (!is_mesh(path)) return Error{Errc::io, "fuzz: no such file; name a mesh"};
            return std::string(
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
          }};
}

/// make_model takes its own models: nothing is left in them that it would refuse.
inline void check_scene(const Result<Scene>& scene) {
  if (!scene) {
    must(scene.error().message.starts_with("fuzz"));
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
