# Precompiled headers: what every file reads first (Eigen, the standard library, GoogleTest) is read once.
# Off by default: a build without them shows a missing include (preset sanitize), and clang-tidy does not
# understand gcc's (preset plain). ./run turns them on in the trees it makes.
option(TACT_PRECOMPILE "Precompile the headers that every file includes" OFF)

set(TACT_COMMON_HEADERS <Eigen/Dense> <Eigen/Sparse> <algorithm> <array> <cmath> <functional> <optional> <string>
                        <variant> <vector>)

# A time inside clang's precompiled header would make ccache miss.
function(tact_precompile_options target)
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

function(tact_precompile target)
  if(TACT_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${TACT_COMMON_HEADERS} ${ARGN})
    tact_precompile_options(${target})
  endif()
endfunction()

# tact_precompile_from TARGET FIRST: the same headers as FIRST, which is compiled with the same options.
function(tact_precompile_from target first)
  if(TACT_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${first})
    tact_precompile_options(${target})
  endif()
endfunction()

# Sources compiled together, folder by folder, for the same reason. What a batch may hold is found by reading
# the sources, so a new name is looked at when CMake runs again.
option(TACT_UNITY "Compile sources of one folder together" OFF)
if(TACT_UNITY)
  find_program(TACT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
endif()

# tact_unity TARGET SOURCE...: the sources in as few batches as their names allow.
function(tact_unity target)
  if(NOT TACT_UNITY)
    return()
  endif()
  execute_process(COMMAND ${TACT_PYTHON} -B ${PROJECT_SOURCE_DIR}/tools/batches.py ${ARGN}
                  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                  OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n" "|" batches "${batches}")
  string(REPLACE ";" "," batches "${batches}")
  string(REPLACE "|" ";" batches "${batches}")
  set(number 0)
  foreach(batch IN LISTS batches)
    string(REPLACE "," ";" files "${batch}")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${files} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${number})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A name of one file shadows nothing of the next, and what a source hides stays in it though it is included;
  # the plain build tells what is amiss in a file by itself.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
