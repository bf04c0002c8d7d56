#include "tact/io/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <vector>

#include "tact/io/file.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

namespace {

using Triangle = std::array<int, 3>;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_word(std::string_view found, std::string_view word) {
  return std::equal(found.begin(), found.end(), word.begin(), word.end(),
                    [](char a, char b) { return lower(a) == b; });
}

/// The words of a text, line by line or across lines, and the first complaint about them.
class MeshText {
 public:
  MeshText(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t word_start() const { return start_; }

  /// The next word of this line; empty at its end. A backslash at the end of a line joins the next.
  std::string_view word_in_line() {
    while (at_ < text_.size() && skips_blank()) {
    }
    start_ = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n' && joint() == 0) ++at_;
    return text_.substr(start_, at_ - start_);
  }
  /// The next word of this line or a later one; empty at the end of the text.
  std::string_view word() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) ++at_;
    start_ = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n') ++at_;
    return text_.substr(start_, at_ - start_);
  }

  /// To the next line of the text, joined or not.
  void leave_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
  }
  /// To the next line, past those that a backslash joins to this one.
  void leave_statement() {
    while (!word_in_line().empty()) {
    }
    leave_line();
  }

  double number(std::string_view found) {
    std::string_view digits = found;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [last, status] = std::from_chars(digits.data(), end, value);
    if (status == std::errc() && last == end && std::isfinite(value)) return value;
    fail(start_, found, "write a finite number");
    return 0;
  }

  /// "NAME:LINE: found "WORD"; REMEDY".
  void fail(std::size_t at, std::string_view found, std::string_view remedy) {
    if (error_) return;
    const std::string shown = detail::printable(found);
    const auto line = 1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at), '\n');
    const std::string place = found.empty()
                                  ? at >= text_.size() ? "the file ends here" : "the line ends here"
                                  : concat({"found \"", shown, "\""});
    error_ =
        Error{Errc::parse, concat({name_, ":", std::to_string(line), ": ", place, "; ", remedy})};
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || (c >= '\v' && c <= '\r'); }

  /// Length of the backslash and line end here, 0 where there is none.
  [[nodiscard]] std::size_t joint() const {
    if (text_[at_] != '\\') return 0;
    const std::string_view rest = text_.substr(at_ + 1, 2);
    if (rest.starts_with('\n')) return 2;
    return rest == "\r\n" ? 3 : 0;
  }
  bool skips_blank() {
    const std::size_t step = is_blank(text_[at_]) ? 1 : joint();
    at_ += step;
    return step > 0;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, start_ = 0;
  std::optional<Error> error_;
};

// ---- OBJ

/// A corner as the file has it; it may name a vertex that comes later.
struct ObjCorner {
  std::int64_t vertex = 0;  ///< from zero
  std::size_t at = 0;       ///< where it stands in the text
};

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name)
      : text_(text), words_(text, name), name_(name) {}

  Result<TriangleMesh> read() {
    while (!words_.at_end() && !words_.error()) statement();
    if (words_.error()) return *words_.error();
    if (mesh_.triangles.empty())
      return Error{Errc::geometry,
                   concat({name_, ": there is no face in it; export a mesh with faces"})};
    if (furthest_.vertex >= std::ssize(mesh_.vertices)) return beyond(furthest_);
    return std::move(mesh_);
  }

 private:
  void statement() {
    const std::string_view keyword = words_.word_in_line();
    // A comment ends with its line: a path in it may end with a backslash.
    if (keyword.starts_with('#')) return words_.leave_line();
    if (keyword == "v") vertex();
    if (keyword == "f") face();
    words_.leave_statement();
  }

  void vertex() {
    Vec3 point;
    for (double& x : point) x = words_.number(words_.word_in_line());
    mesh_.vertices.push_back(point);
  }

  void face() {
    int corners = 0;
    Triangle triangle{};
    for (std::string_view word = words_.word_in_line(); !word.empty() && !word.starts_with('#');
         word = words_.word_in_line()) {
      const int index = corner(word);
      if (words_.error()) return;
      triangle[std::min(corners, 2)] = index;
      if (++corners < 3) continue;
      mesh_.triangles.push_back(triangle);
      triangle[1] = index;
    }
    if (corners < 3)
      words_.fail(words_.word_start(), "", "a face has three corners or more, name them all");
  }

  /// v, v/vt, v//vn or v/vt/vn; only v counts.
  int corner(std::string_view word) {
    std::int64_t index = 0;
    const char* const end = word.data() + word.size();
    const auto [last, status] = std::from_chars(word.data(), end, index);
    const bool read = status == std::errc() && index != 0 && (last == end || *last == '/');
    const std::int64_t vertex = index > 0 ? index - 1 : index + std::ssize(mesh_.vertices);
    if (!read || vertex < 0 || vertex >= std::numeric_limits<int>::max()) {
      words_.fail(words_.word_start(), word,
                  "write a corner v, v/vt, v//vn or v/vt/vn whose v is the number of a vertex "
                  "from 1, or from -1 counted back");
      return 0;
    }
    if (vertex > furthest_.vertex) furthest_ = {vertex, words_.word_start()};
    return static_cast<int>(vertex);
  }

  [[nodiscard]] Error beyond(const ObjCorner& corner) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(corner.at), '\n');
    return {Errc::value, concat({name_, ":", std::to_string(line), ": a face names vertex ",
                                 std::to_string(corner.vertex + 1), ", and the file has ",
                                 std::to_string(mesh_.vertices.size()),
                                 "; correct the number or add the vertices"})};
  }

  std::string_view text_;
  MeshText words_;
  const std::string& name_;
  TriangleMesh mesh_;
  ObjCorner furthest_;
};

