#include "tact/io/patch_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "tact/io/json_reader.hpp"
#include "tact/io/json_text.hpp"
#include "tact/io/patch_shape_json.hpp"
#include "tact/linalg/metric.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<PressureModel, std::string_view>, 4> pressure_names{{
    {PressureModel::effective, "effective"},
    {PressureModel::ellipsoid, "ellipsoid"},
    {PressureModel::vertex, "vertex"},
    {PressureModel::winkler, "winkler"},
}};

PressureModel pressure_from(std::string_view word) {
  for (const auto& [model, known] : pressure_names)
    if (known == word) return model;
  return PressureModel::effective;
}

/// A field that only one of the pressure models has.
JsonField only_for(const JsonField& friction, const char* field, PressureModel model,
                   const PatchFrictionSpec& spec) {
  JsonField found = friction.optional(field);
  if (found.exists() && spec.pressure != model)
    found.refuse(Errc::schema, std::string("leave it out, or set friction.pressure to \"") +
                                   std::string(name(model)) + "\", the one model that has it");
  return found;
}

void read_winkler(const JsonField& friction, PatchFrictionSpec& spec) {
  const JsonField nodes = only_for(friction, "nodes", PressureModel::winkler, spec);
  const JsonField areas = only_for(friction, "areas", PressureModel::winkler, spec);
  const JsonField radii = only_for(friction, "radii", PressureModel::winkler, spec);
  if (spec.pressure != PressureModel::winkler) return;
  if (!nodes.exists()) friction.refuse_missing("nodes", "winkler needs points [[x, y], ...]");
  if (!areas.exists()) friction.refuse_missing("areas", "winkler needs one area per node");
  for (const JsonField& node : nodes.elements("write points [[x, y], ...]"))
    spec.nodes.push_back(read_point(node));
  for (const JsonField& area : areas.elements("write one area per node")) {
    spec.areas.push_back(area.number_above(0, "the area of a node must be positive"));
    check_size(area, spec.areas.back());
  }
  for (const JsonField& radius : radii.elements("write one radius per node")) {
    spec.radii.push_back(radius.number_at_least(0, "the radius of a node cannot be negative"));
    check_size(radius, spec.radii.back());
  }
  const auto count = std::to_string(spec.nodes.size());
  if (spec.nodes.empty()) nodes.refuse(Errc::geometry, "winkler needs at least one node");
  if (spec.areas.size() != spec.nodes.size())
    areas.refuse(Errc::schema, "write one area per node: there are " + count + " nodes");
  if (radii.exists() && spec.radii.size() != spec.nodes.size())
    radii.refuse(Errc::schema, "write one radius per node: there are " + count + " nodes");
}

PatchFrictionSpec read_friction(const JsonField& friction) {
  friction.allow_only({"law", "mu", "pressure", "pattern", "radius", "nodes", "areas", "radii"});
  PatchFrictionSpec spec;
  const JsonField law = friction.optional("law");
  if (law.exists())
    spec.coulomb = law.word({"coulomb", "none"}, "the friction law of a patch") == "coulomb";
  const JsonField mu = friction.optional("mu");
  if (spec.coulomb && !mu.exists())
    friction.refuse_missing("mu", "Coulomb friction needs its coefficient");
  if (mu.exists()) spec.mu = mu.number_at_least(0, "a friction coefficient cannot be negative");
  check_size(mu, spec.mu);
  const JsonField pressure = friction.optional("pressure");
  if (pressure.exists())
    spec.pressure = pressure_from(
        pressure.word({"effective", "ellipsoid", "vertex", "winkler"}, "a pressure model"));
  const JsonField pattern = only_for(friction, "pattern", PressureModel::effective, spec);
  if (pattern.exists()) spec.pattern = pattern.word({"1+6", "4+8", "4+8+12"}, "a pattern");
  const JsonField radius = only_for(friction, "radius", PressureModel::ellipsoid, spec);
  if (radius.exists()) spec.radius = radius.number_at_least(0, "a radius cannot be negative");
  check_size(radius, spec.radius.value_or(0));
  read_winkler(friction, spec);
  return spec;
}

Vec6 read_six(const JsonField& field, std::string_view what) {
  Vec6 rows = field.numbers(6, what);
  check_size(field, rows.cwiseAbs().maxCoeff());
  return rows;
}

