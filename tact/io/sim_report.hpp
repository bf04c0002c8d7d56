// io/sim_report.hpp - what a person and what a machine is told about a run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tact/sim/simulate.hpp"

namespace tact {

struct RunReport {
  std::string scene;
  RunSummary run;
  EnergyLedger ledger;
  State final;                    ///< in the coordinates of the user's model
  double dt = 0;                  ///< [s]
  double seconds = 0;             ///< of computing
  std::string recording;          ///< path, or empty
  std::string recording_trouble;  ///< why it is not whole, or empty
  /// One sentence for each other file that could not be written.
  std::vector<std::string> unwritten;
  /// Readings at the end, by name, or by number where a sensor has none; none of a run that
  /// diverged or has no steps.
  std::vector<std::pair<std::string, std::vector<double>>> sensors;
};

/// The report of a simulation that has run.
[[nodiscard]] RunReport run_report(const Simulation& sim, const RunSummary& run,
                                   const std::string& scene, double seconds);

/// A summary of about ten lines.
[[nodiscard]] std::string run_text(const RunReport& report);

/// One JSON object: steps, seconds, simulated, max_penetration, max_residual, ledger, impacts,
/// warnings, final, hash, and more. A residual or reading that is infinite is "inf" or "-inf".
[[nodiscard]] std::string run_json(const RunReport& report);

}  // namespace tact
