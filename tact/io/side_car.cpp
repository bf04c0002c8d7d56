#include <algorithm>
#include <functional>
#include <string>

#include "tact/impact/law.hpp"
#include "tact/io/json_reader.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/scene_file.hpp"
#include "tact/io/side_car_soft.hpp"

namespace tact {

namespace {

constexpr std::string_view format_name = "tact-scene/1";

/// The fields that all three places share.
ContactTraits read_traits(const JsonField& field) {
  ContactTraits out;
  if (const JsonField f = field.optional("law"); f.exists()) {
    const std::string law = f.text();
    const Result<ImpactLaw> known = impact_law(law);
    if (!known) f.refuse(Errc::schema, known.error().message);
    out.law = law;
  }
  if (const JsonField f = field.optional("restitution"); f.exists()) {
    const double e = f.number_at_least(0, "a restitution lies between 0 and 1");
    if (e > 1) f.refuse(Errc::value, "a restitution lies between 0 and 1");
    out.restitution = e;
  }
  const JsonField patch = field.optional("patch_friction");
  if (!patch.exists()) return out;
  patch.allow_only({"pressure", "pattern", "radius"});
  const std::string pressure =
      patch.required("pressure", "write effective, ellipsoid or vertex")
          .word({"effective", "ellipsoid", "vertex"}, "the pressure under a patch");
  out.patch = pressure == "vertex"      ? PressureModel::vertex
              : pressure == "ellipsoid" ? PressureModel::ellipsoid
                                        : PressureModel::effective;
  if (const JsonField f = patch.optional("pattern"); f.exists()) {
    out.pattern = f.word({"1+6", "4+8", "4+8+12"}, "a pattern of friction nodes");
    if (out.patch != PressureModel::effective)
      f.refuse(Errc::schema, "a pattern belongs to the pressure effective");
  }
  if (const JsonField f = patch.optional("radius"); f.exists()) {
    out.radius = f.number_above(0, "a radius is positive");
    if (out.patch != PressureModel::ellipsoid)
      f.refuse(Errc::schema, "a radius belongs to the pressure ellipsoid");
  }
  return out;
}

Index read_geom_name(const JsonField& field, const Model& model) {
  const Index geom = find_geom(model, field.text());
  if (geom < 0) field.refuse(Errc::schema, "the scene has no geom of that name");
  return geom;
}

/// Times that ascend; whoever reads the values has as many of them.
std::vector<double> read_times(const JsonField& field) {
  constexpr std::string_view what = "write ascending times in seconds, at least one: [0, 0.5, ...]";
  std::vector<double> times = field.all_numbers(what);
  const bool ascend =
      std::adjacent_find(times.begin(), times.end(), std::greater_equal<>{}) == times.end();
  if (times.empty() || !ascend) field.refuse(Errc::value, what);
  return times;
}

/// One row of numbers per time.
Schedule read_schedule(const JsonField& field, std::string_view rows_name, Index size,
                       const std::string& what) {
  Schedule out;
  out.time = read_times(field.required("times", "write ascending times in seconds: [0, 0.5, ...]"));
  const JsonField rows = field.required(rows_name, concat({"write one row per time; ", what}));
  for (const JsonField& row : rows.elements(concat({"write one row per time; ", what})))
    out.value.push_back(row.numbers(size, what));
  if (out.value.size() != out.time.size())
    rows.refuse(Errc::schema, concat({"write one row per time, here ",
                                      std::to_string(out.time.size()), "; ", what}));
  return out;
}

SmoothMove read_move(const JsonField& field) {
  field.allow_only({"start", "duration", "change"});
  SmoothMove out;
  out.start = field.required("start", "write a time in seconds").number();
  out.duration = field.required("duration", "write a time in seconds")
                     .number_above(0, "a duration is positive");
  out.change = field.required("change", "write what moves in that time")
                   .numbers(6, "a change is [x, y, z, rx, ry, rz] in m and rad");
  return out;
}

Drive read_drive(const JsonField& field, const Model& model) {
  field.allow_only({"body", "times", "motion", "moves"});
  Drive out;
  const JsonField name = field.required("body", "write the name of a mocap body");
  const Index body = find_body(model, name.text());
  if (body < 0) name.refuse(Errc::schema, "the scene has no body of that name");
  if (body < 0) return out;
  if (!model.bodies[body].driven)
    name.refuse(Errc::value, "that body moves by forces; write mocap=\"true\" in the MJCF file");
  for (Index b = 0; b < body; ++b) out.driven += model.bodies[b].driven ? 1 : 0;
  const JsonField moves = field.optional("moves");
  if (moves.exists())
    for (const JsonField& f : moves.elements("write [{\"start\": 0.5, \"duration\": 1, ...}, ...]"))
      out.moves.push_back(read_move(f));
  if (!moves.exists() || field.optional("times").exists())
    out.motion =
        read_schedule(field, "motion", 6, "a motion is [vx, vy, vz, wx, wy, wz] in m/s and rad/s");
  return out;
}

void read_drives(const JsonField& root, const Model& model, Prescribed& out) {
  const JsonField drives = root.optional("drives");
  if (!drives.exists()) return;
  for (const JsonField& f :
       drives.elements("write [{\"body\": \"name\", \"times\": [...], \"motion\": [...]}, ...]")) {
    const Drive drive = read_drive(f, model);
    if (std::any_of(out.drives.begin(), out.drives.end(),
                    [&](const Drive& other) { return other.driven == drive.driven; }))
      f.refuse(Errc::value, "that body has a drive already; write one for each body");
    out.drives.push_back(drive);
  }
}

void read_surface_motion(const JsonField& field, Index geom, Prescribed& out) {
  SurfaceMotion motion;
  motion.geom = geom;
  const JsonField v = field.optional("surface_velocity");
  const JsonField w = field.optional("surface_angular_velocity");
  if (v.exists()) motion.velocity_G = v.numbers(3, "a surface velocity is [x, y, z] in m/s");
  if (w.exists())
    motion.angular_velocity_G = w.numbers(3, "an angular velocity is [x, y, z] in rad/s");
  if (v.exists() || w.exists()) out.surfaces.push_back(motion);
}

void read_controls(const JsonField& root, const Model& model, Prescribed& out) {
  const JsonField controls = root.optional("controls");
  if (!controls.exists()) return;
  controls.allow_only({"times", "values"});
  const auto count = static_cast<Index>(model.actuators.size());
  if (count == 0) controls.refuse(Errc::value, "the scene has no actuators; leave controls out");
  out.controls =
      read_schedule(controls, "values", count,
                    concat({"a row has one number per actuator, here ", std::to_string(count)}));
}

/// Of two entries for one thing only one could hold.
template <class Key>
bool is_listed(const std::vector<std::pair<Key, ContactTraits>>& entries, const Key& key) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const auto& entry) { return entry.first == key; });
}

