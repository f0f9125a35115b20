# SPDX-License-Identifier: BSD-3-Clause
# What the CMake packages of ParaView and VTK get wrong on some systems, mended before anything looks for them.
#
# - Debian 13 and later: exported targets name vtkmodules/vtkCommonCore.so and its like; the files there are
#   vtkCommonCore.cpython-313-x86_64-linux-gnu.so. Configuring stops at the first of them.
# - Where ParaView is linked to a VTK of its own, that one's package is a folder of ParaView's; elsewhere it is its own.
# - VTK asks for the targets hdf5::hdf5 and hdf5::hdf5_hl. CMake's own module does not make them where Debian's library has
#   another name (CMake 4.3).
#
# A package that names files that are not there is copied to <build>/sdk, and the copy names those that are. Others are used
# as they are: nothing is done where nothing is needed.

# The folder of the package `name` that find_package(name) would take, in `out`; empty if there is none. The version asked
# for does not exist, so that nothing is loaded.
function(rivulet_where_is name out)
  set(given "${${name}_DIR}")
  find_package(${name} 9999 EXACT CONFIG QUIET)
  set(folder "")
  if(${name}_CONSIDERED_CONFIGS)
    list(GET ${name}_CONSIDERED_CONFIGS 0 config)
    cmake_path(GET config PARENT_PATH folder)
  endif()
  unset(${name}_DIR CACHE)
  if(given)
    set(${name}_DIR "${given}" CACHE PATH "Folder of the CMake package ${name}" FORCE)
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Lists of the same length, of the Python modules that the package in `folder` names but that are not there: paths as it
# names them, below the prefix, and as they are.
function(rivulet_misnamed_modules folder prefix named_out real_out)
  set(named)
  set(real)
  file(GLOB_RECURSE targets "${folder}/*-targets-*.cmake")
  foreach(file IN LISTS targets)
    file(STRINGS "${file}" lines REGEX "IMPORTED_LOCATION.*/(dist|site)-packages/.*\\.so\"")
    foreach(line IN LISTS lines)
      string(REGEX MATCH "[^}]*\\.so\"" module "${line}")
      string(REGEX REPLACE "^/|\"$" "" module "${module}")
      cmake_path(REMOVE_EXTENSION module LAST_ONLY OUTPUT_VARIABLE stem)
      file(GLOB found "${prefix}/${stem}.cpython-*.so")
      if(NOT EXISTS "${prefix}/${module}" AND found)
        list(GET found 0 found)
        cmake_path(RELATIVE_PATH found BASE_DIRECTORY "${prefix}")
        list(APPEND named "${module}")
        list(APPEND real "${found}")
      endif()
    endforeach()
  endforeach()
  set(${named_out} "${named}" PARENT_SCOPE)
  set(${real_out} "${real}" PARENT_SCOPE)
endfunction()

# A copy of the package in `folder` of an installation below `prefix`, which names the files that are there.
function(rivulet_copy_package folder prefix copy named real)
  file(REMOVE_RECURSE "${copy}")
  file(MAKE_DIRECTORY "${copy}")
  file(COPY "${folder}/" DESTINATION "${copy}")
  file(GLOB_RECURSE files "${copy}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" before)
    # Prefixes are found from where the file is; the copy is elsewhere.
    string(REGEX REPLACE "(get_filename_component|set)\\((_IMPORT_PREFIX|_vtk_module_import_prefix|PACKAGE_PREFIX_DIR) \"?\\\${[^\n]*"
      "set(\\2 \"${prefix}\")" after "${before}")
    if(after MATCHES "(dist|site)-packages/")
      foreach(from to IN ZIP_LISTS named real)
        string(REPLACE "/${from}\"" "/${to}\"" after "${after}")
      endforeach()
    endif()
    if(NOT after STREQUAL before)
      file(WRITE "${file}" "${after}")
    endif()
  endforeach()
endfunction()

# Makes find_package(name) take a copy where the package names files that are not there.
function(rivulet_mend_package name)
  # What was found when this build was configured before may be the copy.
  set(copies "${CMAKE_BINARY_DIR}/sdk")
  cmake_path(IS_PREFIX copies "${${name}_DIR}" is_copy)
  if(is_copy)
    unset(${name}_DIR CACHE)
    if(RIVULET_GIVEN_${name}_DIR)
      set(${name}_DIR "${RIVULET_GIVEN_${name}_DIR}" CACHE PATH "Folder of the CMake package ${name}" FORCE)
    endif()
  endif()
  rivulet_where_is(${name} folder)
  if(name STREQUAL "ParaView")
    set(RIVULET_PARAVIEW_HAS_VTK OFF PARENT_SCOPE)
    if(EXISTS "${folder}/vtk")
      set(RIVULET_PARAVIEW_HAS_VTK ON PARENT_SCOPE)
    endif()
  endif()
  string(REGEX REPLACE "/lib[^/]*/([^/]+/)?cmake/[^/]+$" "" prefix "${folder}")
  if(folder STREQUAL "" OR prefix STREQUAL folder)
    return() # none, or not an installation: a build tree
  endif()
  rivulet_misnamed_modules("${folder}" "${prefix}" named real)
  if(NOT named)
    return()
  endif()
  list(LENGTH named count)
  message(STATUS "The package ${folder} names ${count} Python modules otherwise than they are: using a mended copy")
  cmake_path(GET folder FILENAME last)
  rivulet_copy_package("${folder}" "${prefix}" "${copies}/${last}" "${named}" "${real}")
  set(RIVULET_GIVEN_${name}_DIR "${${name}_DIR}" CACHE INTERNAL "Folder of the package ${name} as it was given")
  set(${name}_DIR "${copies}/${last}" CACHE PATH "Folder of the CMake package ${name}" FORCE)
endfunction()

rivulet_mend_package(ParaView)
if(NOT RIVULET_PARAVIEW_HAS_VTK)
  rivulet_mend_package(VTK)
endif()
foreach(name IN ITEMS hdf5 hdf5_hl)
  if(HDF5_MPI_FOUND AND NOT TARGET hdf5::${name})
    add_library(hdf5::${name} INTERFACE IMPORTED GLOBAL)
    target_link_libraries(hdf5::${name} INTERFACE rivulet_hdf5)
  endif()
endforeach()
