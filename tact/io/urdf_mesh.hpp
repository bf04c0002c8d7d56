// io/urdf_mesh.hpp - the meshes that a URDF names: where they are, and their hulls, each read once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/geom/shape.hpp"
#include "tact/io/scene_file.hpp"
#include "tact/io/urdf_robot.hpp"

namespace tact::detail {

/// The paths that a file name of a URDF at `urdf_path` may mean, the best first.
[[nodiscard]] std::vector<std::string> mesh_candidates(const std::string& filename,
                                                       const std::string& urdf_path);

class UrdfMeshes {
 public:
  UrdfMeshes(std::string urdf_path, const FileReader& files)
      : urdf_path_(std::move(urdf_path)), files_(files) {}

  struct Found {
    ConvexMesh hull;
    Index mesh;  ///< in meshes()
  };
  /// The mesh times its scale. The sentence of an error does not name the URDF.
  Result<Found> find(const UrdfMesh& mesh);

  [[nodiscard]] const std::vector<SceneMesh>& meshes() const { return meshes_; }

 private:
  [[nodiscard]] Result<std::string> locate(const std::string& filename) const;

  std::string urdf_path_;
  const FileReader& files_;
  std::vector<SceneMesh> meshes_;
  std::map<std::string, Found> found_;  ///< by file name and scale
};

}  // namespace tact::detail
