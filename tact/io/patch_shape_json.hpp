// io/patch_shape_json.hpp - patch shapes as they stand in files.
//
// Two spellings, read alike: the shape's name as the key, {"disc": {"center": [0, 0], "radius":
// 1}}, or as a field, {"kind": "disc", "center": [0, 0], "radius": 1}. The first one is written.
#pragma once

#include <string>

#include "tact/cone/patch_shape.hpp"
#include "tact/io/json_reader.hpp"

namespace tact {

[[nodiscard]] PatchShape read_shape(const JsonField& field);
[[nodiscard]] std::string shape_json(const PatchShape& shape);

[[nodiscard]] Vec2 read_point(const JsonField& field);

/// Refuses what is finite but so large that squares of it overflow.
void check_size(const JsonField& field, double value);

}  // namespace tact
