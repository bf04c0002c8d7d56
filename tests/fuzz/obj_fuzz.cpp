// Whatever the bytes are, reading an OBJ mesh ends in a sound mesh or in one sentence.
#include "mesh_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tact::fuzz::check_mesh(tact::read_obj(bytes, "fuzz"));
  return 0;
}
