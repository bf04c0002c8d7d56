// io/recording_audit.hpp - a recording judged: what breaks which law, and where the energy went.
//
// Only what is in the file counts: loads, motions and patches of the contacts of each frame, the
// figures of the steps since the last one, impacts, and the ledger from frame to frame. Loads and
// motions are recorded in single precision, so that the least useful tolerance is some 1e-6. To
// that comes what the solve of the step left: its residual, a share of the energies of all its
// contacts, is a force and a speed at each of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/io/recording.hpp"

namespace tact {

enum class RecordingViolation {
  penetration,      ///< bodies overlap
  closing,          ///< a contact ends the step deeper than closed
  cone,             ///< it pulls, or its centre of pressure is outside the patch
  friction,         ///< more than mu times the normal load
  slip,             ///< friction pushes along the slip
  complementarity,  ///< it carries load where it is open
  impact,           ///< an impact created energy
  closure,          ///< the ledger does not add up from one frame to the next
  residual,         ///< a step was not solved
};
inline constexpr std::size_t recording_violations = 9;
[[nodiscard]] std::string_view name(RecordingViolation kind);
[[nodiscard]] std::string_view unit(RecordingViolation kind);

struct RecordingFinding {
  Index step = 0;
  double time = 0;
  std::string contact;  ///< "box on floor"; empty where it is none of one contact
  double amount = 0, limit = 0;
};

struct RecordingCount {
  Index count = 0;  ///< frames, or impacts
  Index first = 0;  ///< step
  RecordingFinding worst;
};

struct RecordingAudit {
  std::string source;
  double tolerance = tolerance::audit;
  RecordingHeader header;
  Index frames = 0, impacts = 0, first_step = 0, last_step = 0, not_converged = 0;
  double start = 0, end = 0, deepest = 0, largest_force = 0, largest_residual = 0;
  std::array<RecordingCount, recording_violations> counts;
  RecordedFrame first, last;       ///< for the ledger: works and changes; contacts are left out
  RecordingFinding worst_closure;  ///< of one interval, amount over what it moved
  std::optional<RecordingEnd> finished;
  std::optional<std::string> cut;
  double begun_overlap = 0;  ///< [m] of the first frame, as far as it has not been taken back
  bool damaged = false;      ///< what comes after `cut` cannot be read, and was not judged

  [[nodiscard]] const RecordingCount& of(RecordingViolation kind) const {
    return counts[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] bool diverged() const;
  /// Nothing was found, and neither the run nor the file broke off; it may still be written.
  [[nodiscard]] bool clean() const;
  /// The kind whose worst exceeds its limit most.
  [[nodiscard]] std::optional<RecordingViolation> worst() const;
};

void add_frame(RecordingAudit& audit, const RecordedFrame& frame);
/// The soft contacts of a frame, once they are known.
void add_soft(RecordingAudit& audit, const RecordedFrame& frame);
void add_impacts(RecordingAudit& audit, const RecordedImpacts& impacts);

/// All of a recording, block by block; what is cut or damaged at its end is said in `cut`. Refuses
/// what is no recording, and one without frames.
[[nodiscard]] Result<RecordingAudit> audit_recording(const std::string& path, double tolerance);

[[nodiscard]] std::string audit_json(const RecordingAudit& audit);
/// A few lines of energy, a table of violations, and the verdict as a sentence.
[[nodiscard]] std::string audit_table(const RecordingAudit& audit);

}  // namespace tact
