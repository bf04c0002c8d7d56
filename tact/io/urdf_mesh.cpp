#include "tact/io/urdf_mesh.hpp"

#include <filesystem>
#include <string_view>
#include <utility>

#include "tact/geom/convex_hull.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/mesh_file.hpp"
#include "tact/io/number_text.hpp"

namespace tact::detail {

namespace fs = std::filesystem;

namespace {

/// Every bit of the scale counts.
std::string key_of(const UrdfMesh& mesh) {
  std::string key = mesh.filename;
  key.push_back('\0');
  const auto* bytes = reinterpret_cast<const char*>(mesh.scale.data());
  return key.append(bytes, sizeof(double) * 3);
}

}  // namespace

std::vector<std::string> mesh_candidates(const std::string& filename,
                                         const std::string& urdf_path) {
  const fs::path folder = fs::path(urdf_path).parent_path();
  const auto in = [](const fs::path& where, const fs::path& what) {
    return (where / what).lexically_normal().string();
  };
  if (filename.starts_with("file://")) return {in(folder, filename.substr(7))};
  const std::size_t scheme = filename.starts_with("package://") ? 10
                             : filename.starts_with("model://") ? 8
                                                                : 0;
  if (scheme == 0) return {in(folder, filename)};

  const std::string whole = filename.substr(scheme);
  const std::size_t slash = whole.find('/');
  const std::string package = whole.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : whole.substr(slash + 1);
  std::vector<std::string> out{in(folder, rest)};
  for (fs::path above = folder;; above = above.parent_path()) {
    if (above.filename() == package) out.push_back(in(above, rest));
    out.push_back(in(above, fs::path(package) / rest));
    if (above == above.parent_path()) break;
  }
  // The folder of the package may have another name; the nearest above has its files.
  out.push_back(in(folder.parent_path(), rest));
  return out;
}

Result<std::string> UrdfMeshes::locate(const std::string& filename) const {
  const std::vector<std::string> candidates = mesh_candidates(filename, urdf_path_);
  for (const std::string& path : candidates)
    if (files_.exists(path)) return path;
  const std::string others =
      candidates.size() > 1
          ? concat({" nor in ", std::to_string(candidates.size() - 1), " folders above"})
          : std::string();
  return Error{Errc::io,
               concat({"the mesh \"", printable(filename), "\" is not at ", candidates.front(),
                       others, "; put it there or correct the name"})};
}

Result<UrdfMeshes::Found> UrdfMeshes::find(const UrdfMesh& mesh) {
  const std::string key = key_of(mesh);
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  const auto path = locate(mesh.filename);
  if (!path) return path.error();
  const auto bytes = files_.read(*path);
  if (!bytes) return bytes.error();
  auto triangles = read_mesh(*bytes, *path);
  if (!triangles) return triangles.error();
  auto scaled = std::make_shared<TriangleMesh>(*std::move(triangles));
  for (Vec3& vertex : scaled->vertices) vertex = vertex.cwiseProduct(mesh.scale);
  // A mirror turns triangles inside out.
  if (mesh.scale.prod() < 0)
    for (auto& triangle : scaled->triangles) std::swap(triangle[1], triangle[2]);
  auto hull = convex_hull(scaled->vertices);
  if (!hull) return Error{hull.error().code, concat({*path, ": ", hull.error().message})};
  meshes_.push_back({mesh.filename, scaled});
  const Found found{{std::make_shared<const Polyhedron>(*std::move(hull))},
                    static_cast<Index>(meshes_.size()) - 1};
  found_.emplace(key, found);
  return found;
}

}  // namespace tact::detail
