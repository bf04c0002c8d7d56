# GMP with its C++ interface as TactGMP::gmpxx.
find_path(TACT_GMP_INCLUDE_DIR gmpxx.h)
find_library(TACT_GMP_LIBRARY gmp)
find_library(TACT_GMPXX_LIBRARY gmpxx)
mark_as_advanced(TACT_GMP_INCLUDE_DIR TACT_GMP_LIBRARY TACT_GMPXX_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TactGMP DEFAULT_MSG TACT_GMP_LIBRARY TACT_GMPXX_LIBRARY TACT_GMP_INCLUDE_DIR)
if(TactGMP_FOUND AND NOT TARGET TactGMP::gmpxx)
  add_library(TactGMP::gmpxx UNKNOWN IMPORTED)
  set_target_properties(TactGMP::gmpxx PROPERTIES
    IMPORTED_LOCATION ${TACT_GMPXX_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${TACT_GMP_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ${TACT_GMP_LIBRARY})
endif()
