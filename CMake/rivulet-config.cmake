# SPDX-License-Identifier: BSD-3-Clause
# find_package(rivulet): the target rivulet::rivulet, plain C++20 without VTK. With OpenMP rivulet::rivulet_openmp, too.
# With MPI for C rivulet::rivulet_insitu_headers, for simulations and analytics.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(tl-expected)
find_package(OpenMP QUIET COMPONENTS CXX)
find_package(MPI QUIET COMPONENTS C)
include("${CMAKE_CURRENT_LIST_DIR}/rivulet-targets.cmake")
