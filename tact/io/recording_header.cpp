#include "tact/io/recording_header.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "tact/base/hash.hpp"
#include "tact/base/version.hpp"
#include "tact/body/energy.hpp"
#include "tact/geom/bounds.hpp"
#include "tact/io/json_line.hpp"
#include "tact/io/json_reader.hpp"
#include "tact/io/run_digest.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index largest_count = 1'000'000;

Json pose_json(const Pose& X) {
  const Quaternion q = to_quaternion(X.R);
  return {{"p", list(X.p)}, {"q", {q.w, q.x, q.y, q.z}}};
}

Json mesh_json(const Polyhedron& mesh) {
  Json vertices = Json::array(), faces = Json::array();
  for (const Vec3& x : mesh.vertices) vertices.push_back(list(x));
  for (const Polyhedron::Face& face : mesh.faces) faces.push_back(face.corners);
  return {{"vertices", vertices}, {"faces", faces}};
}

Json field_json(const HeightGrid& grid) {
  return {{"rows", grid.rows},
          {"columns", grid.columns},
          {"half_size", list(grid.half_size)},
          {"base", grid.base},
          {"heights", grid.heights}};
}

/// Meshes and fields are written once, however many geoms share them.
struct SharedShapes {
  std::vector<const Polyhedron*> meshes;
  std::vector<const HeightGrid*> fields;

  template <class T>
  static std::size_t place(std::vector<const T*>& all, const T* one) {
    const auto at = std::find(all.begin(), all.end(), one);
    if (at != all.end()) return static_cast<std::size_t>(at - all.begin());
    all.push_back(one);
    return all.size() - 1;
  }
};

Json shape_json(const Shape& shape, SharedShapes& shared) {
  return std::visit(
      [&](const auto& s) -> Json {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, HalfSpace>)
          return {{"type", "plane"}};
        else if constexpr (std::is_same_v<S, Sphere>)
          return {{"type", "sphere"}, {"size", {s.radius}}};
        else if constexpr (std::is_same_v<S, Capsule>)
          return {{"type", "capsule"}, {"size", {s.radius, s.half_length}}};
        else if constexpr (std::is_same_v<S, Cylinder>)
          return {{"type", "cylinder"}, {"size", {s.radius, s.half_length}}};
        else if constexpr (std::is_same_v<S, Ellipsoid>)
          return {{"type", "ellipsoid"}, {"size", list(s.semi_axes)}};
        else if constexpr (std::is_same_v<S, Box>)
          return {{"type", "box"}, {"size", list(s.half_extents)}};
        else if constexpr (std::is_same_v<S, ConvexMesh>)
          return {{"type", "mesh"},
                  {"mesh", SharedShapes::place(shared.meshes, s.polyhedron.get())}};
        else
          return {{"type", "hfield"}, {"field", SharedShapes::place(shared.fields, s.grid.get())}};
      },
      shape);
}

std::string_view type_name(JointType type) {
  switch (type) {
    case JointType::free:
      return "free";
    case JointType::ball:
      return "ball";
    case JointType::hinge:
      return "hinge";
    case JointType::slide:
      return "slide";
  }
  return "";
}

Json bodies_json(const Model& model) {
  Json out = Json::array();
  for (const Body& b : model.bodies)
    out.push_back({{"name", b.name}, {"parent", b.parent}, {"mass", b.mass}, {"driven", b.driven}});
  return out;
}

Json joints_json(const Model& model) {
  Json out = Json::array();
  for (const Joint& j : model.joints) {
    Json one = {{"name", j.name},
                {"type", type_name(j.type)},
                {"body", j.body},
                {"qpos", j.qpos},
                {"dof", j.dof}};
    if (j.type != JointType::free) one["anchor"] = list(j.anchor_B);
    if (j.type == JointType::hinge || j.type == JointType::slide) one["axis"] = list(j.axis_B);
    if (j.limited) one["range"] = list(j.range);
    out.push_back(std::move(one));
  }
  return out;
}

Json geoms_json(const Simulation& sim, const std::vector<Vec3>& shifts, SharedShapes& shared) {
  Json out = Json::array();
  const Model& model = sim.scene.model;
  for (std::size_t i = 0; i < model.geoms.size(); ++i) {
    const Geom& g = model.geoms[i];
    Pose X = g.X_BG;
    X.p += shifts[g.body];
    const double size = sim.detect.size[i];
    Json one = {{"name", g.name}, {"body", g.body}};
    one.update(shape_json(g.shape, shared));
    one["pose"] = pose_json(X);
    one["friction"] = g.condim > 1 ? g.friction[0] : 0;
    one["collides"] = g.contype != 0 || g.conaffinity != 0;
    one["extent"] = std::isfinite(size) ? size : 0;
    out.push_back(std::move(one));
  }
  return out;
}

Json options_json(const SimOptions& options) {
  return {{"law", name(options.law)},
          {"solver", name(options.solver)},
          {"tolerance", options.tolerance},
          {"max_iterations", options.max_iterations},
          {"margin_share", options.margin_share},
          {"most_impacts", options.most_impacts}};
}

