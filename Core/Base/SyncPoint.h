// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Named places between two steps of the code, where a test can hold a thread while others go on: for races that a test
/// cannot reach otherwise.
///
///     RIVULET_SYNC_POINT("BrickCache::request: asked");
///
/// Expands to nothing unless the file is compiled with RIVULET_SYNC_POINTS. Tests of races compile the few files under
/// test a second time with it (Testing/Support/SyncPoints.h). Never set in an installed library or program.
#pragma once

#ifdef RIVULET_SYNC_POINTS
namespace rivulet
{
/// Defined by the program that compiles files with sync points. Any thread.
void at_sync_point(const char* name);
} // namespace rivulet
#define RIVULET_SYNC_POINT(name) ::rivulet::at_sync_point(name)
#else
#define RIVULET_SYNC_POINT(name) static_cast<void>(0)
#endif
