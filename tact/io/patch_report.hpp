// io/patch_report.hpp - everything tact can say about one patch file, as plain data and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/cone/patch_regime.hpp"
#include "tact/cone/patch_witness.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_friction_report.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

/// One condition that does not hold.
struct PatchViolation {
  std::string kind;      ///< wrench_outside_cone, twist_outside_dual_cone, power, friction_limit,
                         ///< maximum_dissipation, pressure_model
  double amount = 0;     ///< how much: [N m], [m/s], [W], [N]
  std::string sentence;  ///< in words
};

/// Fields are empty where the file does not say enough.
struct PatchReport {
  PatchFile file;
  PlanarSet hull;
  RegimeScales scales;

  std::optional<bool> in_cone;  ///< [m_T, f_N] in K_P
  double margin = 0;            ///< of K_P [N m]; >= 0 inside
  std::optional<Vec2> cop;
  std::optional<PressureWitness> witness;

  std::optional<bool> in_dual_cone;  ///< [ω_T, v_N] in K_P*
  double dual_margin = 0;            ///< least normal velocity on the patch [m/s]
  double largest_opening = 0;        ///< [m/s]
  double largest_sliding = 0;        ///< over what is in contact [m/s]
  std::optional<ZeroLine> zero_line;

  std::optional<double> power;   ///< of the normal parts [W]
  std::optional<Regime> regime;  ///< nothing without wrench and twist, or when (17) is violated
  std::optional<SupportFace> pivot;
  std::optional<ExtendedCop> extended_cop;

  std::optional<Vec3> projected_wrench;  ///< on K_P, in the file's metric
  std::optional<Vec3> projected_twist;   ///< on K_P*, in the file's metric
  std::optional<PatchFrictionReport> friction;

  std::vector<PatchViolation> violations;
};

/// Refuses a file whose friction does not fit its patch; everything else has an answer.
[[nodiscard]] Result<PatchReport> report_on(const PatchFile& file,
                                            ReportDetail detail = ReportDetail::answer);

/// One JSON object, the fields promised for `tact patch --json` first; numbers read back exactly.
[[nodiscard]] std::string report_json(const PatchReport& report);

}  // namespace tact
