// Whatever the bytes are, reading an MJCF scene ends in a sound scene or in one sentence.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scene_check.hpp"
#include "tact/io/scene_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tact::fuzz::check_scene(tact::read_mjcf_text(text, "fuzz", tact::fuzz::files_in_memory()));
  return 0;
}
