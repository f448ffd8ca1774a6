# SPDX-License-Identifier: BSD-3-Clause
# The Python package: one extension module over the static library, on the limited API of Python 3.11, beside plain
# Python. In an ordinary build it stands in build/.../python, where the tests find it; scikit-build-core (pyproject.toml)
# builds it with -DSCREE_PYTHON=ON and puts it into a wheel. Without the headers of Python it is left out.

find_package(Python3 3.11 QUIET COMPONENTS Interpreter Development.Module)
if(NOT Python3_Development.Module_FOUND)
  if(SCREE_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "the Python package needs the headers of Python 3.11 or newer (python3-dev)")
  endif()
  message(STATUS "no headers of Python 3.11 or newer: the Python package is left out")
  return()
endif()

file(GLOB python_core CONFIGURE_DEPENDS python/core/*.c)
file(GLOB python_files CONFIGURE_DEPENDS python/scree/*.py python/scree/*.pyi python/scree/py.typed)

# scree_add_extension(target name library source...)
function(scree_add_extension target name library)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX ".abi3.so" INTERPROCEDURAL_OPTIMIZATION OFF
                                             C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/scree)
  target_include_directories(${target} SYSTEM PRIVATE ${Python3_INCLUDE_DIRS})
  target_link_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-lto>)
  target_link_libraries(${target} PRIVATE ${library})
  if(NOT APPLE)
    target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL LINKER:-z,nodelete)
  else()
    target_link_options(${target} PRIVATE LINKER:-undefined,dynamic_lookup)
  endif()
endfunction()

scree_add_extension(scree_python _core scree_static ${python_core})
if(Python3_SOABI MATCHES "^cpython-[0-9]+t") # free-threaded: no limited API, and a wheel of its own
  set_target_properties(scree_python PROPERTIES SUFFIX ".${Python3_SOABI}.so")
endif()

# The package as it is imported from the build: links to the Python files, beside the extension.
foreach(file ${python_files})
  get_filename_component(name ${file} NAME)
  list(APPEND python_links COMMAND ${CMAKE_COMMAND} -E create_symlink ${file} ${PROJECT_BINARY_DIR}/python/scree/${name})
endforeach()
add_custom_command(TARGET scree_python POST_BUILD COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/python/scree
                   ${python_links})

if(SKBUILD)
  install(TARGETS scree_python LIBRARY DESTINATION scree COMPONENT python)
endif()
