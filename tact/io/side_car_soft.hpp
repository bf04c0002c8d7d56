// io/side_car_soft.hpp - compliant pairs and springs, as a side-car writes them.
#pragma once

#include "tact/io/json_reader.hpp"
#include "tact/sim/soft_scene.hpp"

namespace tact {

/// The fields `compliance` and `springs`. What is wrong is kept by the document.
[[nodiscard]] SoftScene read_soft_scene(const JsonField& root, const Model& model);

}  // namespace tact
