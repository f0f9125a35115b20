// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What is to happen when a thread comes to a sync point (Base/SyncPoint.h).
///
///     Gate gate;
///     const AtSyncPoint hold("BrickCache::request: asked", [&] { gate.pass(); });
///
/// The first thread that comes by does it, within the code under test and with the locks that it holds; those after it
/// pass. A name that no thread came by is a failure of the test: the point is gone, or has another name.
///
/// Any thread; objects of one name one at a time.
#pragma once

#include <functional>
#include <string>

namespace rivulet::test
{

class AtSyncPoint
{
public:
  AtSyncPoint(std::string name, std::function<void()> act);
  AtSyncPoint(const AtSyncPoint&) = delete;
  AtSyncPoint& operator=(const AtSyncPoint&) = delete;
  ~AtSyncPoint();

private:
  const std::string name_;
};

} // namespace rivulet::test
