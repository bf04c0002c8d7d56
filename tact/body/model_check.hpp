// body/model_check.hpp - what make_model refuses, in two parts.
#pragma once

#include <optional>

#include "tact/body/model.hpp"

namespace tact {

/// Of a draft: every number, every index and every joint by itself.
[[nodiscard]] std::optional<Error> check_parts(const Model& draft);

/// Of a model with addresses: sizes of keyframes, and that every joint moves some inertia in the
/// pose of the file.
[[nodiscard]] std::optional<Error> check_whole(const Model& model);

}  // namespace tact
