# SPDX-License-Identifier: BSD-3-Clause
# find_package(rivulet): the target rivulet::rivulet, plain C++20 without VTK. With TBB
# rivulet::rivulet_tbb, too, and with both MPI and TBB rivulet::rivulet_insitu. Where the project has enabled
# Fortran before, rivulet::rivulet_insitu_fortran, too.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(tl-expected)
find_package(TBB QUIET CONFIG)
find_package(MPI QUIET COMPONENTS C)
include("${CMAKE_CURRENT_LIST_DIR}/rivulet-targets.cmake")

# The module for Fortran, compiled in the build tree of the project: module files belong to one compiler.
get_property(rivulet_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(TARGET rivulet::rivulet_insitu AND "Fortran" IN_LIST rivulet_languages AND NOT TARGET rivulet_insitu_fortran)
  get_target_property(rivulet_headers rivulet::rivulet_insitu_headers INTERFACE_INCLUDE_DIRECTORIES)
  list(GET rivulet_headers 0 rivulet_headers)
  set(rivulet_modules "${CMAKE_CURRENT_BINARY_DIR}/rivulet_insitu_fortran")
  add_library(rivulet_insitu_fortran STATIC EXCLUDE_FROM_ALL "${rivulet_headers}/rivulet_insitu.f90")
  set_target_properties(rivulet_insitu_fortran PROPERTIES
    Fortran_MODULE_DIRECTORY "${rivulet_modules}" POSITION_INDEPENDENT_CODE ON)
  target_include_directories(rivulet_insitu_fortran INTERFACE "${rivulet_modules}")
  target_link_libraries(rivulet_insitu_fortran PUBLIC rivulet::rivulet_insitu)
  add_library(rivulet::rivulet_insitu_fortran ALIAS rivulet_insitu_fortran)
  unset(rivulet_headers)
  unset(rivulet_modules)
endif()
unset(rivulet_languages)
