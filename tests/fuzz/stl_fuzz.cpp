// Whatever the bytes are, reading an STL mesh ends in a sound mesh without equal vertices or in one
// sentence.
#include <algorithm>
#include <tuple>

#include "mesh_check.hpp"

namespace {

bool comes_before(const tact::Vec3& a, const tact::Vec3& b) {
  return std::tie(a[0], a[1], a[2]) < std::tie(b[0], b[1], b[2]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto mesh = tact::read_stl(bytes, "fuzz");
  tact::fuzz::check_mesh(mesh);
  if (!mesh) return 0;
  std::vector<tact::Vec3> vertices = mesh->vertices;
  std::sort(vertices.begin(), vertices.end(), comes_before);
  tact::fuzz::must(std::adjacent_find(vertices.begin(), vertices.end()) == vertices.end());
  return 0;
}