// ---- STL

/// Vertices in the order of their first use, one for each point: a table of open addresses.
class Weld {
 public:
  explicit Weld(std::size_t corners) : slots_(std::bit_ceil(2 * corners + 16), -1) {}

  int vertex(const Vec3& corner, std::vector<Vec3>& vertices) {
    const Vec3 point = corner.array() + 0.0;  // minus zero becomes zero
    if (2 * vertices.size() >= slots_.size()) grow(vertices);
    const std::size_t slot = find(point, vertices);
    if (slots_[slot] < 0) {
      slots_[slot] = static_cast<int>(vertices.size());
      vertices.push_back(point);
    }
    return slots_[slot];
  }

 private:
  [[nodiscard]] std::size_t find(const Vec3& point, const std::vector<Vec3>& vertices) const {
    std::uint64_t hash = 0;
    for (const double x : point) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] >= 0 && vertices[slots_[slot]] != point)
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow(const std::vector<Vec3>& vertices) {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      slots_[find(vertices[i], vertices)] = static_cast<int>(i);
  }

  std::vector<int> slots_;
};

Error no_triangles(const std::string& name) {
  return {Errc::geometry, concat({name, ": there is no triangle in it; export a mesh with faces"})};
}

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  static_assert(std::endian::native == std::endian::little, "these files are little-endian");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

Error at_byte(const std::string& name, std::size_t at, std::string_view sentence) {
  return {Errc::parse, concat({name, ": byte ", std::to_string(at), ": ", sentence})};
}

Error not_finite(const std::string& name, std::size_t at, double value) {
  return {Errc::value, concat({name, ": byte ", std::to_string(at), ": a coordinate is ",
                               std::isnan(value) ? "nan" : "infinite",
                               "; export the mesh again with finite numbers"})};
}

/// Three floats, or the place of the first that is not finite.
std::optional<std::size_t> read_point(std::string_view bytes, std::size_t at, Vec3& point) {
  for (int k = 0; k < 3; ++k) {
    point[k] = static_cast<double>(number_at<float>(bytes, at + 4 * static_cast<std::size_t>(k)));
    if (!std::isfinite(point[k])) return at + 4 * static_cast<std::size_t>(k);
  }
  return std::nullopt;
}

constexpr std::size_t stl_header = 84, stl_triangle = 50;

