// io/mesh_file.hpp - triangle meshes from OBJ, STL and MuJoCo's binary MSH files.
//
// OBJ   `v` and `f` are read; a polygon becomes a fan of triangles, negative indices count back
//       from the last vertex before the face; every other statement is ignored.
// STL   binary or ASCII, told apart by what the bytes say and not by the word "solid". Corners that
//       are equal bit by bit become one vertex (minus zero is zero); normals are ignored.
// MSH   little-endian: int nvertex, nnormal, ntexcoord, nface; float positions, normals, texture
//       coordinates; int faces. Without faces it is a cloud of points, whose hull is meant.
// Numbers must be finite and indices in range; triangles without area are kept. Complaints name the
// line of a text and the byte of a binary file.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/geom/triangle_mesh.hpp"

namespace tact {

[[nodiscard]] Result<TriangleMesh> read_obj(std::string_view bytes, const std::string& name);
[[nodiscard]] Result<TriangleMesh> read_stl(std::string_view bytes, const std::string& name);
[[nodiscard]] Result<TriangleMesh> read_msh(std::string_view bytes, const std::string& name);

/// The format is told by the end of the name: .obj, .stl or .msh, in letters of either case.
[[nodiscard]] Result<TriangleMesh> read_mesh(std::string_view bytes, const std::string& name);
/// Whether read_mesh knows the end of the name.
[[nodiscard]] bool is_mesh_name(const std::string& name);
[[nodiscard]] Result<TriangleMesh> read_mesh_file(const std::string& path);

}  // namespace tact
