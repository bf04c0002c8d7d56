#include "tact/io/mjcf_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tact/base/tolerance.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/mjcf_shapes.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

constexpr int deepest_attachment = 16;

/// Where the children of an element go.
struct Spot {
  Index body = 0;
  Pose X_BF;  ///< the frame they are written in
  std::string childclass;
  std::string suffix;  ///< of the names in a replica
};

class BodyReader {
 public:
  BodyReader(Reading& r, Draft& draft) : r_(r), d_(draft) {}

  void children(const Instance& in, const XmlElement& parent, const Spot& spot) {
    for (const XmlElement& e : parent.children) {
      if (r_.error) return;
      child(in, e, spot);
    }
  }

 private:
  void child(const Instance& in, const XmlElement& e, const Spot& spot) {
    if (e.name == "body")
      body(in, e, spot);
    else if (e.name == "geom")
      geom(in, e, spot);
    else if (e.name == "joint" || e.name == "freejoint")
      joint(in, e, spot);
    else if (e.name == "site")
      site(in, e, spot);
    else if (e.name == "inertial")
      inertial(e, spot);
    else if (e.name == "frame")
      frame(in, e, spot);
    else if (e.name == "replicate")
      replicate(in, e, spot);
    else if (e.name == "attach")
      attach(in, e, spot);
    else if (!is_appearance(e.name))
      left_out(e);
  }

  void left_out(const XmlElement& e) {
    const std::string name = detail::printable(e.name);
    if (e.name == "flexcomp" || e.name == "composite") d_.lost_coordinates = true;
    r_.notes.add(e, concat({"<", name, "> is not modelled"}),
                 concat({"<", name, "> are not modelled"}));
  }

  [[nodiscard]] std::string full_name(const Instance& in, const XmlElement& e, const Spot& spot) {
    const std::string* name = find_attribute(e, "name");
    if (!name || name->empty()) return {};
    const std::string bare = concat({in.prefix, *name});
    keep_replica(d_, bare, spot.suffix);
    return concat({bare, spot.suffix});
  }

  [[nodiscard]] static Spot inside(const XmlElement& e, const Spot& spot, const Pose& X) {
    const std::string* own = find_attribute(e, "childclass");
    return {spot.body, spot.X_BF * X, own ? *own : spot.childclass, spot.suffix};
  }

  [[nodiscard]] const AngleStyle& angles(const Instance& in) const {
    return in.source->compiler.angles;
  }

  void body(const Instance& in, const XmlElement& e, const Spot& spot) {
    Model& m = r_.scene.model;
    const Settings s = alone(e);
    note_unread(r_, "body", e);
    const Index index = static_cast<Index>(m.bodies.size());
    if (index > most_parts) r_.refuse(e, Errc::value, "there are too many bodies");
    Body b;
    b.name = full_name(in, e, spot);
    b.parent = spot.body;
    b.X_PB = spot.X_BF * pose(r_, s, angles(in));
    b.driven = boolean(r_, s, "mocap", false);
    b.gravity_compensation = number(r_, s, "gravcomp", 0);
    keep_name(r_, d_.names.bodies, e, b.name, index);
    m.bodies.push_back(std::move(b));
    d_.bodies.push_back({&e, nullptr, &in.source->compiler, in.index});
    Spot own = inside(e, spot, Pose{});
    own.body = index;
    own.X_BF = Pose{};
    children(in, e, own);
  }

  void frame(const Instance& in, const XmlElement& e, const Spot& spot) {
    note_unread(r_, "frame", e);
    children(in, e, inside(e, spot, pose(r_, alone(e), angles(in))));
  }

  void inertial(const XmlElement& e, const Spot& spot) {
    note_unread(r_, "inertial", e);
    if (spot.body > 0) d_.bodies[static_cast<std::size_t>(spot.body)].inertial = &e;
  }

  void geom(const Instance& in, const XmlElement& e, const Spot& spot) {
    if (static_cast<Index>(d_.geoms.size()) > most_parts)
      r_.refuse(e, Errc::value, "there are too many geoms");
    GeomDraft g = read_geom(r_, in, settings_of(r_, *in.source, e, spot.childclass), spot.X_BF);
    g.geom.body = spot.body;
    g.geom.name = full_name(in, e, spot);
    if (std::holds_alternative<HalfSpace>(g.geom.shape)) g.mass_B = {};
    elements_.push_back(&e);
    d_.geoms.push_back(std::move(g));
  }

