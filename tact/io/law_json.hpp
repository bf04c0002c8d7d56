// io/law_json.hpp - the laws of contacts as they stand in problem files: `patch`, `friction` and
// `bounds`.
#pragma once

#include <string>

#include "tact/contact/law.hpp"
#include "tact/io/json_reader.hpp"

namespace tact {

/// The law of one contact; `tangent_count` says how many directions of friction its rows have, 1
/// makes it planar. `bounds` make it a bounded row, whatever else there is. Complaints of the
/// friction's fields and of friction without tangents.
[[nodiscard]] Law read_law(const JsonField& contact, Index tangent_count);

/// `friction` of a law; empty where there is none.
[[nodiscard]] std::string friction_json(const Law& law);
/// `patch` of a law; empty for the laws of points. Rolling friction is that of a point patch.
[[nodiscard]] std::string law_patch_json(const Law& law);
/// `bounds` of a bounded row; empty for other laws.
[[nodiscard]] std::string bounds_json(const Law& law);

}  // namespace tact
