// io/impact_report.hpp - the verdict on an impact, for people and for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/contact/problem.hpp"
#include "tact/impact/judge.hpp"
#include "tact/io/certificate_file.hpp"

namespace tact {

/// What a law made of the impact, where one was applied.
struct AppliedLaw {
  std::string law;
  std::string remark;  ///< events, uniqueness; may be empty
};
/// The velocity that a repair leads to.
struct RepairedImpact {
  std::string method;  ///< what was done, in words
  VecX velocity;
  VecX impulses;
  double work_before = 0, work_after = 0;
};

struct ImpactAnswer {
  ContactProblem problem;  ///< with the outcome that is judged
  Impact<double> impact;
  CertificateFile certificate;
  bool checked = false;  ///< the verifier accepted it
  std::optional<ActualWork> actual;
  std::optional<AppliedLaw> law;
  std::optional<RepairedImpact> repaired;
  std::string no_repair;  ///< why there is none although one was asked for
  double seconds = 0;
};

/// Judges the problem's outcome. Rationals decide where that takes no longer than a blink, or
/// always or never, as the caller wishes.
enum class ImpactArithmetic { automatic, exact, doubles };
[[nodiscard]] Result<ImpactAnswer> judge_impact(const ContactProblem& problem,
                                                const std::vector<ExactNumber>& exact,
                                                ImpactArithmetic arithmetic, double tolerance);

[[nodiscard]] ImpactVerdict verdict_of(const ImpactAnswer& answer);
/// Whether the exit code is one of a violation.
[[nodiscard]] bool violates(const ImpactAnswer& answer);

/// One plain sentence.
[[nodiscard]] std::string sentence(const ImpactAnswer& answer);
[[nodiscard]] std::string impact_json(const ImpactAnswer& answer);
[[nodiscard]] std::string impact_table(const ImpactAnswer& answer, const std::string& source);

}  // namespace tact
