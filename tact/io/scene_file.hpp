// io/scene_file.hpp - scenes: a model, and what its file says that tact does not model.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tact/body/model.hpp"
#include "tact/geom/triangle_mesh.hpp"

namespace tact {

/// How files beside the scene are found: on disk, or wherever the caller keeps them. Paths are
/// those of the scene, joined to the folder of the main file by '/'.
struct FileReader {
  std::function<bool(const std::string& path)> exists;
  std::function<Result<std::string>(const std::string& path)> read;
};
[[nodiscard]] FileReader disk_files();
/// For texts that stand alone.
[[nodiscard]] FileReader no_files();

/// A mesh as it is drawn, in the frame G of the geoms that use it.
struct SceneMesh {
  std::string name;
  std::shared_ptr<const TriangleMesh> triangles;
};

struct Scene {
  Model model;
  std::vector<std::string> not_modelled;
  std::vector<SceneMesh> meshes;
  std::vector<Index> geom_mesh;  ///< [geom] in meshes, or -1
};

}  // namespace tact
