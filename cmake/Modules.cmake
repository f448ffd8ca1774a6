# SPDX-License-Identifier: BSD-3-Clause
# Formats that need further libraries: each folder src/module/NAME is a shared object scree-NAME.so, which knows scree.h
# and its library alone and is loaded when such a file is opened (src/data/module.h). One whose library is not found is
# left out; src/data/module_table.c names them all, and `scree version` says which are there.

option(SCREE_MODULES "Build the modules whose libraries are found" ON)
set(SCREE_MODULES_BUILT "")

# scree_add_module(name library...): scree-NAME.so, linked with the libraries.
function(scree_add_module name)
  file(GLOB sources CONFIGURE_DEPENDS src/module/${name}/*.c)
  set(target scree_module_${name})
  add_library(${target} MODULE ${sources})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME scree-${name} C_VISIBILITY_PRESET hidden
                                             LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(${target} PRIVATE ${SCREE_INCLUDE_DIR} src)
  target_link_libraries(${target} PRIVATE ${ARGN} m)
  scree_harden_shared(${target} ${PROJECT_SOURCE_DIR}/cmake/exports_module.map)
  scree_carry(${target} "$ORIGIN/carried")
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/scree)
  # Tests are linked with the static library, and look beside themselves.
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink ../scree-${name}.so
                                                         ${PROJECT_BINARY_DIR}/tests/scree-${name}.so)
  set(SCREE_MODULES_BUILT ${SCREE_MODULES_BUILT} ${target} PARENT_SCOPE)
endfunction()

# scree_find_module(name package): by pkg-config; a line at configuration says what is left out.
macro(scree_find_module name package)
  pkg_check_modules(SCREE_MODULE_${name} QUIET IMPORTED_TARGET ${package})
  if(SCREE_MODULE_${name}_FOUND)
    scree_add_module(${name} PkgConfig::SCREE_MODULE_${name})
  else()
    message(STATUS "no ${package}: the module ${name} is left out")
  endif()
endmacro()

if(SCREE_MODULES)
  scree_find_module(hdf5 hdf5)
  scree_find_module(sqlite sqlite3>=3.37)
  scree_find_module(matio matio)
endif()
