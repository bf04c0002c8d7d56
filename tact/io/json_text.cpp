#include "tact/io/json_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

std::string scalar(const Json& value) {
  if (value.is_number_float() && value.get<double>() == 0) return "0";  // no sign, no decimals
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Whether the value fits on a line: a list of numbers, or of lists of numbers.
bool is_short(const Json& value, int depth = 0) {
  if (value.is_object()) return value.empty();
  if (!value.is_array()) return true;
  return depth < 2 && std::all_of(value.begin(), value.end(),
                                  [&](const Json& v) { return is_short(v, depth + 1); });
}

void write_line(const Json& value, std::string& out) {
  if (!value.is_array()) {
    out += scalar(value);
    return;
  }
  out += '[';
  bool first = true;
  for (const Json& element : value) {
    if (!first) out += ", ";
    first = false;
    write_line(element, out);
  }
  out += ']';
}

void write(const Json& value, std::size_t indent, std::string& out) {
  if (is_short(value)) return write_line(value, out);
  const bool object = value.is_object();
  out += object ? "{" : "[";
  bool first = true;
  for (const auto& [key, element] : value.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out.append(indent + 2, ' ');
    if (object) out.append(scalar(Json(key))).append(": ");
    write(element, indent + 2, out);
  }
  out.append("\n").append(indent, ' ');
  out += object ? "}" : "]";
}

}  // namespace

std::string json_text(std::string_view json) {
  std::string out;
  write(Json::parse(json), 0, out);
  return out + "\n";
}

}  // namespace tact
