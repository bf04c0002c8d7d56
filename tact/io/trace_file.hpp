// io/trace_file.hpp - a trace of a compliant pair as CSV: forces and motions over time.
//
// The first line names the columns, in any order; lines that begin with # are comments.
//   time_s, gap_m, normal_force_N                         always
//   gap_rate_m_per_s                                      optional
//   slide_x_m, slide_y_m, shear_x_N, shear_y_N            all four or none
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/soft/fit.hpp"

namespace tact {

/// Refuses an unknown, missing or repeated column and a cell that is no finite number, with FILE
/// and line.
[[nodiscard]] Result<SoftTrace> read_trace(std::string_view text, const std::string& source);

}  // namespace tact
