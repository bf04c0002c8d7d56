// io/patch_friction_report.hpp - what friction can hold on a patch under its pressure, and what it
// is asked to.
#pragma once

#include <optional>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/cone/patch_friction.hpp"
#include "tact/cone/patch_regime.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/linalg/types.hpp"
#include "tact/poly/planar_set.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

/// The limit curves of friction cost a hundred times what the answer costs: only for pictures.
enum class ReportDetail { answer, picture };

/// Of F(N), the set of friction loads T = [f_T, m_N] that the pressure N allows.
struct PatchFrictionReport {
  double capacity = 0;          ///< μ f_N: the largest friction force [N]
  double turning_capacity = 0;  ///< the largest m_N about the centre of pressure [N m]
  Vec2 force = Vec2::Zero();    ///< f_T of the file [N]
  double moment = 0;            ///< its m_N about the centre of pressure [N m]
  double used = 0;  ///< the least s >= 0 with T in s F(N); above 1 the limit is exceeded
  bool within_limit = true;
  bool dissipates_most = true;        ///< while sliding: T is the load of maximum dissipation
  bool model_carries = true;          ///< the pressure model found a pressure for this wrench
  std::optional<double> dissipation;  ///< the most that F(N) can dissipate at the file's twist [W]
  std::optional<double> dissipated;   ///< what T dissipates, -T.τ [W]
  std::optional<Vec3> sliding_load;   ///< the T = [f_T, m_N] that sliding like this makes [N, N m]

  // With ReportDetail::picture only.
  std::vector<Vec2> force_limit;    ///< rim of the f_T that F(N) allows beside this moment [N]
  std::vector<Vec2> turning_limit;  ///< rim of F(N) along f_T: [force N, moment about the CoP N m]
};

/// The model that a file asks for. Refuses nodes that the model refuses.
[[nodiscard]] Result<PatchFriction> friction_model(const PatchFrictionSpec& spec);

/// The wrench must be in K_P, up to the tolerance of the scales.
[[nodiscard]] Result<PatchFrictionReport> report_on_friction(
    const PatchFrictionSpec& spec, const PlanarSet& hull, const Wrench& wrench,
    const std::optional<Twist>& twist, const RegimeScales& scales, ReportDetail detail);

}  // namespace tact
