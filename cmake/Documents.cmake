# SPDX-License-Identifier: BSD-3-Clause
# Man pages and completions, printed by the command itself from its option tables, so that they cannot disagree with
# it. Where the command cannot run (cross compiling) there are none. Run as a script (cmake -P), this file writes them.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # Runs scree with the arguments, output to a file (or, for an empty name, to the variable printed).
  function(scree_print file)
    if(file)
      set(where OUTPUT_FILE ${file})
    else()
      set(where OUTPUT_VARIABLE printed)
    endif()
    execute_process(COMMAND ${SCREE} ${ARGN} ${where} COMMAND_ERROR_IS_FATAL ANY)
    set(printed "${printed}" PARENT_SCOPE)
  endfunction()

  file(REMOVE_RECURSE ${FOLDER}/man1 ${FOLDER}/completions)
  file(MAKE_DIRECTORY ${FOLDER}/man1 ${FOLDER}/completions)
  scree_print("" help --list)
  string(REGEX MATCHALL "[^\n]+" commands "${printed}")
  scree_print(${FOLDER}/man1/scree.1 help --man)
  foreach(command ${commands})
    scree_print(${FOLDER}/man1/scree-${command}.1 help --man ${command})
  endforeach()
  scree_print(${FOLDER}/completions/scree help --completion bash)
  scree_print(${FOLDER}/completions/_scree help --completion zsh)
  scree_print(${FOLDER}/completions/scree.fish help --completion fish)
  file(TOUCH ${FOLDER}/documents.stamp)
  return()
endif()

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()

set(SCREE_DOCUMENTS ${PROJECT_BINARY_DIR}/documents)
add_custom_command(
  OUTPUT ${SCREE_DOCUMENTS}/documents.stamp
  COMMAND ${CMAKE_COMMAND} -D "SCREE=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:scree>"
          -D FOLDER=${SCREE_DOCUMENTS} -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS scree ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Printing man pages and completions"
  VERBATIM)
add_custom_target(documents ALL DEPENDS ${SCREE_DOCUMENTS}/documents.stamp)

install(DIRECTORY ${SCREE_DOCUMENTS}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${SCREE_DOCUMENTS}/completions/scree DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${SCREE_DOCUMENTS}/completions/_scree DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${SCREE_DOCUMENTS}/completions/scree.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
