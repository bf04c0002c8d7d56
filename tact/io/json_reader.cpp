#include "tact/io/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "tact/io/json_tree.hpp"

namespace tact {

using detail::JsonKind;
using detail::JsonNode;

// ---- one value ----------------------------------------------------------------------------------

namespace {

std::string join(std::string_view path, std::string_view name) {
  if (path.empty()) return std::string(name);
  return std::string(path) + "." + std::string(name);
}

std::string list_of(std::initializer_list<std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) {
    if (!list.empty()) list += ", ";
    list += word;
  }
  return list;
}

/// Edits (insert, remove, replace, swap of neighbours count one each) from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({replaced, row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

std::optional<double> decimal(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const bool starts_well =
      !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
  if (!starts_well) return std::nullopt;
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> short_integer(std::string_view text) {
  constexpr std::size_t exact_digits = 15;
  const std::string_view digits =
      !text.empty() && (text.front() == '-' || text.front() == '+') ? text.substr(1) : text;
  if (digits.empty() || digits.size() > exact_digits) return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return decimal(text);
}

}  // namespace

std::optional<double> nearest_double(std::string_view rational) {
  const std::size_t slash = rational.find('/');
  if (slash == std::string_view::npos) return decimal(rational);
  const auto above = short_integer(rational.substr(0, slash));
  const auto below = short_integer(rational.substr(slash + 1));
  if (!above || !below || *below <= 0) return std::nullopt;
  return *above / *below;
}

std::optional<std::string_view> closest_word(std::string_view word,
                                             std::initializer_list<std::string_view> known) {
  constexpr std::size_t longest = 64;
  if (word.size() > longest) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t edits = edit_distance(word, candidate);
    if (edits >= least || edits >= candidate.size()) continue;
    least = edits;
    best = candidate;
  }
  return best;
}

bool JsonField::is_object() const {
  return exists() && node_->kind == JsonKind::object;
}
bool JsonField::is_array() const {
  return exists() && node_->kind == JsonKind::array;
}
bool JsonField::is_string() const {
  return exists() && node_->kind == JsonKind::string;
}

bool JsonField::is_null() const {
  return exists() && node_->kind == JsonKind::null;
}

void JsonField::refuse(Errc code, std::string_view remedy) const {
  if (!exists() || state_->error) return;
  const std::string where = path_.empty() ? "the file" : path_;
  state_->fail(code, where + " is " + detail::shown(*node_) + "; " + std::string(remedy));
}

void JsonField::refuse_missing(std::string_view name, std::string_view remedy) const {
  if (!exists() || state_->error) return;
  state_->fail(Errc::schema, join(path_, name) + " is missing; " + std::string(remedy));
}

JsonField JsonField::child(const JsonNode* node, std::string_view name) const {
  return {state_, state_->error ? nullptr : node, join(path_, name)};
}

void JsonField::allow_only(std::initializer_list<std::string_view> known) const {
  if (!exists()) return;
  const std::string whole = path_.empty() ? "the file" : path_;
  if (!is_object())
    return refuse(Errc::schema, "write an object with the fields " + list_of(known));
  for (std::size_t i = 0; i < node_->names.size(); ++i) {
    const std::string& name = node_->names[i];
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string remedy = whole + " has no such field";
    if (const auto meant = closest_word(name, known))
      remedy += ", did you mean \"" + std::string(*meant) + "\"?";
    return child(&node_->elements[i], detail::printable(name))
        .refuse(Errc::schema, remedy + " (known fields: " + list_of(known) + ")");
  }
}

JsonField JsonField::optional(std::string_view name) const {
  if (is_object())
    for (std::size_t i = 0; i < node_->names.size(); ++i)
      if (node_->names[i] == name) return child(&node_->elements[i], name);
  return child(nullptr, name);
}

JsonField JsonField::required(std::string_view name, std::string_view remedy) const {
  JsonField field = optional(name);
  if (!field.exists()) refuse_missing(name, remedy);
  return field;
}

std::vector<std::string> JsonField::names() const {
  return is_object() ? node_->names : std::vector<std::string>{};
}

