// io/urdf_xml.hpp - an XML text as plain elements that know their lines, and their values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact::detail {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;  ///< name and value
  std::vector<XmlElement> children;
  std::string text;  ///< of the element itself, without white space at its ends
  Index line = 1;    ///< of its name
};

/// Null where there is none; the first where there are several.
[[nodiscard]] const std::string* find_attribute(const XmlElement& element, std::string_view name);
[[nodiscard]] const XmlElement* find_child(const XmlElement& element, std::string_view name);

/// The root element of a text in UTF-8, at most 100 elements deep.
[[nodiscard]] Result<XmlElement> parse_xml(std::string_view text, const std::string& source);

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
