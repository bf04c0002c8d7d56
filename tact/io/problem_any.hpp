// io/problem_any.hpp - a contact problem from any file that has one; the content decides which.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/io/problem_file.hpp"

namespace tact {

enum class ProblemFormat { json, fcp, fclib };
/// "tact-problem/1", "fcp 1", "FCLIB".
[[nodiscard]] std::string_view name(ProblemFormat format);

struct AnyProblem {
  ProblemFile file;
  ProblemFormat format = ProblemFormat::json;
};

/// What the bytes look like; where they look like nothing, what the name of the file ends in
/// (.fcp, .h5, .hdf5), and JSON else. Compressed text is looked into when it is unpacked.
[[nodiscard]] ProblemFormat format_of(std::string_view bytes, std::string_view source);

/// `bytes` is the whole file, compressed or not; `source` is how it is called in complaints.
[[nodiscard]] Result<AnyProblem> read_problem(std::string_view bytes, const std::string& source);

}  // namespace tact
