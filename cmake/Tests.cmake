# SPDX-License-Identifier: BSD-3-Clause
# The tests, found by folder; each folder's name is a ctest label. What needs libscree-view has the label `pictures` too,
# and is left out where that is not built: C tests that include its headers, and scripts whose head says "needs pictures".
# A test that sets the number of threads has the label `threads` too and runs under the thread sanitizer, unless it is of a command: those run the same library, and draw with
# others that start threads of their own. A test that cannot run here ends with 77 and counts as skipped.
#
# Long simulations, wide sweeps and comparisons with other programs have the label `prove`: `make prove` runs them, with
# SCREE_PROVE=full in the environment, and again under the sanitizers that suit them; `make test` and `make check` run the
# others. Those in SCREE_SAMPLE are also labelled `sample`, for `make prove SAMPLE=1`.

set(SCREE_PROVE
    test_em_recovery # fits to simulated data, over and over
    test_p_values test_false_alarms_all # p-values of simulated rows
    test_select_truth_full # how often select is right
    test_drift_rates # how often drift is, of 10000 sets
    test_coverage # intervals of simulated rows
    test_large_means test_mixed test_nasty_data test_wide # sweeps over methods and data
    bench_test_imputation # fills gaps of many tables
    browser_test_report browser_test_explore browser_test_views browser_test_selection browser_test_rows browser_test_address browser_test_print browser_test_access browser_test_firefox browser_test_serve browser_test_space onnx_test_onnxruntime onnx_test_names cli_sevens cli_eights from_test_from scanpy_test_folders
    # need Chromium, onnxruntime, MNIST, R, scanpy
    install_test_cmake_lto install_test_pkgconfig_lto
    install_test_carried # builds the library once more
    limits_test_peaks_full # peak memory of every command, three sizes, three limits
    limits_test_advice_full # what refusals say is enough, for more limits and larger data
    kills_test_kills_full kills_test_soak_full # 1000 kills; 24 minutes of score on a pipe
    kills_test_checkpoints_full # 100 kills of every method
    kills_test_live_full # a row every 100 ms, and how long its answer takes
    faults_test_memory_full faults_test_files_full # every point of every command
    r_test_meaning r_test_rotation # need R
    python_sklearn python_wheel python_free # need scikit-learn, a free-threaded Python; build the library once more
    engines_test_dask engines_test_spark engines_test_ray # need Dask, PySpark with Java, Ray
    formats_test_arrow formats_test_npz formats_test_sqlite formats_test_mat # need the libraries that others read such files with
    hdf5_test_anndata # files of anndata and scanpy
    mpi_openmpi mpi_mpich mpi_abi mpi_sample_openmpi mpi_sample_mpich mpi_sample_abi # start some hundred processes, where these are installed
    abi_test_grown) # builds the library once more
set(SCREE_SAMPLE abi_test_grown mpi_sample_openmpi mpi_sample_mpich mpi_sample_abi python_sklearn engines_test_dask test_em_recovery test_nasty_data test_p_values test_drift_rates browser_test_report browser_test_views onnx_test_onnxruntime
                 onnx_test_names from_test_from scanpy_test_folders formats_test_arrow formats_test_npz formats_test_sqlite formats_test_mat)

find_library(CMOCKA_LIBRARY cmocka REQUIRED)
find_program(BASH bash REQUIRED)

# Memory that cannot be allocated is a result here, for malloc as for the sanitizers' own.
set(SCREE_TEST_ENVIRONMENT
    SRC=${PROJECT_SOURCE_DIR}
    SCREE_CACHE=off # a method that is expected must not depend on what this machine can do
    OMP_WAIT_POLICY=passive # tests ask for more threads than there may be cores: waiting must not take one
    ASAN_OPTIONS=allocator_may_return_null=1
    LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0
    UBSAN_OPTIONS=print_stacktrace=1
    TSAN_OPTIONS=allocator_may_return_null=1:suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp:print_suppressions=0)
if(TARGET scree)
  list(APPEND SCREE_TEST_ENVIRONMENT SCREE=$<TARGET_FILE:scree>)
endif()

# scree_needs_pictures(result source)
function(scree_needs_pictures result source)
  if(source MATCHES "\\.c$")
    set(sign "#include [<\"](scree_view\\.h|view/|serve/)")
  else()
    set(sign "needs pictures")
  endif()
  file(STRINGS ${source} found REGEX "${sign}" LIMIT_COUNT 1)
  set(${result} FALSE PARENT_SCOPE)
  if(found)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# scree_drop_pictures(list): takes out what cannot run without libscree-view, where that is not built.
