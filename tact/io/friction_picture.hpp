// io/friction_picture.hpp - the limit curves of patch friction, with the present load inside.
#pragma once

#include "tact/io/patch_friction_report.hpp"
#include "tact/io/svg.hpp"

namespace tact {

/// Two small plots below each other from `corner` on: f_x over f_y, and force over turning moment.
/// Nothing where there is no capacity.
void draw_friction(SvgCanvas& canvas, const PatchFrictionReport& friction, const Vec2& corner);

}  // namespace tact