Result<TriangleMesh> read_binary_stl(std::string_view bytes, const std::string& name) {
  if (bytes.size() < stl_header)
    return at_byte(name, bytes.size(),
                   "the file ends within the header of 84 bytes of a binary STL; copy it again");
  const std::size_t count = number_at<std::uint32_t>(bytes, 80);
  const std::size_t size = stl_header + stl_triangle * count;
  // A few bytes more than said is what some programs leave; a triangle more is a count that lies.
  if (bytes.size() < size || bytes.size() >= size + stl_triangle)
    return at_byte(name, 80,
                   concat({"the count of ", std::to_string(count), " triangles needs ",
                           std::to_string(size), " bytes, and the file has ",
                           std::to_string(bytes.size()), "; copy or export it again"}));
  if (count == 0) return no_triangles(name);
  TriangleMesh mesh;
  mesh.triangles.reserve(count);
  Weld weld(count / 2);  // a closed mesh has half as many vertices as triangles
  for (std::size_t i = 0; i < count; ++i) {
    Triangle triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 point = Vec3::Zero();  // or gcc is not sure of it
      if (const auto at = read_point(bytes, stl_header + stl_triangle * i + 12 * (k + 1), point))
        return not_finite(name, *at, static_cast<double>(number_at<float>(bytes, *at)));
      triangle[k] = weld.vertex(point, mesh.vertices);
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

class AsciiStlReader {
 public:
  AsciiStlReader(std::string_view text, const std::string& name)
      : words_(text, name), name_(name), weld_(text.size() / 512) {}

  Result<TriangleMesh> read() {
    while (!words_.error()) {
      const std::string_view word = words_.word();
      if (word.empty()) break;
      if (is_word(word, "solid"))
        solid();
      else
        words_.fail(words_.word_start(), word, "write solid");
    }
    if (words_.error()) return *words_.error();
    if (mesh_.triangles.empty()) return no_triangles(name_);
    return std::move(mesh_);
  }

 private:
  void solid() {
    words_.leave_line();  // the name
    while (!words_.error()) {
      const std::string_view word = words_.word();
      if (is_word(word, "endsolid")) return words_.leave_line();
      if (is_word(word, "facet"))
        facet();
      else
        words_.fail(words_.word_start(), word, "write facet or endsolid");
    }
  }

  void facet() {
    expect("normal");
    for (int k = 0; k < 3; ++k) words_.word();
    expect("outer");
    expect("loop");
    Triangle triangle{};
    for (int& corner : triangle) {
      expect("vertex");
      Vec3 point;
      for (double& x : point) x = words_.number(words_.word());
      if (words_.error()) return;
      corner = weld_.vertex(point, mesh_.vertices);
    }
    expect("endloop");
    expect("endfacet");
    mesh_.triangles.push_back(triangle);
  }

  void expect(std::string_view keyword) {
    if (words_.error()) return;
    const std::string_view found = words_.word();
    if (!is_word(found, keyword))
      words_.fail(words_.word_start(), found, concat({"write ", keyword}));
  }

  MeshText words_;
  const std::string& name_;
  Weld weld_;
  TriangleMesh mesh_;
};

/// Both kinds may begin with "solid". A binary header or its count has a zero byte (a count without
/// one means 16 million triangles), a text has none.
bool is_ascii_stl(std::string_view bytes) {
  constexpr std::string_view white = " \t\r\n\v\f";
  const std::size_t start = bytes.find_first_not_of(white);
  if (start == std::string_view::npos || !is_word(bytes.substr(start, 5), "solid")) return false;
  if (bytes.size() < stl_header) return true;
  const std::size_t count = number_at<std::uint32_t>(bytes, 80);
  if (bytes.size() == stl_header + stl_triangle * count) return false;
  return bytes.substr(0, stl_header).find('\0') == std::string_view::npos;
}

/// The extension in small letters, with its dot.
std::string extension(const std::string& name) {
  std::string out = std::filesystem::path(name).extension().string();
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

}  // namespace

Result<TriangleMesh> read_obj(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // a mark of UTF-8
  return ObjReader(bytes, name).read();
}

Result<TriangleMesh> read_stl(std::string_view bytes, const std::string& name) {
  if (is_ascii_stl(bytes)) return AsciiStlReader(bytes, name).read();
  return read_binary_stl(bytes, name);
}

Result<TriangleMesh> read_msh(std::string_view bytes, const std::string& name) {
  constexpr std::size_t header = 16;
  if (bytes.size() < header)
    return at_byte(name, bytes.size(),
                   "the file ends within its header of four counts; copy it again");
  constexpr std::array<const char*, 4> what{"vertices", "normals", "texture coordinates", "faces"};
  constexpr std::array<std::size_t, 4> numbers{3, 3, 2, 3};
  std::array<std::size_t, 4> count{};
  std::size_t size = header;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto said = number_at<std::int32_t>(bytes, 4 * i);
    if (said < 0 || (i == 0 && said == 0))
      return at_byte(name, 4 * i,
                     concat({"the number of ", what[i], " is ", std::to_string(said),
                             "; export a mesh with ", what[i], " in MuJoCo's MSH format"}));
    count[i] = static_cast<std::size_t>(said);
    size += 4 * numbers[i] * count[i];
  }
  if (bytes.size() != size)
    return at_byte(
        name, 0,
        concat({"the four counts say a file of ", std::to_string(size), " bytes, and this one has ",
                std::to_string(bytes.size()), "; copy or export it again"}));

  TriangleMesh mesh;
  mesh.vertices.resize(count[0]);
  for (std::size_t i = 0; i < count[0]; ++i)
    if (const auto at = read_point(bytes, header + 12 * i, mesh.vertices[i]))
      return not_finite(name, *at, static_cast<double>(number_at<float>(bytes, *at)));
  mesh.triangles.resize(count[3]);
  const std::size_t faces = size - 12 * count[3];
  for (std::size_t i = 0; i < 3 * count[3]; ++i) {
    const auto vertex = number_at<std::int32_t>(bytes, faces + 4 * i);
    if (vertex < 0 || static_cast<std::size_t>(vertex) >= count[0])
      return at_byte(
          name, faces + 4 * i,
          concat({"a face names vertex ", std::to_string(vertex), ", and they go from 0 to ",
                  std::to_string(count[0] - 1), "; export the mesh again"}));
    mesh.triangles[i / 3][i % 3] = vertex;
  }
  return mesh;
}

Result<TriangleMesh> read_mesh(std::string_view bytes, const std::string& name) {
  const std::string kind = extension(name);
  if (kind == ".obj") return read_obj(bytes, name);
  if (kind == ".stl") return read_stl(bytes, name);
  if (kind == ".msh") return read_msh(bytes, name);
  return Error{Errc::io, concat({name, ": meshes of kind \"", detail::printable(kind),
                                 "\" are not read; convert it to .obj or .stl"})};
}

bool is_mesh_name(const std::string& name) {
  const std::string kind = extension(name);
  return kind == ".obj" || kind == ".stl" || kind == ".msh";
}

Result<TriangleMesh> read_mesh_file(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return read_mesh(*bytes, path);
}

}  // namespace tact
