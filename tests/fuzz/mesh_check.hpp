// What every mesh that was read must be, for the fuzz targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tact/io/mesh_file.hpp"

namespace tact::fuzz {

inline void must(bool holds) {
  if (!holds) std::abort();
}

inline bool is_sentence(const Error& error) {
  return error.message.starts_with("fuzz") && error.message.find('\n') == std::string::npos;
}

enum class MayBeCloud { no, yes };

inline void check_mesh(const Result<TriangleMesh>& mesh, MayBeCloud cloud = MayBeCloud::no) {
  if (!mesh) return must(is_sentence(mesh.error()));
  must(!mesh->vertices.empty() && (cloud == MayBeCloud::yes || !mesh->triangles.empty()));
  for (const Vec3& vertex : mesh->vertices) must(vertex.allFinite());
  const auto count = static_cast<int>(mesh->vertices.size());
  for (const auto& triangle : mesh->triangles)
    for (const int corner : triangle) must(corner >= 0 && corner < count);
}

}  // namespace tact::fuzz
