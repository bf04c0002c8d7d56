// contact/scene_contacts.cpp - names.
#include "tact/contact/scene_contacts.hpp"

namespace tact {

std::string geom_name(const Model& model, Index geom) {
  const Geom& g = model.geoms[geom];
  if (!g.name.empty()) return g.name;
  const std::string& body = model.bodies[g.body].name;
  if (!body.empty()) return body;
  return g.body == 0 ? "world" : "body " + std::to_string(g.body);
}

std::string contact_name(const Model& model, const SceneContact& contact) {
  return geom_name(model, contact.geom1) + " on " + geom_name(model, contact.geom2);
}

}  // namespace tact
