# SPDX-License-Identifier: BSD-3-Clause
# The Python package: plain Python over two extension modules on the limited API of Python 3.11. _core holds libscree
# whole; _view holds libscree-view, and uses the libscree of _core. In an ordinary build the package stands in
# build/.../python, where the tests find it; scikit-build-core (pyproject.toml) builds it with -DSCREE_PYTHON=ON and puts it into a
# wheel. Without the headers of Python it is left out.

find_package(Python3 3.11 QUIET COMPONENTS Interpreter Development.Module)
if(NOT Python3_Development.Module_FOUND)
  if(SCREE_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "the Python package needs the headers of Python 3.11 or newer (python3-dev)")
  endif()
  message(STATUS "no headers of Python 3.11 or newer: the Python package is left out")
  return()
endif()

set(python_dir ${PROJECT_BINARY_DIR}/python/scree)
file(GLOB python_core CONFIGURE_DEPENDS python/core/*.c)
file(GLOB python_files CONFIGURE_DEPENDS python/scree/*.py python/scree/*.pyi python/scree/py.typed)
set(python_view ${python_core})
list(FILTER python_core EXCLUDE REGEX "/view_module\\.c$")
list(FILTER python_view EXCLUDE REGEX "/module\\.c$")
set(python_suffix .abi3.so)
if(Python3_SOABI MATCHES "^cpython-[0-9]+t") # free-threaded: no limited API, and a wheel of its own
  set(python_suffix .${Python3_SOABI}.so)
  set(python_definitions SCREE_PYTHON_FREE_THREADED)
endif()

# scree_add_extension(target name library... ): from the sources in python_NAME.
function(scree_add_extension target name)
  add_library(${target} MODULE ${python${name}})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX ${python_suffix} C_VISIBILITY_PRESET hidden
                                             INTERPROCEDURAL_OPTIMIZATION OFF LIBRARY_OUTPUT_DIRECTORY ${python_dir})
  target_compile_definitions(${target} PRIVATE ${python_definitions})
  target_include_directories(${target} SYSTEM PRIVATE ${Python3_INCLUDE_DIRS})
  target_link_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-lto> LINKER:-z,nodelete)
  target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
set(python_exports ${PROJECT_SOURCE_DIR}/python/core/exports.map)
scree_add_extension(scree_python _core -Wl,--whole-archive scree_static -Wl,--no-whole-archive)
target_link_options(scree_python PRIVATE LINKER:--version-script,${exports} LINKER:--version-script,${python_exports}
                                         LINKER:-soname,_core${python_suffix} LINKER:-Bsymbolic)
set_target_properties(scree_python PROPERTIES LINK_DEPENDS "${exports};${python_exports}")
set(python_targets scree_python)

if(SCREE_VIEW)
  scree_add_extension(scree_python_view _view)
  # A module, yet what it exports is used: by its path, for CMake does not link modules.
  target_link_libraries(scree_python_view PRIVATE -Wl,--no-as-needed,$<TARGET_FILE:scree_python>)
  target_sources(scree_python_view PRIVATE $<TARGET_OBJECTS:scree_view_objects>)
  target_include_directories(scree_python_view PRIVATE ${SCREE_INCLUDE_DIR})
  target_link_libraries(scree_python_view PRIVATE ${SCREE_VIEW_LINK})
  set_target_properties(scree_python_view PROPERTIES BUILD_RPATH_USE_ORIGIN ON BUILD_RPATH $ORIGIN INSTALL_RPATH $ORIGIN)
  add_dependencies(scree_python_view scree_python)
  list(APPEND python_targets scree_python_view)
endif()

# The package as it is imported from the build: links to the Python files, beside the extensions.
foreach(file ${python_files})
  get_filename_component(name ${file} NAME)
  list(APPEND python_links COMMAND ${CMAKE_COMMAND} -E create_symlink ${file} ${python_dir}/${name})
endforeach()
add_custom_target(python_links ALL COMMAND ${CMAKE_COMMAND} -E make_directory ${python_dir} ${python_links})

# Formats that need further libraries: their modules lie beside _core, which looks for them there.
foreach(target ${SCREE_MODULES_BUILT})
  get_target_property(name ${target} OUTPUT_NAME)
  add_custom_command(TARGET python_links POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
                                                            ${PROJECT_BINARY_DIR}/${name}.so ${python_dir}/${name}.so)
  add_dependencies(python_links ${target})
endforeach()

set(SCREE_PYTHON_MODULES hdf5 sqlite matio CACHE STRING "Modules that are installed into the Python package")
set(python_modules ${SCREE_MODULES_BUILT})
list(TRANSFORM SCREE_PYTHON_MODULES REPLACE "^(.+)$" "|scree_module_\\1" OUTPUT_VARIABLE wanted)
string(JOIN "" wanted "^(none" ${wanted} ")$")
list(FILTER python_modules INCLUDE REGEX "${wanted}")

if(SKBUILD)
  install(TARGETS ${python_targets} ${python_modules} LIBRARY DESTINATION scree COMPONENT python)
  if(SCREE_WHEEL_FONTS) # a folder with DejaVu Sans, which pictures are set in
    install(FILES ${SCREE_WHEEL_FONTS}/DejaVuSans.ttf ${SCREE_WHEEL_FONTS}/DejaVuSans-Bold.ttf
            DESTINATION scree/fonts COMPONENT python)
    if(SCREE_WHEEL_FONTS_LICENSE)
      install(FILES ${SCREE_WHEEL_FONTS_LICENSE} DESTINATION scree/fonts RENAME LICENSE-DejaVu COMPONENT python)
    endif()
  endif()
  add_dependencies(scree_python python_links)
endif()