Json energy_json(const Simulation& sim) {
  Kinematics kin;
  forward_kinematics(sim.scene.model, sim.state, kin);
  forward_velocities(sim.scene.model, sim.state.qvel, kin);
  return {{"kinetic", kinetic_energy(sim.scene.model, sim.state.qvel, kin)},
          {"potential",
           gravity_potential(sim.scene.model, kin) + spring_potential(sim.scene.model, sim.state)}};
}

Json words_json() {
  Json accounts = Json::array(), regimes = Json::array();
  for (std::size_t i = 0; i < account_count; ++i) accounts.push_back(name(static_cast<Account>(i)));
  for (int i = 0; i <= static_cast<int>(Regime::slide_tip_edge); ++i)
    regimes.push_back(name(static_cast<Regime>(i)));
  return {{"accounts", accounts},
          {"regimes", regimes},
          {"patches", {"point", "segment", "polygon", "disc", "ellipse", "stadium"}},
          {"extended", {"point", "edge", "patch"}},
          {"verdicts", {name(WorkVerdict::dissipative), name(WorkVerdict::generating)}}};
}

std::vector<std::string> texts(const JsonField& field) {
  std::vector<std::string> out;
  for (const JsonField& element : field.elements("a list of names")) out.push_back(element.text());
  return out;
}

Index count_of(const JsonField& root, std::string_view what) {
  return root.required(what, "a count").integer(0, largest_count, "a count");
}

/// Bodies by the tree they are part of, parents first.
struct TreeLines {
  std::vector<std::size_t> root;  ///< [bodies]
  std::vector<double> own;        ///< [bodies] mass
  std::vector<double> mass;       ///< [bodies] at the root: of the tree
  std::vector<bool> moves;        ///< [bodies] at the root: some joint is in the tree
};

TreeLines read_trees(const JsonField& root) {
  TreeLines out;
  for (const JsonField& body : root.required("bodies", "a list").elements("a list of bodies")) {
    const std::size_t at = out.root.size();
    Index parent = 0;
    double mass = 0;
    if (const JsonField field = body.optional("parent"); field.exists())
      parent = field.integer(-1, largest_count, "a body before it");
    if (const JsonField field = body.optional("mass"); field.exists())
      mass = field.number_at_least(0, "a mass is not negative");
    const bool begins = parent <= 0 || static_cast<std::size_t>(parent) >= at;
    out.root.push_back(begins ? at : out.root[static_cast<std::size_t>(parent)]);
    out.own.push_back(mass);
    out.mass.push_back(0);
    out.moves.push_back(false);
    out.mass[out.root[at]] += mass;
  }
  const JsonField joints = root.optional("joints");
  if (!joints.exists()) return out;
  for (const JsonField& joint : joints.elements("a list of joints")) {
    const Index body = joint.required("body", "its body").integer(0, largest_count, "a body");
    if (static_cast<std::size_t>(body) < out.root.size())
      out.moves[out.root[static_cast<std::size_t>(body)]] = true;
  }
  return out;
}

void read_parts(const JsonField& root, RecordingHeader& out) {
  for (const JsonField& body : root.required("bodies", "a list").elements("a list of bodies"))
    out.bodies.push_back(body.required("name", "its name, or \"\"").text());
  const TreeLines trees = read_trees(root);
  for (std::size_t i = 0; i < trees.root.size(); ++i) {
    const std::size_t tree = trees.root[i];
    constexpr double fixed = std::numeric_limits<double>::infinity();
    out.masses.push_back(trees.moves[tree] ? trees.own[i] : fixed);
    out.tree_masses.push_back(trees.moves[tree] ? trees.mass[tree] : fixed);
  }
  if (out.bodies.empty())
    root.required("bodies", "a list").refuse(Errc::value, "the first body is the world");
  const auto last = static_cast<Index>(out.bodies.size()) - 1;
  for (const JsonField& geom : root.required("geoms", "a list").elements("a list of geoms")) {
    RecordingHeader::GeomLine line;
    line.name = geom.required("name", "its name, or \"\"").text();
    line.body = geom.required("body", "its body").integer(0, std::max<Index>(last, 0), "a body");
    line.size = geom.required("extent", "its size").number_at_least(0, "a size is not negative");
    out.geoms.push_back(std::move(line));
  }
}

}  // namespace

std::vector<Vec3> body_shifts(const CentredModel& scene) {
  std::vector<Vec3> out(scene.model.bodies.size(), Vec3::Zero());
  for (std::size_t i = 0; i < scene.shift.size(); ++i)
    out[scene.model.tree.links[i].body] = scene.shift[i];
  return out;
}

