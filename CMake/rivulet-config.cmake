# SPDX-License-Identifier: BSD-3-Clause
# find_package(rivulet): the target rivulet::rivulet, plain C++20 without VTK.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(tl-expected)
include("${CMAKE_CURRENT_LIST_DIR}/rivulet-targets.cmake")
