# SPDX-License-Identifier: BSD-3-Clause
# What was switched on, at the end of the configure step.
message(STATUS "Rivulet ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}")
message(STATUS "  ParaView plugin : ${RIVULET_BUILD_PLUGIN} ${RIVULET_PARAVIEW_VERSION}")
message(STATUS "  examples        : ${RIVULET_BUILD_EXAMPLES}")
message(STATUS "  tests           : ${BUILD_TESTING}")
message(STATUS "  benchmarks      : ${RIVULET_BUILD_BENCHMARKS}")
message(STATUS "  sanitizers      : ${RIVULET_SANITIZE}")
if(LIBURING_FOUND)
  message(STATUS "  io_uring        : ON (liburing ${LIBURING_VERSION})")
else()
  message(STATUS "  io_uring        : OFF (threads read asynchronously)")
endif()
message(STATUS "  HDF5            : ${RIVULET_HDF5}")
