# SPDX-License-Identifier: BSD-3-Clause
# libscree-mpi, one for each MPI whose compiler wrapper is found (mpicc.openmpi, mpicc.mpich), and one for all that have
# the ABI of MPI 5 (mpicc_abi): three calls over a communicator, in one file. The command, which needs no MPI, loads the
# one that it was started by (cli/together.c).

option(SCREE_MPI "Build libscree-mpi for every MPI that is found" ON)
set(SCREE_MPI_BUILT "")

# What a wrapper would pass to the compiler: flags of one of its options.
function(scree_mpi_flags out wrapper option)
  execute_process(COMMAND ${wrapper} ${option} OUTPUT_VARIABLE line ERROR_QUIET RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${out} "" PARENT_SCOPE)
  if(NOT failed)
    separate_arguments(line UNIX_COMMAND "${line}")
    set(${out} ${line} PARENT_SCOPE)
  endif()
endfunction()

# scree_add_mpi(name wrapper): libscree-mpi-NAME.so
function(scree_add_mpi name wrapper)
  scree_mpi_flags(compile ${wrapper} --showme:compile)
  scree_mpi_flags(link ${wrapper} --showme:link)
  if(NOT compile) # MPICH's: the compiler comes first
    scree_mpi_flags(compile ${wrapper} -compile-info)
    scree_mpi_flags(link ${wrapper} -link-info)
    list(FILTER link INCLUDE REGEX "^-[lL]")
  endif()
  list(FILTER compile INCLUDE REGEX "^-[ID]")
  list(TRANSFORM compile REPLACE "^-I(.*)" "SHELL:-isystem \\1")
  set(target scree_mpi_${name})
  add_library(${target} SHARED src/mpi/mpi.c)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME scree-mpi-${name} C_VISIBILITY_PRESET hidden
                                             VERSION ${PROJECT_VERSION} SOVERSION ${SCREE_SOVERSION}
                                             INTERPROCEDURAL_OPTIMIZATION OFF)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${SCREE_INCLUDE_DIR}>)
  target_compile_options(${target} PRIVATE ${compile})
  target_link_libraries(${target} PRIVATE ${link})
  scree_harden_shared(${target} ${PROJECT_SOURCE_DIR}/cmake/exports_mpi.map)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set(SCREE_MPI_BUILT ${SCREE_MPI_BUILT} ${target} PARENT_SCOPE)
endfunction()

if(SCREE_MPI)
  find_program(SCREE_MPICC_openmpi NAMES mpicc.openmpi)
  find_program(SCREE_MPICC_mpich NAMES mpicc.mpich)
  find_program(SCREE_MPICC_abi NAMES mpicc_abi HINTS ${PROJECT_SOURCE_DIR}/build/tools/mpi/bin)
  foreach(name openmpi mpich abi)
    if(SCREE_MPICC_${name})
      scree_add_mpi(${name} ${SCREE_MPICC_${name}})
    else()
      message(STATUS "no MPI for libscree-mpi-${name}, which is left out")
    endif()
  endforeach()
  if(SCREE_MPI_BUILT)
    install(FILES include/scree_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endif()