  void site(const Instance& in, const XmlElement& e, const Spot& spot) {
    const Settings s = settings_of(r_, *in.source, e, spot.childclass);
    note_unread(r_, "site", e);
    Site out;
    out.name = full_name(in, e, spot);
    out.body = spot.body;
    Pose X_FS = pose(r_, s, angles(in));
    double unused = 0;
    read_ends(r_, s, X_FS, unused);
    out.X_BS = spot.X_BF * X_FS;
    std::vector<Site>& sites = r_.scene.model.sites;
    keep_name(r_, d_.names.sites, e, out.name, static_cast<Index>(sites.size()));
    sites.push_back(std::move(out));
  }

  void joint(const Instance& in, const XmlElement& e, const Spot& spot);
  void joint_forces(const Settings& s, Joint& j);
  void force_range(const Instance& in, const Settings& s, Joint& j);
  void replicate(const Instance& in, const XmlElement& e, const Spot& spot);
  void attach(const Instance& in, const XmlElement& e, const Spot& spot);

  Reading& r_;
  Draft& d_;

 public:
  std::vector<const XmlElement*> elements_;  ///< of the geoms
};

void BodyReader::joint_forces(const Settings& s, Joint& j) {
  j.stiffness = leading(r_, s, "stiffness");
  j.damping = leading(r_, s, "damping");
  j.armature = number(r_, s, "armature", 0);
  j.dry_friction = number(r_, s, "frictionloss", 0);
  const std::pair<const char*, double> all[] = {{"stiffness", j.stiffness},
                                                {"damping", j.damping},
                                                {"armature", j.armature},
                                                {"frictionloss", j.dry_friction}};
  for (const auto& [name, value] : all)
    if (value < 0)
      r_.refuse(s.element(), Errc::value,
                concat({name, " is ", short_number(value), "; it cannot be negative"}));
}

/// Of all actuators together; like MuJoCo for hinges and slides only.
void BodyReader::force_range(const Instance& in, const Settings& s, Joint& j) {
  if (j.type == JointType::ball) return;
  overlay(r_, s, "actuatorfrcrange", {j.force_range.data(), 2}, 2);
  j.force_limited =
      limited(r_, s, "actuatorfrclimited", "actuatorfrcrange", in.source->compiler.autolimits);
  if (j.force_limited && !(j.force_range[0] < j.force_range[1]))
    r_.refuse(s.element(), Errc::value, "actuatorfrcrange is empty; write its ends in order");
}

void BodyReader::joint(const Instance& in, const XmlElement& e, const Spot& spot) {
  Model& m = r_.scene.model;
  if (spot.body == 0) {
    r_.refuse(e, Errc::schema, "a joint stands in the world, which cannot move; put it in a body");
    return;
  }
  const bool free_only = e.name == "freejoint";
  const Settings s = free_only ? alone(e) : settings_of(r_, *in.source, e, spot.childclass);
  note_unread(r_, e.name, e);
  Joint j;
  j.name = full_name(in, e, spot);
  j.body = spot.body;
  constexpr std::string_view types[] = {"free", "ball", "hinge", "slide"};
  j.type = free_only ? JointType::free : static_cast<JointType>(word(r_, s, "type", types, 2));
  if (!free_only) joint_forces(s, j);
  if (j.type != JointType::free) {
    j.anchor_B = transform_point(spot.X_BF, vec3(r_, s, "pos", Vec3::Zero()));
    const Vec3 axis = vec3(r_, s, "axis", Vec3::UnitZ());
    if (!(axis.norm() > tolerance::smallest))
      r_.refuse(e, Errc::value, "the axis of this joint is zero; give a direction");
    else
      j.axis_B = transform_vector(spot.X_BF, axis).normalized();
    const bool turns = j.type != JointType::slide;
    const auto scaled = [&](double x) { return turns ? angle(angles(in), x) : x; };
    overlay(r_, s, "range", {j.range.data(), 2}, 2);
    j.range = {scaled(j.range[0]), scaled(j.range[1])};
    j.limited = limited(r_, s, "limited", "range", in.source->compiler.autolimits);
    j.reference = j.type == JointType::ball ? 0 : scaled(number(r_, s, "ref", 0));
    j.spring_reference = j.type == JointType::ball ? 0 : scaled(number(r_, s, "springref", 0));
    if (j.limited && !(j.range[0] < j.range[1]))
      r_.refuse(e, Errc::value, "the range of this joint is empty; write its ends in order");
    force_range(in, s, j);
  }
  m.joints.push_back(std::move(j));
  keep_name(r_, d_.names.joints, e, m.joints.back().name, static_cast<Index>(m.joints.size()) - 1);
}

