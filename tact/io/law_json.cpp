#include "tact/io/law_json.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tact/base/tolerance.hpp"
#include "tact/io/patch_friction_json.hpp"
#include "tact/io/patch_friction_report.hpp"
#include "tact/io/patch_shape_json.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

const std::array<std::pair<std::string_view, double>, 3> box_scales{{
    {"inscribed", BoxScale::inscribed().value},
    {"circumscribed", BoxScale::circumscribed().value},
    {"mean", BoxScale::mean_dissipation().value},
}};

double read_mu(const JsonField& friction) {
  const JsonField mu = friction.required("mu", "friction needs its coefficient");
  const double value = mu.number_at_least(0, "a friction coefficient cannot be negative");
  check_size(mu, value);
  return value;
}

/// Refuses the fields that the law does not have.
void refuse_fields(const JsonField& friction, std::initializer_list<const char*> fields,
                   const std::string& remedy) {
  for (const char* name : fields)
    if (const JsonField f = friction.optional(name); f.exists()) f.refuse(Errc::schema, remedy);
}

double read_scale(const JsonField& scale) {
  if (!scale.exists()) return BoxLaw{}.scale;
  if (scale.is_string())
    for (const auto& [word, value] : box_scales)
      if (scale.text() == word) return value;
  if (scale.is_string() && !nearest_double(scale.text()))
    scale.refuse(Errc::schema, "a scale is inscribed, circumscribed, mean, or a positive number");
  const double value = scale.number_above(0, "a scale must be positive");
  check_size(scale, value);
  return value;
}

int read_edges(const JsonField& edges) {
  if (!edges.exists()) return PyramidLaw{}.edges;
  constexpr Index most = 1000;
  return static_cast<int>(edges.integer(3, most, "a pyramid has 3 to 1000 edges"));
}

Law point_law(const JsonField& contact, const JsonField& friction, Index tangents) {
  if (!friction.exists()) return Frictionless{};
  friction.allow_only({"law", "mu", "scale", "edges", "rolling", "spinning", "pressure", "pattern",
                       "radius", "nodes", "areas", "radii"});
  refuse_fields(friction, {"pressure", "pattern", "radius", "nodes", "areas", "radii"},
                "leave it out, only patches have it");
  refuse_fields(friction, {"rolling", "spinning"},
                "rolling friction needs law rolling, the 6 rows of twist and \"patch\": "
                "{\"point\": [0, 0]}");
  const JsonField word = friction.optional("law");
  const std::string law = word.exists() ? word.word({"coulomb", "box", "pyramid", "none"},
                                                    "the friction law of a point")
                                        : "coulomb";
  if (law != "box") refuse_fields(friction, {"scale"}, "leave it out, only the law box has it");
  if (law != "pyramid")
    refuse_fields(friction, {"edges"}, "leave it out, only the law pyramid has it");
  if (law == "none") return Frictionless{};
  if (tangents == 0)
    contact.refuse_missing("tangents",
                           "friction needs one tangent row (planar) or two; write them "
                           "or take the law none");
  if (tangents > 2)
    contact.optional("tangents")
        .refuse(Errc::schema,
                "friction has one tangent row (planar) or two; take the law none "
                "where they only divide modes");
  const bool planar = tangents == 1;
  const double mu = read_mu(friction);
  if (law == "box") return BoxLaw{mu, read_scale(friction.optional("scale")), planar};
  if (law == "pyramid") return PyramidLaw{mu, read_edges(friction.optional("edges")), planar};
  return CoulombLaw{mu, planar};
}

Law rolling_law(const JsonField& friction, const JsonField& patch, const PatchShape& shape) {
  const auto* point = std::get_if<PointShape>(&shape.value);
  if (point == nullptr || point->at != Vec2(0, 0))
    patch.refuse(Errc::geometry,
                 "rolling friction is that of a point at the origin, write {\"point\": [0, 0]}");
  friction.allow_only({"law", "mu", "rolling", "spinning"});
  RollingLaw law;
  law.mu = read_mu(friction);
  for (const auto& [name, value] :
       {std::pair{"rolling", &law.rolling}, {"spinning", &law.spinning}})
    if (const JsonField f = friction.optional(name); f.exists()) {
      *value = f.number_at_least(0, "the length of a friction moment cannot be negative");
      check_size(f, *value);
    }
  return law;
}

/// Nodes of an elastic bed stand on the patch.
void check_nodes(const JsonField& friction, const PatchFrictionSpec& spec, const PlanarSet& hull) {
  const auto nodes = friction.optional("nodes").elements("write points [[x, y], ...]");
  for (std::size_t i = 0; i < spec.nodes.size() && i < nodes.size(); ++i)
    if (hull.signed_distance(spec.nodes[i]) < -tolerance::centre * hull.radius())
      nodes[i].refuse(Errc::geometry, "it lies outside the patch, move it onto the patch");
}

Law frictionless_patch(const PatchShape& shape) {
  Law law;
  law.emplace<FrictionlessPatch>().shape = shape;
  return law;
}

