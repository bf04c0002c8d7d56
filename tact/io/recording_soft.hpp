// io/recording_soft.hpp - soft contacts of a frame as the payload of a block SOFT, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/io/recording.hpp"

namespace tact {

[[nodiscard]] std::string soft_payload(Index step, const std::vector<SoftSample>& contacts);

/// False where the payload is none of a frame with this header.
[[nodiscard]] bool read_soft(std::string_view payload, const RecordingHeader& header, Index& step,
                             std::vector<SoftSample>& out);

}  // namespace tact
