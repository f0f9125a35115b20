// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The instruction sets that the kernel is compiled for. Include this before any header of Highway.
#pragma once

// Builds with sanitizers leave out one more, to be compiled in a bearable time (Trace/CMakeLists.txt).
#ifndef RIVULET_OMITTED_TARGET
#define RIVULET_OMITTED_TARGET 0
#endif

// Targets below AVX2 are no faster than plain code, and the kernel uses nothing above plain AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | RIVULET_OMITTED_TARGET)
