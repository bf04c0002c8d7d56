// io/exact_entries.cpp - from the place of a number in a file to its place in the problem.
#include "tact/io/exact_entries.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace tact {
namespace {

using Field = ExactNumber::Field;

/// `contacts[0].normal[2]` as the word "contacts.normal" and the numbers 0, 2.
struct Place {
  std::string words;
  std::vector<Index> numbers;
};
Place parse(std::string_view text) {
  Place out;
  while (!text.empty()) {
    if (text.front() != '[') {
      out.words += text.front();
      text.remove_prefix(1);
      continue;
    }
    Index value = 0;
    const auto close = text.find(']');
    std::from_chars(text.data() + 1, text.data() + std::min(close, text.size()), value);
    out.numbers.push_back(value);
    text.remove_prefix(std::min(close == std::string_view::npos ? close : close + 1, text.size()));
  }
  return out;
}

struct Home {
  Field field;
  Index i = 0, j = 0;
};

/// The row of a contact, in the order of the problem; nothing when its law has no such row.
std::optional<Index> row_at(const ContactProblem& p, Index contact, const std::string& field,
                            Index k) {
  if (contact < 0 || contact >= static_cast<Index>(p.contacts.size())) return std::nullopt;
  const Law& law = p.contacts[contact].law;
  const Index first = row_offsets(p.contacts)[contact];
  const Index count = row_count(law);
  if (field == "normal" || field == "row") return first + count - 1;
  if (field == "tangents") return k < count - 1 ? std::optional(first + k) : std::nullopt;
  if (count == 6) return k < 6 ? std::optional(first + k) : std::nullopt;
  if (k < 2) return first + k;
  return k == 5 ? std::optional(first + 2) : std::nullopt;
}

std::optional<Home> home_in_contact(const ContactProblem& p, const std::string& field,
                                    const std::vector<Index>& n) {
  static const std::map<std::string, Field> single{{"friction.mu", Field::mu},
                                                   {"restitution", Field::restitution},
                                                   {"gap", Field::gap},
                                                   {"stabilisation", Field::stabilisation}};
  if (const auto it = single.find(field); it != single.end() && n.size() == 1)
    return Home{it->second, n[0]};
  const bool excitation = field.starts_with("excitation.");
  const std::string rows = excitation ? field.substr(std::string("excitation.").size()) : field;
  if (rows != "normal" && rows != "row" && rows != "tangents" && rows != "twist")
    return std::nullopt;
  const std::size_t own = rows == "normal" || rows == "row" ? 1 : 2;
  if (n.size() != own + (excitation ? 0 : 1)) return std::nullopt;
  const auto row = row_at(p, n[0], rows, own == 2 ? n[1] : 0);
  if (!row) return std::nullopt;
  if (excitation) return Home{Field::excitation, *row};
  return Home{Field::rows, *row, n.back()};
}

std::optional<Home> home_of(const ContactProblem& p, const std::string& text) {
  static const std::map<std::string, std::pair<Field, std::size_t>> known{
      {"mass", {Field::mass, 2}},
      {"velocity", {Field::velocity, 1}},
      {"impulse", {Field::impulse, 1}},
      {"delassus", {Field::delassus, 2}},
      {"free_velocity", {Field::free_velocity, 1}},
      {"outcome.velocity", {Field::after, 1}},
      {"dt", {Field::dt, 0}}};
  const Place place = parse(text);
  const std::vector<Index>& n = place.numbers;
  if (const auto it = known.find(place.words); it != known.end()) {
    if (n.size() != it->second.second) return std::nullopt;
    return Home{it->second.first, n.empty() ? 0 : n[0], n.size() < 2 ? 0 : n[1]};
  }
  if (place.words == "outcome.impulses" && n.size() == 2) {
    const auto offset = row_offsets(p.contacts);
    if (n[0] >= static_cast<Index>(p.contacts.size())) return std::nullopt;
    return Home{Field::impulses, offset[n[0]] + n[1]};
  }
  constexpr std::string_view contacts = "contacts.";
  if (!place.words.starts_with(contacts) || n.empty()) return std::nullopt;
  return home_in_contact(p, place.words.substr(contacts.size()), n);
}

}  // namespace

std::vector<ExactNumber> exact_entries(const ProblemFile& file) {
  std::vector<ExactNumber> out;
  for (const auto& [place, text] : file.exact.texts()) {
    const auto home = home_of(file.problem, place);
    const auto value = exact_value(text);
    if (!home || !value) continue;
    out.push_back({home->field, home->i, home->j, value->numerator + "/" + value->denominator});
  }
  return out;
}

}  // namespace tact
