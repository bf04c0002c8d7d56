// Whatever the bytes are, reading a problem ends in a problem or in one sentence; a problem that
// was read is written and read back the same, as JSON and, where the format can say it, as fcp.
// HDF5 is left out: what its library does with damaged files is not ours.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tact/io/fclib_file.hpp"
#include "tact/io/fcp_file.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/io/problem_summary.hpp"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (tact::format_of(bytes, "fuzz") == tact::ProblemFormat::fclib) return 0;
  const auto problem = tact::read_problem(bytes, "fuzz");
  if (!problem) {
    must(problem.error().message.find('\n') == std::string::npos);
    return 0;
  }
  must(!tact::summary(problem->file).empty());
  const tact::ContactProblem& p = problem->file.problem;
  if (p.in_mass_form() || p.delassus.rows() > 0) must(tact::validate(p).has_value());
  // Other people's matrices may be non-symmetric as a mass; this format refuses those.
  if (problem->format == tact::ProblemFormat::json || !p.in_mass_form() ||
      tact::is_symmetric(p.mass)) {
    const std::string text = tact::write_problem_file(problem->file);
    const auto again = tact::read_problem_file(text, "again");
    must(again.has_value() && tact::write_problem_file(*again) == text);
  }
  if (const auto written = tact::write_fcp(p)) {
    const auto again = tact::read_fcp(*written, "again");
    must(again.has_value() && *tact::write_fcp(*again) == *written);
  }
  return 0;
}
