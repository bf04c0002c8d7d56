#include "tact/io/problem_summary.hpp"

#include <map>
#include <string_view>

#include "tact/base/tolerance.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

namespace {

std::string counted(Index count, std::string_view one, std::string_view many) {
  return concat({std::to_string(count), " ", count == 1 ? one : many});
}

double largest_entry(const SparseMatrix& m) {
  double largest = 0;
  for (Index row = 0; row < m.outerSize(); ++row)
    for (SparseMatrix::InnerIterator it(m, row); it; ++it)
      largest = std::max(largest, std::abs(it.value()));
  return largest;
}

std::string matrix_text(std::string_view name, const SparseMatrix& m) {
  return concat({", ", name, " ", std::to_string(m.rows()), " x ", std::to_string(m.cols()),
                 is_symmetric(m) ? " symmetric" : " not symmetric", " with ",
                 counted(m.nonZeros(), "entry", "entries")});
}

std::string laws_text(const std::vector<Contact>& contacts) {
  std::map<std::string_view, Index> counts;
  for (const Contact& contact : contacts) ++counts[name(contact.law)];
  std::string out;
  for (const auto& [law, count] : counts)
    out += concat({out.empty() ? " (" : ", ", std::to_string(count), " ", law});
  return out.empty() ? out : out + ")";
}

Index tangent_count(const std::vector<GivenRows>& given) {
  Index count = 0;
  for (const GivenRows& rows : given) count += rows.tangents.rows();
  return count;
}

}  // namespace

bool is_symmetric(const SparseMatrix& m) {
  if (m.rows() != m.cols()) return false;
  const SparseMatrix transposed = m.transpose();
  const SparseMatrix skew = m - transposed;
  return largest_entry(skew) <= tolerance::symmetry * largest_entry(m);
}

std::string summary(const ProblemFile& file) {
  const ContactProblem& p = file.problem;
  const bool delassus = p.delassus.rows() > 0;
  std::string out = p.name.empty() ? "" : p.name + ": ";
  out += counted(std::ssize(p.contacts), "contact", "contacts") + laws_text(p.contacts);
  if (!delassus) out += ", " + counted(p.rows.cols(), "degree of freedom", "degrees of freedom");
  out += ", " + counted(row_offsets(p.contacts).back(), "row", "rows");
  if (!delassus && tangent_count(file.given) > 0)
    out += ", " + counted(tangent_count(file.given), "tangent", "tangents");
  if (delassus) out += matrix_text("Delassus matrix", p.delassus);
  if (p.mass.rows() > 0) out += matrix_text("mass", p.mass);
  if (!delassus && p.mass.rows() == 0) out += ", no mass";
  if (p.outcome) out += ", outcome";
  const auto exact = std::ssize(file.exact.texts());
  if (exact > 0) out += ", " + counted(exact, "exact number", "exact numbers");
  return out;
}

}  // namespace tact
