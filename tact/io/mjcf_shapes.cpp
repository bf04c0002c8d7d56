#include "tact/io/mjcf_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/tolerance.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

enum class Type { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf };
constexpr std::string_view type_names[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                           "cylinder", "box",    "mesh",   "sdf"};

/// How many numbers of `size` a primitive needs.
std::size_t size_count(Type type) {
  if (type == Type::sphere) return 1;
  if (type == Type::capsule || type == Type::cylinder) return 2;
  return 3;
}

Shape primitive(Type type, const Vec3& size) {
  switch (type) {
    case Type::capsule:
      return Capsule{size[0], size[1]};
    case Type::cylinder:
      return Cylinder{size[0], size[1]};
    case Type::ellipsoid:
      return Ellipsoid{size};
    case Type::box:
      return Box{size};
    default:
      return Sphere{size[0]};
  }
}

/// The primitive of about the size of a mesh: from the box of equal inertia, or from the box around
/// it (fitaabb), whose middle is then the place. As in MuJoCo.
Vec3 fitted_size(Type type, const MeshAsset& mesh, bool around, Vec3& middle) {
  Vec3 box = mesh.centred.inertia_box;
  middle.setZero();
  double reach = 0, girth = 0, tall = 0, straight = 0;
  if (around) {
    const std::vector<Vec3>& points = mesh.centred.mesh_G.vertices;
    Vec3 low = points.front(), high = low;
    for (const Vec3& v : points) {
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    middle = (low + high) / 2;
    box = (high - low) / 2;
    for (const Vec3& v : points) {
      const Vec3 d = v - middle;
      reach = std::max(reach, d.norm());
      girth = std::max(girth, d.head<2>().norm());
      tall = std::max(tall, std::abs(d[2]));
    }
    for (const Vec3& v : points) {  // the caps of a capsule cover what they can
      const Vec3 d = v - middle;
      const double cap = girth * girth - d.head<2>().squaredNorm();
      straight = std::max(straight, std::abs(d[2]) - std::sqrt(std::max(0.0, cap)));
    }
  }
  const double thick = around ? girth : (box[0] + box[1]) / 2;
  switch (type) {
    case Type::sphere:
      return Vec3::Constant(around ? reach : box.sum() / 3);
    case Type::capsule:
      return {thick, around ? straight : std::max(0.0, box[2] - thick / 2), 0};
    case Type::cylinder:
      return {thick, around ? tall : box[2], 0};
    default:
      return box;
  }
}

struct GeomReader {
  Reading& r;
  const Instance& in;
  const Settings& s;
  Type type = Type::sphere;
  bool shell = false;
  bool visual = false;
  Pose X_FG{};
  Shape shape = Sphere{1};
  Extent extent{};
  Index drawn = -1;

  MeshAsset* find_mesh() {
    const std::string* name = find_text(s, "mesh");
    if (!name) {
      r.refuse(s.element(), Errc::schema, "a geom of type mesh needs the attribute mesh");
      return nullptr;
    }
    MeshAsset* mesh = in.assets->mesh(r, s.element(), *name, shell);
    if (mesh && mesh->centred.flat)
      r.notes.add(s.element(), "mesh without volume counts as a shell",
                  "meshes without volume count as shells");
    return mesh;
  }

  void read_mesh() {
    MeshAsset* mesh = find_mesh();
    if (!mesh) return;
    X_FG = X_FG * mesh->centred.X_MG;
    drawn = mesh->drawn;
    extent = mesh->centred.extent;
    const auto hull = visual ? bounds_of(r, s.element(), *mesh) : hull_of(r, s.element(), *mesh);
    shape = ConvexMesh{hull};
  }

  void read_fitted() {
    MeshAsset* mesh = find_mesh();
    if (!mesh) return;
    Vec3 middle = Vec3::Zero();
    const Vec3 size =
        fitted_size(type, *mesh, in.source->compiler.fit_box, middle) * number(r, s, "fitscale", 1);
    X_FG = X_FG * mesh->centred.X_MG * Pose{Mat3::Identity(), middle};
    set_primitive(size);
  }

  void read_primitive() {
    Vec3 size = Vec3::Zero();
    overlay(r, s, "size", {size.data(), 3});
    double half_length = 0;
    if (read_ends(r, s, X_FG, half_length)) {
      if (type == Type::sphere)
        r.refuse(s.element(), Errc::schema, "fromto has no meaning for a sphere; write pos");
      if (type == Type::box || type == Type::ellipsoid) size[2] = half_length, size[1] = size[0];
      if (type == Type::capsule || type == Type::cylinder) size[1] = half_length;
    }
    set_primitive(size);
  }

  void set_primitive(const Vec3& size) {
    const auto count = static_cast<Index>(size_count(type));
    const double least = type == Type::capsule ? size[0] : size.head(count).minCoeff();
    // A volume is a length to the third, a moment of inertia one to the fifth: neither may
    // overflow.
    constexpr double longest = 1e30;
    if (size.head(count).maxCoeff() > longest || (least > 0 && least < 1 / longest)) {
      r.refuse(s.element(), Errc::value,
               concat({"a ", type_names[static_cast<std::size_t>(type)],
                       " of this size is beyond numbers; give its size in metres"}));
      return;
    }
    if (!(least > 0) || (type == Type::capsule && size[1] < 0)) {
      r.refuse(s.element(), Errc::value,
               concat({"a ", type_names[static_cast<std::size_t>(type)], " needs ",
                       std::to_string(count), " positive numbers in size"}));
      return;
    }
    shape = primitive(type, size);
    extent = shell ? shell_extent(shape) : solid_extent(shape);
  }

  void read_shape() {
    switch (type) {
      case Type::plane:
        shape = HalfSpace{};
        break;
      case Type::hfield:
        shape = HeightField{in.assets->height_field(r, s.element(), text(s, "hfield"))};
        break;
      case Type::sdf:
        r.notes.add(s.element(), "signed distance field is taken as the hull of its mesh",
                    "signed distance fields are taken as the hulls of their meshes");
        [[fallthrough]];
      case Type::mesh:
        read_mesh();
        break;
      default:
        if (has(s, "mesh"))
          read_fitted();
        else
          read_primitive();
    }
  }

  MassPart own_mass() {
    const double density = number(r, s, "density", 1000);
    double mass = density * extent.size;
    if (has(s, "mass") && extent.size > 0) mass = number(r, s, "mass", 0);
    if (mass < 0)
      r.refuse(
          s.element(), Errc::value,
          concat({"the mass of this geom is ", short_number(mass), "; it cannot be negative"}));
    if (!(mass > 0) || !(extent.size > 0)) return {};
    return {mass, Vec3::Zero(), Mat3((mass / extent.size * extent.moments).asDiagonal())};
  }
};

void read_surface(Reading& r, const Settings& s, Geom& g) {
  overlay(r, s, "friction", {g.friction.data(), 3});
  g.condim = integer(r, s, "condim", g.condim);
  g.priority = integer(r, s, "priority", g.priority);
  g.group = integer(r, s, "group", g.group);
  g.margin = number(r, s, "margin", g.margin);
  if (g.condim != 1 && g.condim != 3 && g.condim != 4 && g.condim != 6)
    r.refuse(s.element(), Errc::value,
             concat({"condim is ", std::to_string(g.condim), "; write 1, 3, 4 or 6"}));
  if (!(g.friction.minCoeff() >= 0))
    r.refuse(s.element(), Errc::value, "friction cannot be negative");
}

}  // namespace