void BodyReader::replicate(const Instance& in, const XmlElement& e, const Spot& spot) {
  const Settings s = alone(e);
  note_unread(r_, "replicate", e);
  const int count = integer(r_, s, "count", 0);
  if (count < 1 || count > most_parts) {
    r_.refuse(e, Errc::value, "count of <replicate> must be a positive number, of parts to make");
    return;
  }
  const Pose step{orientation(r_, s, angles(in)), vec3(r_, s, "offset", Vec3::Zero())};
  const std::string sep = text(s, "sep") + text(s, "prefix");
  const std::size_t width = std::to_string(count - 1).size();
  Pose X;
  for (int i = 0; i < count && !r_.error; ++i) {
    std::string number = std::to_string(i);
    number.insert(0, width - number.size(), '0');
    Spot replica = inside(e, spot, X);
    replica.suffix = concat({sep, number, spot.suffix});
    children(in, e, replica);
    X = X * step;
  }
}

/// Remembers the geoms that a file pairs, before they are read.
void keep_pairs(Reading& r, const Instance& in) {
  for (const XmlElement* e : section(*in.source, "contact"))
    for (const char* side : {"geom1", "geom2"})
      if (const std::string* name = find_attribute(*e, side))
        r.paired.insert(concat({in.prefix, *name}));
}

/// The body of that name below `parent`.
const XmlElement* find_body_element(const XmlElement& parent, std::string_view name) {
  for (const XmlElement& child : parent.children) {
    const std::string* own = find_attribute(child, "name");
    if (child.name == "body" && own && *own == name) return &child;
    if (const XmlElement* found = find_body_element(child, name)) return found;
  }
  return nullptr;
}

void BodyReader::attach(const Instance& in, const XmlElement& e, const Spot& spot) {
  const Settings s = alone(e);
  note_unread(r_, "attach", e);
  if (in.depth == deepest_attachment) {
    r_.refuse(e, Errc::schema, "models are attached to one another too deeply; break the cycle");
    return;
  }
  const std::string path = in.assets->model(r_, e, text(s, "model"));
  if (r_.error) return;
  const auto known = d_.files.find(path);
  const Result<std::string> content =
      known == d_.files.end() ? r_.files->read(path) : Result<std::string>(std::string());
  if (!content) {
    r_.refuse(e, content.error().code, content.error().message);
    return;
  }
  LoadedFile* file = load_file(r_, d_, *content, path);
  if (!file) return;
  const Instance inner{file->source.get(),
                       file->assets.get(),
                       concat({in.prefix, text(s, "prefix")}),
                       in.depth + 1,
                       spot.suffix,
                       d_.instances.size(),
                       in.index};
  d_.instances.push_back(inner);
  keep_pairs(r_, inner);
  const Spot clean{spot.body, spot.X_BF, {}, spot.suffix};
  const std::string* name = find_attribute(e, "body");
  for (const XmlElement& world : inner.source->root.children) {
    if (world.name != "worldbody") continue;
    if (!name || name->empty() || *name == "world") {
      children(inner, world, clean);
    } else if (const XmlElement* found = find_body_element(world, *name)) {
      body(inner, *found, clean);
      return;
    }
  }
  if (name && !name->empty() && *name != "world")
    r_.refuse(e, Errc::schema,
              concat({"the model has no body \"", detail::printable(*name),
                      "\" to attach; correct the name"}));
}

