// SPDX-License-Identifier: BSD-3-Clause
#include "Support/SyncPoints.h"

#include "Base/SyncPoint.h"

#include <gtest/gtest.h>
#include <map>
#include <mutex>

namespace rivulet
{

namespace
{

struct Actions
{
  std::mutex mutex;
  std::map<std::string, std::function<void()>> by_name;

  /// What is to be done there; nothing the second time.
  std::function<void()> take(const std::string& name)
  {
    const std::lock_guard lock(mutex);
    const auto found = by_name.find(name);
    std::function<void()> act = found == by_name.end() ? nullptr : std::move(found->second);
    by_name.erase(name);
    return act;
  }
};

Actions& actions()
{
  static Actions all;
  return all;
}

} // namespace

void at_sync_point(const char* name)
{
  if (const std::function<void()> act = actions().take(name))
  {
    act();
  }
}

namespace test
{

AtSyncPoint::AtSyncPoint(std::string name, std::function<void()> act)
  : name_(std::move(name))
{
  const std::lock_guard lock(actions().mutex);
  actions().by_name[name_] = std::move(act);
}

AtSyncPoint::~AtSyncPoint()
{
  EXPECT_EQ(actions().take(name_), nullptr) << "no thread came by " << name_;
}

} // namespace test
} // namespace rivulet
