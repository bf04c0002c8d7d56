// io/scene_file.hpp - scenes: MJCF files, with tact's own data beside them.
//
// MJCF is read as MuJoCo defines it. What tact has no model for never stops a load: it is left out
// and said, one line a kind. What cannot be meant (a negative mass, a mesh that is not there, a
// keyframe of the wrong size) is refused with file, line and remedy. docs/scene-file.md lists it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/body/model.hpp"
#include "tact/geom/triangle_mesh.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/sim/prescribed.hpp"
#include "tact/sim/soft_scene.hpp"

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
/// The same files, and a note of each that is read. `read` must outlive it.
[[nodiscard]] FileReader noted(FileReader files, std::vector<std::string>& read);

/// A mesh as it is drawn, in the frame G of the geoms that use it.
struct SceneMesh {
  std::string name;
  std::shared_ptr<const TriangleMesh> triangles;
};

/// What the side-car says about contacts; what it leaves out is not set.
struct ContactTraits {
  std::optional<std::string> law;      ///< name of an impact law
  std::optional<double> restitution;   ///< 0 ... 1
  std::optional<PressureModel> patch;  ///< pressure model of patch friction
  std::optional<std::string> pattern;  ///< effective: 1+6, 4+8, 4+8+12
  std::optional<double> radius;        ///< ellipsoid [m]
  bool operator==(const ContactTraits&) const = default;
};

/// NAME.tact.json beside NAME.xml: for all contacts, those of a geom, those of a pair; and what
/// moves as it is told.
struct SideCar {
  ContactTraits all;
  std::vector<std::pair<Index, ContactTraits>> geoms;
  std::vector<std::pair<std::pair<Index, Index>, ContactTraits>> pairs;  ///< first < second
  Prescribed prescribed;
  bool time_of_impact = false;  ///< SimOptions::time_of_impact
  SoftScene soft;               ///< compliant pairs and springs
};

struct Scene {
  Model model;
  /// One line a kind: "robot.xml:48: 2 spatial tendons are not modelled". The line is that of the
  /// first.
  std::vector<std::string> not_modelled;
  std::map<std::string, VecX> numerics;      ///< <custom>
  std::map<std::string, std::string> texts;  ///< <custom>
  std::vector<SceneMesh> meshes;
  std::vector<Index> geom_mesh;               ///< [geom] in meshes, or -1
  std::vector<std::vector<Pose>> key_driven;  ///< [keyframe] of the driven bodies, or empty
  SideCar side_car;
  std::vector<std::string> files;  ///< paths of all files that were read, of a scene on disk
};

/// The side-car is read where there is one. Geoms with contype = conaffinity = 0 are kept; a mesh
/// among them has the hull of its bounding box for a shape, for nothing ever touches it.
[[nodiscard]] Result<Scene> read_mjcf(const std::string& path);

/// `name` is the path of the text in complaints and for the files beside it.
[[nodiscard]] Result<Scene> read_mjcf_text(std::string_view text, const std::string& name,
                                           const FileReader& files);

/// The side-car's text; `model` knows the names of bodies and geoms.
[[nodiscard]] Result<SideCar> read_side_car(std::string_view text, const std::string& source,
                                            const Model& model);

}  // namespace tact
