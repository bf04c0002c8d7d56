// io/step_log.hpp - the format tact-log/1: the steps of any engine, one after the other.
//
// JSON lines, or CSV where masses and contact rows stay the same; docs/formats.md describes both. A
// step is a contact problem with its outcome, and the header stands for what a step leaves out.
// Read as a stream: one step is in memory at a time, however long the log.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"

namespace tact {

inline constexpr std::string_view log_format = "tact-log/1";

struct LoggedStep {
  Index line = 0;  ///< of the file
  Index step = 0;  ///< as the log counts; from zero where it does not
  double time = 0;
  ContactProblem problem;           ///< in mass form, valid, with an outcome that has impulses
  std::optional<double> potential;  ///< V after the step, where the log knows it
  bool own_mass = false;            ///< the step has a mass of its own, not the header's
};

class StepLog {
 public:
  /// Reads the header. `in` outlives the log; `source` is how it is called in complaints, which
  /// are one sentence with source, line, field and remedy.
  [[nodiscard]] static Result<StepLog> open(std::istream& in, std::string source);
  ~StepLog();
  StepLog(StepLog&&) noexcept;
  StepLog& operator=(StepLog&&) noexcept;

  [[nodiscard]] const std::string& name() const;  ///< of the run; may be empty
  [[nodiscard]] Index dof() const;

  /// False at the end of the log.
  [[nodiscard]] Result<bool> next(LoggedStep& step);

 private:
  struct State;
  explicit StepLog(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tact
