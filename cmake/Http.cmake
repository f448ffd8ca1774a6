# SPDX-License-Identifier: BSD-3-Clause
# What `scree serve` listens with: libmicrohttpd, whose header is enough to build. The command loads the library by the
# name that it has here. Without it, cli/serve_without.c says so.

find_path(SCREE_HTTP_HEADER microhttpd.h)
find_library(SCREE_HTTP microhttpd)
set(SCREE_HTTP_LIBRARY "")
if(SCREE_HTTP_HEADER AND SCREE_HTTP AND CMAKE_READELF)
  execute_process(COMMAND ${CMAKE_READELF} -d ${SCREE_HTTP} OUTPUT_VARIABLE dynamic ERROR_QUIET)
  if(dynamic MATCHES "\\(SONAME\\)[^[]*\\[([^]]+)\\]")
    set(SCREE_HTTP_LIBRARY "${CMAKE_MATCH_1}")
  endif()
endif()
if(SCREE_HTTP_LIBRARY)
  list(FILTER commands EXCLUDE REGEX "/cli/serve_without\\.c$")
  set_source_files_properties(cli/serve_http.c PROPERTIES COMPILE_OPTIONS "-I${SCREE_HTTP_HEADER}" COMPILE_DEFINITIONS
                                                          SCREE_HTTP_LIBRARY="${SCREE_HTTP_LIBRARY}")
else()
  message(STATUS "libmicrohttpd is not here (libmicrohttpd-dev in Debian): scree serve will say that it needs it")
  list(FILTER commands EXCLUDE REGEX "/cli/serve_http\\.c$")
endif()
