# Install, export (find_package, pkg-config) and packages (.deb, .tar.gz).
include(CMakePackageConfigHelpers)

set(TACT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tact)
install(TARGETS tact EXPORT tactTargets FILE_SET HEADERS FILE_SET header_only)
install(EXPORT tactTargets NAMESPACE tact:: DESTINATION ${TACT_CMAKE_DIR})
configure_package_config_file(cmake/tactConfig.cmake.in tactConfig.cmake
  INSTALL_DESTINATION ${TACT_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(tactConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tactConfig.cmake ${PROJECT_BINARY_DIR}/tactConfigVersion.cmake
              cmake/FindTactHDF5.cmake cmake/FindTactGMP.cmake
        DESTINATION ${TACT_CMAKE_DIR})

# The prefix is found from where the file lies, so that an installed tree may be moved.
file(RELATIVE_PATH TACT_PC_TO_PREFIX
     ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/tact.pc.in tact.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tact.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
if(TACT_BUILD_APPS)
  install(TARGETS tact_app)
  # The manual and the completions are what the command says of itself. They are for packages: who builds the
  # command alone, or has no Python, installs without them.
  find_program(TACT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  if(TACT_PYTHON AND NOT CMAKE_CROSSCOMPILING)
    set(manual ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(OUTPUT ${manual}/tact.1 ${manual}/tact.bash ${manual}/_tact ${manual}/tact.fish
      COMMAND ${TACT_PYTHON} -B ${PROJECT_SOURCE_DIR}/tools/man_page.py $<TARGET_FILE:tact_app> ${manual}
      DEPENDS tact_app ${PROJECT_SOURCE_DIR}/tools/man_page.py COMMENT "Manual and completions" VERBATIM)
    add_custom_target(tact_manual ALL DEPENDS ${manual}/tact.1)
    install(FILES ${manual}/tact.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
    install(FILES ${manual}/tact.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tact OPTIONAL)
    install(FILES ${manual}/_tact DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions OPTIONAL)
    install(FILES ${manual}/tact.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
  else()
    message(STATUS "No Python in /usr/bin: the manual and the completions are not made (python3)")
  endif()
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "tact developers <tact@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6 (>= 2.36), libgcc-s1, libstdc++6 (>= 12), libfmt9, libhdf5-103-1, zlib1g, libpugixml1v5, libqhull-r8.0, libgmp10, libgmpxx4ldbl, libeigen3-dev, libhdf5-dev, zlib1g-dev, libpugixml-dev, libqhull-dev, libgmp-dev")
if(TACT_BUILD_APPS AND TACT_APP_USES_MPI)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libopenmpi3")
endif()
# The Python module is part of the package; who has no Python is not made to install it.
if(TACT_BUILD_PYTHON)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}), python3-numpy")
endif()
include(CPack)
