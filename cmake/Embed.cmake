# SPDX-License-Identifier: BSD-3-Clause
# Files that travel inside a binary. scree_embed(target folder file...) makes a C file with their bytes and the table
# that folder/embedded.h declares, and adds it to the target. Run as a script (cmake -P), this file writes the C file.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(text "/* Made by cmake/Embed.cmake. */\n#include \"embedded.h\"\n")
  set(table "")
  set(index 0)
  separate_arguments(FILES UNIX_COMMAND "${FILES}")
  foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
    string(APPEND text "static const unsigned char file_${index}[] = {\n${bytes}};\n")
    string(APPEND table "    {\"${name}\", file_${index}, sizeof file_${index}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE ${OUTPUT} "${text}const embedded_file embedded_files[] = {\n${table}    {0, 0, 0},\n};\n")
  return()
endif()

set(SCREE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(scree_embed target folder)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded.c)
  list(JOIN ARGN " " files)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D "FILES=${files}" -P ${SCREE_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${SCREE_EMBED_SCRIPT}
    COMMENT "Embedding data files"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
