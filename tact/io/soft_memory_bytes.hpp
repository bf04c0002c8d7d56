// io/soft_memory_bytes.hpp - what compliant contacts remember, as a part of a checkpoint.
#pragma once

#include "tact/io/bytes.hpp"
#include "tact/sim/soft_scene.hpp"

namespace tact {

void write_soft_memory(const SoftScene& scene, const SoftMemory& memory, ByteWriter& out);

/// Which pairs are soft goes into the scene. False where the bytes do not belong to it.
[[nodiscard]] bool read_soft_memory(ByteReader& in, SoftScene& scene, SoftMemory& memory);

}  // namespace tact
