# Precompiled headers for the builds that only run tests: what every file reads first (Eigen, the
# standard library, GoogleTest) is read once. Off by default: the plain build shows a missing include,
# and clang-tidy does not understand gcc's precompiled headers.
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
