#include "tact/io/xml_document.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <pugixml.hpp>

#include "tact/io/number_text.hpp"

namespace tact {

namespace {

/// Where the lines of a text begin.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') ends_.push_back(static_cast<std::ptrdiff_t>(i));
  }
  [[nodiscard]] Index at(std::ptrdiff_t offset) const {
    return std::lower_bound(ends_.begin(), ends_.end(), offset) - ends_.begin() + 1;
  }

 private:
  std::vector<std::ptrdiff_t> ends_;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

struct Builder {
  std::shared_ptr<const std::string> file;
  Lines lines;
  std::optional<Error> error;

  /// `depth` of the element itself, the root has 1.
  XmlElement element(const pugi::xml_node& node, int depth) {
    XmlElement out{node.name(),
                   {},
                   {},
                   file,
                   lines.at(node.offset_debug()),
                   std::string(trimmed(node.text().get()))};
    for (const pugi::xml_attribute& a : node.attributes())
      out.attributes.push_back({a.name(), a.value()});
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (depth == deepest_xml && !error)
        error = Error{Errc::parse, concat({place(out), ": elements are nested deeper than ",
                                           std::to_string(deepest_xml), "; flatten the file"})};
      if (error) return out;
      out.children.push_back(element(child, depth + 1));
    }
    return out;
  }
};

}  // namespace

Result<XmlElement> parse_xml(std::string_view text, const std::string& source) {
  const Lines lines(text);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed)
    return Error{Errc::parse,
                 concat({source, ":", std::to_string(lines.at(parsed.offset)),
                         ": this is not XML (", parsed.description(), "); correct it there"})};
  const pugi::xml_node root = document.document_element();
  if (!root) return Error{Errc::parse, concat({source, ": there is no element in this file"})};
  Builder builder{std::make_shared<const std::string>(source), lines, std::nullopt};
  XmlElement tree = builder.element(root, 1);
  if (builder.error) return *builder.error;
  return tree;
}

const std::string* find_attribute(const XmlElement& element, std::string_view name) {
  for (const XmlAttribute& a : element.attributes)
    if (a.name == name) return &a.value;
  return nullptr;
}

std::string place(const XmlElement& element) {
  return concat({element.file ? *element.file : std::string(), ":", std::to_string(element.line)});
}

}  // namespace tact
