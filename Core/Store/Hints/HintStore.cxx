// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Hints/HintStore.h"

#include "Store/Hints/HintFile.h"

#include <exception>

namespace rivulet
{

HintStore::HintStore(std::string path, std::uint64_t identity, const std::string& more)
  : path_(std::move(path))
  , identity_(identity)
{
  auto known = std::make_shared<HintGraph>();
  read(path_, *known);
  if (!more.empty())
  {
    read(more, *known);
  }
  known_ = std::move(known);
}

void HintStore::read(const std::string& path, HintGraph& to)
{
  const Result<HintGraph> hints = read_hints(path, identity_);
  if (hints)
  {
    to.merge(*hints);
  }
  else
  {
    notice_ = "Hints are not used: " + hints.error().describe();
  }
}

HintStore::~HintStore()
{
  try
  {
    if (learnt_.size() > 0)
    {
      (void)merge_hints(path_, identity_, learnt_); // without it the next run learns anew
    }
  }
  catch (const std::exception&) // no memory
  {
  }
}

std::shared_ptr<const HintGraph> HintStore::known() const
{
  const std::lock_guard lock(mutex_);
  return known_;
}

void HintStore::learn(const HintGraph& learnt)
{
  if (learnt.size() == 0)
  {
    return;
  }
  const std::lock_guard lock(mutex_);
  learnt_.merge(learnt);
  auto known = std::make_shared<HintGraph>(*known_);
  known->merge(learnt);
  known_ = std::move(known);
}

} // namespace rivulet
