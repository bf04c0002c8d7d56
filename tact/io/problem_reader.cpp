// The reading half of io/problem_file.hpp.
#include <map>
#include <utility>

#include "tact/io/json_reader.hpp"
#include "tact/io/law_json.hpp"
#include "tact/io/matrix_json.hpp"
#include "tact/io/problem_fields.hpp"
#include "tact/io/problem_file.hpp"
#include "tact/io/problem_summary.hpp"

namespace tact {

namespace {

using Entry = Eigen::Triplet<double, int>;

/// Everything of the mass form that grows with the contacts.
struct RowsSoFar {
  std::vector<Entry> entries;
  std::vector<double> excitation;
  bool any_excitation = false;
  Index count = 0;

  void add(const SparseMatrix& from, Index row, double chi) {
    if (row < from.rows())  // after a complaint there may be fewer
      for (SparseMatrix::InnerIterator it(from, row); it; ++it)
        entries.emplace_back(static_cast<int>(count), static_cast<int>(it.col()), it.value());
    excitation.push_back(chi);
    ++count;
  }
};

double entry(const VecX& v, Index i) {
  return v.size() > i ? v[i] : 0;
}

std::string row_text(const char* what, Index dof) {
  return std::string(what) + " is a row of " + std::to_string(dof) +
         " numbers, one per degree of freedom";
}

void refuse_if_given(const JsonField& parent, std::initializer_list<const char*> names,
                     const char* remedy) {
  for (const char* name : names)
    if (const JsonField f = parent.optional(name); f.exists()) f.refuse(Errc::schema, remedy);
}

// ---- one contact --------------------------------------------------------------------------------

void read_numbers_of(const JsonField& field, double dt, Contact& contact) {
  const auto set = [&](const char* name, double& value, auto&& read) {
    if (const JsonField f = field.optional(name); f.exists()) value = read(f);
  };
  contact.name = field.optional("name").text();
  set("restitution", contact.restitution, [](const JsonField& f) {
    return f.number_at_least(0, "a coefficient of restitution cannot be negative");
  });
  set("gap", contact.gap, [](const JsonField& f) { return f.number(); });
  if (const JsonField slope = field.optional("gap_slope"); slope.exists()) {
    const VecX values = slope.numbers(2, "a slope is [d gap/dx, d gap/dy] over the patch");
    if (!field.optional("patch").exists())
      slope.refuse(Errc::schema, "only the gap of a patch has a slope, leave it out");
    if (values.size() == 2) contact.gap_slope = values;
  }
  set("stabilisation", contact.stabilisation, [](const JsonField& f) {
    const char* remedy = "the share of a penetration taken back lies between 0 and 1";
    const double value = f.number_at_least(0, remedy);
    if (value > 1) f.refuse(Errc::value, remedy);
    return value;
  });
  if (contact.has_gap() && !(dt > 0))
    field.optional(contact.gap != 0 ? "gap" : "gap_slope")
        .refuse(Errc::value,
                "a gap needs the step dt, write \"dt\" or leave the "
                "gap out");
}

void read_point_rows(const JsonField& field, Index dof, GivenRows& given, SparseMatrix& normal,
                     double& normal_excitation) {
  refuse_if_given(field, {"twist"},
                  "only a patch has a twist, write \"patch\" too or give normal "
                  "and tangents");
  normal = read_row(field.required("normal",
                                   "write the row of the normal velocity, or patch and "
                                   "twist"),
                    dof, row_text("a normal", dof));
  given.tangents = SparseMatrix(0, dof);
  if (const JsonField f = field.optional("tangents"); f.exists())
    given.tangents = read_matrix(f, -1, dof, row_text("a tangent", dof));
  const JsonField chi = field.optional("excitation");
  if (!chi.exists()) return;
  chi.allow_only({"normal", "tangents", "twist"});
  refuse_if_given(chi, {"twist"}, "only a patch has a twist, write normal and tangents");
  normal_excitation = chi.optional("normal").number();
  if (const JsonField f = chi.optional("tangents"); f.exists())
    given.tangent_excitation = f.numbers(given.tangents.rows(), "write one number per tangent");
}

void read_patch_rows(const JsonField& field, Index dof, GivenRows& given) {
  refuse_if_given(field, {"normal", "tangents"}, "a patch has the 6 rows of twist instead");
  constexpr const char* order =
      "a twist has 6 rows [w_x, w_y, w_N, v_x, v_y, v_N], each with one "
      "number per degree of freedom";
  given.twist = read_matrix(field.required("twist", order), 6, dof, order);
  const JsonField chi = field.optional("excitation");
  if (!chi.exists()) return;
  chi.allow_only({"normal", "tangents", "twist"});
  refuse_if_given(chi, {"normal", "tangents"}, "a patch has the 6 numbers of twist instead");
  if (const JsonField f = chi.optional("twist"); f.exists())
    given.twist_excitation = f.numbers(6, "the excitation of a patch is 6 numbers");
}

/// One row without a normal load.
SparseMatrix read_bounded_row(const JsonField& field, Index dof, double& excitation) {
  refuse_if_given(field,
                  {"normal", "tangents", "patch", "twist", "friction", "planar", "gap_slope"},
                  "a bounded row is all there is of its contact, leave it out");
  refuse_if_given(field, {"restitution"}, "a bounded row has no normal load, leave it out");
  SparseMatrix row = read_row(field.required("row", "with bounds, write the row that they bound"),
                              dof, row_text("a bounded row", dof));
  static_cast<void>(field.required(
      "bounds", "write [lower, upper], null or \"-inf\" and \"inf\" where there is no bound"));
  if (const JsonField chi = field.optional("excitation"); chi.exists()) {
    chi.allow_only({"row"});
    excitation = chi.optional("row").number();
  }
  return row;
}

void check_planar(const JsonField& field, const Law& law) {
  const JsonField planar = field.optional("planar");
  const Index rows = row_count(law);
  const bool point_friction = rows == 2 || (rows == 3 && !field.optional("patch").exists());
  if (planar.exists() && planar.boolean() != (rows == 2) && point_friction)
    planar.refuse(Errc::value, rows == 2 ? "one tangent makes it planar, leave it out"
                                         : "two tangents make it spatial, leave it out");
  if (planar.exists() && !point_friction && planar.boolean())
    planar.refuse(Errc::value, "only a point with friction is planar, leave it out");
}

void read_contact(const JsonField& field, Index dof, double dt, ProblemFile& file,
                  RowsSoFar& rows) {
  field.allow_only({"name", "normal", "tangents", "patch", "twist", "excitation", "friction",
                    "restitution", "gap", "gap_slope", "stabilisation", "planar", "row", "bounds"});
  Contact contact;
  GivenRows given;
  SparseMatrix normal;
  double normal_excitation = 0;
  const bool is_patch = field.optional("patch").exists();
  const bool is_bounded = field.optional("bounds").exists() || field.optional("row").exists();
  if (is_bounded) {
    normal = read_bounded_row(field, dof, normal_excitation);
    given.tangents = SparseMatrix(0, dof);
  } else if (is_patch) {
    read_patch_rows(field, dof, given);
  } else {
    read_point_rows(field, dof, given, normal, normal_excitation);
  }
  contact.law = read_law(field, given.tangents.rows());
  check_planar(field, contact.law);
  read_numbers_of(field, dt, contact);
  rows.any_excitation = rows.any_excitation || field.optional("excitation").exists();
  const Index count = row_count(contact.law);
  if (is_patch) {
    for (const Index row : {0, 1, 2, 3, 4, 5})
      if (count == 6 || row < 2 || row == 5)
        rows.add(given.twist, row, entry(given.twist_excitation, row));
  } else {
    for (Index row = 0; row + 1 < count; ++row)
      rows.add(given.tangents, row, entry(given.tangent_excitation, row));
    rows.add(normal, 0, normal_excitation);
  }
  file.problem.contacts.push_back(std::move(contact));
  file.given.push_back(std::move(given));
}

// ---- the two forms ------------------------------------------------------------------------------

void read_mass_form(const JsonField& root, ProblemFile& file) {
  ContactProblem& p = file.problem;
  const Index dof = file.dof;
  const std::string size = std::to_string(dof);
  const JsonField mass = root.optional("mass");
  const JsonField velocity = mass.exists() ? root.required("velocity",
                                                           "with a mass, write the velocity "
                                                           "before the step")
                                           : root.optional("velocity");
  const std::string per_dof = "one number per degree of freedom is needed, " + size;
  if (mass.exists()) {
    p.mass =
        read_matrix(mass, dof, dof, "a mass matrix has dof rows of dof numbers, dof is " + size);
    if (!is_symmetric(p.mass))
      mass.refuse(Errc::value, "a mass matrix is symmetric, write one that is");
  }
  if (velocity.exists()) p.velocity = velocity.numbers(dof, per_dof);
  if (const JsonField f = root.optional("impulse"); f.exists()) p.impulse = f.numbers(dof, per_dof);
  RowsSoFar rows;
  const JsonField contacts = root.required("contacts", "write a list, [] when there are none");
  for (const JsonField& contact : contacts.elements("write a list of contacts"))
    read_contact(contact, dof, p.dt, file, rows);
  p.rows = SparseMatrix(rows.count, dof);
  if (dof > 0) p.rows.setFromTriplets(rows.entries.begin(), rows.entries.end());
  if (rows.any_excitation)
    p.excitation = Eigen::Map<const VecX>(rows.excitation.data(), rows.count);
}

void read_delassus_contact(const JsonField& field, ContactProblem& p) {
  field.allow_only({"name", "normal", "tangents", "patch", "twist", "excitation", "friction",
                    "restitution", "gap", "gap_slope", "stabilisation", "planar", "row", "bounds"});
  refuse_if_given(field, {"normal", "tangents", "twist"},
                  "the Delassus form has no rows, leave it out or give mass and velocity");
  refuse_if_given(field, {"excitation"}, "free_velocity already includes it, leave it out");
  refuse_if_given(field, {"row"},
                  "the Delassus form has no rows, leave it out or give mass and velocity");
  if (field.optional("bounds").exists())
    refuse_if_given(field, {"patch", "friction", "planar", "restitution"},
                    "a bounded row has no normal load, leave it out");
  Contact contact;
  const bool planar = field.optional("planar").boolean();
  contact.law = read_law(field, planar ? 1 : 2);
  check_planar(field, contact.law);
  read_numbers_of(field, 1, contact);
  refuse_if_given(field, {"gap_slope"}, "free_velocity already includes it, leave it out");
  for (const char* name : {"restitution", "gap"})
    if (const JsonField f = field.optional(name); f.exists() && f.number() != 0)
      f.refuse(Errc::value, "free_velocity already includes it, leave it out");
  p.contacts.push_back(std::move(contact));
}

void read_delassus_form(const JsonField& root, ContactProblem& p) {
  refuse_if_given(root, {"mass", "velocity", "impulse"},
                  "the file has delassus, give one of the two forms");
  const JsonField contacts = root.required("contacts", "write a list, [] when there are none");
  for (const JsonField& contact : contacts.elements("write a list of contacts"))
    read_delassus_contact(contact, p);
  const Index rows = row_offsets(p.contacts).back();
  const std::string size = std::to_string(rows);
  p.delassus = read_matrix(
      root.optional("delassus"), rows, rows,
      "the contacts have " + size + " rows, so write " + size + " rows of " + size + " numbers");
  p.free_velocity =
      root.required("free_velocity", "with delassus, write the velocities without impulses")
          .numbers(rows, "the contacts have " + size + " rows, so write " + size + " numbers");
}

void read_outcome(const JsonField& field, ProblemFile& file, bool delassus) {
  if (!field.exists()) return;
  field.allow_only({"velocity", "impulses"});
  Outcome& outcome = file.problem.outcome.emplace();
  const JsonField velocity = delassus ? field.optional("velocity")
                                      : field.required("velocity", "write the velocity after");
  if (delassus && velocity.exists())
    velocity.refuse(Errc::schema, "the Delassus form has no velocity, write impulses");
  if (!delassus)
    outcome.velocity = velocity.numbers(
        file.dof, "one number per degree of freedom is needed, " + std::to_string(file.dof));
  const JsonField impulses = delassus ? field.required("impulses", "write one list per contact")
                                      : field.optional("impulses");
  if (!impulses.exists()) return;
  const auto lists = impulses.elements("write one list per contact");
  if (lists.size() != file.problem.contacts.size())
    impulses.refuse(Errc::schema, "write one list per contact, there are " +
                                      std::to_string(file.problem.contacts.size()) + " contacts");
  outcome.impulses.emplace();
  for (std::size_t i = 0; i < lists.size() && i < file.problem.contacts.size(); ++i) {
    const Index rows = row_count(file.problem.contacts[i].law);
    outcome.impulses->push_back(
        lists[i].numbers(rows, "this contact has rows for " + std::to_string(rows) + " numbers"));
  }
}

void read_fields(const JsonField& root, ProblemFile& file) {
  root.allow_only({"format", "name", "dof", "mass", "velocity", "impulse", "dt", "contacts",
                   "delassus", "free_velocity", "outcome"});
  const JsonField format =
      root.required("format", "a problem file begins with {\"format\": \"tact-problem/1\", ...}");
  if (format.text() != problem_format) format.refuse(Errc::schema, "write \"tact-problem/1\"");
  read_problem_fields(root, file);
}

// ---- exact numbers of shapes --------------------------------------------------------------------

/// What stands at `rest` below `patch` in either spelling, in the spelling that is written.
std::string shape_place(const PatchShape& shape, std::string_view rest) {
  constexpr std::string_view kinds[] = {"polygon", "disc",    "ellipse", "segment",
                                        "point",   "stadium", "union"};
  const std::string kind(kinds[shape.value.index()]);
  const std::size_t bracket = std::min(rest.find('['), rest.size());
  if (std::holds_alternative<UnionShape>(shape.value)) return std::string(rest);
  if (std::holds_alternative<PolygonShape>(shape.value) ||
      std::holds_alternative<PointShape>(shape.value))
    return kind + std::string(rest.substr(bracket));
  const std::size_t dot = rest.substr(0, bracket).rfind('.');
  const std::string_view field = dot == rest.npos ? rest : rest.substr(dot + 1);
  if (!std::holds_alternative<SegmentShape>(shape.value)) return kind + "." + std::string(field);
  if (field.starts_with("a[")) return kind + "[0]" + std::string(field.substr(1));
  if (field.starts_with("b[")) return kind + "[1]" + std::string(field.substr(1));
  return kind + std::string(rest.substr(bracket));
}

const PatchShape* shape_of(const Law& law) {
  if (const auto* patch = std::get_if<FrictionlessPatch>(&law)) return &patch->shape;
  if (const auto* patch = std::get_if<FrictionalPatch>(&law)) return &patch->shape;
  return nullptr;
}

ExactNumbers exact_numbers(std::map<std::string, std::string> texts, const ContactProblem& p) {
  if (texts.empty()) return {};
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const PatchShape* shape = shape_of(p.contacts[i].law);
    if (shape == nullptr) continue;
    const std::string patch = "contacts[" + std::to_string(i) + "].patch.";
    std::map<std::string, std::string> renamed;
    for (auto it = texts.lower_bound(patch); it != texts.end() && it->first.starts_with(patch);
         it = texts.erase(it))
      renamed[patch + shape_place(*shape, std::string_view(it->first).substr(patch.size()))] =
          it->second;
    texts.merge(renamed);
  }
  return ExactNumbers(std::move(texts));
}

}  // namespace

