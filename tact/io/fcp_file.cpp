#include "tact/io/fcp_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "tact/io/fc3d.hpp"
#include "tact/io/gzip.hpp"
#include "tact/io/json_tree.hpp"

namespace tact {

namespace {

bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Word after word; the first complaint is kept, and everything asked for afterwards is a harmless
/// default.
class Words {
 public:
  Words(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::size_t bytes_left() const { return text_.size() - at_; }

  /// The next word; empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && is_white(text_[at_])) ++at_;
    start_ = at_;
    while (at_ < text_.size() && !is_white(text_[at_])) ++at_;
    return text_.substr(start_, at_ - start_);
  }

  void expect(std::string_view word) {
    if (error_) return;
    const std::string_view found = next();
    if (found != word) refuse(found, "write " + std::string(word));
  }

  std::string_view word(std::string_view field) {
    expect(field);
    if (error_) return {};
    const std::string_view found = next();
    if (found.empty()) refuse(found, "write the value of " + std::string(field));
    return found;
  }

  Index whole(Index least, Index most, const char* what) {
    if (error_) return least;
    const std::string_view found = next();
    Index value = 0;
    const auto [end, status] = std::from_chars(found.data(), found.data() + found.size(), value);
    const bool read = status == std::errc() && end == found.data() + found.size();
    if (read && value >= least && value <= most) return value;
    refuse(found, std::string("write ") + what + ", a whole number from " + std::to_string(least) +
                      " to " + std::to_string(most));
    return least;
  }

  double number() {
    if (error_) return 0;
    std::string_view found = next();
    double value = 0;
    const auto [end, status] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (status == std::errc() && end == found.data() + found.size() && std::isfinite(value))
      return value;
    refuse(found, "write a finite number");
    return 0;
  }

  /// "SOURCE:LINE: "WORD" ...; REMEDY", the word being the one read last.
  void refuse(std::string_view found, const std::string& remedy) {
    const std::string what =
        found.empty() ? "the file ends here" : "found \"" + detail::printable(found) + "\"";
    fail(what + "; " + remedy);
  }
  void fail(const std::string& sentence) {
    if (error_) return;
    const auto line = 1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(start_), '\n');
    error_ = Error{Errc::parse, source_ + ":" + std::to_string(line) + ": " + sentence};
  }

