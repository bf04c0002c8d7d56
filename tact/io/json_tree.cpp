#include "tact/io/json_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace tact::detail {

namespace {

constexpr std::size_t deepest = 64;  ///< nesting beyond this is no file of ours

/// Builds the tree from the parser's events, and knows at any time where in the tree it is.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, JsonState& state) : text_(text), state_(state) {}

  bool null() override { return place(JsonNode{}); }
  bool boolean(bool value) override {
    JsonNode node;
    node.kind = JsonKind::boolean;
    node.boolean = value;
    return place(std::move(node));
  }
  bool number_integer(number_integer_t value) override { return place_number(double(value)); }
  bool number_unsigned(number_unsigned_t value) override { return place_number(double(value)); }
  bool number_float(number_float_t value, const string_t& /*token*/) override {
    return place_number(value);
  }
  bool string(string_t& value) override {
    JsonNode node;
    node.kind = JsonKind::string;
    node.text = std::move(value);
    return place(std::move(node));
  }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*size*/) override { return open(JsonKind::object); }
  bool start_array(std::size_t /*size*/) override { return open(JsonKind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto& names = open_.back()->names;
    const bool twice = std::find(names.begin(), names.end(), name) != names.end();
    if (twice) {
      pending_ = name;
      state_.fail(Errc::schema, path() + " occurs twice; keep one of the two");
      return false;
    }
    pending_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::json::exception& reason) override {
    const std::string word = not_finite_at(position);
    if (!word.empty()) {
      state_.fail(Errc::value, path() + " is " + word + "; write a finite number");
    } else {
      fail_with_position(position, reason.what());
    }
    return false;
  }

  /// What is wrong at a byte of the text.
  void fail_with_position(std::size_t position, std::string_view reason) {
    const auto end = text_.begin() + std::ptrdiff_t(std::min(position, text_.size()));
    const auto line = 1 + std::count(text_.begin(), end, '\n');
    const auto line_start = std::find(std::make_reverse_iterator(end), text_.rend(), '\n').base();
    const auto column = std::max<std::ptrdiff_t>(1, end - line_start);
    // The parser says "[code] parse error at line .., column ..: what"; what is enough.
    const std::size_t colon = reason.find(": ");
    if (colon != std::string_view::npos) reason.remove_prefix(colon + 2);
    const std::size_t dash = reason.find(" - ");
    if (dash != std::string_view::npos) reason.remove_prefix(dash + 3);
    state_.error = Error{Errc::parse, state_.source + ":" + std::to_string(line) + ":" +
                                          std::to_string(column) + ": " + path() +
                                          " is not JSON: " + printable(reason)};
  }

 private:
  [[nodiscard]] std::string path() const {
    std::string out;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const JsonNode& node = *open_[i];
      const bool last = i + 1 == open_.size();
      if (node.kind == JsonKind::array) {
        const std::size_t index = last ? node.elements.size() : node.elements.size() - 1;
        out.append("[").append(std::to_string(index)).append("]");
      } else {
        if (!out.empty()) out += '.';
        out += printable(last ? pending_ : node.names.back());
      }
    }
    return out.empty() ? "the file" : out;
  }

  /// The number that cannot be, if that is what was read last: NaN, Infinity, 1e999.
  [[nodiscard]] std::string not_finite_at(std::size_t position) const {
    constexpr const char* delimiters = ",:[]{} \t\r\n";
    const std::size_t read = std::min(position, text_.size());
    const std::size_t before = read > 0 ? text_.find_last_of(delimiters, read - 1) : text_.npos;
    const std::size_t start = before == text_.npos ? 0 : before + 1;
    const std::string_view word =
        text_.substr(start, text_.find_first_of(delimiters, start) - start);
    std::string_view bare = word;
    if (!bare.empty() && (bare.front() == '-' || bare.front() == '+')) bare.remove_prefix(1);
    std::string lower(bare.substr(0, 9));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "nan" || lower == "inf" || lower == "infinity") return std::string(word);
    double value = 0;
    const auto [last, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool overflow = status == std::errc::result_out_of_range && !word.empty();
    return overflow && last == word.data() + word.size() ? printable(word) : "";
  }

  JsonNode* attach(JsonNode node) {
    if (open_.empty()) {
      state_.root = std::move(node);
      return &state_.root;
    }
    JsonNode& parent = *open_.back();
    if (parent.kind == JsonKind::object) parent.names.push_back(pending_);
    return &parent.elements.emplace_back(std::move(node));
  }

  bool place(JsonNode node) {
    attach(std::move(node));
    return true;
  }
  bool place_number(double value) {
    JsonNode node;
    node.kind = JsonKind::number;
    node.number = value;
    return place(std::move(node));
  }
  bool open(JsonKind kind) {
    if (open_.size() >= deepest) {
      state_.fail(Errc::schema,
                  path() + " is nested too deeply; at most " + std::to_string(deepest) + " levels");
      return false;
    }
    JsonNode node;
    node.kind = kind;
    open_.push_back(attach(std::move(node)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  JsonState& state_;
  std::vector<JsonNode*> open_;  ///< from the root inwards; only the innermost one still grows
  std::string pending_;          ///< the name whose value comes next
};

constexpr std::size_t longest_shown = 60;

void show(const JsonNode& node, std::string& out) {
  if (out.size() > longest_shown) return;
  switch (node.kind) {
    case JsonKind::null:
      out += "null";
      return;
    case JsonKind::boolean:
      out += node.boolean ? "true" : "false";
      return;
    case JsonKind::number: {
      std::array<char, 32> digits{};
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), node.number).ptr;
      out.append(digits.data(), end);
      return;
    }
    case JsonKind::string:
      out.append("\"").append(printable(node.text)).append("\"");
      return;
    case JsonKind::array:
      out += '[';
      for (std::size_t i = 0; i < node.elements.size(); ++i) {
        if (i > 0) out += ", ";
        show(node.elements[i], out);
        if (out.size() > longest_shown) break;
      }
      out += ']';
      return;
    case JsonKind::object:
      out += '{';
      for (std::size_t i = 0; i < node.elements.size(); ++i) {
        if (i > 0) out += ", ";
        out.append("\"").append(printable(node.names[i])).append("\": ");
        show(node.elements[i], out);
        if (out.size() > longest_shown) break;
      }
      out += '}';
      return;
  }
}

}  // namespace

void parse_json(std::string_view text, JsonState& state) {
  TreeBuilder builder(text, state);
  // The parser takes a NUL byte for the end of the text and would not look at what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    builder.fail_with_position(nul + 1, "a NUL byte; write plain text");
    return;
  }
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
}

std::string printable(std::string_view text) {
  std::size_t end = text.size();
  if (end > longest_shown) {
    end = longest_shown;
    const auto continues = [&](std::size_t i) { return (text[i] & '\xc0') == '\x80'; };
    while (end > 0 && continues(end)) --end;
  }
  std::string out(text.substr(0, end));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  if (end < text.size()) out += "...";
  return out;
}

std::string shown(const JsonNode& node) {
  std::string out;
  show(node, out);
  return printable(out);
}

}  // namespace tact::detail
