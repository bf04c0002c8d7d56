// The commands of tact. Each declares its words to the parser and returns an exit code when run:
// 0 done and good, 1 done and the answer is a violation, 2 the input cannot be used.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "tact/base/result.hpp"

namespace tact::app {

inline constexpr int good = 0;
inline constexpr int violated = 1;
inline constexpr int unusable = 2;

/// What to do once the words are parsed.
using Action = std::function<int()>;

void add_sim(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_patch(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);
void add_solve(CLI::App& app, Action& action);
void add_modes(CLI::App& app, Action& action);
void add_impact(CLI::App& app, Action& action);
void add_inverse(CLI::App& app, Action& action);
void add_audit(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_demo(CLI::App& app, Action& action);

/// One sentence on stderr; returns 2.
int complain(std::string_view sentence);

/// A file, or standard input for "-".
[[nodiscard]] Result<std::string> read_input(const std::string& file);
/// How a file is called in complaints.
[[nodiscard]] std::string source_name(const std::string& file);

/// A sentence where an output would overwrite an input, another output or a file that standard
/// output goes to; empty names are none. Files are compared by place, whether or not they exist,
/// and those that exist also by what they are: a link is what it leads to.
[[nodiscard]] std::optional<std::string> clash(std::span<const std::string> inputs,
                                               std::initializer_list<std::string> outputs);
[[nodiscard]] std::optional<std::string> clash(const std::string& input,
                                               std::initializer_list<std::string> outputs);

/// A number from `tolerance::epsilon` to `most`; CLI::Range lets NaN through.
[[nodiscard]] CLI::Validator share_above_zero(double most);
/// A number from `least` to `most`; CLI::Range lets NaN through too, and writes 0 as 0.000000.
[[nodiscard]] CLI::Validator number_between(double least, double most);

}  // namespace tact::app
