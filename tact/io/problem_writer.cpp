// The writing half of io/problem_file.hpp.
#include <nlohmann/json.hpp>

#include "tact/io/json_reader.hpp"
#include "tact/io/json_text.hpp"
#include "tact/io/law_json.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/problem_file.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

/// Writes matrices, with exact numbers where they were given.
struct MatrixWriter {
  const ExactNumbers* exact;

  [[nodiscard]] Json number(const std::string& place, double value) const {
    if (exact->texts().empty()) return value;
    const auto text = exact->text(place);
    return text && nearest_double(*text) == value ? Json(std::string(*text)) : Json(value);
  }
  /// A matrix, or with `is_row` the one row of it.
  [[nodiscard]] Json write(const std::string& place, const SparseMatrix& m, bool is_row) const {
    constexpr Index small = 64;
    const Index size = m.rows() * m.cols();
    return size > small && 3 * m.nonZeros() < size ? sparse_form(place, m, is_row)
                                                   : dense_form(m, is_row);
  }

 private:
  [[nodiscard]] Json sparse_form(const std::string& place, const SparseMatrix& m,
                                 bool is_row) const {
    Json entries = Json::array();
    for (Index row = 0; row < m.outerSize(); ++row)
      for (SparseMatrix::InnerIterator it(m, row); it; ++it) {
        const std::string column = std::to_string(it.col());
        const std::string at = exact->texts().empty() ? std::string()
                               : is_row
                                   ? concat({place, "[", column, "]"})
                                   : concat({place, "[", std::to_string(row), "][", column, "]"});
        entries.push_back(Json::array({it.row(), it.col(), number(at, it.value())}));
      }
    return {{"rows", m.rows()}, {"cols", m.cols()}, {"entries", std::move(entries)}};
  }
  /// Exact numbers are put in at the end, where the place is a path of the document.
  [[nodiscard]] static Json dense_form(const SparseMatrix& m, bool is_row) {
    Json rows = Json::array();
    for (Index row = 0; row < m.rows(); ++row) {
      std::vector<double> line(static_cast<std::size_t>(m.cols()), 0.0);
      for (SparseMatrix::InnerIterator it(m, row); it; ++it)
        line[static_cast<std::size_t>(it.col())] = it.value();
      rows.push_back(line);
    }
    return is_row ? rows.at(0) : rows;
  }
};

Json vector_json(const VecX& v) {
  return Json(std::vector<double>(v.begin(), v.end()));
}

/// Rows of a contact for the file.
class ContactWriter {
 public:
  ContactWriter(const ProblemFile& file, const MatrixWriter& matrices)
      : file_(file), matrices_(matrices), offsets_(row_offsets(file.problem.contacts)) {}

  [[nodiscard]] Json write(std::size_t i) const {
    const ContactProblem& p = file_.problem;
    const Contact& contact = p.contacts[i];
    Json out = Json::object();
    if (!contact.name.empty()) out["name"] = contact.name;
    const std::string patch = law_patch_json(contact.law);
    if (!patch.empty()) out["patch"] = Json::parse(patch);
    if (p.delassus.rows() == 0) {
      add_rows(i, patch, out);
    } else if (row_count(contact.law) == 2) {
      out["planar"] = true;
    }
    if (const std::string bounds = bounds_json(contact.law); !bounds.empty())
      out["bounds"] = Json::parse(bounds);
    const std::string friction = friction_json(contact.law);
    if (!friction.empty()) out["friction"] = Json::parse(friction);
    // Restitution is of no account at a bounded row, and no field of it.
    if (contact.restitution != 0 && !std::holds_alternative<BoundedLaw>(contact.law))
      out["restitution"] = contact.restitution;
    if (contact.gap != 0) out["gap"] = contact.gap;
    if (!contact.gap_slope.isZero(0))
      out["gap_slope"] = {contact.gap_slope[0], contact.gap_slope[1]};
    if (contact.stabilisation != 0) out["stabilisation"] = contact.stabilisation;
    return out;
  }

 private:
  [[nodiscard]] std::string place(std::size_t i, const char* field) const {
    return "contacts[" + std::to_string(i) + "]." + field;
  }
  [[nodiscard]] SparseMatrix block(Index first, Index count) const {
    return file_.problem.rows.middleRows(first, count);
  }
  [[nodiscard]] VecX excitation(Index first, Index count) const {
    const VecX& chi = file_.problem.excitation;
    return chi.size() > 0 ? VecX(chi.segment(first, count)) : VecX(VecX::Zero(count));
  }
  [[nodiscard]] const GivenRows* given(std::size_t i) const {
    return i < file_.given.size() ? &file_.given[i] : nullptr;
  }

  void add_rows(std::size_t i, const std::string& patch, Json& out) const {
    if (std::holds_alternative<BoundedLaw>(file_.problem.contacts[i].law))
      add_bounded_row(i, out);
    else if (patch.empty())
      add_point_rows(i, out);
    else
      add_patch_rows(i, out);
  }

