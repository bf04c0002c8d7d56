// io/run_page.hpp - a run as one HTML page: the ledger, the figures, and what the patches did.
#pragma once

#include <string>

#include "tact/io/run_history.hpp"
#include "tact/io/sim_report.hpp"

namespace tact {

/// The energy accounts over time, as SVG.
[[nodiscard]] std::string ledger_picture(const RunHistory& history);

/// Penetration and residual over time, logarithmic.
[[nodiscard]] std::string figures_picture(const RunHistory& history);

/// One contact from above: its patch, the path of its centre of pressure (extended where it does
/// not touch), the colours of its regimes; below, its normal force over time. `model` has the
/// names.
[[nodiscard]] std::string contact_picture(const Model& model, const RunHistory& history,
                                          const ContactSample& who);

/// A page beside this one.
struct PageLink {
  std::string address, words;
};

/// Self-contained; needs nothing but a browser. At most twelve contacts are drawn.
[[nodiscard]] std::string run_page(const Model& model, const RunReport& report,
                                   const RunHistory& history,
                                   const std::vector<PageLink>& links = {});

}  // namespace tact
