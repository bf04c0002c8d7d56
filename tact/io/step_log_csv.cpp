#include "tact/io/step_log_csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "tact/io/csv_line.hpp"
#include "tact/io/number_text.hpp"

namespace tact::detail {

namespace {

using Kind = CsvColumn::Kind;

/// Names of the rows of a point, in their order.
std::vector<std::string> row_names(const Contact& contact) {
  if (std::holds_alternative<BoundedLaw>(contact.law)) return {"row"};
  switch (row_count(contact.law)) {
    case 1:
      return {"n"};
    case 2:
      return {"t", "n"};
    default:
      return {"t1", "t2", "n"};
  }
}

/// Every column there may be.
std::vector<CsvColumn> known_columns(const std::vector<Contact>& contacts, Index dof) {
  std::vector<CsvColumn> out = {{Kind::step, 0, 0, "step", false},
                                {Kind::time, 0, 0, "time", false},
                                {Kind::dt, 0, 0, "dt", false},
                                {Kind::potential, 0, 0, "potential", false}};
  for (Index k = 0; k < dof; ++k) {
    const std::string number = std::to_string(k);
    out.push_back({Kind::velocity, k, 0, concat({"velocity.", number}), true});
    out.push_back({Kind::after, k, 0, concat({"after.", number}), true});
    out.push_back({Kind::impulse, k, 0, concat({"impulse.", number}), false});
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto contact = static_cast<Index>(i);
    const std::string& name = contacts[i].name;
    out.push_back({Kind::gap, contact, 0, concat({name, ".gap"}), false});
    Index row = 0;
    for (const std::string& r : row_names(contacts[i])) {
      out.push_back({Kind::load, contact, row, concat({name, ".", r}), true});
      out.push_back({Kind::excitation, contact, row, concat({name, ".chi.", r}), false});
      ++row;
    }
  }
  return out;
}

/// A name that two columns would have: contacts a and a.chi both have an a.chi.n.
std::optional<std::string> ambiguous_name(const std::vector<CsvColumn>& columns) {
  std::vector<std::string_view> names;
  names.reserve(columns.size());
  for (const CsvColumn& column : columns) names.push_back(column.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return std::nullopt;
  return std::string(*twice);
}

JsonNode number_node(double value) {
  JsonNode node;
  node.kind = JsonKind::number;
  node.number = value;
  return node;
}

JsonNode zeros(Index size) {
  JsonNode node;
  node.kind = JsonKind::array;
  node.elements.assign(static_cast<std::size_t>(size), number_node(0));
  return node;
}

JsonNode object() {
  JsonNode node;
  node.kind = JsonKind::object;
  return node;
}

JsonNode& field(JsonNode& parent, std::string_view name, const JsonNode& initial) {
  const auto found = std::find(parent.names.begin(), parent.names.end(), name);
  if (found != parent.names.end()) return parent.elements[found - parent.names.begin()];
  parent.names.emplace_back(name);
  return parent.elements.emplace_back(initial);
}

/// What a line becomes, while its cells are put in.
struct Assembly {
  JsonNode root = object();
  std::vector<JsonNode> contacts, loads;
};

void put_excitation(const CsvLayout& layout, const CsvColumn& column, double value,
                    JsonNode& contact) {
  const Index tangents = row_count(layout.contacts[column.at].law) - 1;
  JsonNode& chi = field(contact, "excitation", layout.excitations[column.at]);
  // The header may have its numbers in quotes: the node is replaced, not its number.
  if (column.row == tangents) {
    const bool bounded = std::holds_alternative<BoundedLaw>(layout.contacts[column.at].law);
    field(chi, bounded ? "row" : "normal", number_node(0)) = number_node(value);
  } else {
    field(chi, "tangents", zeros(tangents)).elements[column.row] = number_node(value);
  }
}

void put(const CsvLayout& layout, const CsvColumn& column, double value, Assembly& out) {
  switch (column.kind) {
    case Kind::step:
    case Kind::time:
    case Kind::dt:
    case Kind::potential:
      field(out.root, column.name, number_node(value));
      return;
    case Kind::velocity:
      field(out.root, "velocity", zeros(layout.dof)).elements[column.at].number = value;
      return;
    case Kind::impulse:
      field(out.root, "impulse", zeros(layout.dof)).elements[column.at].number = value;
      return;
    case Kind::after:
      field(field(out.root, "outcome", object()), "velocity", zeros(layout.dof))
          .elements[column.at]
          .number = value;
      return;
    case Kind::load:
      out.loads[column.at].elements[column.row].number = value;
      return;
    case Kind::gap:
      field(out.contacts[column.at], "gap", number_node(value));
      return;
    case Kind::excitation:
      put_excitation(layout, column, value, out.contacts[column.at]);
      return;
  }
}

std::optional<double> finite_number(std::string_view text) {
  if (text.starts_with('+')) {  // from_chars has its own sign, a minus only
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [last, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc{} || last != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

Result<CsvLayout> csv_layout(std::string_view names, const std::vector<Contact>& contacts,
                             Index dof, const std::string& place) {
  std::vector<CsvColumn> known = known_columns(contacts, dof);
  if (const auto twice = ambiguous_name(known))
    return Error{Errc::schema,
                 concat({place, ": column ", printable(*twice),
                         " could mean two things; give the contacts of the header other names"})};
  CsvLayout out{{}, contacts, std::vector<JsonNode>(contacts.size(), object()), dof};
  const auto named = [](const std::vector<CsvColumn>& list, std::string_view name) {
    return std::find_if(list.begin(), list.end(),
                        [&](const CsvColumn& c) { return c.name == name; });
  };
  for (const std::string_view name : csv_cells(names)) {
    const auto column = named(known, name);
    if (column == known.end())
      return Error{Errc::schema,
                   concat({place, ": column \"", printable(name),
                           "\" is unknown; columns are step, time, dt, potential, velocity.K, "
                           "after.K, impulse.K and CONTACT.n, .t, .t1, .t2, .gap, .chi.n"})};
    if (named(out.columns, name) != out.columns.end())
      return Error{Errc::schema,
                   concat({place, ": column ", name, " is there twice; keep one of them"})};
    out.columns.push_back(*column);
  }
  for (const CsvColumn& column : known)
    if (column.needed && named(out.columns, column.name) == out.columns.end())
      return Error{Errc::schema,
                   concat({place, ": column ", printable(column.name),
                           " is missing; every degree of freedom has velocity.K and after.K, "
                           "every contact its impulses"})};
  return out;
}

Result<JsonNode> csv_step(const CsvLayout& layout, std::string_view line,
                          const std::string& place) {
  const auto values = csv_cells(line);
  if (values.size() != layout.columns.size())
    return Error{
        Errc::parse,
        concat({place, ": the line has ", std::to_string(values.size()), " cells and the table ",
                std::to_string(layout.columns.size()), " columns; write one number in each"})};
  Assembly out;
  for (const Contact& contact : layout.contacts) {
    JsonNode name;
    name.kind = JsonKind::string;
    name.text = contact.name;
    field(out.contacts.emplace_back(object()), "name", name);
    out.loads.push_back(zeros(row_count(contact.law)));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = finite_number(values[i]);
    if (!value)
      return Error{Errc::value, concat({place, ": ", printable(layout.columns[i].name), " is \"",
                                        printable(values[i]), "\"; write a finite number"})};
    put(layout, layout.columns[i], *value, out);
  }
  JsonNode list;
  list.kind = JsonKind::array;
  list.elements = std::move(out.contacts);
  field(out.root, "contacts", list);
  list.elements = std::move(out.loads);
  field(field(out.root, "outcome", object()), "impulses", list);
  return std::move(out.root);
}

}  // namespace tact::detail
