#include "tact/io/mjcf_assets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tact/geom/convex_hull.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/mesh_file.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

std::string asset_name(const XmlElement& element) {
  const std::string* name = find_attribute(element, "name");
  if (name && !name->empty()) return *name;
  const std::string* file = find_attribute(element, "file");
  return file ? stem_of(*file) : std::string();
}

std::string file_of(const Source& source, const std::string& written) {
  if (!source.compiler.strip_path) return written;
  const std::size_t slash = written.find_last_of("/\\");
  return slash == std::string::npos ? written : written.substr(slash + 1);
}

void refuse_missing(Reading& r, const XmlElement& at, std::string_view kind,
                    const std::string& name) {
  r.refuse(at, Errc::schema,
           concat({"there is no ", kind, " \"", detail::printable(name),
                   "\"; add it to <asset> or correct the name"}));
}

/// Keeps a complaint of another room under the line of the element.
void pass_on(Reading& r, const XmlElement& at, const Error& error) {
  r.refuse(at, error.code, error.message);
}

bool ends_with(const std::string& path, std::string_view end) {
  if (path.size() < end.size()) return false;
  return std::equal(end.rbegin(), end.rend(), path.rbegin(), [](char a, char b) {
    return a == ((b >= 'A' && b <= 'Z') ? static_cast<char>(b - 'A' + 'a') : b);
  });
}

/// The heights as they are used: from 0 to `top`.
void normalise(std::vector<double>& heights, double top) {
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double from = *low, span = *high - *low;
  for (double& h : heights) h = span > 0 ? (h - from) / span * top : 0;
}

/// int rows, int columns, then floats, all little-endian.
bool read_binary_heights(const std::string& bytes, HeightGrid& grid) {
  std::int32_t size[2] = {0, 0};
  if (bytes.size() < sizeof size) return false;
  std::memcpy(size, bytes.data(), sizeof size);
  if (size[0] < 2 || size[1] < 2) return false;
  const std::size_t count = static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]);
  if (bytes.size() - sizeof size != count * sizeof(float)) return false;
  grid.rows = size[0];
  grid.columns = size[1];
  grid.heights.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0;
    std::memcpy(&value, bytes.data() + sizeof size + i * sizeof value, sizeof value);
    if (!std::isfinite(value)) return false;
    grid.heights[i] = static_cast<double>(value);
  }
  return true;
}

/// The file's rows go from the far side to the near one, the grid's the other way.
void read_written_heights(Reading& r, const Settings& s, HeightGrid& grid) {
  const std::vector<double> rows = list(r, s, "elevation");
  grid.heights.assign(static_cast<std::size_t>(grid.rows * grid.columns), 0);
  if (rows.empty() || r.error) return;
  if (rows.size() != grid.heights.size()) {
    r.refuse(s.element(), Errc::schema,
             concat({"elevation has ", std::to_string(rows.size()),
                     " numbers; write nrow times ncol, ", std::to_string(grid.heights.size())}));
    return;
  }
  for (Index i = 0; i < grid.rows; ++i)
    std::copy_n(rows.begin() + (grid.rows - 1 - i) * grid.columns, grid.columns,
                grid.heights.begin() + i * grid.columns);
}

/// In the folder of the meshes, or beside the scene.
std::string locate_heights(Reading& r, const Source& source, const XmlElement& element,
                           const std::string& file) {
  const std::string beside = find_file(r, source, element, "", file);
  std::string in_folder = find_file(r, source, element, source.compiler.mesh_folder, file);
  if (!in_folder.empty()) return in_folder;
  return beside.empty() ? locate(r, source, element, source.compiler.mesh_folder, file) : beside;
}

