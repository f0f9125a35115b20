# SPDX-License-Identifier: BSD-3-Clause
# Writes <build>/build-facts.json: configuration and library versions of this build. Benchmarks keep them with their rows.
# Included at the end of the configure step. Versions of libraries that were not looked for are left out.
set(facts "{\"configuration\": {}, \"libraries\": {}}")

function(rivulet_add_fact section name value)
  if(NOT value STREQUAL "")
    string(REPLACE "\\" "\\\\" value "${value}")
    string(REPLACE "\"" "\\\"" value "${value}")
    string(JSON facts SET "${facts}" "${section}" "${name}" "\"${value}\"")
    set(facts "${facts}" PARENT_SCOPE)
  endif()
endfunction()

string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" flags)
rivulet_add_fact(configuration "build type" "${CMAKE_BUILD_TYPE}")
rivulet_add_fact(configuration compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
rivulet_add_fact(configuration flags "${flags}")
rivulet_add_fact(configuration sanitizers "${RIVULET_SANITIZE}")
rivulet_add_fact(configuration io_uring "${RIVULET_USE_IO_URING}")
rivulet_add_fact(configuration plugin "${RIVULET_BUILD_PLUGIN}")

get_directory_property(highway DIRECTORY "${PROJECT_SOURCE_DIR}/Core" DEFINITION hwy_VERSION)
rivulet_add_fact(libraries Highway "${highway}")
rivulet_add_fact(libraries HDF5 "${RIVULET_HDF5}")
rivulet_add_fact(libraries liburing "${LIBURING_VERSION}")
if(RIVULET_BUILD_PLUGIN)
  get_directory_property(vtk DIRECTORY "${PROJECT_SOURCE_DIR}/Plugin" DEFINITION VTK_VERSION)
  rivulet_add_fact(libraries VTK "${vtk}")
  rivulet_add_fact(libraries ParaView "${RIVULET_PARAVIEW_VERSION}")
endif()
file(WRITE "${CMAKE_BINARY_DIR}/build-facts.json" "${facts}\n")
