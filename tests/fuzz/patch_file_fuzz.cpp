// Whatever the bytes are, reading a patch file ends in a file or in one sentence; a file that was
// read is written and read back equal, and has a report and pictures.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tact/io/cone_picture.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_picture.hpp"
#include "tact/io/patch_report.hpp"
#include "tact/io/patch_words.hpp"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = tact::read_patch_file(text, "fuzz");
  if (!file) {
    must(file.error().message.find('\n') == std::string::npos);
    return 0;
  }
  const auto again = tact::read_patch_file(tact::write_patch_file(*file), "again");
  must(again.has_value() && *again == *file);
  const auto report = tact::report_on(*file, tact::ReportDetail::picture);
  if (!report) return 0;
  must(std::isfinite(report->margin) && std::isfinite(report->dual_margin));
  must(!report->cop || report->cop->allFinite());
  must(tact::report_json(*report).ends_with("}\n"));
  must(!tact::report_lines(*report).empty() && !tact::headline(*report).empty());
  must(tact::patch_picture(*report).ends_with("</svg>\n"));
  must(tact::cone_picture(*report).ends_with("</svg>\n"));
  return 0;
}
