#include <algorithm>
#include <string>

#include "tact/impact/law.hpp"
#include "tact/io/json_reader.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/scene_file.hpp"

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

void read_fields(const JsonField& root, const Model& model, SideCar& car) {
  root.allow_only({"format", "law", "restitution", "patch_friction", "geoms", "pairs"});
  const JsonField format =
      root.required("format", "a side-car begins with {\"format\": \"tact-scene/1\", ...}");
  if (format.text() != format_name) format.refuse(Errc::schema, "write \"tact-scene/1\"");
  car.all = read_traits(root);
  if (const JsonField geoms = root.optional("geoms"); geoms.exists())
    for (const JsonField& f : geoms.elements("write [{\"geom\": \"name\", ...}, ...]")) {
      f.allow_only({"geom", "law", "restitution", "patch_friction"});
      const Index geom = read_geom_name(f.required("geom", "write the name of a geom"), model);
      car.geoms.emplace_back(geom, read_traits(f));
    }
  if (const JsonField pairs = root.optional("pairs"); pairs.exists())
    for (const JsonField& f : pairs.elements("write [{\"geoms\": [\"a\", \"b\"], ...}, ...]")) {
      f.allow_only({"geoms", "law", "restitution", "patch_friction"});
      const JsonField both = f.required("geoms", "write the names of two geoms");
      const std::vector<JsonField> names = both.elements("write the names of two geoms");
      if (names.size() != 2) {
        both.refuse(Errc::schema, "write the names of two geoms");
        return;
      }
      const Index a = read_geom_name(names[0], model), b = read_geom_name(names[1], model);
      car.pairs.emplace_back(std::pair(std::min(a, b), std::max(a, b)), read_traits(f));
    }
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
