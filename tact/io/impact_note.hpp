// io/impact_note.hpp - the certificate of an impact for a recording.
#pragma once

#include <string>
#include <vector>

#include "tact/io/impact_report.hpp"
#include "tact/io/recording_notes.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

/// Larger impacts are not judged while a run is recorded: it would wait for them.
struct ImpactNoteLimits {
  Index rows = 48;
};

/// What the judge found, in words and numbers; step and time are left to the caller.
[[nodiscard]] RecordedCertificate impact_note(const ImpactAnswer& answer);

/// Of an impact by its law: judged in doubles, to tolerance::audit. `kept` may be missing (an
/// impact met within a step, or a run that keeps none): then the note has what the event knows, and
/// says why no more.
[[nodiscard]] RecordedCertificate impact_note(const Model& model, Index step,
                                              const ImpactEvent& event, const KeptImpact* kept,
                                              const ImpactNoteLimits& limits = {});

}  // namespace tact
