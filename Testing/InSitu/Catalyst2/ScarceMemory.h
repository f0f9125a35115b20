// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory that ends: a program with ScarceMemory.cxx has allocations that fail where a test wants it.
///
///     set_allocations_left(3);   // of this thread: the fourth operator new from here on throws, all others succeed
///     ...
///     const bool thrown = !set_allocations_left(-1);
#pragma once

namespace rivulet::test
{

/// -1: all succeed. Returns true if the failure that was set before has not come yet.
bool set_allocations_left(long left);

} // namespace rivulet::test
