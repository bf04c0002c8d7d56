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
  # Simulations come with their side-cars. Long files in pieces: compilers limit one literal.
  file(GLOB sims CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/sim/*.xml)
  set(sim_entries "")
  foreach(scene ${sims})
    cmake_path(GET scene STEM name)
    cmake_path(REPLACE_EXTENSION scene .tact.json OUTPUT_VARIABLE side_car)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scene})
    file(READ ${scene} text)
    set(beside "")
    if(EXISTS ${side_car})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${side_car})
      file(READ ${side_car} beside)
    endif()
    string(APPEND sim_entries "    {\"${name}\", R\"scene(${text})scene\", R\"json(${beside})json\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/built_in_scene_texts.cpp CONTENT
"// Generated from scenes/patches and scenes/sim.
#include \"built_in_scenes.hpp\"

namespace tact::app {

std::span<const BuiltInScene> built_in_patches() {
  static constexpr BuiltInScene scenes[] = {
@entries@  };
  return scenes;
}

std::span<const BuiltInSim> built_in_sims() {
  static constexpr BuiltInSim scenes[] = {
@sim_entries@  };
  return scenes;
}

}  // namespace tact::app
" @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/built_in_scene_texts.cpp)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
