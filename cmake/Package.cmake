# SPDX-License-Identifier: BSD-3-Clause
# What `make install` puts where, and how others find it: pkg-config (scree, scree-view) and find_package(scree), which
# gives scree::scree (shared) and, on request, scree::scree_static (COMPONENTS static), scree::view (view) and
# scree::view_static (both). All can be moved: paths are relative.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# All that is installed, without the tests.
add_custom_target(product)
foreach(target scree_shared scree_static scree_view_shared scree_view_static scree documents ${SCREE_MODULES_BUILT} ${SCREE_MPI_BUILT})
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
if(SCREE_VIEW)
  set_target_properties(scree_view_shared PROPERTIES INSTALL_RPATH "$ORIGIN") # libscree lies beside it
  install(FILES include/scree_view.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS scree_view_shared EXPORT scree-view DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS scree_view_static DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT scree-view NAMESPACE scree:: FILE scree-view-targets.cmake DESTINATION ${package_dir})
endif()
scree_install_carried()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES data/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME DATA.md) # the licence of what is embedded

# Only programs that link the static library meet these.
set(SCREE_LIBS_PRIVATE "${SCREE_LINEAR_ALGEBRA_LIBS} ${CMAKE_THREAD_LIBS_INIT} -lm")
if(BZIP2_FOUND)
  string(PREPEND SCREE_LIBS_PRIVATE "-lbz2 ")
endif()
string(REGEX REPLACE " +" " " SCREE_LIBS_PRIVATE "${SCREE_LIBS_PRIVATE}")

file(RELATIVE_PATH SCREE_PREFIX_FROM_PKGCONFIG /prefix/${pkgconfig_dir} /prefix)
string(REGEX REPLACE "/$" "" SCREE_PREFIX_FROM_PKGCONFIG ${SCREE_PREFIX_FROM_PKGCONFIG})
set(pkgconfig_files scree)
if(SCREE_VIEW)
  list(APPEND pkgconfig_files scree-view)
endif()
foreach(file ${pkgconfig_files})
  configure_file(cmake/${file}.pc.in ${file}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file}.pc DESTINATION ${pkgconfig_dir})
endforeach()

configure_package_config_file(cmake/scree-config.cmake.in scree-config.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
        DESTINATION ${package_dir})
