// io/mjcf_assets.hpp - what geoms are made of: meshes, height fields and whole models, read when
// they are first needed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tact/geom/shape.hpp"
#include "tact/io/mjcf_mesh.hpp"
#include "tact/io/mjcf_source.hpp"

namespace tact::mjcf {

struct MeshAsset {
  CentredMesh centred;
  Index drawn = -1;                                ///< in Scene::meshes
  std::shared_ptr<const Polyhedron> hull, bounds;  ///< made when first needed
};

/// The <asset> section of one file.
class Assets {
 public:
  Assets(Reading& r, const Source& source);

  /// The mesh of that name; `shell` asks for the mass of its surface. Null with a complaint at `at`
  /// when there is none or it cannot be read.
  MeshAsset* mesh(Reading& r, const XmlElement& at, const std::string& name, bool shell);
  std::shared_ptr<const HeightGrid> height_field(Reading& r, const XmlElement& at,
                                                 const std::string& name);
  /// Path of the file of a <model>; empty with a complaint.
  std::string model(Reading& r, const XmlElement& at, const std::string& name);

 private:
  std::unique_ptr<MeshAsset> load(Reading& r, const std::string& name, const XmlElement& element,
                                  bool shell);
  TriangleMesh triangles(Reading& r, const Settings& s);

  const Source* source_;
  std::map<std::string, const XmlElement*> meshes_, height_fields_, models_;
  std::map<std::pair<std::string, bool>, std::unique_ptr<MeshAsset>> loaded_;
  std::map<std::string, std::shared_ptr<const HeightGrid>> grids_;
};

/// The hull that collides, and the hull of the bounding box that stands for what never does. Null
/// with a complaint at `at`.
std::shared_ptr<const Polyhedron> hull_of(Reading& r, const XmlElement& at, MeshAsset& mesh);
std::shared_ptr<const Polyhedron> bounds_of(Reading& r, const XmlElement& at, MeshAsset& mesh);

}  // namespace tact::mjcf
