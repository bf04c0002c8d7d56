// tact - the command line. Words in, exit code out; every mistake is one sentence on stderr.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <vector>

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/base/version.hpp"
#include "tact/io/file.hpp"
#include "words.hpp"

namespace tact::app {

int complain(std::string_view sentence) {
  fmt::print(stderr, "{}\n", sentence);
  return unusable;
}

std::string source_name(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

Result<std::string> read_input(const std::string& file) {
  if (file != "-") return read_file(file);
  return read_stream(std::cin, "standard input");
}

namespace {

std::filesystem::path place_of(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
}

/// By place, and where there is a file also by what it is: a hard link has a place of its own.
bool is_same_file(const std::string& a, const std::string& b) {
  if (place_of(a) == place_of(b)) return true;
  std::error_code ignored;
  return std::filesystem::is_regular_file(a, ignored) && std::filesystem::equivalent(a, b, ignored);
}

/// The summary would be written into what the output has become, or over it.
bool is_standard_output(const std::string& path) {
  struct stat out {
  }, there{};
  return ::fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode) &&
         ::stat(path.c_str(), &there) == 0 && out.st_dev == there.st_dev &&
         out.st_ino == there.st_ino;
}

}  // namespace

std::optional<std::string> clash(std::span<const std::string> inputs,
                                 std::initializer_list<std::string> outputs) {
  std::vector<std::string> taken;
  for (const std::string& out : outputs) {
    if (out.empty()) continue;
    const auto same = [&](const std::string& other) { return is_same_file(out, other); };
    const auto read = [&](const std::string& in) { return !in.empty() && in != "-" && same(in); };
    if (std::any_of(inputs.begin(), inputs.end(), read))
      return out + ": is an input; name another file for the output";
    if (std::any_of(taken.begin(), taken.end(), same))
      return out + ": is named for two outputs; name two files";
    if (is_standard_output(out))
      return out + ": is where standard output goes; name another file for the output";
    taken.push_back(out);
  }
  return std::nullopt;
}

std::optional<std::string> clash(const std::string& input,
                                 std::initializer_list<std::string> outputs) {
  return clash(std::span(&input, 1), outputs);
}

CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return "";
    return fmt::format("Value {} not in range {:.3g} to {:g}", text, least, most);
  };
  return {check, fmt::format("FLOAT in [{:.6g} - {:g}]", least, most)};
}

CLI::Validator share_above_zero(double most) {
  return number_between(tolerance::epsilon, most);
}

namespace {

/// The first line of what went wrong: a sentence stays one line.
std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

int run(int argc, char** argv) {
  CLI::App app{
      "tact - contact mechanics that explains and certifies.\n\n"
      "Example: tact sim tipping-box --html box.html",
      "tact"};
  app.footer(
      "tact COMMAND --help explains one command. FILE may be - for standard input, but for\n"
      "recordings.\n"
      "Exit code: 0 done and good, 1 the answer is a violation, 2 the input cannot be used.");
  app.set_version_flag("--version", fmt::format("tact {}", version()), "Print the version.");
  app.set_help_flag("-h,--help", "Print this page.");
  app.require_subcommand(0, 1);
  Action action;
  add_sim(app, action);
  add_view(app, action);
  add_solve(app, action);
  add_patch(app, action);
  add_modes(app, action);
  add_impact(app, action);
  add_audit(app, action);
  add_inverse(app, action);
  add_fit(app, action);
  add_check(app, action);
  add_demo(app, action);
  app.add_subcommand("help", "Print this page.");
  const std::string overview = app.help();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const WordError& error) {
    return complain(first_line(error.what()));
  } catch (const CLI::ParseError& error) {
    return complain(
        fmt::format("tact: {}; tact help lists the commands", first_line(error.what())));
  }
  const int code = action ? action() : (fmt::print("{}", overview), good);
  // Output that did not arrive, into a full disk or a closed pipe, is no answer.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return complain("tact: standard output cannot be written; check the disk or the pipe");
  return code;
}

}  // namespace

}  // namespace tact::app

int main(int argc, char** argv) {
  try {
    return tact::app::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tact: unexpected: %s; please report it with the input\n", error.what());
  } catch (...) {
    std::fputs("tact: unexpected failure; please report it with the input\n", stderr);
  }
  return tact::app::unusable;
}
