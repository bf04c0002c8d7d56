#include <nlohmann/json.hpp>

#include "tact/cone/patch_field.hpp"
#include "tact/io/json_text.hpp"
#include "tact/io/patch_report.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

Json json(const Vec2& x) {
  return Json::array({x[0], x[1]});
}
Json json(const Vec3& x) {
  return Json::array({x[0], x[1], x[2]});
}
Json json(double x) {
  return x;
}
Json json(bool x) {
  return x;
}
Json json(const std::vector<Vec2>& points) {
  Json out = Json::array();
  for (const Vec2& x : points) out.push_back(json(x));
  return out;
}
Json json(const ZeroLine& line) {
  return {{"point", json(line.point)},
          {"direction", json(line.direction)},
          {"normal", json(line.normal)}};
}
Json json(const PressureWitness& witness) {
  Json out = Json::array();
  for (const PressurePoint& p : witness.points())
    out.push_back({{"point", json(p.x)}, {"force", p.force}});
  return out;
}
Json json(const SupportFace& face) {
  if (!face.is_edge()) return Json::array({json(face.first)});
  return Json::array({json(face.first), json(face.last)});
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? json(*value) : Json();
}

Json friction_json(const PatchFrictionSpec& spec, const std::optional<PatchFrictionReport>& found) {
  Json out = {{"law", spec.coulomb ? "coulomb" : "none"}, {"mu", spec.mu}};
  if (spec.coulomb) out["pressure"] = std::string(name(spec.pressure));
  if (spec.coulomb && spec.pressure == PressureModel::effective)
    out["pattern"] = spec.pattern.value_or("1+6");
  if (!found) return out;
  out["within_limit"] = found->within_limit;
  out["capacity"] = found->capacity;
  out["turning_capacity"] = found->turning_capacity;
  out["force"] = json(found->force);
  out["moment_about_cop"] = found->moment;
  out["used"] = found->used;
  out["dissipated"] = or_null(found->dissipated);
  out["largest_dissipation"] = or_null(found->dissipation);
  out["sliding_load"] = or_null(found->sliding_load);
  return out;
}

std::string_view word(ExtendedCop::Kind kind) {
  if (kind == ExtendedCop::Kind::point) return "point";
  return kind == ExtendedCop::Kind::edge ? "edge" : "patch";
}

Json projection_json(const PatchReport& report) {
  if (!report.file.metric) return {};
  return {{"wrench", or_null(report.projected_wrench)}, {"twist", or_null(report.projected_twist)}};
}

Json violations_json(const PatchReport& report) {
  Json out = Json::array();
  for (const PatchViolation& v : report.violations)
    out.push_back({{"kind", v.kind}, {"amount", v.amount}, {"sentence", v.sentence}});
  return out;
}

}  // namespace

std::string report_json(const PatchReport& r) {
  const auto known = [](const std::optional<bool>& judged, double value) {
    return judged ? Json(value) : Json();
  };
  Json out;
  if (!r.file.name.empty()) out["name"] = r.file.name;
  out["in_cone"] = or_null(r.in_cone);
  out["margin"] = known(r.in_cone, r.margin);
  out["regime"] = r.regime ? Json(std::string(name(*r.regime))) : Json();
  out["cop"] = or_null(r.cop);
  out["extended_cop"] = r.extended_cop ? json(r.extended_cop->points) : Json();
  out["extended_cop_kind"] =
      r.extended_cop ? Json(std::string(word(r.extended_cop->kind))) : Json();
  out["zero_line"] = or_null(r.zero_line);
  out["witness"] = or_null(r.witness);
  out["friction"] = r.file.friction ? friction_json(*r.file.friction, r.friction) : Json();
  out["in_dual_cone"] = or_null(r.in_dual_cone);
  out["dual_margin"] = known(r.in_dual_cone, r.dual_margin);
  out["largest_opening"] = known(r.in_dual_cone, r.largest_opening);
  out["largest_sliding"] = r.regime ? Json(r.largest_sliding) : Json();
  out["power"] = or_null(r.power);
  out["pivot"] = or_null(r.pivot);
  out["projection"] = projection_json(r);
  out["hull"] = json(r.hull.outline(64));
  out["scales"] = {{"force", r.scales.force},
                   {"velocity", r.scales.velocity},
                   {"tolerance", r.scales.tolerance}};
  out["violations"] = violations_json(r);
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tact
