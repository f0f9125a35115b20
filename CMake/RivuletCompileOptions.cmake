# SPDX-License-Identifier: BSD-3-Clause
# rivulet_options(target): the warnings and sanitizers that every target of the suite is built with.
function(rivulet_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow
    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of an impossible overlap in every `"literal" + std::string` (its bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # GCC 14 does not see that a loop over three vertices sets what it looks for, GCC 16 takes a std::function that is
    # moved out of an aggregate for one that was never set. GCC 12 keeps the warning.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 16)
    # GCC 16 takes the storage of a tl::expected for memory that its std::shared_ptr frees.
    target_compile_options(${target} PRIVATE -Wno-free-nonheap-object)
  endif()
  # Newer compilers find new faults in old code, and take some sound code for faulty: they warn, and go on.
  if(RIVULET_WERROR AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13))
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(RIVULET_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${RIVULET_SANITIZE} -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # With the checks in, following variables through the kernel takes longer than compiling it.
      target_compile_options(${target} PRIVATE -fno-var-tracking-assignments)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${RIVULET_SANITIZE})
  endif()
endfunction()

# rivulet_compile_fast(target): little optimisation, for programs whose sources only read the command line. Their
# headers would take twice as long to compile, and be no better.
function(rivulet_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endfunction()
