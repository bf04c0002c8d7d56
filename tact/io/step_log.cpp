#include "tact/io/step_log.hpp"

#include <algorithm>
#include <istream>
#include <utility>

#include "tact/io/json_reader.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/matrix_json.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/problem_fields.hpp"
#include "tact/io/step_log_csv.hpp"

namespace tact {

using detail::JsonKind;
using detail::JsonNode;
using detail::JsonState;

struct StepLog::State {
  std::istream* in = nullptr;
  std::string source, name;
  std::string text;  ///< of the current line
  Index line = 0;
  Index dof = 0, steps = 0;
  JsonNode header;
  SparseMatrix mass;  ///< of the header; empty when every step has its own
  std::optional<detail::CsvLayout> table;

  [[nodiscard]] std::string place() const { return concat({source, ":", std::to_string(line)}); }
};

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 26;
constexpr Index most_dof = 100000;

const JsonNode* find(const JsonNode& object, std::string_view name) {
  const auto found = std::find(object.names.begin(), object.names.end(), name);
  return found == object.names.end() ? nullptr : &object.elements[found - object.names.begin()];
}

void set(JsonNode& object, std::string_view name, JsonNode value) {
  object.names.emplace_back(name);
  object.elements.push_back(std::move(value));
}

JsonNode number_node(double value) {
  JsonNode node;
  node.kind = JsonKind::number;
  node.number = value;
  return node;
}

JsonNode array_node(std::vector<JsonNode> elements) {
  JsonNode node;
  node.kind = JsonKind::array;
  node.elements = std::move(elements);
  return node;
}

JsonNode object_node() {
  JsonNode node;
  node.kind = JsonKind::object;
  return node;
}

JsonNode zeros(Index size) {
  return array_node(std::vector<JsonNode>(static_cast<std::size_t>(size), number_node(0)));
}

/// A row of zeros, sparse.
JsonNode empty_row(Index size) {
  JsonNode out = object_node();
  set(out, "rows", number_node(1));
  set(out, "cols", number_node(static_cast<double>(size)));
  set(out, "entries", array_node({}));
  return out;
}

/// A diagonal mass, sparse.
JsonNode diagonal(const VecX& inertia) {
  JsonNode out = object_node(), entries = array_node({});
  const auto size = static_cast<double>(inertia.size());
  for (Index i = 0; i < inertia.size(); ++i) {
    const JsonNode at = number_node(static_cast<double>(i));
    entries.elements.push_back(array_node({at, at, number_node(inertia[i])}));
  }
  set(out, "rows", number_node(size));
  set(out, "cols", number_node(size));
  set(out, "entries", std::move(entries));
  return out;
}

/// `inertia` instead of `mass`, checked; empty when it is not there.
VecX read_inertia(const JsonField& root, Index dof) {
  const JsonField inertia = root.optional("inertia");
  if (!inertia.exists()) return {};
  if (root.optional("mass").exists())
    inertia.refuse(Errc::schema, "the mass is given too, keep one of the two");
  VecX out = inertia.numbers(dof, "one inertia per degree of freedom is needed");
  if (dof > 0 && !(out.minCoeff() > 0)) inertia.refuse(Errc::value, "inertias are positive");
  return out;
}

/// The next line that is not blank, without its end. False at the end of the file.
Result<bool> read_line(std::istream& in, std::string& text, Index& line,
                       const std::string& source) {
  std::streambuf* buffer = in.rdbuf();
  while (true) {
    text.clear();
    int c = buffer->sbumpc();
    if (c == std::istream::traits_type::eof()) return false;
    ++line;
    for (; c != '\n' && c != std::istream::traits_type::eof(); c = buffer->sbumpc()) {
      text.push_back(static_cast<char>(c));
      if (text.size() > longest_line)
        return Error{Errc::io, concat({source, ":", std::to_string(line),
                                       ": a line is longer than 64 MiB; write one step a line"})};
    }
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.find_first_not_of(" \t") != text.npos) return true;
  }
}

/// The parser counts lines from one in a text that is one line of ours.
Error placed(Error error, const std::string& place) {
  const std::string doubled = place + ":1:";
  if (error.message.starts_with(doubled))
    error.message = concat({place, ":", error.message.substr(doubled.size())});
  return error;
}

// ---- the header ---------------------------------------------------------------------------------

void check_header_contacts(const JsonField& contacts) {
  std::vector<std::string> names;
  for (const JsonField& contact : contacts.elements("write a list of contacts")) {
    contact.allow_only({"name", "normal", "tangents", "patch", "twist", "excitation", "friction",
                        "restitution", "gap", "gap_slope", "stabilisation", "planar"});
    const JsonField name = contact.required("name", "a contact of the header is found by its name");
    if (std::find(names.begin(), names.end(), name.text()) != names.end())
      name.refuse(Errc::value, "another contact has this name, give each its own");
    names.push_back(name.text());
  }
}

