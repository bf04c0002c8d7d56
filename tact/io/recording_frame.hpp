// io/recording_frame.hpp - frames and impacts of a recording as payloads of blocks, and back.
#pragma once

#include <string>
#include <string_view>

#include "tact/io/recording.hpp"

namespace tact {

/// p, then w x y z.
using PoseNumbers = Eigen::Matrix<double, 7, 1>;
[[nodiscard]] PoseNumbers pose_numbers(const Pose& X);
/// A quaternion of zeros, which no writer leaves, is no rotation.
[[nodiscard]] Pose pose_of(const PoseNumbers& numbers);

[[nodiscard]] std::string frame_payload(const RecordedFrame& frame);
[[nodiscard]] std::string impacts_payload(const RecordedImpacts& impacts);
[[nodiscard]] std::string solve_payload(const RecordedSolve& solve);

/// False where the payload is none of a frame with this header: a size does not fit, a geom or a
/// name is not there.
[[nodiscard]] bool read_frame(std::string_view payload, const RecordingHeader& header,
                              RecordedFrame& out);
[[nodiscard]] bool read_impacts(std::string_view payload, const RecordingHeader& header,
                                RecordedImpacts& out);
/// False where length or scale is none.
[[nodiscard]] bool read_solve(std::string_view payload, RecordedSolve& out);

}  // namespace tact
