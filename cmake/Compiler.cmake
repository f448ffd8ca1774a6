# SPDX-License-Identifier: BSD-3-Clause
# How our own code is compiled: the standard, the warnings, link-time optimisation, sanitizers.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wconversion -Wshadow)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-sign-conversion) # clang counts it to -Wconversion, gcc does not
endif()
if(SCREE_WERROR)
  add_compile_options(-Werror)
endif()

# The static library must be linkable without LTO and by any compiler: its objects hold machine code beside gcc's
# intermediate code. clang 14 cannot do that, so its builds go without.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(CMAKE_C_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
  else()
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
  endif()
endif()

if(SCREE_SANITIZE)
  add_compile_options(-fsanitize=${SCREE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SCREE_SANITIZE})
endif()

# A shared library exports only public names, and names every library that it needs (sanitizers add theirs later).
function(scree_harden_shared target map)
  if(APPLE)
    return()
  endif()
  target_link_options(${target} PRIVATE LINKER:--version-script,${map})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  if(NOT SCREE_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
endfunction()
