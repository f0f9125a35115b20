# SPDX-License-Identifier: BSD-3-Clause
# Where things are installed below the prefix. The tree finds its own parts wherever it is moved as a whole:
#
#   bin/rivulet
#   libexec/rivulet/rivulet-vtk                   what bin/rivulet becomes where it is given VTK's files
#   lib/rivulet/librivulet.so                     a folder of its own: nobody but Rivulet's parts loads it by name
#   lib/rivulet/librivulet_insitu.so, analytics   the runtime beside simulations, and its analytics
#   lib/python3/dist-packages/rivulet_insitu      for simulations in Python, which needs nothing else
#   lib/cmake/rivulet, include/rivulet            for programs that use the library: find_package(rivulet)
#   lib/pkgconfig/rivulet-insitu.pc               for simulations that are built without CMake
#   share/rivulet                                 examples
#   <ParaView's own folder of plugins>/Rivulet    so that the prefix of a ParaView makes it one of its plugins
#
# Component `runtime` is what users run, `development` the rest.
include(CMakePackageConfigHelpers)
set(RIVULET_LIBRARY_FOLDER "${CMAKE_INSTALL_LIBDIR}/rivulet")

# The run-time search path from an installed folder to librivulet.
function(rivulet_install_rpath folder out)
  file(RELATIVE_PATH way "/prefix/${folder}" "/prefix/${RIVULET_LIBRARY_FOLDER}")
  set(${out} "$ORIGIN/${way}" PARENT_SCOPE)
endfunction()
rivulet_install_rpath("${CMAKE_INSTALL_BINDIR}" CMAKE_INSTALL_RPATH)

# The library, the headers of these folders of Core, and a package configuration.
function(rivulet_install_library target folders)
  set(configuration "${CMAKE_INSTALL_LIBDIR}/cmake/rivulet")
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "")
  install(TARGETS ${target} EXPORT rivulet
    LIBRARY DESTINATION "${RIVULET_LIBRARY_FOLDER}" COMPONENT runtime)
  install(DIRECTORY ${folders} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/rivulet" COMPONENT development
    FILES_MATCHING PATTERN "*.h")
  install(EXPORT rivulet NAMESPACE rivulet:: FILE rivulet-targets.cmake
    DESTINATION "${configuration}" COMPONENT development)
  write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/rivulet-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_SOURCE_DIR}/CMake/rivulet-config.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/rivulet-config-version.cmake"
    DESTINATION "${configuration}" COMPONENT development)
endfunction()

# Sets, for all folders, RIVULET_PARAVIEW_VERSION and RIVULET_PLUGIN_FOLDER: the folder below its prefix in which the
# ParaView that was found keeps its own plugins.
function(rivulet_find_plugin_folder)
  get_target_property(library ParaView::RemotingCore LOCATION)
  cmake_path(GET library PARENT_PATH libraries)
  string(REGEX MATCH "lib[^/]*(/[^/]+-linux-[^/]+)?$" libraries "${libraries}")
  set(RIVULET_PLUGIN_FOLDER
    "${libraries}/paraview-${ParaView_VERSION_MAJOR}.${ParaView_VERSION_MINOR}/plugins" CACHE INTERNAL "")
  set(RIVULET_PARAVIEW_VERSION "${ParaView_VERSION}" CACHE INTERNAL "")
endfunction()
