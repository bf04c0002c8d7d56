# The library: one folder a floor, one translation unit a room (docs/architecture.md).
file(GLOB TACT_SOURCES CONFIGURE_DEPENDS tact/*/*.cpp)
list(FILTER TACT_SOURCES EXCLUDE REGEX "_test\\.cpp$")
file(GLOB TACT_HEADERS CONFIGURE_DEPENDS tact/*.hpp tact/*/*.hpp)
# A header whose source includes it first (tools/check_files.py) is seen to stand alone by compiling that
# source; the others are compiled once each by the target all_verify_interface_header_sets.
set(TACT_HEADER_ONLY ${TACT_HEADERS})
list(TRANSFORM TACT_SOURCES REPLACE "\\.cpp$" ".hpp" OUTPUT_VARIABLE with_source)
list(REMOVE_ITEM TACT_HEADER_ONLY ${with_source})
list(REMOVE_ITEM TACT_HEADERS ${TACT_HEADER_ONLY})
configure_file(cmake/version_info.hpp.in ${CMAKE_CURRENT_BINARY_DIR}/generated/tact/base/version_info.hpp)

add_library(tact ${TACT_SOURCES})
add_library(tact::tact ALIAS tact)
target_compile_features(tact PUBLIC cxx_std_20)
target_sources(tact PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR} FILES ${TACT_HEADERS}
                    FILE_SET header_only TYPE HEADERS BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR} FILES ${TACT_HEADER_ONLY})
target_include_directories(tact PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_link_libraries(tact PUBLIC Eigen3::Eigen
                      PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> ZLIB::ZLIB pugixml::pugixml Qhull::qhull_r
                              TactHDF5::hdf5 TactGMP::gmp)
tact_warnings(tact)
tact_determinism(tact)
# One archive for programs and for the Python module. Without interposition gcc inlines as it does without PIC.
set_target_properties(tact PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(tact PRIVATE -fno-semantic-interposition)
tact_precompile(tact <nlohmann/json.hpp>)
tact_unity(tact ${TACT_SOURCES})
set_target_properties(tact PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY header_only)
