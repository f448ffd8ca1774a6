# SPDX-License-Identifier: BSD-3-Clause
# The page of `scree report`, made at build time: the template src/view/page/page.html with its style, D3 and our own
# modules put in, and a content security policy that allows these and nothing else, by their hashes. It becomes a C file,
# cut where the data of a report go, and the rows as they were. Modules are joined in the order of the list: what only modules need (import,
# export) is taken out. Without D3 the C file says so. Run as a script (cmake -P), this file makes the C file.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25) # or @MARKS@ would be variables
  # The base64 of a hash given in hexadecimal: six bits a letter.
  function(base64_of_hash result hex)
    string(CONCAT letters "ABCDEFGHIJKLMNOPQRSTUVWXYZ" "abcdefghijklmnopqrstuvwxyz0123456789+/")
    set(text "")
    set(padded "${hex}00") # 32 bytes and one more are eleven groups of three
    foreach(group RANGE 0 60 6)
      string(SUBSTRING "${padded}" ${group} 6 bytes)
      foreach(shift 18 12 6 0)
        math(EXPR at "(0x${bytes} >> ${shift}) & 63")
        string(SUBSTRING "${letters}" ${at} 1 letter)
        string(APPEND text "${letter}")
      endforeach()
    endforeach()
    string(SUBSTRING "${text}" 0 43 text)
    set(${result} "${text}=" PARENT_SCOPE)
  endfunction()

  function(hash_of result text)
    string(SHA256 hex "${text}")
    base64_of_hash(hash ${hex})
    set(${result} "'sha256-${hash}'" PARENT_SCOPE)
  endfunction()

  set(none "const scree__report_page_text scree__report_page = {0, 0, 0, 0, 0, 0, 0, 0};\n")
  set(text "/* Made by cmake/Page.cmake. */\n#include \"view/report_page.h\"\n\n")
  if(NOT D3)
    file(WRITE ${OUTPUT} "${text}${none}")
    return()
  endif()

  separate_arguments(MODULES UNIX_COMMAND "${MODULES}")
  set(script "")
  set(taken "") # by functions: of two with one name the later would silently take the place of the other
  foreach(module ${MODULES})
    file(READ ${FOLDER}/${module}.js part)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "" part "${part}")
    string(REGEX REPLACE "\nexport " "\n" part "${part}")
    string(REGEX MATCHALL "\n(async )?function [A-Za-z0-9_]+" functions "\n${part}")
    foreach(function ${functions})
      string(REGEX REPLACE ".*function " "" function "${function}")
      if(function IN_LIST taken)
        message(FATAL_ERROR "${module}.js: another module of the page has a function ${function}, too; rename one")
      endif()
      list(APPEND taken ${function})
    endforeach()
    string(APPEND script "${part}\n")
  endforeach()
  set(script "\n(() => {\n\"use strict\";\n${script}})();\n")
  file(READ ${D3} d3)
  file(READ ${FOLDER}/page.css style)
  file(READ ${FOLDER}/page.html page)
  string(APPEND d3 "\n")

  hash_of(d3_hash "${d3}")
  hash_of(script_hash "${script}")
  hash_of(style_hash "${style}")
  string(CONCAT policy "default-src 'none'; script-src ${d3_hash} ${script_hash}; style-src ${style_hash}; "
                       "img-src data:; base-uri 'none'; form-action 'none'")
  string(FIND "${page}" "@POLICY@" policy_start) # letters are bytes up to there
  string(LENGTH "${policy}" policy_end)
  math(EXPR policy_end "${policy_start} + ${policy_end}")
  string(REPLACE "@POLICY@" "${policy}" page "${page}")
  string(REPLACE "@STYLE@" "${style}" page "${page}")
  string(REPLACE "@D3@" "${d3}" page "${page}")
  string(REPLACE "@SCRIPT@" "${script}" page "${page}")

  string(HEX "${page}" bytes)
  foreach(half_and_mark head=@DATA@ middle=@ORIGINALS@ tail=)
    string(REGEX MATCH "^[a-z]+" half "${half_and_mark}")
    string(REGEX REPLACE "^[a-z]+=" "" mark "${half_and_mark}")
    if(mark)
      string(HEX "${mark}" mark)
      string(FIND "${bytes}" "${mark}" cut)
      string(LENGTH "${mark}" length)
      string(SUBSTRING "${bytes}" 0 ${cut} part)
      math(EXPR cut "${cut} + ${length}")
      string(SUBSTRING "${bytes}" ${cut} -1 bytes)
    else()
      set(part "${bytes}")
    endif()
    string(REGEX REPLACE "(................................)" "\\1\n" part "${part}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," part "${part}")
    string(APPEND text "static const unsigned char ${half}[] = {\n${part}};\n")
  endforeach()
  string(APPEND text "const scree__report_page_text scree__report_page = {head, sizeof head, ${policy_start}, ${policy_end}, middle, sizeof middle, "
                     "tail, sizeof tail};\n")
  file(WRITE ${OUTPUT} "${text}")
  return()
endif()

set(SCREE_PAGE_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
find_file(SCREE_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist NO_DEFAULT_PATH
          DOC "D3 for `scree report`; without it scree is built without reports")

# scree_add_page(target module...): in the order in which they are joined.
function(scree_add_page target)
  set(output ${PROJECT_BINARY_DIR}/generated/report_page.c)
  set(folder ${PROJECT_SOURCE_DIR}/src/view/page)
  list(JOIN ARGN " " modules)
  set(parts ${ARGN})
  list(TRANSFORM parts PREPEND ${folder}/)
  list(TRANSFORM parts APPEND .js)
  if(NOT SCREE_D3)
    message(STATUS "D3 is not here (node-d3 in Debian): scree report will say that it needs it")
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D FOLDER=${folder} -D "D3=$<$<BOOL:${SCREE_D3}>:${SCREE_D3}>" -D
            "MODULES=${modules}" -P ${SCREE_PAGE_SCRIPT}
    DEPENDS ${parts} ${folder}/page.html ${folder}/page.css ${SCREE_PAGE_SCRIPT}
    COMMENT "Putting the page of reports together"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
