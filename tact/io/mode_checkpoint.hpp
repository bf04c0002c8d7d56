// io/mode_checkpoint.hpp - an enumeration that was interrupted, as a file to go on from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/modes/mode_work.hpp"

namespace tact {

inline constexpr std::string_view mode_checkpoint_format = "tact-modes-checkpoint/1";

/// What the work is: the rows, bit for bit, the kind of modes, the policy. A checkpoint of anything
/// else is refused.
[[nodiscard]] std::uint64_t work_digest(const ModeSystem& system, const ModeOptions& options,
                                        bool visit);

[[nodiscard]] std::string write_mode_checkpoint(const ModeTotals& totals, std::uint64_t digest);
/// `source` names the file in complaints.
[[nodiscard]] Result<ModeTotals> read_mode_checkpoint(std::string_view text,
                                                      const std::string& source,
                                                      std::uint64_t digest);

}  // namespace tact
