// Words of a run that are checked before they are read. A complaint has the option, what was
// written, and what to write.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tact::app {

/// A word that cannot be meant, with a sentence that is printed as it stands.
class WordError : public CLI::ParseError {
 public:
  explicit WordError(const std::string& sentence)
      : ParseError(sentence, CLI::ExitCodes::ValidationError) {}
};

[[nodiscard]] CLI::Validator seconds_above_zero(const std::string& option, const char* what,
                                                const char* example);
[[nodiscard]] CLI::Validator speed_of_shaking();
[[nodiscard]] CLI::Validator count_of_steps(const std::string& option);
[[nodiscard]] CLI::Validator seed_number();
/// The name of a file, neither empty nor - but where that is standard output.
enum class Dash { refused, standard_output };
[[nodiscard]] CLI::Validator file_name(const std::string& option, const char* example,
                                       Dash dash = Dash::refused);

}  // namespace tact::app
