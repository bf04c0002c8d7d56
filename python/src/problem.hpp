// python/problem.hpp - contact problems as Python holds them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "convert.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/io/problem_file.hpp"

namespace tact::python {

/// tact.ContactProblem.
struct Problem {
  ProblemFile file;
  ProblemFormat format = ProblemFormat::json;
  std::string source;       ///< how it is called in complaints
  bool own_outcome = true;  ///< the outcome is the file's, and so are its numbers in quotes

  [[nodiscard]] const ContactProblem& problem() const { return file.problem; }
};
using ProblemPtr = std::shared_ptr<Problem>;

/// tact.Contact: a law with its rows.
struct ContactSpec {
  Contact contact;
  SparseMatrix rows;  ///< those of the law, in its order; none in Delassus form
  VecX excitation;    ///< one per row
  GivenRows given;
  Index columns = -1;  ///< degrees of freedom, where it has rows
};

/// All impulses as one vector, from one or from a list of one per contact.
[[nodiscard]] VecX read_impulses(const py::object& value, const ContactProblem& problem,
                                 std::string_view name);
/// And back: one array per contact.
[[nodiscard]] std::vector<Doubles> by_contact(const ContactProblem& problem, const VecX& flat);

/// The same problem with another outcome; numbers in quotes of the old one are dropped.
[[nodiscard]] ProblemPtr with_outcome(const Problem& problem, VecX velocity,
                                      std::optional<VecX> impulses);

}  // namespace tact::python
