#include "tact/io/urdf_xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <pugixml.hpp>

#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"

namespace tact::detail {

namespace {

constexpr std::string_view white = " \t\r\n";

/// Where lines begin, so that the line of a place is a search and not a count.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') ends_.push_back(static_cast<std::ptrdiff_t>(i));
  }
  [[nodiscard]] Index at(std::ptrdiff_t offset) const {
    return 1 + (std::lower_bound(ends_.begin(), ends_.end(), offset) - ends_.begin());
  }

 private:
  std::vector<std::ptrdiff_t> ends_;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// False where the elements lie too deep.
bool copy(const pugi::xml_node& from, const Lines& lines, int room, XmlElement& to) {
  to.name = from.name();
  to.line = lines.at(from.offset_debug());
  to.text = trimmed(from.text().get());
  for (const pugi::xml_attribute& attribute : from.attributes())
    to.attributes.emplace_back(attribute.name(), attribute.value());
  if (room == 0) return false;
  for (const pugi::xml_node& child : from.children())
    if (child.type() == pugi::node_element &&
        !copy(child, lines, room - 1, to.children.emplace_back()))
      return false;
  return true;
}

Error at_line(const std::string& source, Index line, std::string_view sentence) {
  return {Errc::parse, concat({source, ":", std::to_string(line), ": ", sentence})};
}

}  // namespace

const std::string* find_attribute(const XmlElement& element, std::string_view name) {
  for (const auto& [key, value] : element.attributes)
    if (key == name) return &value;
  return nullptr;
}

const XmlElement* find_child(const XmlElement& element, std::string_view name) {
  for (const XmlElement& child : element.children)
    if (child.name == name) return &child;
  return nullptr;
}

Result<XmlElement> parse_xml(std::string_view text, const std::string& source) {
  constexpr int deepest = 100;
  const Lines lines(text);
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    return at_line(source, lines.at(static_cast<std::ptrdiff_t>(zero)),
                   "there is a zero byte; write the file as UTF-8 text");
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed)
    return at_line(source, lines.at(parsed.offset),
                   concat({"this is not XML (", parsed.description(), "); correct it here"}));
  XmlElement root;
  if (!copy(document.document_element(), lines, deepest, root))
    return at_line(source, root.line,
                   concat({"the elements are nested too deeply; at most ", std::to_string(deepest),
                           " levels"}));
  return root;
}

std::optional<std::vector<double>> xml_numbers(std::string_view text) {
  std::vector<double> out;
  std::size_t at = text.find_first_not_of(white);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(white, at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    double value = 0;
    const auto [last, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool read = status == std::errc() && last == word.data() + word.size();
    if (!read || !std::isfinite(value)) return std::nullopt;
    out.push_back(value);
    at = text.find_first_not_of(white, end);
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

void XmlValues::fail(const XmlElement& at, std::string_view sentence) {
  if (error_) return;
  error_ = Error{Errc::schema, concat({source_, ":", std::to_string(at.line), ": <",
                                       printable(at.name), "> ", one_line(sentence)})};
}

std::string XmlValues::text(const XmlElement& element, std::string_view attribute) {
  if (const std::string* found = find_attribute(element, attribute)) return *found;
  fail(element, concat({"has no ", attribute, "; give it one"}));
  return {};
}

std::vector<double> XmlValues::numbers(const XmlElement& element, std::string_view attribute,
                                       std::size_t count) {
  const std::string written = text(element, attribute);
  if (error_) return std::vector<double>(count, 0);
  std::optional<std::vector<double>> found = xml_numbers(written);
  if (found && found->size() == count) return *std::move(found);
  fail(element, concat({attribute, " is \"", printable(written), "\"; write ",
                        count == 1 ? "a finite number" : "three finite numbers"}));
  return std::vector<double>(count, 0);
}

double XmlValues::number(const XmlElement& element, std::string_view attribute) {
  return numbers(element, attribute, 1)[0];
}

double XmlValues::number(const XmlElement& element, std::string_view attribute, double otherwise) {
  return find_attribute(element, attribute) ? number(element, attribute) : otherwise;
}

Vec3 XmlValues::vector(const XmlElement& element, std::string_view attribute) {
  const std::vector<double> found = numbers(element, attribute, 3);
  return {found[0], found[1], found[2]};
}

Vec3 XmlValues::vector(const XmlElement& element, std::string_view attribute,
                       const Vec3& otherwise) {
  return find_attribute(element, attribute) ? vector(element, attribute) : otherwise;
}

double XmlValues::positive(const XmlElement& element, std::string_view attribute) {
  const double value = number(element, attribute);
  if (!(value > 0))
    fail(element, concat({attribute, " is ", text(element, attribute), "; it must be positive"}));
  return value;
}

double XmlValues::not_negative(const XmlElement& element, std::string_view attribute,
                               double otherwise) {
  const double value = number(element, attribute, otherwise);
  if (value < 0)
    fail(element,
         concat({attribute, " is ", text(element, attribute), "; it must not be negative"}));
  return value;
}

}  // namespace tact::detail
