// base/result.hpp - a value, or the reason there is none.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "tact/base/expects.hpp"

namespace tact {

/// What went wrong with *data* (never with the caller's code: see TACT_EXPECTS).
enum class Errc {
  parse,     ///< the text is not what the format says
  schema,    ///< a field is missing, unknown or of the wrong kind
  value,     ///< a number is not finite, not positive, not SPD, ...
  geometry,  ///< a shape without points, without extent where extent is needed, ...
  io,        ///< a file cannot be read or written
};

struct Error {
  Errc code;
  std::string message;  ///< one sentence that names place, value and remedy
};

/// The subset of std::expected<T, Error> that C++20 lacks.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] const T& operator*() const& {
    TACT_EXPECTS(has_value());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& operator*() && {
    TACT_EXPECTS(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] const T* operator->() const { return &**this; }
  [[nodiscard]] const Error& error() const {
    TACT_EXPECTS(!has_value());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace tact
