// io/patch_picture.hpp - a patch seen from above: hull, centre of pressure, zero-line, pressure,
// friction.
#pragma once

#include <string>
#include <vector>

#include "tact/io/patch_report.hpp"

namespace tact {

/// The picture of `tact patch --svg`, as SVG text.
[[nodiscard]] std::string patch_picture(const PatchReport& report);

/// Outlines of the parts of a shape, for drawing: round parts by `count` points per turn. A point
/// set whose order is no outline gives each of its points alone.
[[nodiscard]] std::vector<std::vector<Vec2>> outlines_of(const PatchShape& shape, int count);

}  // namespace tact
