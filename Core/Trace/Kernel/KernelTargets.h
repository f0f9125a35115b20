// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The instruction sets that the kernel is compiled for; to be included before any header of Highway.
#pragma once

// Below AVX2 nothing is gained over plain code, and above plain AVX-512 nothing is used.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
