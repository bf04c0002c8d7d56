// Whatever the bytes are, reading a scene ends in a scene or in one sentence, without a look at the
// disk: the text may include itself, and finds one mesh and one side-car. A scene that was read has
// a start that is finite and a place in `meshes` for every geom drawn from one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tact/io/scene_file.hpp"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const tact::FileReader files{
      [](const std::string& path) { return path == "s.xml" || path == "m.obj"; },
      [&](const std::string& path) -> tact::Result<std::string> {
        if (path == "s.xml") return text;
        return std::string(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
      }};
  const auto scene = tact::read_mjcf_text(text, "s.xml", files);
  if (!scene) {
    must(!scene.error().message.empty());
    return 0;
  }
  const tact::Model& model = scene->model;
  must(tact::initial_state(model).qpos.allFinite());
  must(scene->geom_mesh.size() == model.geoms.size());
  for (const tact::Index mesh : scene->geom_mesh)
    must(mesh < static_cast<tact::Index>(scene->meshes.size()));
  must(scene->key_driven.size() == model.keyframes.size());
  return 0;
}
