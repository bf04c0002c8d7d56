// Parts of tact impact that other commands use too: the law in words, its outcome, the picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/impact/law.hpp"
#include "tact/io/impact_report.hpp"
#include "tact/io/problem_file.hpp"

namespace tact::app {

struct LawWords {
  std::string law;
  std::optional<double> restitution, blend, stiffness;
};

/// With the parameters that the words leave to the contacts of the problem.
[[nodiscard]] Result<ImpactLaw> wanted_law(const LawWords& words, const ContactProblem& problem);

/// What the law made of the problem, as an outcome to be judged.
void set_outcome(ContactProblem& problem, const ImpactOutcome& outcome);

/// Every number in quotes but those of an outcome that a law has replaced.
[[nodiscard]] std::vector<ExactNumber> entries_of(const ProblemFile& file, bool law);

/// The consistency set as SVG; refuses what has more than three dimensions.
[[nodiscard]] Result<std::string> consistency_picture(const ImpactAnswer& answer,
                                                      const std::vector<ExactNumber>& exact,
                                                      const std::string& alpha);

}  // namespace tact::app