std::shared_ptr<const HeightGrid> read_grid(Reading& r, const Source& source,
                                            const XmlElement& element) {
  const Settings s = alone(element);
  note_unread(r, "hfield", element);
  Vec4 size = Vec4::Zero();
  overlay(r, s, "size", {size.data(), 4}, 4);
  if (!r.error && !(size.minCoeff() > 0))
    r.refuse(element, Errc::value, "size of a height field must be four positive numbers");
  auto grid = std::make_shared<HeightGrid>();
  grid->half_size = size.head<2>();
  grid->base = size[3];
  grid->rows = grid->columns = 2;
  const std::string file = file_of(source, text(s, "file"));
  if (file.empty()) {
    grid->rows = integer(r, s, "nrow", 0);
    grid->columns = integer(r, s, "ncol", 0);
    if (grid->rows < 2 || grid->columns < 2 || grid->rows * grid->columns > most_elements)
      r.refuse(element, Errc::value, "a height field needs a file, or nrow and ncol of 2 or more");
    if (!r.error) read_written_heights(r, s, *grid);
  } else if (const std::string path = locate_heights(r, source, element, file); !r.error) {
    const Result<std::string> bytes = r.files->read(path);
    if (!bytes) pass_on(r, element, bytes.error());
    if (ends_with(path, ".png")) {
      grid->heights.assign(4, 0);
      r.notes.add(element, "height field of a PNG picture is not modelled and taken as flat",
                  "height fields of PNG pictures are not modelled and taken as flat");
    } else if (bytes && !read_binary_heights(*bytes, *grid)) {
      r.refuse(element, Errc::parse,
               concat({detail::printable(file),
                       " is no height field: two integers, rows and columns, "
                       "then as many finite floats"}));
    }
  }
  if (r.error) return nullptr;
  normalise(grid->heights, size[2]);
  return grid;
}

}  // namespace

Assets::Assets(Reading& r, const Source& source) : source_(&source) {
  for (const XmlElement* e : section(source, "asset")) {
    const std::string name = asset_name(*e);
    if (e->name == "mesh")
      meshes_[name] = e;
    else if (e->name == "hfield")
      height_fields_[name] = e;
    else if (e->name == "model")
      models_[name] = e;
    else if (!is_appearance(e->name))
      r.notes.add(*e, concat({"asset <", detail::printable(e->name), "> is not modelled"}),
                  concat({"assets <", detail::printable(e->name), "> are not modelled"}));
  }
}

MeshAsset* Assets::mesh(Reading& r, const XmlElement& at, const std::string& name, bool shell) {
  const auto element = meshes_.find(name);
  if (element == meshes_.end()) {
    refuse_missing(r, at, "mesh", name);
    return nullptr;
  }
  std::unique_ptr<MeshAsset>& slot = loaded_[{name, shell}];
  if (!slot) slot = load(r, name, *element->second, shell);
  return r.error ? nullptr : slot.get();
}

TriangleMesh Assets::triangles(Reading& r, const Settings& s) {
  const std::string written = file_of(*source_, text(s, "file"));
  if (!written.empty()) {
    const std::string path =
        locate(r, *source_, s.element(), source_->compiler.mesh_folder, written);
    if (r.error) return {};
    const Result<std::string> bytes = r.files->read(path);
    if (!bytes) {
      pass_on(r, s.element(), bytes.error());
      return {};
    }
    Result<TriangleMesh> mesh = read_mesh(*bytes, path);
    if (!mesh) {
      pass_on(r, s.element(), mesh.error());
      return {};
    }
    return *std::move(mesh);
  }
  const std::vector<double> points = list(r, s, "vertex"), faces = list(r, s, "face");
  if (points.size() < 12 || points.size() % 3 != 0 || faces.size() % 3 != 0) {
    r.refuse(s.element(), Errc::schema,
             "<mesh> needs a file, or vertex with three numbers for each of four points or more");
    return {};
  }
  TriangleMesh mesh;
  for (std::size_t i = 0; i < points.size(); i += 3)
    mesh.vertices.emplace_back(points[i], points[i + 1], points[i + 2]);
  const double end = static_cast<double>(mesh.vertices.size());
  for (std::size_t i = 0; i < faces.size(); i += 3) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double c = faces[i + k];
      if (!(c >= 0 && c < end && c == std::floor(c)))
        r.refuse(s.element(), Errc::value,
                 concat({"face names vertex ", short_number(c), ", which is not there"}));
      else
        corners[k] = static_cast<int>(c);
    }
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

