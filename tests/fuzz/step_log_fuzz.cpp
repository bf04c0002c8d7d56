// Whatever the bytes are, reading a log ends in steps that are valid problems with an outcome, or
// in one sentence.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "tact/io/step_log.hpp"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

bool one_sentence(const tact::Error& error) {
  return error.message.starts_with("fuzz") && error.message.find('\n') == std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  auto opened = tact::StepLog::open(in, "fuzz");
  if (!opened) {
    must(one_sentence(opened.error()));
    return 0;
  }
  tact::StepLog log = *std::move(opened);
  tact::LoggedStep step;
  while (true) {
    const auto more = log.next(step);
    if (!more) must(one_sentence(more.error()));
    if (!more || !*more) return 0;
    const tact::ContactProblem& p = step.problem;
    must(tact::validate(p).has_value() && p.in_mass_form() && p.dof() == log.dof());
    must(p.outcome.has_value() && p.outcome->impulses.has_value());
  }
}
