#include "tact/io/fclib_file.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "tact/io/fc3d.hpp"
#include "tact/io/hdf5_image.hpp"

namespace tact {

namespace {

constexpr std::int64_t by_columns = -1, by_rows = -2;

using Entry = Eigen::Triplet<double, int>;

/// A matrix group as it is stored.
struct StoredMatrix {
  std::int64_t m = 0, n = 0, nz = 0;
  std::vector<std::int64_t> p, i;
  VecX x;

  [[nodiscard]] std::int64_t lines() const { return nz == by_columns ? n : m; }
};

/// p of compressed columns or rows runs from zero upwards and not beyond i and x.
bool pointers_fit(const StoredMatrix& s) {
  if (std::ssize(s.p) != s.lines() + 1 || s.p.front() != 0) return false;
  const auto entries = std::min<std::int64_t>(std::ssize(s.i), s.x.size());
  return std::is_sorted(s.p.begin(), s.p.end()) && s.p.back() <= entries;
}

std::vector<Entry> entries_of(const StoredMatrix& s) {
  std::vector<Entry> out;
  const auto add = [&](std::int64_t row, std::int64_t col, std::size_t k) {
    out.emplace_back(static_cast<int>(row), static_cast<int>(col), s.x[static_cast<Index>(k)]);
  };
  if (s.nz >= 0) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.nz); ++k) add(s.i[k], s.p[k], k);
    return out;
  }
  for (std::int64_t line = 0; line < s.lines(); ++line)
    for (auto k = static_cast<std::size_t>(s.p[static_cast<std::size_t>(line)]);
         k < static_cast<std::size_t>(s.p[static_cast<std::size_t>(line) + 1]); ++k)
      s.nz == by_columns ? add(s.i[k], line, k) : add(line, s.i[k], k);
  return out;
}

bool inside(const StoredMatrix& s, const std::vector<Entry>& entries) {
  return std::all_of(entries.begin(), entries.end(), [&](const Entry& e) {
    return e.row() >= 0 && e.row() < s.m && e.col() >= 0 && e.col() < s.n;
  });
}

