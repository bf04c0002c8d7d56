// io/checkpoint.hpp - a simulation that was interrupted, as a file from which it goes on bit for
// bit.
//
// It has what steps write and later steps read: the state in the frames of the simulation, the
// loads and faces that are remembered, the sums of the ledger. The scene is not in it, only its
// digest.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

inline constexpr std::string_view checkpoint_magic = "TACTCKP2";

[[nodiscard]] std::string checkpoint_bytes(const Simulation& sim);

/// Takes `sim`, made anew from the same scene and options, to where the checkpoint was written.
/// Refuses what is no checkpoint or damaged, and one of another scene or of other options; `sim` is
/// then as it was. `source` names the file in the sentence.
[[nodiscard]] std::optional<Error> restore_checkpoint(std::string_view bytes,
                                                      const std::string& source, Simulation& sim);

/// The same with a file; it is written entirely or not at all.
[[nodiscard]] std::optional<Error> write_checkpoint(const std::string& path, const Simulation& sim);
[[nodiscard]] std::optional<Error> read_checkpoint(const std::string& path, Simulation& sim);

/// What `tact check` says of one: how far its run was, and how large the state is. Refuses what is
/// no checkpoint or damaged.
[[nodiscard]] Result<std::string> checkpoint_summary(std::string_view bytes,
                                                     const std::string& source);

}  // namespace tact
