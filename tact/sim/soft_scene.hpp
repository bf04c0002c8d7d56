// sim/soft_scene.hpp - the compliant part of a scene: pairs of geoms that touch softly, springs.
//
// The names of the bodies are exchanged here: the first body of a SoftContactModel, out of which
// its normal points, is geom2 of a contact, and its second is geom1 (soft/pair_geometry.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/body/model.hpp"
#include "tact/soft/soft_contact.hpp"
#include "tact/soft/spring.hpp"

namespace tact {

/// Two geoms that touch softly; all others are rigid.
struct SoftGeoms {
  Index geom1 = 0, geom2 = 0;
  SoftContactModel model;  ///< one: geom2, two: geom1, each in the frame of its geom
  bool soft = true;        ///< false: rigid for now
  bool rigid_when_lost =
      false;  ///< where the smooth model ends, go on with rigid contact; else stop
};

/// A spring between frames of two bodies.
struct SceneSpring {
  std::string name;
  Index body1 = 0, body2 = 0;
  Pose X_B1A, X_B2B;
  BodySpring spring;
};

struct SoftScene {
  std::vector<SoftGeoms> pairs;
  std::vector<SceneSpring> springs;

  [[nodiscard]] bool empty() const { return pairs.empty() && springs.empty(); }
};

/// Points of a pair that face each other, near enough to be followed.
struct SoftTouch {
  Index pair = 0;
  SoftContactState state;
};

/// What the compliant part remembers: with it a run goes on bit for bit.
struct SoftMemory {
  struct Spring {
    double energy = 0;  ///< V [J]
    Pose X_WA, X_WB;
  };
  std::vector<SoftTouch> touches;  ///< by pair, then by gap when they were found
  Index lost_pair = -1;            ///< a pair that is near and has no points to follow, and why
  TrackStatus why = TrackStatus::tracked;
  std::vector<Spring> springs;
  std::vector<VecX> past;  ///< velocities before the last steps, the latest first: where to begin
  double past_dt = 0;      ///< of these steps
};

/// Surfaces of the two geoms, each in the frame of its geom, where they are not those of the
/// shapes: a ring, a bowl, a patch that the model has no shape for.
struct GeomSurfaces {
  std::optional<Surface> of_geom1, of_geom2;
};

/// The pair of these geoms with these properties. Says what is wrong with names: a geom with faces
/// or edges, which has no smooth surface, or a pair or surface that checked() refuses.
[[nodiscard]] Result<SoftGeoms> soft_geoms(const Model& model, Index geom1, Index geom2,
                                           const SoftPair& pair, const GeomSurfaces& given = {});

}  // namespace tact