void check_header(const JsonField& root) {
  root.allow_only({"format", "name", "dof", "mass", "inertia", "dt", "contacts"});
  const JsonField format =
      root.required("format", "a log begins with {\"format\": \"tact-log/1\", \"dof\": ...}");
  if (format.text() != log_format) format.refuse(Errc::schema, "write \"tact-log/1\"");
  if (const JsonField f = root.optional("contacts"); f.exists()) check_header_contacts(f);
}

/// What the header says of mass and contacts, as a problem of its own: complaints then stand where
/// the mistake is. Contacts whose rows come with the steps are left to those.
JsonNode header_problem(const JsonNode& header, Index dof) {
  JsonNode root = object_node();
  set(root, "dof", number_node(static_cast<double>(dof)));
  set(root, "velocity", zeros(dof));
  const JsonNode* dt = find(header, "dt");
  set(root, "dt", dt != nullptr ? *dt : number_node(1));
  if (const JsonNode* mass = find(header, "mass")) set(root, "mass", *mass);
  JsonNode contacts = array_node({});
  if (const JsonNode* list = find(header, "contacts"))
    for (const JsonNode& contact : list->elements) {
      const bool rows = find(contact, "normal") != nullptr || find(contact, "patch") != nullptr;
      JsonNode plain = object_node();
      set(plain, "normal", empty_row(dof));
      contacts.elements.push_back(rows ? contact : plain);
    }
  set(root, "contacts", std::move(contacts));
  return root;
}

Result<ProblemFile> read_tree(JsonNode root, const std::string& place) {
  auto state = std::make_unique<JsonState>();
  state->source = place;
  state->root = std::move(root);
  const JsonDocument document(std::move(state));
  ProblemFile file;
  read_problem_fields(document.root(), file);
  if (document.error()) return *document.error();
  return file;
}

struct Header {
  JsonNode tree;
  std::string name;
  Index dof = 0;
  SparseMatrix mass;
  std::vector<Contact> contacts;
  bool all_rows = true;  ///< every contact has its rows here
};

Result<Header> read_header(std::string_view text, const std::string& place) {
  auto state = std::make_unique<JsonState>();
  state->source = place;
  detail::parse_json(text, *state);
  if (state->error) return placed(*state->error, place);
  Header out;
  out.tree = state->root;
  const JsonDocument document(std::move(state));
  const JsonField root = document.root();
  check_header(root);
  out.name = root.optional("name").text();
  out.dof = root.required("dof", "write the number of degrees of freedom")
                .integer(1, most_dof, "dof is a whole number from 1 to 100000");
  const VecX inertia = document.error() ? VecX() : read_inertia(root, out.dof);
  if (const JsonField dt = root.optional("dt"); dt.exists())
    (void)dt.number_above(0, "a time step is positive");
  if (document.error()) return *document.error();
  JsonNode problem = header_problem(out.tree, out.dof);
  if (inertia.size() > 0) set(problem, "mass", diagonal(inertia));
  const auto file = read_tree(std::move(problem), place);
  if (!file) return file.error();
  out.mass = file->problem.mass;
  out.contacts = file->problem.contacts;
  if (const JsonNode* list = find(out.tree, "contacts"))
    for (std::size_t i = 0; i < list->elements.size(); ++i) {
      const JsonNode& contact = list->elements[i];
      out.contacts[i].name = find(contact, "name")->text;
      out.all_rows = out.all_rows && find(contact, "normal") != nullptr;
    }
  return out;
}

// ---- a step -------------------------------------------------------------------------------------

const JsonNode* named_contact(const JsonNode& header, const JsonNode& contact) {
  const JsonNode* list = find(header, "contacts");
  const JsonNode* name = find(contact, "name");
  if (list == nullptr || name == nullptr) return nullptr;
  for (const JsonNode& other : list->elements)
    if (find(other, "name")->text == name->text) return &other;
  return nullptr;
}

/// Puts in what the step leaves out and the header has; the mass, which may be large, apart.
void complete(JsonNode& step, const JsonNode& header, const VecX& inertia, Index dof) {
  const auto add = [&](const char* name) {
    const JsonNode* value = find(header, name);
    if (value != nullptr && find(step, name) == nullptr) set(step, name, *value);
  };
  if (inertia.size() > 0) set(step, "mass", diagonal(inertia));
  for (const char* name : {"dt", "contacts"}) add(name);
  set(step, "dof", number_node(static_cast<double>(dof)));
  const auto at = std::find(step.names.begin(), step.names.end(), "contacts");
  if (at == step.names.end()) return;
  for (JsonNode& contact : step.elements[at - step.names.begin()].elements) {
    if (contact.kind != JsonKind::object) continue;
    const JsonNode* known = named_contact(header, contact);
    if (known == nullptr) continue;
    for (std::size_t i = 0; i < known->names.size(); ++i)
      if (find(contact, known->names[i]) == nullptr)
        set(contact, known->names[i], known->elements[i]);
  }
}