void read_pairs(const JsonField& root, const Model& model, SideCar& car) {
  const JsonField pairs = root.optional("pairs");
  if (!pairs.exists()) return;
  for (const JsonField& f : pairs.elements("write [{\"geoms\": [\"a\", \"b\"], ...}, ...]")) {
    f.allow_only({"geoms", "law", "restitution", "patch_friction"});
    const JsonField both = f.required("geoms", "write the names of two geoms");
    const std::vector<JsonField> names = both.elements("write the names of two geoms");
    if (names.size() != 2) {
      both.refuse(Errc::schema, "write the names of two geoms");
      return;
    }
    const Index a = read_geom_name(names[0], model), b = read_geom_name(names[1], model);
    if (a == b) both.refuse(Errc::value, "a geom never touches itself; name two geoms");
    const std::pair pair(std::min(a, b), std::max(a, b));
    if (is_listed(car.pairs, pair))
      both.refuse(Errc::value, "that pair is there already; write one entry for each pair");
    car.pairs.emplace_back(pair, read_traits(f));
  }
}

void read_fields(const JsonField& root, const Model& model, SideCar& car) {
  root.allow_only({"format", "law", "restitution", "patch_friction", "geoms", "pairs", "drives",
                   "controls", "time_of_impact", "compliance", "springs"});
  const JsonField format =
      root.required("format", "a side-car begins with {\"format\": \"tact-scene/1\", ...}");
  if (format.text() != format_name) format.refuse(Errc::schema, "write \"tact-scene/1\"");
  car.all = read_traits(root);
  if (const JsonField f = root.optional("time_of_impact"); f.exists())
    car.time_of_impact = f.boolean();
  if (const JsonField geoms = root.optional("geoms"); geoms.exists())
    for (const JsonField& f : geoms.elements("write [{\"geom\": \"name\", ...}, ...]")) {
      f.allow_only({"geom", "law", "restitution", "patch_friction", "surface_velocity",
                    "surface_angular_velocity"});
      const JsonField which = f.required("geom", "write the name of a geom");
      const Index geom = read_geom_name(which, model);
      if (is_listed(car.geoms, geom))
        which.refuse(Errc::value, "that geom is there already; write one entry for each geom");
      car.geoms.emplace_back(geom, read_traits(f));
      read_surface_motion(f, geom, car.prescribed);
    }
  read_pairs(root, model, car);
  read_drives(root, model, car.prescribed);
  read_controls(root, model, car.prescribed);
  car.soft = read_soft_scene(root, model);
}

}  // namespace

Result<SideCar> read_side_car(std::string_view text, const std::string& source,
                              const Model& model) {
  const JsonDocument document(text, source);
  SideCar car;
  read_fields(document.root(), model, car);
  if (document.error()) return *document.error();
  return car;
}

}  // namespace tact
