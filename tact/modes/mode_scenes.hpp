// modes/mode_scenes.hpp - built-in scenes whose modes one may ask for by name.
//
// The scenes of [Huang20] Table 1, and a box in a hand as in its fig. 4. Every row is exact:
// lengths are whole numbers or binary fractions, in a unit of each scene's own, for modes do not
// depend on the unit of length. World axes, body 1 is the box, the peg or the ball; of two boxes,
// the upper one. A free body has the columns [ω, v] at its centre.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tact/geom/shape.hpp"
#include "tact/modes/contact_rows.hpp"
#include "tact/modes/mode_system.hpp"

namespace tact {

/// What a scene shows of a body that moves.
struct ModeBody {
  std::string name;
  Shape shape;
  Pose X_WB;
  BodyJacobian motion;  ///< [ω, v] at the world's origin
};

struct ModeScene {
  ModeSystem system;
  std::vector<std::string> contact_names;  ///< one per contact, in order
  // ---- what the rows are made of, one per contact
  std::vector<ContactFrame> frames;
  std::vector<BodyJacobian> relative;  ///< [ω, v] of body 1 minus that of body 2
  std::vector<ModeBody> bodies;        ///< those of a plain shape: to be drawn, of no other use
};

/// A name and what is known of the scene with two dividing planes: counts of exact enumeration, and
/// what [Huang20] Table 1 prints, which differs in places (docs/errata.md).
struct ModeSceneName {
  std::string_view name;
  std::string_view description;
  std::optional<std::uint64_t> cs, full;
  std::optional<std::uint64_t> printed_cs, printed_ss;
};

[[nodiscard]] std::span<const ModeSceneName> mode_scene_names();

/// With `planes` dividing planes per contact; rows are exact for at most two. Nothing if there is
/// no scene of this name.
[[nodiscard]] std::optional<ModeScene> mode_scene(std::string_view name, Index planes = 2);

}  // namespace tact
