// body/collision_rules.hpp - which geoms of a model may touch each other, and how.
//
// As in MuJoCo: bodies that are welded together count as one; a body does not collide with itself
// nor with the one its joints hang from, unless that is the world; two bodies that no force can
// move do not collide; excluded pairs do not, pairs that are named do, whatever the masks say.
#pragma once

#include <cstdint>
#include <vector>

#include "tact/body/model.hpp"

namespace tact {

/// Two geoms, or two bodies, in any order, as one number that sorts by the smaller.
[[nodiscard]] std::uint64_t pair_key(Index a, Index b);

/// What two geoms make of their parameters when they touch.
struct PairParameters {
  int condim = 3;                   ///< 1 frictionless, 3 sliding, 4 and 6 torsional and rolling
  Vec3 friction{1, 0.005, 0.0001};  ///< sliding [1], torsional [m], rolling [m]
  double margin = 0;                ///< [m]
};

/// The rules of one model, made ready for many questions.
struct CollisionRules {
  std::vector<Index> weld;         ///< [body] the first body that it is welded to, maybe itself
  std::vector<Index> weld_parent;  ///< [body] the weld of the parent of that
  std::vector<bool> fixed;         ///< [body] no force moves it
  std::vector<std::uint64_t> excluded, named;  ///< sorted keys of pairs of bodies, of geoms
  std::vector<std::uint64_t> elsewhere;  ///< the same of geoms whose contact another model makes
};

[[nodiscard]] CollisionRules collision_rules(const Model& model);

/// Whether two bodies hang from one body below the world: links of one robot, a drawer and its
/// cabinet. Where such overlap, the file has them so.
[[nodiscard]] bool of_one_robot(const Model& model, Index body1, Index body2);

/// Order of the two geoms does not matter.
[[nodiscard]] bool may_collide(const Model& model, const CollisionRules& rules, Index geom1,
                               Index geom2);

/// Of the named pair where there is one; else of the geom with higher priority; else the larger
/// friction, condim and margin of the two.
[[nodiscard]] PairParameters pair_parameters(const Model& model, const CollisionRules& rules,
                                             Index geom1, Index geom2);

}  // namespace tact
