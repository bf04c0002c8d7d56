// io/scene_traits.cpp - the side-car's word first, then the scene's.
#include "tact/io/scene_traits.hpp"

#include <algorithm>

namespace tact {
namespace {

/// What the more particular one says, else what the other does.
ContactTraits over(const ContactTraits& particular, const ContactTraits& general) {
  ContactTraits out = particular;
  if (!out.law) out.law = general.law;
  if (!out.restitution) out.restitution = general.restitution;
  if (!out.patch) {
    out.patch = general.patch;
    out.pattern = general.pattern;
    out.radius = general.radius;
  }
  return out;
}

PatchFriction pressure_of(const ContactTraits& traits) {
  switch (traits.patch.value_or(PressureModel::effective)) {
    case PressureModel::ellipsoid:
      return EllipsoidAtCop{traits.radius};
    case PressureModel::vertex:
      return VertexModel{};
    default:
      break;
  }
  EffectivePatch out;
  for (const NodePattern p : {NodePattern::four_eight, NodePattern::four_eight_twelve})
    if (traits.pattern && name(p) == *traits.pattern) out.pattern = p;
  return out;
}

}  // namespace

ContactTraits traits_of(const SideCar& car, Index geom1, Index geom2) {
  ContactTraits out;
  const auto pair = std::minmax(geom1, geom2);
  for (const auto& [geoms, traits] : car.pairs)
    if (geoms == std::pair<Index, Index>(pair.first, pair.second)) out = over(out, traits);
  for (const auto& [geom, traits] : car.geoms)
    if (geom == geom1 || geom == geom2) out = over(out, traits);
  return over(out, car.all);
}

double scene_restitution(const Scene& scene) {
  const auto it = scene.numerics.find("tact_restitution");
  return it != scene.numerics.end() && it->second.size() > 0 ? it->second[0] : 0;
}

ContactChoice choice_of(const Scene& scene, Index geom1, Index geom2) {
  const ContactTraits traits = traits_of(scene.side_car, geom1, geom2);
  return {traits.restitution.value_or(scene_restitution(scene)), pressure_of(traits)};
}

ContactChoice common_choice(const Scene& scene) {
  const ContactTraits& traits = scene.side_car.all;
  return {traits.restitution.value_or(scene_restitution(scene)), pressure_of(traits)};
}

}  // namespace tact
