# SPDX-License-Identifier: BSD-3-Clause
# CBLAS and LAPACKE, from whichever library has them. OpenBLAS is taken where it is found; -DBLA_VENDOR=... chooses
# another (see CMake's FindBLAS). The C interfaces are in the BLAS itself (OpenBLAS, MKL) or in libraries beside it.
# Sets SCREE_LINEAR_ALGEBRA, what to link with, and SCREE_LINEAR_ALGEBRA_LIBS, the same as linker flags.

include(CheckSymbolExists)
include(CMakePushCheckState)

if(NOT BLA_VENDOR)
  set(BLA_VENDOR OpenBLAS)
  find_package(BLAS QUIET)
  if(NOT BLAS_FOUND)
    unset(BLA_VENDOR)
  endif()
endif()
find_package(BLAS REQUIRED)
find_package(LAPACK REQUIRED)

add_library(scree_linear_algebra INTERFACE)
set(SCREE_LINEAR_ALGEBRA $<BUILD_INTERFACE:scree_linear_algebra>)

find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas cblas REQUIRED)
find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES openblas lapacke REQUIRED)
target_include_directories(scree_linear_algebra SYSTEM INTERFACE ${CBLAS_INCLUDE_DIR} ${LAPACKE_INCLUDE_DIR})

# Is symbol there with what is linked so far? If not, link with the library of that name as well.
function(scree_need_symbol symbol header library)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_REQUIRED_INCLUDES ${CBLAS_INCLUDE_DIR} ${LAPACKE_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES})
  check_symbol_exists(${symbol} ${header} SCREE_HAVE_${symbol})
  cmake_pop_check_state()
  if(NOT SCREE_HAVE_${symbol})
    find_library(SCREE_${library}_LIBRARY ${library} REQUIRED)
    list(APPEND extra ${SCREE_${library}_LIBRARY})
  endif()
  set(extra ${extra} PARENT_SCOPE)
endfunction()

set(extra "")
scree_need_symbol(LAPACKE_dsyevd lapacke.h lapacke)
scree_need_symbol(cblas_dgemm cblas.h cblas)
set(libraries ${extra} ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES})
list(REMOVE_DUPLICATES libraries)
target_link_libraries(scree_linear_algebra INTERFACE ${libraries})

set(SCREE_LINEAR_ALGEBRA_LIBS "")
foreach(library ${libraries})
  if(library MATCHES "/lib([^/]+)\\.(so|a|dylib)$")
    set(name ${CMAKE_MATCH_1})
    get_filename_component(folder ${library} DIRECTORY)
    if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      string(APPEND SCREE_LINEAR_ALGEBRA_LIBS " -L${folder}")
    endif()
    set(library -l${name})
  endif()
  string(APPEND SCREE_LINEAR_ALGEBRA_LIBS " ${library}")
endforeach()
string(STRIP "${SCREE_LINEAR_ALGEBRA_LIBS}" SCREE_LINEAR_ALGEBRA_LIBS)
