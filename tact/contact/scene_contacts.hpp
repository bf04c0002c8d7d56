// contact/scene_contacts.hpp - where the geoms of a scene touch, and what its constraints are
// called.
#pragma once

#include <string>
#include <vector>

#include "tact/body/collision_rules.hpp"
#include "tact/body/constraints.hpp"
#include "tact/contact/law.hpp"
#include "tact/geom/surface_contact.hpp"

namespace tact {

/// One contact of two geoms; the normal points from geom 2 into geom 1.
struct SceneContact {
  Index geom1 = 0, geom2 = 0;
  SurfaceContact surface;
  PairParameters pair;
};

struct SceneContacts {
  std::vector<SceneContact> contacts;
  ContactBuffer buffer;  ///< the points of their patches
};

/// How a pair of geoms behaves beyond what MJCF says of it.
struct ContactChoice {
  double restitution = 0;
  PatchFriction pressure = EffectivePatch{};
};

/// What a geom is called: by its own name, that of its body, or its body's number.
[[nodiscard]] std::string geom_name(const Model& model, Index geom);

/// What a contact is called: its geoms.
[[nodiscard]] std::string contact_name(const Model& model, const SceneContact& contact);

/// `joint "knee"`, `tendon "rope"`; by its number where it has no name.
[[nodiscard]] std::string joint_name(const Model& model, LimitRows::Kind kind, Index index);
/// `upper limit of joint "knee"`.
[[nodiscard]] std::string limit_name(const Model& model, const LimitRows::Source& source);
/// `dry friction of joint "knee"`, with the axis where the joint has several.
[[nodiscard]] std::string dry_friction_name(const Model& model, const FrictionRows::Source& source);
/// `equality "loop"`.
[[nodiscard]] std::string equality_name(const Model& model, Index equality);

}  // namespace tact
