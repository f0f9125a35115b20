# SPDX-License-Identifier: BSD-3-Clause
# The target rivulet_hdf5: the HDF5 library that ParaView is linked to, because two of them in one process do not mix. That
# is the parallel one where the system has one. pkg-config knows it by name; CMake's own module, which asks the compiler
# wrapper, does not understand the newest releases' wrappers and is the second choice.
add_library(rivulet_hdf5 INTERFACE)
find_package(PkgConfig)
if(PkgConfig_FOUND)
  pkg_check_modules(HDF5_MPI IMPORTED_TARGET hdf5-mpi)
endif()
if(HDF5_MPI_FOUND)
  target_link_libraries(rivulet_hdf5 INTERFACE PkgConfig::HDF5_MPI)
  set(RIVULET_HDF5 "${HDF5_MPI_VERSION}, parallel")
else()
  set(HDF5_PREFER_PARALLEL ON)
  set(HDF5_NO_FIND_PACKAGE_CONFIG_FILE ON)
  find_package(HDF5 REQUIRED COMPONENTS C)
  target_include_directories(rivulet_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(rivulet_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  if(HDF5_IS_PARALLEL)
    find_package(MPI REQUIRED COMPONENTS C)
    target_link_libraries(rivulet_hdf5 INTERFACE MPI::MPI_C)
  endif()
  set(RIVULET_HDF5 "${HDF5_VERSION}")
endif()
