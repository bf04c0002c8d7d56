// io/mjcf_shapes.hpp - the geoms of MJCF: shape, place, mass and surface.
#pragma once

#include <string_view>

#include "tact/io/mjcf_draft.hpp"

namespace tact::mjcf {

/// A geom in the frame F that it is written in; `X_BF` places that frame in the body.
[[nodiscard]] GeomDraft read_geom(Reading& r, const Instance& in, const Settings& settings,
                                  const Pose& X_BF);

/// The ends of fromto: the middle, z from the second to the first, and half the distance. False
/// where the attribute is absent.
bool read_ends(Reading& r, const Settings& settings, Pose& X, double& half_length);

}  // namespace tact::mjcf
