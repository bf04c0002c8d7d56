// contact/scene_contacts.cpp - names.
#include "tact/contact/scene_contacts.hpp"

#include "tact/body/called.hpp"

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

std::string joint_name(const Model& model, LimitRows::Kind kind, Index index) {
  if (kind == LimitRows::Kind::joint) return called("joint", model.joints[index].name, index);
  return called("tendon", model.tendons[index].name, index);
}

std::string limit_name(const Model& model, const LimitRows::Source& source) {
  return (source.upper ? "upper limit of " : "lower limit of ") +
         joint_name(model, source.kind, source.index);
}

std::string dry_friction_name(const Model& model, const FrictionRows::Source& source) {
  std::string name = "dry friction of " + joint_name(model, source.kind, source.index);
  if (source.kind == LimitRows::Kind::joint && dof_size(model.joints[source.index].type) > 1)
    name += ", axis " + std::to_string(source.axis);
  return name;
}

std::string equality_name(const Model& model, Index equality) {
  return called("equality", model.equalities[equality].name, equality);
}

}  // namespace tact
