// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Eight pairs of particles at once, by the vector types of GCC and Clang. Arrays may be read by so many elements
/// beyond their end.
#pragma once

#include <cstdint>

// Compiles a function for several instruction sets. The program chooses one at its start. Sanitizers do not support
// that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define MD_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MD_WIDE
#endif
#define MD_INLINE inline __attribute__((always_inline))
#define MD_LAMBDA __attribute__((always_inline))

namespace molecular_dynamics
{

inline constexpr std::int32_t kLanes = 8;
typedef double Lanes __attribute__((vector_size(8 * kLanes)));          // NOLINT(modernize-use-using): a vector
typedef std::int64_t LaneMask __attribute__((vector_size(8 * kLanes))); // NOLINT(modernize-use-using): a vector

} // namespace molecular_dynamics
