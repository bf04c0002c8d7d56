// Whatever the bytes are, reading a URDF robot ends in a sound scene or in one sentence.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scene_check.hpp"
#include "tact/io/urdf_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool free_base : {false, true}) {
    const auto scene =
        tact::read_urdf_text(text, "fuzz", tact::fuzz::files_in_memory(), {.free_base = free_base});
    tact::fuzz::check_scene(scene);
    if (!scene) tact::fuzz::must(scene.error().message.starts_with("fuzz"));
  }
  return 0;
}
