// io/cone_picture.hpp - K_P and its dual in space, with the wrench and the twist, seen from one
// fixed side.
#pragma once

#include <string>

#include "tact/io/patch_report.hpp"

namespace tact {

/// The picture of `tact patch --cone-svg`: on the left the wrenches, K_P with the turned hull on
/// the plane z = 1, where the wrench meets it at c_p^perp and the plane normal to the twist cuts it
/// in the turned zero-line; on the right the twists, K_P*. After [MontMarin25] Fig. 3, Fig. 4,
/// Fig. 6. Moments are taken about the middle of the patch and lengths in units of its radius, so
/// that the cones look alike for every patch and products are what they are.
[[nodiscard]] std::string cone_picture(const PatchReport& report);

}  // namespace tact
