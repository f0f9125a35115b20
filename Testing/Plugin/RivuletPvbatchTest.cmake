# SPDX-License-Identifier: BSD-3-Clause
# rivulet_pvbatch_test(NAME script.py [SYMMETRIC] [RANKS 1 2 4] [ARGUMENTS ...])
#
# Runs a script of the calling folder under pvbatch and a virtual display, once for each number of ranks. The first
# rank alone runs the script, and the others its pipelines; with SYMMETRIC every rank runs it. The script finds in its
# environment:
#   RIVULET_PLUGIN   the plugin, for LoadPlugin
#   RIVULET_PROGRAM  the command line program, to generate and convert fields
#   RIVULET_SCRATCH  a folder of the test's own, empty at the start; ranks share it
#   RIVULET_SOURCE   the source tree, for baselines
# and modules beside it and in Testing/Plugin. A test of 4 ranks has the label mpi4 besides plugin.
find_program(RIVULET_PVBATCH pvbatch)
find_program(RIVULET_XVFB Xvfb)
find_program(RIVULET_MPIEXEC mpiexec)
set(RIVULET_PVBATCH_TEST_DIR "${CMAKE_CURRENT_LIST_DIR}")

function(rivulet_pvbatch_test name script)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SYMMETRIC" "" "RANKS;ARGUMENTS")
  if(NOT RIVULET_PVBATCH OR NOT RIVULET_XVFB)
    message(STATUS "No pvbatch or no Xvfb: the test ${name} is left out")
    return()
  endif()
  if(NOT arg_RANKS)
    set(arg_RANKS 1)
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    set(launcher)
    set(test ${name})
    set(labels plugin)
    if(ranks GREATER 1)
      if(NOT RIVULET_MPIEXEC)
        continue()
      endif()
      set(launcher "${RIVULET_MPIEXEC}" -n ${ranks})
      string(APPEND test "-${ranks}Ranks")
    endif()
    if(ranks GREATER 2)
      list(APPEND labels mpi4)
    endif()
    set(scratch "${CMAKE_CURRENT_BINARY_DIR}/scratch/${test}")
    add_test(NAME ${test}
      COMMAND "${CMAKE_COMMAND}" "-Dscratch=${scratch}" -P "${RIVULET_PVBATCH_TEST_DIR}/RunInScratch.cmake" --
        "${RIVULET_PVBATCH_TEST_DIR}/with_display.sh"
        ${launcher} "${RIVULET_PVBATCH}" $<$<BOOL:${arg_SYMMETRIC}>:--symmetric> "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${arg_ARGUMENTS}
      COMMAND_EXPAND_LISTS)
    set(python_path "${CMAKE_CURRENT_SOURCE_DIR}:${RIVULET_PVBATCH_TEST_DIR}")
    set_tests_properties(${test} PROPERTIES
      LABELS "${labels}"
      PROCESSORS ${ranks}
      TIMEOUT 300
      ENVIRONMENT "RIVULET_PLUGIN=$<TARGET_FILE:Rivulet>;RIVULET_PROGRAM=$<TARGET_FILE:rivulet_command>;\
RIVULET_SCRATCH=${scratch};XDG_CACHE_HOME=${scratch}/cache;RIVULET_SOURCE=${PROJECT_SOURCE_DIR};PYTHONPATH=${python_path};${RIVULET_MPI_TEST_ENVIRONMENT}")
  endforeach()
endfunction()