/// Geoms by body, with their names; then joints.
void sort_parts(Reading& r, Draft& d, const std::vector<const XmlElement*>& elements) {
  std::vector<std::size_t> order(d.geoms.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return d.geoms[a].geom.body < d.geoms[b].geom.body;
  });
  std::vector<GeomDraft> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) {
    keep_name(r, d.names.geoms, *elements[i], d.geoms[i].geom.name,
              static_cast<Index>(sorted.size()));
    sorted.push_back(std::move(d.geoms[i]));
  }
  d.geoms = std::move(sorted);

  std::vector<Joint>& joints = r.scene.model.joints;
  std::stable_sort(joints.begin(), joints.end(),
                   [](const Joint& a, const Joint& b) { return a.body < b.body; });
  d.names.joints.clear();
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (!joints[i].name.empty()) d.names.joints.emplace(joints[i].name, static_cast<Index>(i));
}

void set_masses(Reading& r, Draft& d) {
  Model& m = r.scene.model;
  std::vector<std::vector<MassPart>> parts(m.bodies.size());
  for (const GeomDraft& g : d.geoms) {
    const Compiler& c = *d.bodies[static_cast<std::size_t>(g.geom.body)].compiler;
    if (g.geom.group >= c.first_inertia_group && g.geom.group <= c.last_inertia_group)
      parts[static_cast<std::size_t>(g.geom.body)].push_back(g.mass_B);
  }
  double total = 0;
  for (std::size_t i = 1; i < m.bodies.size() && !r.error; ++i) {
    const BodyDraft& b = d.bodies[i];
    const Compiler& c = *b.compiler;
    const bool written = b.inertial && c.inertia != InertiaFrom::geoms;
    const bool derived = !written && c.inertia != InertiaFrom::file;
    MassPart part;
    if (written) part = read_inertial(r, *b.inertial, c.angles);
    if (part.mass == 0 && !part.inertia.isZero(0) && !(c.least_mass > 0)) {
      part.inertia.setZero();
      r.notes.add(*b.inertial, "inertia without mass is not modelled",
                  "inertias without mass are not modelled");
    }
    if (derived) part = sum(parts[i]);
    part = bounded(r, written ? *b.inertial : *b.element, c, part);
    m.bodies[i].mass = part.mass;
    m.bodies[i].com_B = part.com;
    m.bodies[i].inertia_com_B = part.inertia;
    total += part.mass;
  }
  const double wanted = d.bodies.front().compiler->total_mass;
  if (!(wanted > 0) || !(total > 0)) return;
  for (Body& b : m.bodies) {
    b.mass *= wanted / total;
    b.inertia_com_B *= wanted / total;
  }
}

}  // namespace

LoadedFile* load_file(Reading& r, Draft& draft, std::string_view text, const std::string& path) {
  LoadedFile& file = draft.files[path];
  if (!file.source) {
    file.source = read_source(r, text, path);
    if (!r.error) file.assets = std::make_unique<Assets>(r, *file.source);
  }
  return r.error ? nullptr : &file;
}

void read_bodies(Reading& r, Draft& draft, const std::string& main_file) {
  const LoadedFile& file = draft.files.at(main_file);
  const Instance main{file.source.get(), file.assets.get(), {}, 0, {}, 0, 0};
  draft.instances.push_back(main);
  keep_pairs(r, main);
  Model& m = r.scene.model;
  Body world;
  world.name = "world";
  m.bodies.push_back(world);
  draft.names.bodies.emplace("world", 0);
  draft.bodies.push_back({&file.source->root, nullptr, &file.source->compiler, 0});
  BodyReader reader(r, draft);
  for (const XmlElement& section : file.source->root.children)
    if (section.name == "worldbody") {
      const std::string* childclass = find_attribute(section, "childclass");
      reader.children(main, section, {0, Pose{}, childclass ? *childclass : std::string(), {}});
    }
  if (r.error) return;
  sort_parts(r, draft, reader.elements_);
  set_masses(r, draft);
  for (const GeomDraft& g : draft.geoms) {
    m.geoms.push_back(g.geom);
    r.scene.geom_mesh.push_back(g.drawn);
  }
}

}  // namespace tact::mjcf
