# SPDX-License-Identifier: BSD-3-Clause
# What `make install` puts where, and how others find it: pkg-config (scree) and find_package(scree), which gives
# scree::scree (shared) and, on request (COMPONENTS static), scree::scree_static. Both can be moved: paths are relative.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# All that is installed, without the tests.
add_custom_target(product)
foreach(target scree_shared scree_static scree documents)
  if(TARGET ${target})
    add_dependencies(product ${target})
  endif()
endforeach()

if(TARGET scree)
  install(TARGETS scree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES include/scree.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS scree_shared EXPORT scree-shared DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS scree_static DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT scree-shared NAMESPACE scree:: FILE scree-targets.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES data/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME DATA.md) # the licence of what is embedded

# Only programs that link the static library meet these.
list(JOIN OpenMP_C_FLAGS " " openmp_flags)
set(SCREE_LIBS_PRIVATE "${SCREE_LINEAR_ALGEBRA_LIBS} ${openmp_flags} ${CMAKE_THREAD_LIBS_INIT} -lm")
string(REGEX REPLACE " +" " " SCREE_LIBS_PRIVATE "${SCREE_LIBS_PRIVATE}")

file(RELATIVE_PATH SCREE_PREFIX_FROM_PKGCONFIG /prefix/${pkgconfig_dir} /prefix)
string(REGEX REPLACE "/$" "" SCREE_PREFIX_FROM_PKGCONFIG ${SCREE_PREFIX_FROM_PKGCONFIG})
configure_file(cmake/scree.pc.in scree.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/scree.pc DESTINATION ${pkgconfig_dir})

configure_package_config_file(cmake/scree-config.cmake.in scree-config.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
        DESTINATION ${package_dir})
