// io/patch_file.hpp - the format tact-patch/1: one patch, and what presses and moves on it.
//
// The format is described in docs/patch-file.md and docs/schema/tact-patch-1.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/linalg/types.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

/// How the pressure under a patch is modelled where friction needs to know it.
enum class PressureModel { effective, ellipsoid, vertex, winkler };
[[nodiscard]] std::string_view name(PressureModel model);

/// `friction` of the file; fields that another model than `pressure` uses are not set.
struct PatchFrictionSpec {
  bool coulomb = true;  ///< law: coulomb, otherwise none
  double mu = 0;
  PressureModel pressure = PressureModel::effective;
  std::optional<std::string> pattern;  ///< effective: 1+6, 4+8, 4+8+12
  std::optional<double> radius;        ///< ellipsoid [m]
  std::vector<Vec2> nodes;             ///< winkler [m]
  std::vector<double> areas;           ///< winkler [m²]
  std::vector<double> radii;           ///< winkler [m]
  bool operator==(const PatchFrictionSpec&) const = default;
};

/// SI units, patch frame.
struct PatchFile {
  std::string name;
  PatchShape patch;
  std::optional<Wrench> wrench;  ///< [m_T(2), m_N, f_T(2), f_N]
  std::optional<Twist> twist;    ///< [ω_T(2), ω_N, v_T(2), v_N]
  std::optional<PatchFrictionSpec> friction;
  std::optional<double> force_scale;     ///< [N]; below tolerance times this counts as no force
  std::optional<double> velocity_scale;  ///< [m/s]
  std::optional<double> tolerance;
  std::optional<Mat3> metric;  ///< symmetric positive definite, in the order [m_T, f_N]
  bool operator==(const PatchFile&) const = default;
};

inline constexpr std::string_view patch_format = "tact-patch/1";

/// `source` is how the file is called in complaints.
[[nodiscard]] Result<PatchFile> read_patch_file(std::string_view text, const std::string& source);

/// Reads back as an equal file.
[[nodiscard]] std::string write_patch_file(const PatchFile& file);

/// "polygon of 4 points", "union of 3 shapes".
[[nodiscard]] std::string describe(const PatchShape& shape);

}  // namespace tact
