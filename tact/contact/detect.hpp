// contact/detect.hpp - all contacts of a scene at one moment.
//
// Bounds, pairs whose bounds meet, pairs that may collide (body/collision_rules.hpp), contacts of
// each pair (geom/collide.hpp), and coplanar patches of one pair of bodies joined into one.
// Polyhedra that touch along edges or in corners only, and do not approach each other along every
// face that separates them (geom/grazing.hpp), have no contact. The
// result is sorted by pair and does not depend on what was detected before, except for the choice
// between faces that are as good as each other, which memory keeps.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tact/body/collision_rules.hpp"
#include "tact/body/kinematics.hpp"
#include "tact/contact/scene_contacts.hpp"
#include "tact/geom/broad_phase.hpp"
#include "tact/geom/grazing.hpp"
#include "tact/geom/height_field.hpp"
#include "tact/geom/join_patches.hpp"
#include "tact/geom/pair_memory.hpp"

namespace tact {

/// How near is near enough, besides the margin of the pair.
struct DetectOptions {
  double reach = 0;        ///< [m] for every pair
  double size_share = 0;   ///< of the size of the smaller geom
  double travel_time = 0;  ///< [s] what two geoms may approach each other in this time
  /// [geom, m] what each may travel besides what its joints do, where something drives it; or empty
  std::span<const double> driven = {};
};

/// Owned by the caller; allocates nothing once it has seen a scene.
struct DetectWorkspace {
  CollisionRules rules;       ///< made by prepare()
  std::vector<double> size;   ///< [geom] half the diagonal of its bounds; infinite for a half-space
  std::vector<Pose> X_WG;     ///< [geom]
  std::vector<double> reach;  ///< [geom] how far it may move, and its margin
  std::vector<Bounds> bounds;  ///< [geom]
  KeptPairs broad;
  std::vector<IndexPair> pairs;
  ContactBuffer found;
  HeightFieldWorkspace field;
  JoinWorkspace join;
  std::vector<SeparatingFace> faces;
  std::vector<Index> order;  ///< contacts by pair of bodies
  SceneContacts apart;       ///< before coplanar patches are joined
  std::vector<std::pair<std::uint64_t, PairMemory>> memory, last;  ///< by pair of geoms, sorted
};

void prepare(const Model& model, DetectWorkspace& work);

/// Expects prepare(), forward_kinematics and, where travel_time is given, forward_velocities.
void detect(const Model& model, const Kinematics& kin, const DetectOptions& options,
            DetectWorkspace& work, SceneContacts& out);

}  // namespace tact
