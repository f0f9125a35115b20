// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Named places between two steps of the code, at which a test can hold a thread while others go on: for races that no
/// other seam of the code reaches.
///
///     RIVULET_SYNC_POINT("BrickCache::request: asked");
///
/// Nothing at all, unless the file is compiled with RIVULET_SYNC_POINTS: tests of races compile the few files they are
/// about once more, with it (Testing/Support/SyncPoints.h). Never in a library or a program that is installed.
#pragma once

#ifdef RIVULET_SYNC_POINTS
namespace rivulet
{
/// Whoever compiles with sync points says what happens at them. Any thread.
void at_sync_point(const char* name);
} // namespace rivulet
#define RIVULET_SYNC_POINT(name) ::rivulet::at_sync_point(name)
#else
#define RIVULET_SYNC_POINT(name) static_cast<void>(0)
#endif
