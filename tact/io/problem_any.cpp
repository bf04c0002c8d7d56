#include "tact/io/problem_any.hpp"

#include "tact/io/fclib_file.hpp"
#include "tact/io/fcp_file.hpp"
#include "tact/io/gzip.hpp"

namespace tact {

namespace {

Result<AnyProblem> from_problem(Result<ContactProblem> problem, ProblemFormat format) {
  if (!problem) return problem.error();
  return AnyProblem{problem_file(*std::move(problem)), format};
}

}  // namespace

std::string_view name(ProblemFormat format) {
  constexpr std::string_view names[] = {problem_format, "fcp 1", "FCLIB"};
  return names[static_cast<std::size_t>(format)];
}

ProblemFormat format_of(std::string_view bytes, std::string_view source) {
  if (is_hdf5(bytes)) return ProblemFormat::fclib;
  if (is_fcp(bytes)) return ProblemFormat::fcp;
  if (bytes.substr(0, bytes.find_first_not_of(" \t\r\n") + 1).ends_with('{'))
    return ProblemFormat::json;
  if (source.ends_with(".gz")) source.remove_suffix(3);
  if (source.ends_with(".fcp")) return ProblemFormat::fcp;
  if (source.ends_with(".h5") || source.ends_with(".hdf5")) return ProblemFormat::fclib;
  return ProblemFormat::json;
}

Result<AnyProblem> read_problem(std::string_view bytes, const std::string& source) {
  if (is_gzip(bytes)) {
    const auto unpacked = gunzip(bytes, source);
    if (!unpacked) return unpacked.error();
    if (is_gzip(*unpacked))
      return Error{Errc::parse, source + ": is compressed twice; unpack it once"};
    return read_problem(*unpacked, source);
  }
  const ProblemFormat format = format_of(bytes, source);
  if (format == ProblemFormat::fcp) return from_problem(read_fcp(bytes, source), format);
  if (format == ProblemFormat::fclib) return from_problem(read_fclib(bytes, source), format);
  auto file = read_problem_file(bytes, source);
  if (!file) return file.error();
  return AnyProblem{*std::move(file), format};
}

}  // namespace tact