bool read_ends(Reading& r, const Settings& settings, Pose& X, double& half_length) {
  Vec6 ends = Vec6::Zero();
  if (overlay(r, settings, "fromto", {ends.data(), 6}, 6) == 0 || r.error) return false;
  const Vec3 from = ends.head<3>(), to = ends.tail<3>();
  const double length = (from - to).norm();
  if (!(length > tolerance::smallest)) {
    r.refuse(settings.element(), Errc::value, "the two points of fromto are the same");
    return false;
  }
  half_length = length / 2;
  X = {rotation_to((from - to) / length), (from + to) / 2};
  return true;
}

GeomDraft read_geom(Reading& r, const Instance& in, const Settings& settings, const Pose& X_BF) {
  GeomDraft out;
  Geom& g = out.geom;
  note_unread(r, "geom", settings.element());
  g.contype = integer(r, settings, "contype", g.contype);
  g.conaffinity = integer(r, settings, "conaffinity", g.conaffinity);
  read_surface(r, settings, g);

  GeomReader reader{r, in, settings};
  reader.type = static_cast<Type>(word(r, settings, "type", type_names, 2));
  reader.shell = boolean(r, settings, "shellinertia", false);
  const std::string* name = find_attribute(settings.element(), "name");
  const bool paired = name && r.paired.contains(concat({in.prefix, *name}));
  reader.visual = g.contype == 0 && g.conaffinity == 0 && !paired;
  reader.X_FG = pose(r, settings, in.source->compiler.angles);
  reader.read_shape();
  g.shape = reader.shape;
  g.X_BG = X_BF * reader.X_FG;
  g.from_mesh = reader.type == Type::mesh || reader.type == Type::sdf;
  out.drawn = reader.drawn;
  out.mass_B = moved(g.X_BG, reader.own_mass());
  return out;
}

}  // namespace tact::mjcf