std::unique_ptr<MeshAsset> Assets::load(Reading& r, const std::string& name,
                                        const XmlElement& element, bool shell) {
  const Settings s = settings_of(r, *source_, element);
  note_unread(r, "mesh", element);
  TriangleMesh mesh = triangles(r, s);
  const Vec3 scale = vec3(r, s, "scale", Vec3::Ones()), shift = vec3(r, s, "refpos", Vec3::Zero());
  Vec4 q = Vec4::UnitX();
  overlay(r, s, "refquat", {q.data(), 4}, 4);
  const Mat3 turn = rotation_of(r, element, q).transpose();
  constexpr std::string_view rules[] = {"legacy", "exact", "convex", "shell"};
  constexpr MeshInertia kinds[] = {MeshInertia::legacy, MeshInertia::exact, MeshInertia::convex,
                                   MeshInertia::shell};
  const Index rule = word(r, s, "inertia", rules, source_->compiler.exact_mesh_inertia ? 1 : 0);
  if (r.error) return nullptr;
  for (Vec3& v : mesh.vertices) v = scale.cwiseProduct(turn * (v - shift));
  if (scale.prod() < 0)  // a mirror turns the triangles inside out
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  Result<CentredMesh> centre = centred(mesh, shell ? MeshInertia::shell : kinds[rule]);
  if (!centre) {
    r.refuse(element, centre.error().code,
             concat({"mesh \"", detail::printable(name), "\": ", centre.error().message}));
    return nullptr;
  }
  auto asset = std::make_unique<MeshAsset>();
  asset->centred = *std::move(centre);
  asset->drawn = static_cast<Index>(r.scene.meshes.size());
  r.scene.meshes.push_back({name, std::make_shared<const TriangleMesh>(asset->centred.mesh_G)});
  return asset;
}

std::shared_ptr<const HeightGrid> Assets::height_field(Reading& r, const XmlElement& at,
                                                       const std::string& name) {
  const auto element = height_fields_.find(name);
  if (element == height_fields_.end()) {
    refuse_missing(r, at, "hfield", name);
    return nullptr;
  }
  auto& slot = grids_[name];
  if (!slot) slot = read_grid(r, *source_, *element->second);
  return slot;
}

std::string Assets::model(Reading& r, const XmlElement& at, const std::string& name) {
  const auto element = models_.find(name);
  if (element == models_.end()) {
    refuse_missing(r, at, "model", name);
    return {};
  }
  const std::string* file = find_attribute(*element->second, "file");
  if (!file) {
    r.refuse(*element->second, Errc::schema, "<model> needs a file");
    return {};
  }
  return locate(r, *source_, *element->second, "", *file);
}

std::shared_ptr<const Polyhedron> hull_of(Reading& r, const XmlElement& at, MeshAsset& mesh) {
  if (mesh.hull) return mesh.hull;
  Result<Polyhedron> hull = convex_hull(mesh.centred.mesh_G.vertices);
  if (!hull) {
    r.notes.add(at, "mesh has no hull and is taken as the box around it",
                "meshes have no hull and are taken as the boxes around them");
    return mesh.hull = bounds_of(r, at, mesh);
  }
  return mesh.hull = std::make_shared<const Polyhedron>(*std::move(hull));
}

std::shared_ptr<const Polyhedron> bounds_of(Reading& r, const XmlElement& at, MeshAsset& mesh) {
  if (mesh.bounds) return mesh.bounds;
  const double most = std::numeric_limits<double>::max();
  Vec3 low = Vec3::Constant(most), high = -low;
  for (const Vec3& v : mesh.centred.mesh_G.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  // A thousandth of the length keeps sheets and rods boxes.
  const Vec3 widen = Vec3::Constant((high - low).maxCoeff() / 1000);
  low -= widen;
  high += widen;
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int i = 0; i < 8; ++i)
    corners.emplace_back((i & 1) != 0 ? high[0] : low[0], (i & 2) != 0 ? high[1] : low[1],
                         (i & 4) != 0 ? high[2] : low[2]);
  Result<Polyhedron> hull = convex_hull(corners);
  if (!hull) {
    pass_on(r, at, hull.error());
    return nullptr;
  }
  return mesh.bounds = std::make_shared<const Polyhedron>(*std::move(hull));
}

}  // namespace tact::mjcf