void read_problem_fields(const JsonField& root, ProblemFile& file) {
  ContactProblem& p = file.problem;
  p.name = root.optional("name").text();
  const bool delassus = root.optional("delassus").exists();
  const JsonField dof = delassus ? root.optional("dof")
                                 : root.required("dof", "write the number of degrees of freedom");
  file.dof = dof.integer(0, largest_matrix_size, "dof is a whole number from 0 to 1000000");
  if (const JsonField dt = root.optional("dt"); dt.exists())
    p.dt = dt.number_above(0, "a time step is positive");
  if (delassus) {
    read_delassus_form(root, p);
  } else {
    refuse_if_given(root, {"free_velocity"}, "it belongs to delassus, which is not given");
    read_mass_form(root, file);
  }
  read_outcome(root.optional("outcome"), file, delassus);
}

Result<ProblemFile> read_problem_file(std::string_view text, const std::string& source) {
  const JsonDocument document(text, source);
  ProblemFile file;
  read_fields(document.root(), file);
  if (document.error()) return *document.error();
  const bool complete = file.problem.in_mass_form() || file.problem.delassus.rows() > 0;
  if (complete)
    if (const auto valid = validate(file.problem); !valid)
      return Error{valid.error().code, source + ": " + valid.error().message};
  file.exact = exact_numbers(document.exact_numbers(), file.problem);
  return file;
}

}  // namespace tact