/// Entries at the same place are added, as the collection's own reader does.
SparseMatrix read_matrix(Hdf5Reader& file, const std::string& group) {
  StoredMatrix s;
  s.m = file.integer(group + "/m");
  s.n = file.integer(group + "/n");
  s.nz = file.integer(group + "/nz");
  s.p = file.integers(group + "/p");
  s.i = file.integers(group + "/i");
  s.x = file.numbers(group + "/x");
  if (file.error()) return {};
  constexpr std::int64_t most = std::int64_t{1} << 26;  // a line of the matrix takes memory
  if (s.m < 0 || s.n < 0 || s.m > most || s.n > most) {
    file.refuse(group + " is " + std::to_string(s.m) + " x " + std::to_string(s.n) +
                "; both sizes lie between 0 and 67108864");
    return {};
  }
  if (s.nz < by_rows) {
    file.refuse(group + "/nz is " + std::to_string(s.nz) +
                "; it is a number of entries, -1 (columns) or -2 (rows)");
    return {};
  }
  const auto lists = std::min({std::ssize(s.i), std::ssize(s.p), std::ptrdiff_t(s.x.size())});
  if (s.nz >= 0 ? s.nz > lists : !pointers_fit(s)) {
    file.refuse(group + " has lists p, i, x that do not fit together; write it again");
    return {};
  }
  const auto narrow = [](std::int64_t k) { return k < 0 || k > std::numeric_limits<int>::max(); };
  const bool wide =
      std::any_of(s.i.begin(), s.i.end(), narrow) || std::any_of(s.p.begin(), s.p.end(), narrow);
  const auto entries = wide ? std::vector<Entry>() : entries_of(s);
  if (wide || !inside(s, entries)) {
    file.refuse(group + " has an entry outside of its " + std::to_string(s.m) + " x " +
                std::to_string(s.n) + " places; indices count from zero");
    return {};
  }
  SparseMatrix out(s.m, s.n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Fc3d read_groups(Hdf5Reader& file) {
  Fc3d out;
  const bool local = file.has("/fclib_local");
  out.global = !local && file.has("/fclib_global");
  if (!local && !out.global) {
    file.refuse("has neither /fclib_local nor /fclib_global; name an FCLIB file");
    return out;
  }
  const std::string top = local ? "/fclib_local" : "/fclib_global";
  for (const char* equality : {"/G", "/V", "/R"})
    if (file.has(top + equality))
      file.refuse(top + equality + " makes equality constraints, which tact does not read; " +
                  "eliminate them first");
  out.dim = file.integer(top + "/spacedim");
  out.name = file.text(top + "/info/title");
  out.M = read_matrix(file, top + (local ? "/W" : "/M"));
  if (out.global) {
    out.H = read_matrix(file, top + "/H");
    out.f = file.numbers(top + "/vectors/f");
  }
  out.b = file.numbers(top + (local ? "/vectors/q" : "/vectors/w"));
  out.mu = file.numbers(top + "/vectors/mu");
  if (file.has("/solution/r")) out.r = file.numbers("/solution/r");
  if (out.global && file.has("/solution/v")) out.v = file.numbers("/solution/v");
  return out;
}

// ---- writing ------------------------------------------------------------------------------------

void write_matrix(Hdf5Writer& file, const std::string& group, const SparseMatrix& m) {
  file.group(group);
  SparseMatrix packed = m;
  packed.makeCompressed();
  const auto count = static_cast<std::size_t>(packed.nonZeros());
  const auto* inner = packed.innerIndexPtr();
  const auto* outer = packed.outerIndexPtr();
  file.integer(group + "/nzmax", static_cast<int>(count));
  file.integer(group + "/m", static_cast<int>(m.rows()));
  file.integer(group + "/n", static_cast<int>(m.cols()));
  file.integer(group + "/nz", static_cast<int>(by_rows));
  file.integers(group + "/p", {outer, outer + m.rows() + 1});
  file.integers(group + "/i", {inner, inner + count});
  file.numbers(group + "/x", packed.valuePtr(), count);
}

void write_vector(Hdf5Writer& file, const std::string& path, const VecX& v) {
  file.numbers(path, v.data(), static_cast<std::size_t>(v.size()));
}

}  // namespace

bool is_hdf5(std::string_view bytes) {
  return bytes.starts_with("\x89HDF\r\n\x1a\n");
}

Result<ContactProblem> read_fclib(std::string_view bytes, const std::string& source) {
  Hdf5Reader file(bytes, source);
  const Fc3d problem = read_groups(file);
  if (file.error()) return *file.error();
  auto out = from_normal_first(problem);
  if (!out) return Error{out.error().code, source + ": " + out.error().message};
  return out;
}

Result<std::string> write_fclib(const ContactProblem& problem) {
  const auto p = normal_first(problem);
  if (!p) return p.error();
  Hdf5Writer file;
  const std::string top = p->global ? "/fclib_global" : "/fclib_local";
  file.group(top);
  file.integer(top + "/spacedim", static_cast<int>(p->dim));
  write_matrix(file, top + (p->global ? "/M" : "/W"), p->M);
  if (p->global) write_matrix(file, top + "/H", p->H);
  file.group(top + "/vectors");
  if (p->global) write_vector(file, top + "/vectors/f", p->f);
  write_vector(file, top + (p->global ? "/vectors/w" : "/vectors/q"), p->b);
  write_vector(file, top + "/vectors/mu", p->mu);
  if (!p->name.empty()) {
    file.group(top + "/info");
    file.text(top + "/info/title", p->name);
  }
  if (p->r.size() > 0) {
    file.group("/solution");
    if (p->global) write_vector(file, "/solution/v", p->v);
    write_vector(file, "/solution/r", p->r);
  }
  auto bytes = file.finish();
  if (!bytes) return Error{Errc::io, "the HDF5 library could not make the file; check the memory"};
  return *std::move(bytes);
}

}  // namespace tact
