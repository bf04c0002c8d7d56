#include "tact/io/patch_friction_json.hpp"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "tact/io/patch_shape_json.hpp"

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

}  // namespace

std::string_view name(PressureModel model) {
  for (const auto& [known, word] : pressure_names)
    if (known == model) return word;
  return "";
}

PatchFrictionSpec read_patch_friction(const JsonField& friction) {
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

std::string patch_friction_json(const PatchFrictionSpec& spec) {
  Json out = {{"law", spec.coulomb ? "coulomb" : "none"},
              {"mu", spec.mu},
              {"pressure", std::string(name(spec.pressure))}};
  if (spec.pattern) out["pattern"] = *spec.pattern;
  if (spec.radius) out["radius"] = *spec.radius;
  if (spec.pressure != PressureModel::winkler) return out.dump();
  for (const Vec2& x : spec.nodes) out["nodes"].push_back({x[0], x[1]});
  out["areas"] = spec.areas;
  if (!spec.radii.empty()) out["radii"] = spec.radii;
  return out.dump();
}

}  // namespace tact
