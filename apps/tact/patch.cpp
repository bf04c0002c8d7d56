// tact patch - one patch: membership, regime, centre of pressure, friction; pictures.
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "tact/io/cone_picture.hpp"
#include "tact/io/file.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_picture.hpp"
#include "tact/io/patch_report.hpp"
#include "tact/io/patch_words.hpp"

namespace tact::app {

namespace {

struct PatchOptions {
  std::string file;
  bool json = false;
  std::string svg;
  std::string cone_svg;
};

void print_report(const PatchReport& report, const std::vector<FileContent>& pictures) {
  if (!report.file.name.empty()) fmt::print("{}\n", report.file.name);
  for (const ReportLine& line : report_lines(report))
    fmt::print("{:<9} {}\n", line.label, line.text);
  for (const FileContent& picture : pictures) fmt::print("{:<9} {}\n", "picture", picture.path);
}

int run_patch(const PatchOptions& options) {
  if (options.svg == "-" || options.cone_svg == "-")
    return complain("-: a picture needs a file name; write for instance --svg patch.svg");
  if (const auto sentence = clash(options.file, {options.svg, options.cone_svg}))
    return complain(*sentence);
  const auto text = read_input(options.file);
  if (!text) return complain(text.error().message);
  const auto file = read_patch_file(*text, source_name(options.file));
  if (!file) return complain(file.error().message);
  const bool draw = !options.svg.empty() || !options.cone_svg.empty();
  const auto report = report_on(*file, draw ? ReportDetail::picture : ReportDetail::answer);
  if (!report) return complain(source_name(options.file) + ": " + report.error().message);

  std::vector<FileContent> pictures;
  if (!options.svg.empty()) pictures.push_back({options.svg, patch_picture(*report)});
  if (!options.cone_svg.empty()) pictures.push_back({options.cone_svg, cone_picture(*report)});
  if (const auto error = write_files(pictures)) return complain(error->message);

  if (options.json) {
    fmt::print("{}", report_json(*report));
  } else {
    print_report(*report, pictures);
  }
  return report->violations.empty() ? good : violated;
}

}  // namespace

void add_patch(CLI::App& app, Action& action) {
  auto options = std::make_shared<PatchOptions>();
  CLI::App* command = app.add_subcommand(
      "patch",
      "What one contact patch does: which wrenches and twists it allows, its regime, centre of "
      "pressure and friction.");
  command->footer(
      "Example: tact patch foot.json --svg foot.svg\n"
      "The file is described in docs/patch-file.md; exit code 1 says that the wrench or the twist\n"
      "violates the planar Signorini condition or the limit of friction.");
  command->add_option("FILE", options->file, "A tact-patch/1 file; - for standard input.")
      ->required();
  command->add_flag("--json", options->json, "Print one JSON object and nothing else.");
  command->add_option("--svg", options->svg, "Draw the patch from above into this file.");
  command->add_option("--cone-svg", options->cone_svg, "Draw K_P and K_P* into this file.");
  command->callback([options, &action] { action = [options] { return run_patch(*options); }; });
}

}  // namespace tact::app