/// The fields of a step that a problem has not.
void read_own_fields(const JsonField& root, LoggedStep& step) {
  root.allow_only({"step", "time", "dt", "mass", "inertia", "velocity", "impulse", "contacts",
                   "outcome", "potential"});
  if (const JsonField f = root.optional("step"); f.exists())
    step.step = f.integer(0, Index{1} << 53, "steps are counted in whole numbers");
  if (const JsonField f = root.optional("time"); f.exists()) step.time = f.number();
  if (const JsonField f = root.optional("potential"); f.exists()) step.potential = f.number();
  (void)root.required("velocity", "write the velocity before the step");
  const JsonField outcome =
      root.required("outcome", "write {\"velocity\": [...], \"impulses\": [[...], ...]}");
  if (outcome.exists())
    (void)outcome.required("impulses", "write one list per contact, in the order of its rows");
}

}  // namespace

StepLog::StepLog(std::unique_ptr<State> state) : state_(std::move(state)) {}
StepLog::~StepLog() = default;
StepLog::StepLog(StepLog&&) noexcept = default;
StepLog& StepLog::operator=(StepLog&&) noexcept = default;

const std::string& StepLog::name() const {
  return state_->name;
}

Index StepLog::dof() const {
  return state_->dof;
}

Result<StepLog> StepLog::open(std::istream& in, std::string source) {
  auto state = std::make_unique<State>();
  State& s = *state;
  s.in = &in;
  s.source = std::move(source);
  const auto first = read_line(in, s.text, s.line, s.source);
  if (!first) return first.error();
  if (!*first)
    return Error{Errc::parse,
                 concat({s.source, ": is empty; a log begins with {\"format\": \"tact-log/1\"}"})};
  const bool csv = s.text.starts_with('#');
  const auto header = read_header(csv ? std::string_view(s.text).substr(1) : s.text, s.place());
  if (!header) return header.error();
  s.name = header->name;
  s.dof = header->dof;
  s.header = header->tree;
  s.mass = header->mass;
  if (!csv) return StepLog(std::move(state));
  if (!header->all_rows)
    return Error{Errc::schema, concat({s.place(),
                                       ": in CSV every contact is a point with its rows in the "
                                       "header; write them, or use JSON lines"})};
  const auto names = read_line(in, s.text, s.line, s.source);
  if (!names) return names.error();
  if (!*names)
    return Error{Errc::schema, concat({s.source,
                                       ": has no columns; name them in the line after "
                                       "the header"})};
  auto table = detail::csv_layout(s.text, header->contacts, s.dof, s.place());
  if (!table) return table.error();
  s.table = *std::move(table);
  if (const JsonNode* list = find(s.header, "contacts"))
    for (std::size_t i = 0; i < list->elements.size(); ++i)
      if (const JsonNode* chi = find(list->elements[i], "excitation"))
        s.table->excitations[i] = *chi;
  return StepLog(std::move(state));
}

Result<bool> StepLog::next(LoggedStep& step) {
  State& s = *state_;
  const auto more = read_line(*s.in, s.text, s.line, s.source);
  if (!more) return more.error();
  if (!*more) return false;
  const std::string place = s.place();
  auto state = std::make_unique<JsonState>();
  state->source = place;
  if (s.table) {
    auto row = detail::csv_step(*s.table, s.text, place);
    if (!row) return row.error();
    state->root = *std::move(row);
  } else {
    detail::parse_json(s.text, *state);
  }
  if (state->error) return placed(*state->error, place);
  JsonState* tree = state.get();
  const JsonDocument document(std::move(state));
  step = LoggedStep{};
  step.line = s.line;
  step.step = s.steps++;
  read_own_fields(document.root(), step);
  if (document.error()) return *document.error();
  const VecX inertia = read_inertia(document.root(), s.dof);
  if (document.error()) return *document.error();
  step.own_mass = inertia.size() > 0 || find(tree->root, "mass") != nullptr;
  complete(tree->root, s.header, inertia, s.dof);
  ProblemFile file;
  read_problem_fields(document.root(), file);
  if (document.error()) return *document.error();
  if (!step.own_mass) file.problem.mass = s.mass;
  if (!file.problem.in_mass_form())
    return Error{
        Errc::schema,
        concat({place, ": mass is missing; write mass or inertia, here or in the header"})};
  if (const auto valid = validate(file.problem); !valid)
    return Error{valid.error().code, concat({place, ": ", valid.error().message})};
  step.problem = std::move(file.problem);
  return true;
}

}  // namespace tact
