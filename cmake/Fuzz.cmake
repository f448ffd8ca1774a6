# SPDX-License-Identifier: BSD-3-Clause
# Fuzzing (docs/fuzzing.md). fuzz_replay runs what is kept in fuzz/corpus and fuzz/findings and is a test of every build.
# With -DSCREE_FUZZ=ON there is also a program fuzz_NAME for each target of the table in fuzz/targets.c, linked with a
# fuzzing engine: SCREE_FUZZ_ENGINE, libFuzzer unless another is named.

set(SCREE_FUZZ_ENGINE -fsanitize=fuzzer CACHE STRING "What links a fuzzing engine")

file(GLOB fuzz CONFIGURE_DEPENDS fuzz/*.c)
list(FILTER fuzz EXCLUDE REGEX "/(engine|replay)\\.c$")
set(fuzz_commands ${commands})
list(FILTER fuzz_commands EXCLUDE REGEX "/(main|signals)\\.c$") # fuzz/scree_main.c and fuzz/deadline.c take their places

add_library(scree_fuzz OBJECT ${fuzz} ${fuzz_commands})
# Files of cli/ are compiled a second time: lint, which reads how files are compiled, needs each once.
set_target_properties(scree_fuzz PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF EXPORT_COMPILE_COMMANDS OFF)
target_include_directories(scree_fuzz PRIVATE fuzz cli src)
target_compile_definitions(scree_fuzz PRIVATE SCREE_VIEW_LIBRARY="${view_file}" SCREE_MPI_SUFFIX=".so")
target_link_libraries(scree_fuzz PRIVATE scree_shared PkgConfig::CJSON ZLIB::ZLIB)
scree_embed(scree_fuzz cli ${SCREE_EMBEDDED})

# scree_add_fuzz(name source): a program of all targets and that source.
function(scree_add_fuzz name source)
  add_executable(${name} ${source} $<TARGET_OBJECTS:scree_fuzz>)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY fuzz INTERPROCEDURAL_OPTIMIZATION OFF
                                           EXPORT_COMPILE_COMMANDS OFF)
  target_include_directories(${name} PRIVATE fuzz)
  target_link_libraries(${name} PRIVATE scree_shared PkgConfig::CJSON ZLIB::ZLIB ${CMAKE_DL_LIBS} m)
  if(SCREE_VIEW)
    add_dependencies(${name} scree_view_shared)
  endif()
endfunction()

scree_add_fuzz(fuzz_replay fuzz/replay.c)

if(SCREE_FUZZ)
  file(STRINGS fuzz/targets.c lines REGEX "^    {\"[a-z0-9_]+\", fuzz_")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS fuzz/targets.c)
  add_custom_target(fuzz)
  foreach(line ${lines})
    string(REGEX REPLACE "^    {\"([a-z0-9_]+)\".*" "\\1" name "${line}")
    scree_add_fuzz(fuzz_${name} fuzz/engine.c)
    target_compile_definitions(fuzz_${name} PRIVATE FUZZ_TARGET="${name}")
    target_link_options(fuzz_${name} PRIVATE ${SCREE_FUZZ_ENGINE})
    add_dependencies(fuzz fuzz_${name})
  endforeach()
endif()
