# SPDX-License-Identifier: BSD-3-Clause
# find_package(rivulet): the target rivulet::rivulet, plain C++20 without VTK. With OpenMP rivulet::rivulet_openmp,
# too, with TBB rivulet::rivulet_tbb, and with both MPI and TBB rivulet::rivulet_insitu.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(tl-expected)
find_package(OpenMP QUIET COMPONENTS CXX)
find_package(TBB QUIET CONFIG)
find_package(MPI QUIET COMPONENTS C)
include("${CMAKE_CURRENT_LIST_DIR}/rivulet-targets.cmake")
