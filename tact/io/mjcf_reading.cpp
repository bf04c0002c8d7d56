#include "tact/io/mjcf_reading.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string in_quotes(std::string_view value) {
  return concat({"\"", detail::printable(value), "\""});
}

}  // namespace

void Notes::add(const XmlElement& at, std::string_view one, std::string_view many) {
  for (Line& line : lines_)
    if (line.one == one) {
      ++line.count;
      return;
    }
  lines_.push_back({place(at), std::string(one), std::string(many), 1});
}

void Notes::attribute(const XmlElement& at, std::string_view kind, std::string_view name) {
  const std::string shown = detail::printable(name);
  add(at, concat({kind, " attribute ", shown, " is not modelled"}),
      concat({kind, " attributes ", shown, " are not modelled"}));
}

std::vector<std::string> Notes::lines() const {
  std::vector<std::string> out;
  out.reserve(lines_.size());
  for (const Line& line : lines_)
    out.push_back(concat({line.place, ": ", std::to_string(line.count), " ",
                          line.count == 1 ? line.one : line.many}));
  return out;
}

void Reading::refuse(const XmlElement& at, Errc code, std::string_view sentence) {
  if (!error) error = Error{code, concat({place(at), ": ", sentence})};
}

bool has(const Settings& settings, std::string_view name) {
  return find_text(settings, name) != nullptr;
}

const std::string* find_text(const Settings& settings, std::string_view name) {
  for (auto layer = settings.layers.rbegin(); layer != settings.layers.rend(); ++layer)
    if (const std::string* value = find_attribute(**layer, name)) return value;
  return nullptr;
}

std::string text(const Settings& settings, std::string_view name, std::string_view otherwise) {
  const std::string* value = find_text(settings, name);
  return value ? *value : std::string(otherwise);
}

std::vector<double> numbers(Reading& r, const XmlElement& at, const XmlAttribute& a) {
  std::vector<double> out;
  const char* here = a.value.data();
  const char* const end = here + a.value.size();
  while (true) {
    while (here != end && blank(*here)) ++here;
    if (here == end) return out;
    if (*here == '+') ++here;
    double value = 0;
    const auto [next, status] = std::from_chars(here, end, value);
    const bool tiny = status == std::errc::result_out_of_range && next != here;
    const bool ends = next == end || blank(*next);
    if ((status != std::errc{} && !tiny) || !ends || !std::isfinite(value)) {
      r.refuse(at, Errc::value,
               concat({a.name, " of <", at.name, "> is ", in_quotes(a.value),
                       "; write finite numbers with blanks between them"}));
      return out;
    }
    out.push_back(value);
    here = next;
  }
}

namespace {

const XmlAttribute* find(const XmlElement& element, std::string_view name) {
  const auto it = std::find_if(element.attributes.begin(), element.attributes.end(),
                               [&](const XmlAttribute& a) { return a.name == name; });
  return it == element.attributes.end() ? nullptr : &*it;
}

}  // namespace

std::vector<double> list(Reading& r, const Settings& settings, std::string_view name) {
  for (auto layer = settings.layers.rbegin(); layer != settings.layers.rend(); ++layer)
    if (const XmlAttribute* a = find(**layer, name)) return numbers(r, **layer, *a);
  return {};
}

Index overlay(Reading& r, const Settings& settings, std::string_view name, std::span<double> values,
              Index least) {
  Index most = 0;
  for (const XmlElement* layer : settings.layers) {
    const XmlAttribute* a = find(*layer, name);
    if (!a) continue;
    const std::vector<double> given = numbers(r, *layer, *a);
    const Index count = static_cast<Index>(given.size());
    if (r.error) return most;
    if (count < least || given.size() > values.size()) {
      const std::string from = std::to_string(least), to = std::to_string(values.size());
      r.refuse(*layer, Errc::schema,
               concat({a->name, " of <", layer->name, "> has ", std::to_string(count),
                       " numbers; write ", from, from == to ? "" : concat({" to ", to})}));
      return most;
    }
    std::copy(given.begin(), given.end(), values.begin());
    most = std::max(most, count);
  }
  return most;
}

double leading(Reading& r, const Settings& settings, std::string_view name) {
  const std::vector<double> values = list(r, settings, name);
  if (values.empty()) return 0;
  if (std::any_of(values.begin() + 1, values.end(), [](double v) { return v != 0; }))
    r.notes.add(settings.element(), concat({name, " of higher order is not modelled"}),
                concat({name, "s of higher order are not modelled"}));
  return values.front();
}

double number(Reading& r, const Settings& settings, std::string_view name, double otherwise) {
  overlay(r, settings, name, {&otherwise, 1});
  return otherwise;
}

int integer(Reading& r, const Settings& settings, std::string_view name, int otherwise) {
  const double value = number(r, settings, name, otherwise);
  constexpr double most = std::numeric_limits<int>::max();
  if (value == std::floor(value) && std::abs(value) <= most) return static_cast<int>(value);
  // The collision masks are bit patterns that some files write as unsigned numbers.
  if (value == std::floor(value) && value > most && value <= 2 * most + 1)
    return static_cast<int>(static_cast<std::uint32_t>(value));
  r.refuse(settings.element(), Errc::value,
           concat({name, " of <", settings.element().name, "> is ", short_number(value),
                   "; write a whole number"}));
  return otherwise;
}

Vec3 vec3(Reading& r, const Settings& settings, std::string_view name, const Vec3& otherwise) {
  Vec3 value = otherwise;
  overlay(r, settings, name, {value.data(), 3}, 3);
  return value;
}

Index word(Reading& r, const Settings& settings, std::string_view name,
           std::span<const std::string_view> words, Index otherwise) {
  const std::string* value = find_text(settings, name);
  if (!value) return otherwise;
  const auto it = std::find(words.begin(), words.end(), *value);
  if (it != words.end()) return it - words.begin();
  std::string choice;
  for (const std::string_view w : words) choice += concat({choice.empty() ? "" : ", ", w});
  r.refuse(settings.element(), Errc::schema,
           concat({name, " of <", settings.element().name, "> is ", in_quotes(*value),
                   "; write one of ", choice}));
  return otherwise;
}

bool boolean(Reading& r, const Settings& settings, std::string_view name, bool otherwise) {
  constexpr std::string_view words[] = {"false", "true"};
  return word(r, settings, name, words, otherwise ? 1 : 0) == 1;
}

bool limited(Reading& r, const Settings& settings, std::string_view flag, std::string_view range,
             bool autolimits) {
  constexpr std::string_view words[] = {"false", "true", "auto"};
  const Index choice = word(r, settings, flag, words, 2);
  if (choice < 2) return choice == 1;
  Vec2 ends = Vec2::Zero();
  overlay(r, settings, range, {ends.data(), 2}, 2);
  return autolimits && ends[0] != ends[1];
}

}  // namespace tact::mjcf