std::vector<JsonField> JsonField::elements(std::string_view remedy) const {
  std::vector<JsonField> out;
  if (!exists()) return out;
  if (!is_array()) {
    refuse(Errc::schema, remedy);
    return out;
  }
  for (std::size_t i = 0; i < node_->elements.size(); ++i)
    out.push_back({state_, state_->error ? nullptr : &node_->elements[i],
                   path_ + "[" + std::to_string(i) + "]"});
  return out;
}

double JsonField::number() const {
  return number_kept_as(path_);
}

double JsonField::number_kept_as(const std::string& place) const {
  if (!exists()) return 0;
  if (node_->kind == JsonKind::number) return node_->number;
  const auto value = is_string() ? nearest_double(node_->text) : std::nullopt;
  if (value) {
    state_->exact[place] = node_->text;
    return *value;
  }
  refuse(Errc::value,
         "write a finite number such as 0.5, or an exact fraction in quotes such as \"1/2\"");
  return 0;
}

double JsonField::number_at_least(double least, std::string_view remedy) const {
  const double value = number();
  if (value >= least) return value;
  refuse(Errc::value, remedy);
  return least;
}

double JsonField::number_above(double bound, std::string_view remedy) const {
  const double value = number();
  if (!(value > bound)) refuse(Errc::value, remedy);
  return value;
}

std::vector<double> JsonField::all_numbers(std::string_view what) const {
  std::vector<double> out;
  for (const JsonField& element : elements(what)) out.push_back(element.number());
  return out;
}

VecX JsonField::numbers(Index size, std::string_view what) const {
  VecX out = VecX::Zero(size);
  if (is_array() && std::ssize(node_->elements) != size) {
    const auto has = std::to_string(node_->elements.size());
    refuse(Errc::schema, std::string(what) + ", and this has " + has);
    return out;
  }
  Index i = 0;
  for (const JsonField& element : elements(what)) out[i++] = element.number();
  return out;
}

MatX JsonField::matrix(Index rows, Index cols, std::string_view what) const {
  MatX out = MatX::Zero(rows, cols);
  if (is_array() && std::ssize(node_->elements) != rows) {
    refuse(Errc::schema, what);
    return out;
  }
  Index i = 0;
  for (const JsonField& row : elements(what)) out.row(i++) = row.numbers(cols, what).transpose();
  return out;
}

Index JsonField::integer(Index least, Index most, std::string_view remedy) const {
  if (!exists()) return least;
  const bool whole = node_->kind == JsonKind::number && std::trunc(node_->number) == node_->number;
  if (whole && node_->number >= double(least) && node_->number <= double(most))
    return static_cast<Index>(node_->number);
  refuse(Errc::value, remedy);
  return least;
}

bool JsonField::boolean() const {
  if (!exists()) return false;
  if (node_->kind == JsonKind::boolean) return node_->boolean;
  refuse(Errc::schema, "write true or false");
  return false;
}

std::string JsonField::text() const {
  if (!exists()) return {};
  if (is_string()) return node_->text;
  refuse(Errc::schema, "write a text in quotes");
  return {};
}

std::string JsonField::word(std::initializer_list<std::string_view> words,
                            std::string_view what) const {
  const auto known = [&](std::string_view w) {
    return std::find(words.begin(), words.end(), w) != words.end();
  };
  if (is_string() && known(node_->text)) return node_->text;
  if (exists()) refuse(Errc::schema, std::string(what) + " is one of " + list_of(words));
  return std::string(*words.begin());
}

// ---- the document -------------------------------------------------------------------------------

JsonDocument::JsonDocument(std::string_view text, std::string source)
    : state_(std::make_unique<detail::JsonState>()) {
  state_->source = std::move(source);
  detail::parse_json(text, *state_);
}
JsonDocument::JsonDocument(std::unique_ptr<detail::JsonState> state) : state_(std::move(state)) {}
JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;

JsonField JsonDocument::root() const {
  return {state_.get(), state_->error ? nullptr : &state_->root, ""};
}

const std::optional<Error>& JsonDocument::error() const {
  return state_->error;
}

const std::map<std::string, std::string>& JsonDocument::exact_numbers() const {
  return state_->exact;
}

}  // namespace tact
