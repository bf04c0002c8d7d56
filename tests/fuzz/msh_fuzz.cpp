// Whatever the bytes are, reading an MSH mesh ends in a sound mesh or a cloud of points, or in one
// sentence.
#include "mesh_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tact::fuzz::check_mesh(tact::read_msh(bytes, "fuzz"), tact::fuzz::MayBeCloud::yes);
  return 0;
}