Law patch_law(const JsonField& friction, const JsonField& patch) {
  const PatchShape shape = read_shape(patch);
  const auto hull = convex_hull_of(shape);
  if (!hull) patch.refuse(hull.error().code, hull.error().message);
  if (!friction.exists() || !hull) return frictionless_patch(shape);
  const JsonField word = friction.optional("law");
  const std::string law =
      word.exists() ? word.word({"coulomb", "none", "rolling"}, "the friction law of a patch")
                    : "coulomb";
  if (law == "rolling") return rolling_law(friction, patch, shape);
  const PatchFrictionSpec spec = read_patch_friction(friction);
  if (law == "none") return frictionless_patch(shape);
  check_nodes(friction, spec, *hull);
  // After a complaint the nodes may be of any kind.
  const auto model = friction_model(spec);
  if (!model) friction.refuse(model.error().code, model.error().message);
  Law out;
  auto& friction_law = out.emplace<FrictionalPatch>();
  friction_law.shape = shape;
  friction_law.mu = spec.mu;
  if (model) friction_law.model = *model;
  return out;
}

Law read_bounds(const JsonField& bounds) {
  constexpr std::string_view remedy =
      "write [lower, upper], null or \"-inf\" and \"inf\" where there is no bound";
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto ends = bounds.elements(remedy);
  if (ends.size() != 2) {
    bounds.refuse(Errc::schema, remedy);
    return BoundedLaw{};
  }
  const auto read = [](const JsonField& end, std::string_view word, double none) {
    if (end.is_null() || (end.is_string() && end.text() == word)) return none;
    return end.number();
  };
  const BoundedLaw law{read(ends[0], "-inf", -infinity), read(ends[1], "inf", infinity)};
  if (law.lower > law.upper) bounds.refuse(Errc::value, "the lower bound comes first");
  return law;
}

// ---- writing ------------------------------------------------------------------------------------

Json scale_json(double scale) {
  for (const auto& [word, value] : box_scales)
    if (value == scale) return std::string(word);
  return scale;
}

PatchFrictionSpec spec_of(const FrictionalPatch& law) {
  PatchFrictionSpec spec;
  spec.mu = law.mu;
  if (const auto* model = std::get_if<EffectivePatch>(&law.model)) {
    spec.pattern = std::string(name(model->pattern));
  } else if (const auto* ellipsoid = std::get_if<EllipsoidAtCop>(&law.model)) {
    spec.pressure = PressureModel::ellipsoid;
    spec.radius = ellipsoid->radius;
  } else if (const auto* bed = std::get_if<Winkler>(&law.model)) {
    spec.pressure = PressureModel::winkler;
    spec.nodes.assign(bed->points().begin(), bed->points().end());
    spec.areas.assign(bed->areas().begin(), bed->areas().end());
    spec.radii.assign(bed->radii().begin(), bed->radii().end());
  } else {
    spec.pressure = PressureModel::vertex;
  }
  return spec;
}

struct FrictionWriter {
  std::string operator()(const Frictionless& /*l*/) const { return ""; }
  std::string operator()(const CoulombLaw& l) const {
    return Json{{"law", "coulomb"}, {"mu", l.mu}}.dump();
  }
  std::string operator()(const BoxLaw& l) const {
    return Json{{"law", "box"}, {"mu", l.mu}, {"scale", scale_json(l.scale)}}.dump();
  }
  std::string operator()(const PyramidLaw& l) const {
    return Json{{"law", "pyramid"}, {"mu", l.mu}, {"edges", l.edges}}.dump();
  }
  std::string operator()(const RollingLaw& l) const {
    return Json{{"law", "rolling"}, {"mu", l.mu}, {"rolling", l.rolling}, {"spinning", l.spinning}}
        .dump();
  }
  std::string operator()(const FrictionlessPatch& /*l*/) const { return ""; }
  std::string operator()(const BoundedLaw& /*l*/) const { return ""; }
  std::string operator()(const FrictionalPatch& l) const { return patch_friction_json(spec_of(l)); }
};

}  // namespace

std::string bounds_json(const Law& law) {
  const auto* bounds = std::get_if<BoundedLaw>(&law);
  if (bounds == nullptr) return "";
  const auto end = [](double x) -> Json {
    if (std::isfinite(x)) return x;
    return x > 0 ? "inf" : "-inf";
  };
  return Json::array({end(bounds->lower), end(bounds->upper)}).dump();
}

Law read_law(const JsonField& contact, Index tangent_count) {
  if (const JsonField bounds = contact.optional("bounds"); bounds.exists())
    return read_bounds(bounds);
  const JsonField friction = contact.optional("friction");
  const JsonField patch = contact.optional("patch");
  return patch.exists() ? patch_law(friction, patch) : point_law(contact, friction, tangent_count);
}

std::string friction_json(const Law& law) {
  return std::visit(FrictionWriter{}, law);
}

std::string law_patch_json(const Law& law) {
  if (const auto* patch = std::get_if<FrictionlessPatch>(&law)) return shape_json(patch->shape);
  if (const auto* patch = std::get_if<FrictionalPatch>(&law)) return shape_json(patch->shape);
  if (std::holds_alternative<RollingLaw>(law)) return shape_json({PointShape{Vec2::Zero()}});
  return "";
}

}  // namespace tact
