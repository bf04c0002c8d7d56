# The HDF5 library's C interface as TactHDF5::hdf5. CMake's own module asks for a C compiler; projects
# that use tact may have none.
find_path(TACT_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(TACT_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(TACT_HDF5_INCLUDE_DIR TACT_HDF5_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TactHDF5 DEFAULT_MSG TACT_HDF5_LIBRARY TACT_HDF5_INCLUDE_DIR)
if(TactHDF5_FOUND AND NOT TARGET TactHDF5::hdf5)
  add_library(TactHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(TactHDF5::hdf5 PROPERTIES
    IMPORTED_LOCATION ${TACT_HDF5_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${TACT_HDF5_INCLUDE_DIR})
endif()