std::optional<double> read_scale(const JsonField& field) {
  if (!field.exists()) return std::nullopt;
  const double value = field.number_above(0, "a scale must be positive");
  check_size(field, value);
  return value;
}

std::optional<Mat3> read_metric(const JsonField& field) {
  if (!field.exists()) return std::nullopt;
  const Mat3 m =
      field.matrix(3, 3, "a metric is 3 rows of 3 numbers, in the order [m_x, m_y, f_N]");
  check_size(field, m.cwiseAbs().maxCoeff());
  const auto metric = Metric<3>::from_matrix(m);
  if (!metric)
    field.refuse(Errc::value,
                 metric.error().message + "; write a symmetric positive definite matrix");
  return m;
}

void read_fields(const JsonField& root, PatchFile& file) {
  root.allow_only({"format", "name", "patch", "wrench", "twist", "friction", "force_scale",
                   "velocity_scale", "tolerance", "metric"});
  const JsonField format =
      root.required("format", "a patch file begins with {\"format\": \"tact-patch/1\", ...}");
  if (format.text() != patch_format) format.refuse(Errc::schema, "write \"tact-patch/1\"");
  file.name = root.optional("name").text();
  file.patch =
      read_shape(root.required("patch", "write a shape such as {\"disc\": {\"radius\": 0.1}}"));
  if (const JsonField f = root.optional("wrench"); f.exists())
    file.wrench = Wrench::from(read_six(f, "a wrench is 6 numbers [m_x, m_y, m_N, f_x, f_y, f_N]"));
  if (const JsonField f = root.optional("twist"); f.exists())
    file.twist = Twist::from(read_six(f, "a twist is 6 numbers [w_x, w_y, w_N, v_x, v_y, v_N]"));
  if (const JsonField f = root.optional("friction"); f.exists()) file.friction = read_friction(f);
  file.force_scale = read_scale(root.optional("force_scale"));
  file.velocity_scale = read_scale(root.optional("velocity_scale"));
  if (const JsonField f = root.optional("tolerance"); f.exists()) {
    const double value = f.number_above(0, "a tolerance lies between 0 and 1");
    if (value >= 1) f.refuse(Errc::value, "a tolerance lies between 0 and 1");
    file.tolerance = value;
  }
  file.metric = read_metric(root.optional("metric"));
}

Json friction_json(const PatchFrictionSpec& spec) {
  Json out = {{"law", spec.coulomb ? "coulomb" : "none"},
              {"mu", spec.mu},
              {"pressure", std::string(name(spec.pressure))}};
  if (spec.pattern) out["pattern"] = *spec.pattern;
  if (spec.radius) out["radius"] = *spec.radius;
  if (spec.pressure != PressureModel::winkler) return out;
  for (const Vec2& x : spec.nodes) out["nodes"].push_back({x[0], x[1]});
  out["areas"] = spec.areas;
  if (!spec.radii.empty()) out["radii"] = spec.radii;
  return out;
}

Json rows_json(const Vec6& rows) {
  return Json(std::vector<double>(rows.begin(), rows.end()));
}

}  // namespace

std::string_view name(PressureModel model) {
  for (const auto& [known, word] : pressure_names)
    if (known == model) return word;
  return "";
}

Result<PatchFile> read_patch_file(std::string_view text, const std::string& source) {
  const JsonDocument document(text, source);
  PatchFile file;
  read_fields(document.root(), file);
  if (document.error()) return *document.error();
  return file;
}

std::string write_patch_file(const PatchFile& file) {
  Json out = {{"format", std::string(patch_format)}};
  if (!file.name.empty()) out["name"] = file.name;
  out["patch"] = Json::parse(shape_json(file.patch));
  if (file.wrench) out["wrench"] = rows_json(file.wrench->vec());
  if (file.twist) out["twist"] = rows_json(file.twist->vec());
  if (file.friction) out["friction"] = friction_json(*file.friction);
  if (file.force_scale) out["force_scale"] = *file.force_scale;
  if (file.velocity_scale) out["velocity_scale"] = *file.velocity_scale;
  if (file.tolerance) out["tolerance"] = *file.tolerance;
  if (file.metric)
    for (const auto row : file.metric->rowwise()) out["metric"].push_back({row[0], row[1], row[2]});
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tact
