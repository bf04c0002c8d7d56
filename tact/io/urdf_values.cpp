#include "tact/io/urdf_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"

namespace tact::detail {

namespace {

constexpr std::string_view white = " \t\r\n";

}  // namespace

const XmlElement* find_child(const XmlElement& element, std::string_view name) {
  for (const XmlElement& child : element.children)
    if (child.name == name) return &child;
  return nullptr;
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
