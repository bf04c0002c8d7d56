// sim/soft_scene.cpp - pairs of geoms made ready to touch softly.
#include "tact/sim/soft_scene.hpp"

#include "tact/contact/scene_contacts.hpp"

namespace tact {
Result<SoftGeoms> soft_geoms(const Model& model, Index geom1, Index geom2, const SoftPair& pair,
                             const GeomSurfaces& given) {
  const std::string both = geom_name(model, geom1) + " and " + geom_name(model, geom2);
  if (model.geoms[geom1].body == model.geoms[geom2].body)
    return Error{Errc::value, both + " belong to one body; compliance is between two"};
  SoftGeoms out;
  out.geom1 = geom1;
  out.geom2 = geom2;
  std::optional<Surface> surfaces[2];
  for (int i = 0; i < 2; ++i) {
    const Index geom = i == 0 ? geom2 : geom1;
    if (const auto& own = i == 0 ? given.of_geom2 : given.of_geom1) {
      auto fine = checked(*own);
      if (!fine) return Error{fine.error().code, both + ": " + fine.error().message};
      surfaces[i] = *std::move(fine);
      continue;
    }
    surfaces[i] = smooth_surface(model.geoms[geom].shape);
    if (!surfaces[i])
      return Error{Errc::value, both + ": " + geom_name(model, geom) +
                                    " has faces and edges, and compliant contact needs smooth "
                                    "surfaces; leave the pair rigid, whose faces are patches"};
  }
  auto fine = checked(pair, both);
  if (!fine) return fine.error();
  out.model = soft_contact_model(*std::move(surfaces[0]), *std::move(surfaces[1]), *fine);
  return out;
}

}  // namespace tact
