// io/xml_document.hpp - an XML text as a tree of plain values that know where they stand.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

struct XmlAttribute {
  std::string name, value;
};

/// Comments and processing instructions are left out.
struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::shared_ptr<const std::string> file;  ///< how its file is called in complaints
  Index line = 0;                           ///< from 1
  std::string text = {};  ///< the first between its tags, without white space at the ends
};

/// Elements may stand in one another this deep: robots are trees of some tens of bodies.
inline constexpr int deepest_xml = 400;

/// The root element. `source` is how the text is called in complaints. What is not XML, is nested
/// deeper than deepest_xml or has no element is an error with its line.
[[nodiscard]] Result<XmlElement> parse_xml(std::string_view text, const std::string& source);

/// The value of an attribute, or null.
[[nodiscard]] const std::string* find_attribute(const XmlElement& element, std::string_view name);

/// "robot.xml:48".
[[nodiscard]] std::string place(const XmlElement& element);

}  // namespace tact
