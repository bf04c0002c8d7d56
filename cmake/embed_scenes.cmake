# Puts scene files into the program as text, so that an installed tact needs no source tree.
function(tact_embed_scenes target)
  file(GLOB scenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/patches/*.json)
  set(entries "")
  foreach(scene ${scenes})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scene})
    cmake_path(GET scene STEM name)
    file(READ ${scene} text)
    string(APPEND entries "    {\"${name}\", R\"json(${text})json\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/built_in_scenes.cpp CONTENT
"// Generated from scenes/patches.
#include \"built_in_scenes.hpp\"

namespace tact::app {

std::span<const BuiltInScene> built_in_patches() {
  static constexpr BuiltInScene scenes[] = {
@entries@  };
  return scenes;
}

}  // namespace tact::app
" @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/built_in_scenes.cpp)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