  void add_bounded_row(std::size_t i, Json& out) const {
    out["row"] = matrices_.write(place(i, "row"), block(offsets_[i], 1), true);
    if (file_.problem.excitation.size() > 0)
      out["excitation"]["row"] = excitation(offsets_[i], 1)[0];
  }

  void add_point_rows(std::size_t i, Json& out) const {
    const Index first = offsets_[i], count = offsets_[i + 1] - first;
    out["normal"] = matrices_.write(place(i, "normal"), block(first + count - 1, 1), true);
    SparseMatrix tangents = block(first, count - 1);
    VecX chi = excitation(first, count - 1);
    const GivenRows* unused = count == 1 ? given(i) : nullptr;
    if (unused != nullptr) {
      tangents = unused->tangents;
      chi = unused->tangent_excitation;
    }
    if (tangents.rows() > 0)
      out["tangents"] = matrices_.write(place(i, "tangents"), tangents, false);
    if (file_.problem.excitation.size() == 0) return;
    out["excitation"]["normal"] = excitation(first + count - 1, 1)[0];
    if (chi.size() > 0) out["excitation"]["tangents"] = vector_json(chi);
  }

  /// All six rows; those that a patch without friction does not use are as given, or zero.
  void add_patch_rows(std::size_t i, Json& out) const {
    const Index first = offsets_[i], count = offsets_[i + 1] - first;
    const GivenRows* from = given(i);
    MatX twist = MatX::Zero(6, file_.problem.rows.cols());
    VecX chi = VecX::Zero(6);
    if (from != nullptr && from->twist.rows() == 6) twist = MatX(from->twist);
    if (from != nullptr && from->twist_excitation.size() == 6) chi = from->twist_excitation;
    const MatX used = MatX(block(first, count));
    const VecX used_chi = excitation(first, count);
    for (Index k = 0; k < count; ++k) {
      const Index row = count == 3 && k == 2 ? 5 : k;
      twist.row(row) = used.row(k);
      chi[row] = used_chi[k];
    }
    out["twist"] = matrices_.write(place(i, "twist"), sparse(twist), false);
    if (file_.problem.excitation.size() > 0) out["excitation"]["twist"] = vector_json(chi);
  }

  const ProblemFile& file_;
  const MatrixWriter& matrices_;
  std::vector<Index> offsets_;
};

Json outcome_json(const Outcome& outcome, bool delassus) {
  Json out = Json::object();
  if (!delassus) out["velocity"] = vector_json(outcome.velocity);
  if (!outcome.impulses) return out;
  out["impulses"] = Json::array();
  for (const VecX& impulse : *outcome.impulses) out["impulses"].push_back(vector_json(impulse));
  return out;
}

/// Numbers that were given exactly are written the way they were.
void put_exact(const ExactNumbers& exact, const MatrixWriter& matrices, Json& out) {
  for (const auto& [place, text] : exact.texts()) {
    std::string pointer = "/";
    for (const char c : place)
      if (c != ']') pointer += c == '.' || c == '[' ? '/' : c;
    const Json::json_pointer at(pointer);
    if (out.contains(at) && out[at].is_number())
      out[at] = matrices.number(place, out[at].get<double>());
  }
}

void add_matrices(const ProblemFile& file, const MatrixWriter& matrices, Json& out) {
  const ContactProblem& p = file.problem;
  if (p.mass.rows() > 0) out["mass"] = matrices.write("mass", p.mass, false);
  if (p.mass.rows() > 0 || p.velocity.size() > 0) out["velocity"] = vector_json(p.velocity);
  if (p.impulse.size() > 0) out["impulse"] = vector_json(p.impulse);
}

}  // namespace

ProblemFile problem_file(ContactProblem problem) {
  ProblemFile file;
  file.dof = problem.rows.cols();
  file.problem = std::move(problem);
  return file;
}

std::string write_problem_file(const ProblemFile& file) {
  const ContactProblem& p = file.problem;
  const MatrixWriter matrices{&file.exact};
  const bool delassus = p.delassus.rows() > 0;
  Json out = {{"format", std::string(problem_format)}};
  if (!p.name.empty()) out["name"] = p.name;
  if (!delassus || file.dof > 0) out["dof"] = delassus ? file.dof : p.rows.cols();
  if (p.dt > 0) out["dt"] = p.dt;
  if (!delassus) add_matrices(file, matrices, out);
  out["contacts"] = Json::array();
  const ContactWriter contacts(file, matrices);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) out["contacts"].push_back(contacts.write(i));
  if (delassus) {
    out["delassus"] = matrices.write("delassus", p.delassus, false);
    out["free_velocity"] = vector_json(p.free_velocity);
  }
  if (p.outcome) out["outcome"] = outcome_json(*p.outcome, delassus);
  put_exact(file.exact, matrices, out);
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tact