 private:
  std::string_view text_;
  std::string source_;
  std::size_t at_ = 0, start_ = 0;
  std::optional<Error> error_;
};

/// Whether `count` words of `letters` letters and a space can still follow: a header may lie.
bool fits(Words& words, Index count, Index letters, const char* what) {
  if (words.error()) return false;
  const auto room = static_cast<Index>(words.bytes_left()) + 1;
  if (count <= room / (letters + 1)) return true;
  words.fail(std::string(what) + " says " + std::to_string(count) +
             " entries, and the file is too short for them; copy the file again");
  return false;
}

using Entry = Eigen::Triplet<double, int>;

/// A matrix in compressed rows; a place named twice is refused.
SparseMatrix from_entries(Index rows, Index cols, const std::vector<Entry>& entries, Words& words) {
  SparseMatrix out(rows, cols);
  out.setFromTriplets(entries.begin(), entries.end());
  if (out.nonZeros() != std::ssize(entries))
    words.fail("the matrix that ends here has two entries at the same place; keep one of them");
  return out;
}

SparseMatrix read_matrix(Words& words, std::string_view name, Index rows, Index cols) {
  words.expect("matrix");
  words.expect(name);
  const Index given_rows = words.whole(rows, rows, "the number of rows");
  const Index given_cols = words.whole(cols, cols, "the number of columns");
  constexpr Index most = std::numeric_limits<int>::max();
  const Index count = words.whole(0, most, "the number of entries");
  std::vector<Entry> entries;
  if (!fits(words, count, 5, "the matrix")) return {};
  entries.reserve(static_cast<std::size_t>(count));
  for (Index k = 0; k < count && !words.error(); ++k) {
    const Index row = words.whole(0, rows - 1, "a row of the matrix");
    const Index col = words.whole(0, cols - 1, "a column of the matrix");
    entries.emplace_back(static_cast<int>(row), static_cast<int>(col), words.number());
  }
  if (words.error()) return {};
  return from_entries(given_rows, given_cols, entries, words);
}

VecX read_vector(Words& words, std::string_view name, Index size) {
  words.expect("vector");
  words.expect(name);
  const Index count = words.whole(size, size, "the number of values");
  if (!fits(words, count, 1, "the vector")) return {};
  VecX out(count);
  for (double& value : out) value = words.number();
  return out;
}

/// The number of rows that the next matrix says it has, without reading on.
Index rows_ahead(Words words, Index most) {
  words.expect("matrix");
  words.next();
  return words.whole(0, most, "the number of rows");
}

Fc3d read_sections(Words& words) {
  Fc3d out;
  words.expect("fcp");
  words.expect("1");
  out.name = words.word("name");
  const std::string_view form = words.word("form");
  if (form != "local" && form != "global") words.refuse(form, "write local or global");
  out.global = form == "global";
  words.expect("dim");
  out.dim = words.whole(2, 5, "the rows of a contact");
  if (out.dim == 4) words.fail("dim 4 is no dimension of contact; write 2, 3 or 5");
  words.expect("nc");
  const Index most = static_cast<Index>(words.bytes_left()) / 2;
  const Index contacts = words.whole(0, most, "the number of contacts");
  const Index rows = out.dim * contacts;
  // Values follow for every row, so that there are fewer rows than bytes.
  if (!fits(words, rows, 1, "the number of contacts")) return out;
  const Index dof = out.global ? rows_ahead(words, most) : rows;
  out.M = read_matrix(words, "M", dof, dof);
  if (out.global) {
    out.H = read_matrix(words, "H", dof, rows);
    out.f = read_vector(words, "f", dof);
  }
  out.b = read_vector(words, out.global ? "b" : "q", rows);
  out.mu = read_vector(words, "mu", contacts);
  if (out.dim == rolling_dim) out.rolling = read_vector(words, "mur", contacts);
  if (words.error()) return out;
  if (const std::string_view more = words.next(); !more.empty())
    words.refuse(more, "nothing may follow the last vector");
  return out;
}

// ---- writing ------------------------------------------------------------------------------------

void append(std::string& out, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void append_matrix(std::string& out, const char* name, const SparseMatrix& m) {
  out.append("matrix ").append(name);
  for (const Index n : {m.rows(), m.cols(), m.nonZeros()})
    out.append(" ").append(std::to_string(n));
  out += '\n';
  for (Index row = 0; row < m.outerSize(); ++row)
    for (SparseMatrix::InnerIterator it(m, row); it; ++it) {
      out.append(std::to_string(it.row())).append(" ").append(std::to_string(it.col())).append(" ");
      append(out, it.value());
      out += '\n';
    }
}

void append_vector(std::string& out, const char* name, const VecX& v) {
  out.append("vector ").append(name).append(" ").append(std::to_string(v.size())).append("\n");
  for (const double value : v) {
    append(out, value);
    out += '\n';
  }
}

/// A name without white space.
std::string one_word(std::string_view name) {
  std::string out(name.empty() ? "unnamed" : name);
  std::replace_if(out.begin(), out.end(), is_white, '_');
  return out;
}

}  // namespace

bool is_fcp(std::string_view text) {
  Words words(text, "");
  return words.next() == "fcp";
}

Result<ContactProblem> read_fcp(std::string_view bytes, const std::string& source) {
  std::string unpacked;
  if (is_gzip(bytes)) {
    auto text = gunzip(bytes, source);
    if (!text) return text.error();
    unpacked = *std::move(text);
    bytes = unpacked;
  }
  Words words(bytes, source);
  const Fc3d problem = read_sections(words);
  if (words.error()) return *words.error();
  auto out = from_normal_first(problem);
  if (!out) return Error{out.error().code, source + ": " + out.error().message};
  return out;
}

Result<std::string> write_fcp(const ContactProblem& problem) {
  const auto p = normal_first(problem);
  if (!p) return p.error();
  std::string out = "fcp 1\nname " + one_word(p->name) + "\nform " +
                    (p->global ? "global" : "local") + "\ndim " + std::to_string(p->dim) + "\nnc " +
                    std::to_string(p->contact_count()) + "\n";
  append_matrix(out, "M", p->M);
  if (p->global) {
    append_matrix(out, "H", p->H);
    append_vector(out, "f", p->f);
  }
  append_vector(out, p->global ? "b" : "q", p->b);
  append_vector(out, "mu", p->mu);
  return out;
}

}  // namespace tact
