// io/problem_file.hpp - the format tact-problem/1: one contact problem in one JSON file.
//
// The format is described in docs/problem-file.md and docs/schema/tact-problem-1.json. Rows of a
// contact are [n], [t, n], [t1, t2, n] or those of a patch (contact/law.hpp), whatever the order of
// the file's fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"
#include "tact/io/exact_number.hpp"

namespace tact {

/// The rows of a contact as the file gives them, whether or not its law uses them: for modes every
/// tangent row is a dividing plane.
struct GivenRows {
  SparseMatrix tangents;    ///< any number of rows
  VecX tangent_excitation;  ///< one per tangent; empty means zero
  SparseMatrix twist;       ///< the six rows of a patch
  VecX twist_excitation;    ///< empty means zero
};

struct ProblemFile {
  /// Without mass and Delassus matrix when the file has neither: enough for modes, refused by
  /// validate() and solvers.
  ContactProblem problem;
  Index dof = 0;                 ///< columns of problem.rows; in Delassus form what the file says
  std::vector<GivenRows> given;  ///< one per contact; none in Delassus form
  ExactNumbers exact;            ///< numbers in quotes, by place
};

inline constexpr std::string_view problem_format = "tact-problem/1";

/// `source` is how the file is called in complaints.
[[nodiscard]] Result<ProblemFile> read_problem_file(std::string_view text,
                                                    const std::string& source);

/// A problem from elsewhere, to be written.
[[nodiscard]] ProblemFile problem_file(ContactProblem problem);

/// Reads back to the same bits, except that a zero loses its sign; exact numbers stay as they were
/// written while the problem still has their values. Large matrices of many zeros become sparse.
/// Not kept: the number of rim points of the vertex model of friction, and mass_is_general; a mass
/// that is not symmetric is written but refused by the reader.
[[nodiscard]] std::string write_problem_file(const ProblemFile& file);

}  // namespace tact
