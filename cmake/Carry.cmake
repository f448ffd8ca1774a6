# SPDX-License-Identifier: BSD-3-Clause
# -DSCREE_CARRY=ON, for machines that lack the libraries this one has, such as the nodes of a cluster: what libscree and
# the modules need is installed with them, in lib/scree/carried, and found there first, by them and by each other.
# The C library, MPI and what pictures take (libscree-view) are not carried.

option(SCREE_CARRY "Install the libraries that scree needs with it, but for the C library, MPI and those of pictures" OFF)

# scree_carry(target path...): the target finds what is carried, from where it is installed. The path is of DT_RPATH, which
# holds for what the libraries need in turn, too.
function(scree_carry target)
  if(SCREE_CARRY)
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH ${ARGN})
    target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
  endif()
endfunction()

# scree_install_carried(): at the time of installing, as the system's loader finds them then.
function(scree_install_carried)
  if(NOT SCREE_CARRY)
    return()
  endif()
  set(modules "")
  foreach(module ${SCREE_MODULES_BUILT})
    string(APPEND modules " \"$<TARGET_FILE:${module}>\"")
  endforeach()
  if(modules)
    set(modules "MODULES${modules}")
  endif()
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES RESOLVED_DEPENDENCIES_VAR carried UNRESOLVED_DEPENDENCIES_VAR missing
         LIBRARIES \"$<TARGET_FILE:scree_shared>\" ${modules}
         POST_EXCLUDE_REGEXES \"/(ld-linux[^/]*|libc|libm|libdl|librt|libpthread|libresolv|libscree|libmpi[^/]*)\\\\.so\")
    if(missing)
      message(FATAL_ERROR \"these libraries cannot be carried, as they are not found: \${missing}\")
    endif()
    file(INSTALL \${carried} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/scree/carried\" FOLLOW_SYMLINK_CHAIN)")
endfunction()