function(scree_drop_pictures list)
  set(kept "")
  foreach(source ${${list}})
    scree_needs_pictures(pictures ${source})
    if(SCREE_VIEW OR NOT pictures)
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# scree_add_test(name folder source command...)
function(scree_add_test name folder source)
  add_test(NAME ${name} COMMAND ${ARGN})
  file(STRINGS ${source} threaded REGEX "threads" LIMIT_COUNT 1)
  scree_needs_pictures(pictures ${source})
  set(labels ${folder})
  if(pictures)
    list(APPEND labels pictures)
  endif()
  if(threaded AND NOT folder MATCHES "^(lint|install)$")
    list(APPEND labels threads)
  endif()
  if(name IN_LIST SCREE_PROVE)
    list(APPEND labels prove)
  endif()
  if(name IN_LIST SCREE_SAMPLE)
    list(APPEND labels sample)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT 900
                                          ENVIRONMENT "${SCREE_TEST_ENVIRONMENT}")
endfunction()

# ---- C tests: linked with the static library, so that they see what is inside ----

file(GLOB support CONFIGURE_DEPENDS tests/support/*.c)
if(support)
  add_library(scree_test_support STATIC ${support})
  target_include_directories(scree_test_support PUBLIC tests PRIVATE src)
  target_link_libraries(scree_test_support PUBLIC scree_static ${CMOCKA_LIBRARY})
endif()

# Of a sanitizer's build, only what the presets of CMakePresets.json run: the rest would be compiled for nothing.
function(scree_is_run out folder source)
  file(STRINGS ${source} threaded REGEX "threads" LIMIT_COUNT 1)
  set(${out} ON PARENT_SCOPE)
  if((SCREE_SANITIZE MATCHES "address" AND NOT folder STREQUAL "unit") OR (SCREE_SANITIZE MATCHES "thread" AND NOT threaded))
    set(${out} OFF PARENT_SCOPE)
  endif()
endfunction()

foreach(folder unit book conformance golden)
  file(GLOB tests CONFIGURE_DEPENDS tests/${folder}/test_*.c)
  scree_drop_pictures(tests)
  foreach(test ${tests})
    scree_is_run(is_run ${folder} ${test})
    if(NOT is_run)
      continue()
    endif()
    get_filename_component(name ${test} NAME_WE)
    add_executable(${name} ${test})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests INTERPROCEDURAL_OPTIMIZATION OFF)
    target_include_directories(${name} PRIVATE src tests)
    target_link_options(${name} PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-lto>) # or each would optimise the library anew
    scree_needs_pictures(pictures ${test})
    target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:scree_test_support> $<$<BOOL:${pictures}>:scree_view_static>
                                          scree_static ${CMOCKA_LIBRARY})
    scree_add_test(${name} ${folder} ${test} ${name})
  endforeach()
endforeach()

# The same program, with many more tables.
if(TARGET test_select_truth)
  scree_add_test(test_select_truth_full conformance tests/conformance/test_select_truth.c test_select_truth)
endif()

# ---- modules: readers that are loaded when a file of their format is opened, as others would write them ----

foreach(module squares empty)
  add_library(scree_module_${module} MODULE tests/module/${module}.c)
  set_target_properties(scree_module_${module} PROPERTIES PREFIX "" OUTPUT_NAME scree-${module}
                                                          LIBRARY_OUTPUT_DIRECTORY tests)
  target_include_directories(scree_module_${module} PRIVATE include)
  if(TARGET test_module) # not under every sanitizer
    add_dependencies(test_module scree_module_${module})
  endif()
endforeach()

# ---- examples: outside programs, linked with the shared library as others would ----

file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
scree_drop_pictures(examples)
foreach(example ${examples})
  get_filename_component(name ${example} NAME_WE)
  add_executable(example_${name} ${example})
  set_target_properties(example_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY examples OUTPUT_NAME ${name})
  scree_needs_pictures(pictures ${example})
  target_link_libraries(example_${name} PRIVATE $<$<BOOL:${pictures}>:scree_view_shared> scree_shared m)
  scree_add_test(example_${name} examples ${example} example_${name})
  set_tests_properties(example_${name} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/examples)
endforeach()

# ---- what is kept of fuzzing (cmake/Fuzz.cmake): every input, and every past finding ----

if(TARGET fuzz_replay)
  scree_add_test(fuzz_replay fuzz ${PROJECT_SOURCE_DIR}/fuzz/replay.c fuzz_replay ${PROJECT_SOURCE_DIR}/fuzz)
endif()

# ---- the command: scripts with expected output ----

if(TARGET scree)
  file(GLOB scripts CONFIGURE_DEPENDS tests/cli/*.sh)
  scree_drop_pictures(scripts)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    if(EXISTS ${PROJECT_SOURCE_DIR}/tests/cli/${name}.out)
      scree_add_test(cli_${name} cli ${script} ${PROJECT_SOURCE_DIR}/tests/cli/run ${name})
    endif()
  endforeach()
endif()

# ---- the seams: a command whose tables have a line more each ----

if(TARGET scree AND NOT SCREE_SANITIZE)
  file(GLOB seams CONFIGURE_DEPENDS tests/seams/*.c)
  add_executable(scree_seams ${commands} ${seams})
  # Its files of cli/ are compiled a second time: lint, which reads how files are compiled, needs each once.
  set_target_properties(scree_seams PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests INTERPROCEDURAL_OPTIMIZATION OFF
                                               EXPORT_COMPILE_COMMANDS OFF)
  target_include_directories(scree_seams PRIVATE src tests tests/seams)
  target_link_options(scree_seams PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-lto>)
  target_link_libraries(scree_seams PRIVATE scree_test_support scree_static PkgConfig::CJSON ${CMAKE_DL_LIBS})
  target_compile_definitions(scree_seams PRIVATE SCREE_VIEW_LIBRARY="" SCREE_MPI_SUFFIX=".so")
  scree_embed(scree_seams cli ${SCREE_EMBEDDED})
  set(script ${PROJECT_SOURCE_DIR}/tests/seams/test_seams.sh)
  scree_add_test(seams seams ${script} ${BASH} ${script} $<TARGET_FILE:scree_seams>)
endif()

# ---- programs compiled today, with the library of a later day: it is built for that ----

if(NOT SCREE_SANITIZE)
  set(script ${PROJECT_SOURCE_DIR}/tests/abi/test_grown.sh)
  scree_add_test(abi_test_grown abi ${script} ${BASH} ${script})
endif()

# ---- reports, in a browser; exported models, in the runtime that others use; what tools/same_answers tells apart; what
# the map of the benchmark is judged by ----

find_program(PYTHON3 python3)
if(TARGET scree AND PYTHON3 AND NOT SCREE_SANITIZE)
  foreach(folder browser serve onnx same bench limits kills options book pictures from scanpy formats hdf5 engines)
    file(GLOB scripts CONFIGURE_DEPENDS tests/${folder}/test_*.py)
    scree_drop_pictures(scripts)
    foreach(script ${scripts})
      get_filename_component(name ${script} NAME_WE)
      scree_add_test(${folder}_${name} ${folder} ${script} ${PYTHON3} ${script})
    endforeach()
  endforeach()
  if(SCREE_VIEW)
    set(script ${PROJECT_SOURCE_DIR}/tests/limits/test_peaks.py)
    scree_add_test(limits_test_peaks_full limits ${script} ${PYTHON3} ${script})
    set(script ${PROJECT_SOURCE_DIR}/tests/limits/test_advice.py)
    scree_add_test(limits_test_advice_full limits ${script} ${PYTHON3} ${script})
    add_library(scree_kill_point MODULE tests/kills/kill_point.c)
    set_target_properties(scree_kill_point PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY tests)
    target_link_libraries(scree_kill_point PRIVATE ${CMAKE_DL_LIBS})
    set(script ${PROJECT_SOURCE_DIR}/tests/kills/test_kills.py)
    scree_add_test(kills_test_kills_full kills ${script} ${PYTHON3} ${script})
    set_property(TEST kills_test_kills kills_test_kills_full APPEND
                 PROPERTY ENVIRONMENT SCREE_KILL_POINT=$<TARGET_FILE:scree_kill_point>)
  endif()
  set(script ${PROJECT_SOURCE_DIR}/tests/kills/test_checkpoints.py)
  scree_add_test(kills_test_checkpoints_full kills ${script} ${PYTHON3} ${script})
  set_tests_properties(kills_test_checkpoints_full PROPERTIES TIMEOUT 7200)
  set(script ${PROJECT_SOURCE_DIR}/tests/kills/test_soak.py)
  scree_add_test(kills_test_soak_full kills ${script} ${PYTHON3} ${script})
  set_tests_properties(kills_test_soak_full PROPERTIES TIMEOUT 7200)
  set(script ${PROJECT_SOURCE_DIR}/tests/kills/test_live.py)
  scree_add_test(kills_test_live_full kills ${script} ${PYTHON3} ${script})
endif()

# ---- what R's own packages say of the same data ----

if(TARGET scree AND NOT SCREE_SANITIZE)
  file(GLOB scripts CONFIGURE_DEPENDS tests/r/test_*.sh)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    scree_add_test(r_${name} r ${script} ${BASH} ${script})
  endforeach()
endif()

# ---- faults: a library that is loaded before all others makes one call of a command fail, one after the other ----

if(TARGET scree AND PYTHON3 AND SCREE_VIEW AND NOT SCREE_SANITIZE)
  file(GLOB sources CONFIGURE_DEPENDS tests/faults/*.c)
  add_library(scree_fault MODULE ${sources})
  set_target_properties(scree_fault PROPERTIES PREFIX lib OUTPUT_NAME fault LIBRARY_OUTPUT_DIRECTORY tests C_VISIBILITY_PRESET default
                                               INTERPROCEDURAL_OPTIMIZATION OFF)
  target_link_libraries(scree_fault PRIVATE ${CMAKE_DL_LIBS})
  foreach(name test_memory test_files)
    set(script ${PROJECT_SOURCE_DIR}/tests/faults/${name}.py)
    foreach(full "" _full)
      scree_add_test(faults_${name}${full} faults ${script} ${PYTHON3} ${script} $<TARGET_FILE:scree_fault>)
      set_tests_properties(faults_${name}${full} PROPERTIES TIMEOUT 7200)
    endforeach()
  endforeach()
endif()

# ---- what lint catches; what is installed ----

file(GLOB scripts CONFIGURE_DEPENDS tests/lint/test_*.sh)
foreach(script ${scripts})
  get_filename_component(name ${script} NAME_WE)
  scree_add_test(lint_${name} lint ${script} ${BASH} ${script})
endforeach()

if(NOT SCREE_SANITIZE) # outsiders do not link the sanitizers
  file(GLOB scripts CONFIGURE_DEPENDS tests/install/test_*.sh)
  scree_drop_pictures(scripts)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    scree_add_test(install_${name} install ${script} ${BASH} ${script} ${PROJECT_BINARY_DIR})
    set_tests_properties(install_${name} PROPERTIES FIXTURES_REQUIRED installed)
  endforeach()
  foreach(name test_cmake test_pkgconfig) # with link-time optimisation, as outsiders link the archive: a minute each
    set(script ${PROJECT_SOURCE_DIR}/tests/install/${name}.sh)
    scree_add_test(install_${name}_lto install ${script} ${BASH} ${script} ${PROJECT_BINARY_DIR} lto)
    set_tests_properties(install_${name}_lto PROPERTIES FIXTURES_REQUIRED installed)
  endforeach()
  set(script ${PROJECT_SOURCE_DIR}/tests/install/install.sh)
  scree_add_test(install install ${script} ${BASH} ${script} ${PROJECT_BINARY_DIR})
  set_tests_properties(install PROPERTIES FIXTURES_SETUP installed)
endif()

# ---- processes of mpirun, under each MPI that is found ----

if(TARGET scree AND NOT SCREE_SANITIZE)
  set(script ${PROJECT_SOURCE_DIR}/tests/mpi/test_ranks.sh)
  foreach(mpi openmpi mpich abi)
    scree_add_test(mpi_${mpi} mpi ${script} ${BASH} ${script} $<TARGET_FILE:scree> ${mpi})
    scree_add_test(mpi_sample_${mpi} mpi ${script} ${BASH} ${script} $<TARGET_FILE:scree> ${mpi} sample)
  endforeach()
endif()

# ---- the Python package: its own tests; scikit-learn's, on its classes; the wheel, beside nothing but NumPy ----

if(TARGET scree_python AND TARGET scree AND PYTHON3)
  set(script ${PROJECT_SOURCE_DIR}/tests/python/run.py)
  foreach(name package sklearn wheel free)
    scree_add_test(python_${name} python ${script} ${PYTHON3} ${script} ${PROJECT_BINARY_DIR}/python ${name})
  endforeach()
endif()
