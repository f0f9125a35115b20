# SPDX-License-Identifier: BSD-3-Clause
# find_package(rivulet): the target rivulet::rivulet, plain C++20 without VTK. With OpenMP rivulet::rivulet_openmp,
# too, and with TBB rivulet::rivulet_tbb.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(tl-expected)
find_package(OpenMP QUIET COMPONENTS CXX)
find_package(TBB QUIET CONFIG)
include("${CMAKE_CURRENT_LIST_DIR}/rivulet-targets.cmake")