std::string recording_header(const Simulation& sim, const RecordingTitle& title) {
  const Model& model = sim.scene.model;
  Json out = {{"format", recording_format},
              {"tact", version()},
              {"name", title.name.empty() ? model.name : title.name},
              {"source", title.source},
              {"run", hex_text(run_digest(sim))},
              {"dt", sim.options.dt},
              {"every", title.every},
              {"start", sim.state.time},
              {"gravity", list(model.gravity)},
              {"nq", model.nq},
              {"nv", model.nv},
              {"controls", sim.state.ctrl.size()},
              {"driven", sim.state.driven.size()},
              {"options", options_json(sim.options)},
              {"energy", energy_json(sim)},
              {"words", words_json()}};
  SharedShapes shared;
  out["bodies"] = bodies_json(model);
  out["joints"] = joints_json(model);
  out["geoms"] = geoms_json(sim, body_shifts(sim.scene), shared);
  out["meshes"] = Json::array();
  for (const Polyhedron* mesh : shared.meshes) out["meshes"].push_back(mesh_json(*mesh));
  out["fields"] = Json::array();
  for (const HeightGrid* grid : shared.fields) out["fields"].push_back(field_json(*grid));
  return text_of(out);
}

std::string still_recording_header(const RecordingTitle& title,
                                   const std::vector<StillBody>& bodies) {
  Json out = {{"format", recording_format},
              {"tact", version()},
              {"name", title.name},
              {"source", title.source},
              {"dt", 1},
              {"every", 1},
              {"start", 0},
              {"gravity", {0, 0, 0}},
              {"nq", 0},
              {"nv", 0},
              {"controls", 0},
              {"driven", 0},
              {"options", {{"tolerance", 0}}},
              {"energy", {{"kinetic", 0}, {"potential", 0}}},
              {"words", words_json()}};
  for (const char* list_name : {"bodies", "joints", "geoms", "meshes", "fields"})
    out[list_name] = Json::array();
  out["bodies"].push_back({{"name", "world"}, {"parent", -1}, {"mass", 0}, {"driven", false}});
  SharedShapes shared;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const StillBody& b = bodies[i];
    out["bodies"].push_back({{"name", b.name}, {"parent", 0}, {"mass", 0}, {"driven", false}});
    Json geom = {{"name", b.name}, {"body", i + 1}};
    geom.update(shape_json(b.shape, shared));
    geom["pose"] = pose_json(Pose{});
    geom["friction"] = 0;
    geom["collides"] = true;
    const Bounds bounds = bounds_of(b.shape, Pose{});
    const double size = 0.5 * (bounds.upper - bounds.lower).norm();
    geom["extent"] = std::isfinite(size) ? size : 0;
    out["geoms"].push_back(std::move(geom));
  }
  for (const Polyhedron* mesh : shared.meshes) out["meshes"].push_back(mesh_json(*mesh));
  for (const HeightGrid* grid : shared.fields) out["fields"].push_back(field_json(*grid));
  return text_of(out);
}

Result<RecordingHeader> read_recording_header(std::string_view json, const std::string& source) {
  const JsonDocument document(json, source);
  const JsonField root = document.root();
  RecordingHeader out;
  (void)root.required("format", "a recording says so").word({recording_format}, "the format");
  out.name = root.required("name", "the scene's name").text();
  out.version = root.required("tact", "the version of tact").text();
  out.dt = root.required("dt", "the step [s]").number_above(0, "a step takes some time");
  out.gravity = root.required("gravity", "[x, y, z]").numbers(3, "gravity is [x, y, z]");
  out.tolerance = root.required("options", "the options of the run")
                      .required("tolerance", "the solver's")
                      .number_at_least(0, "a tolerance is not negative");
  const JsonField energy = root.required("energy", "kinetic and potential [J]");
  out.energy = std::abs(energy.required("kinetic", "[J]").number()) +
               std::abs(energy.required("potential", "[J]").number());
  out.nq = count_of(root, "nq");
  out.nv = count_of(root, "nv");
  out.controls = count_of(root, "controls");
  out.driven = count_of(root, "driven");
  out.accounts = texts(root.required("words", "names").required("accounts", "the ledger's"));
  read_parts(root, out);
  if (document.error()) return *document.error();
  out.json = json;
  return out;
}

std::string recording_end(const RecordingEnd& end, const std::vector<std::string>& warnings) {
  return text_of({{"status", end.status},
                  {"steps", end.steps},
                  {"frames", end.frames},
                  {"impacts", end.impacts},
                  {"time", end.time},
                  {"warnings", warnings}});
}

Result<RecordingEnd> read_recording_end(std::string_view json, const std::string& source) {
  constexpr Index most = Index{1} << 53;
  const JsonDocument document(json, source);
  const JsonField root = document.root();
  RecordingEnd out;
  out.status = root.required("status", "how the run ended").text();
  out.steps = root.required("steps", "a count").integer(0, most, "a count");
  out.frames = root.required("frames", "a count").integer(0, most, "a count");
  out.impacts = root.required("impacts", "a count").integer(0, most, "a count");
  out.time = root.required("time", "[s]").number();
  if (document.error()) return *document.error();
  return out;
}

}  // namespace tact
