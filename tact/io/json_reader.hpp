// io/json_reader.hpp - reads JSON files strictly: every complaint names file, path, value and
// remedy.
//
// A reader asks for what it expects, field by field; the first thing that is not as expected is
// kept as the document's error, and everything asked for afterwards is a harmless default. One
// check at the end is enough, and the code of a format reads like its description.
//
// Numbers: a JSON number, or a string that holds an exact rational ("-1/2", "0.1"); both become the
// nearest double. NaN and infinity are refused, also as 1e999.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

namespace detail {
struct JsonNode;
struct JsonState;
}  // namespace detail

/// One value of a document and where it stands. Valid as long as the document.
class JsonField {
 public:
  [[nodiscard]] bool exists() const { return node_ != nullptr; }
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Refuses every field of this object that is not in the list.
  void allow_only(std::initializer_list<std::string_view> known) const;
  [[nodiscard]] JsonField optional(std::string_view name) const;
  /// Refuses the object when the field is not there; `remedy` says what to write.
  [[nodiscard]] JsonField required(std::string_view name, std::string_view remedy) const;
  /// Names of the fields of an object, in the order of the file.
  [[nodiscard]] std::vector<std::string> names() const;

  /// Elements of an array; empty with a complaint when this is none.
  [[nodiscard]] std::vector<JsonField> elements(std::string_view remedy) const;

  /// Finite.
  [[nodiscard]] double number() const;
  /// The same; an exact rational is kept under `place` instead of this field's path.
  [[nodiscard]] double number_kept_as(const std::string& place) const;
  [[nodiscard]] double number_at_least(double least, std::string_view remedy) const;
  [[nodiscard]] double number_above(double bound, std::string_view remedy) const;
  /// Exactly `size` numbers; `what` names them in the complaint: "a wrench is [m_T(2), ...]".
  [[nodiscard]] VecX numbers(Index size, std::string_view what) const;
  [[nodiscard]] std::vector<double> all_numbers(std::string_view what) const;
  [[nodiscard]] MatX matrix(Index rows, Index cols, std::string_view what) const;
  /// A whole number from `least` to `most`.
  [[nodiscard]] Index integer(Index least, Index most, std::string_view remedy) const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::string text() const;
  /// One of a few words; the first one after a complaint.
  [[nodiscard]] std::string word(std::initializer_list<std::string_view> words,
                                 std::string_view what) const;

  /// Keeps "FILE: PATH is VALUE; REMEDY", unless there is an earlier complaint.
  void refuse(Errc code, std::string_view remedy) const;
  /// Keeps "FILE: PATH.name is missing; REMEDY".
  void refuse_missing(std::string_view name, std::string_view remedy) const;

 private:
  friend class JsonDocument;
  JsonField(detail::JsonState* state, const detail::JsonNode* node, std::string path)
      : state_(state), node_(node), path_(std::move(path)) {}
  [[nodiscard]] JsonField child(const detail::JsonNode* node, std::string_view name) const;

  detail::JsonState* state_;
  const detail::JsonNode* node_;  ///< null: absent, or after a complaint
  std::string path_;
};

class JsonDocument {
 public:
  /// `source` is how the file is called in complaints. What is not JSON is an error with line and
  /// column; a name that occurs twice in one object, or nesting deeper than 64, one with its path.
  JsonDocument(std::string_view text, std::string source);
  /// A tree that was parsed, or put together, elsewhere.
  explicit JsonDocument(std::unique_ptr<detail::JsonState> state);
  ~JsonDocument();
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  [[nodiscard]] JsonField root() const;
  /// The first complaint, if any.
  [[nodiscard]] const std::optional<Error>& error() const;
  /// The exact rationals read so far as they were written, each under its path.
  [[nodiscard]] const std::map<std::string, std::string>& exact_numbers() const;

 private:
  std::unique_ptr<detail::JsonState> state_;
};

/// The nearest double of an exact rational: a decimal number, or a fraction of two integers of at
/// most 15 digits (both exact as doubles, so that one division rounds once).
[[nodiscard]] std::optional<double> nearest_double(std::string_view rational);

/// The word of `known` that was probably meant; nothing when none is close.
[[nodiscard]] std::optional<std::string_view> closest_word(
    std::string_view word, std::initializer_list<std::string_view> known);

}  // namespace tact
