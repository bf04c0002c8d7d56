// io/urdf_values.hpp - what the attributes of a URDF element say, with complaints that name its
// line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/io/xml_document.hpp"
#include "tact/linalg/types.hpp"

namespace tact::detail {

/// The first child of that name, or null.
[[nodiscard]] const XmlElement* find_child(const XmlElement& element, std::string_view name);

/// Numbers between white space, all finite; nothing where one is not.
[[nodiscard]] std::optional<std::vector<double>> xml_numbers(std::string_view text);

/// Without control characters: what files say may go into a sentence of one line.
[[nodiscard]] std::string one_line(std::string_view text);

/// Asks for values; the first complaint is kept, and everything asked for afterwards is a harmless
/// default.
class XmlValues {
 public:
  explicit XmlValues(std::string source) : source_(std::move(source)) {}

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] const std::string& source() const { return source_; }

  /// "SOURCE:LINE: <ELEMENT> SENTENCE".
  void fail(const XmlElement& at, std::string_view sentence);

  /// The attribute must be there unless a value stands for it.
  std::string text(const XmlElement& element, std::string_view attribute);
  double number(const XmlElement& element, std::string_view attribute);
  double number(const XmlElement& element, std::string_view attribute, double otherwise);
  Vec3 vector(const XmlElement& element, std::string_view attribute);
  Vec3 vector(const XmlElement& element, std::string_view attribute, const Vec3& otherwise);

  /// The same, above zero, or not below it.
  double positive(const XmlElement& element, std::string_view attribute);
  double not_negative(const XmlElement& element, std::string_view attribute, double otherwise);

 private:
  std::vector<double> numbers(const XmlElement& element, std::string_view attribute,
                              std::size_t count);

  std::string source_;
  std::optional<Error> error_;
};

}  // namespace tact::detail
