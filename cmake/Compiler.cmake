# SPDX-License-Identifier: BSD-3-Clause
# How our own code is compiled: the standard, the warnings, link-time optimisation, sanitizers, hardening.

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

# What makes a bug harder to use, in release builds; sanitizers find the bug itself. Addresses are random (PIE), tables
# of functions are read-only once the program has started (RELRO, all symbols bound at start), the stack holds no code,
# is guarded by canaries and grown page by page, copies into known buffers are checked, and jumps land where they may
# (CET, x86 alone). tests/install/test_hardening.sh looks at what was built.
include(CheckCCompilerFlag)
include(CheckPIESupported)
option(SCREE_HARDEN "Protect what is built for release against the use of bugs" ON)
if(SCREE_HARDEN AND NOT SCREE_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  check_pie_supported(LANGUAGES C)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong)
  foreach(flag stack-clash-protection cf-protection)
    string(MAKE_C_IDENTIFIER SCREE_HAS_${flag} known)
    check_c_compiler_flag(-f${flag} ${known})
    if(${known})
      add_compile_options(-f${flag})
    endif()
  endforeach()
  if(NOT APPLE)
    add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  endif()
endif()

# Tables of pointers become relocations of a few bits each, where linker and loader know how (RELR).
include(CheckCSourceRuns)
set(CMAKE_REQUIRED_LINK_OPTIONS LINKER:-z,pack-relative-relocs)
set(CMAKE_REQUIRED_QUIET ON)
check_c_source_runs("static int x; static int *volatile p = &x; int main(void) { return p != &x; }" SCREE_PACKS_RELOCATIONS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
unset(CMAKE_REQUIRED_QUIET)
if(SCREE_PACKS_RELOCATIONS)
  add_link_options(LINKER:-z,pack-relative-relocs)
endif()

# A shared library exports only what its map says, names every library that it needs (sanitizers add theirs later), and
# calls its own functions directly: nobody is meant to put others in their place. It stays in the process once loaded:
# threads of its own may still run in it.
function(scree_harden_shared target map)
  if(APPLE)
    return()
  endif()
  target_link_options(${target} PRIVATE LINKER:--version-script,${map} LINKER:-Bsymbolic-functions
                                       LINKER:-z,nodelete)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  if(NOT SCREE_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
endfunction()
