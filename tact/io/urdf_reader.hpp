// io/urdf_reader.hpp - robots from URDF files.
//
// Links become bodies, in the order in which the tree is walked from its root; their frames are the
// joint frames of the file. The root link is welded to the world, or moves freely; a root link
// called "world" is the world. Joints:
//     revolute, continuous  hinge        prismatic  slide        fixed      a welded body
//     planar     slides NAME_x, NAME_y and hinge NAME_turn about the normal
//     floating   free, or slides NAME_x, NAME_y, NAME_z and ball NAME_turn below a moving link
//     spherical  ball (an extension that MuJoCo and Bullet know)
// A URDF has no actuators: every hinge and slide of a revolute, continuous or prismatic joint that
// does not mimic another has a motor of its name, whose force is bounded by the effort limit.
// Collision meshes are replaced by their hulls. Bodies that a joint ties together never collide.
// What else is read, and what is not: docs/urdf.md.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/io/scene_file.hpp"

namespace tact {

struct UrdfOptions {
  bool free_base = false;  ///< the root link moves freely, unless it is called "world"
};

/// Meshes are looked for at their path seen from the file; `package://NAME/PATH` is PATH there, or
/// in a folder above the file that is called NAME or holds one of that name.
[[nodiscard]] Result<Scene> read_urdf(const std::string& path, const UrdfOptions& options = {});

/// `name` is the path of the text, in complaints and for the files beside it.
[[nodiscard]] Result<Scene> read_urdf_text(std::string_view text, const std::string& name,
                                           const FileReader& files,
                                           const UrdfOptions& options = {});

}  // namespace tact
