// io/json_tree.hpp - a parsed JSON text as a tree of plain values, and the parser's complaints.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"

namespace tact::detail {

enum class JsonKind { null, boolean, number, string, array, object };

struct JsonNode {
  JsonKind kind = JsonKind::null;
  double number = 0;
  bool boolean = false;
  std::string text;                ///< of a string
  std::vector<JsonNode> elements;  ///< of an array, or the values of an object's fields
  std::vector<std::string> names;  ///< of an object's fields, unique, in the order of the file
};

/// The tree, what its file is called, and the first complaint.
struct JsonState {
  std::string source;
  JsonNode root;
  std::optional<Error> error;
  std::map<std::string, std::string> exact;  ///< path of a number in quotes -> what stood there

  void fail(Errc code, const std::string& sentence) {
    if (!error) error = Error{code, source + ": " + sentence};
  }
};

/// Fills state.root or state.error.
void parse_json(std::string_view text, JsonState& state);

/// A value on one line and not too long, for complaints.
[[nodiscard]] std::string shown(const JsonNode& node);
/// Without control characters and not too long.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace tact::detail
