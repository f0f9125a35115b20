// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/MemoryAccount.h"

#include "Base/Bytes.h"
#include "Store/Memory/FreeMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>

namespace rivulet
{

namespace
{

constexpr std::int64_t kLargestDefault = 2 * kGiB;
constexpr std::int64_t kSmallestDefault = 16 * kMiB;

constexpr std::chrono::milliseconds kIdleAfter{ 250 };
constexpr std::chrono::milliseconds kPause{ 2 }; ///< between two attempts to reclaim, if leases had nothing to give
constexpr int kMostWaits = 10;                   ///< pauses for memory in use, before the limit is exceeded
constexpr std::int64_t kAskings = 16; ///< calls of a lease's reclaim, after which it has given almost all that it can

std::int64_t cap_from_environment()
{
  const char* text = std::getenv("RIVULET_MEMORY_LIMIT");
  if (text == nullptr || *text == '\0')
  {
    return std::numeric_limits<std::int64_t>::max();
  }
  const Result<std::int64_t> bytes = parse_bytes(text);
  if (!bytes)
  {
    // No caller can get an error here, and the setting must not be ignored in silence.
    std::fprintf(stderr, "RIVULET_MEMORY_LIMIT is ignored: %s\n", bytes.error().describe().c_str());
    return std::numeric_limits<std::int64_t>::max();
  }
  return *bytes;
}

} // namespace

MemoryAccount& MemoryAccount::process()
{
  // Never freed: leases of static objects may end last.
  static auto* const account = new MemoryAccount(cap_from_environment());
  return *account;
}

void MemoryAccount::Sum::note_peak(std::int64_t bytes)
{
  std::int64_t seen = peak.load(std::memory_order_relaxed);
  while (seen < bytes && !peak.compare_exchange_weak(seen, bytes, std::memory_order_relaxed))
  {
  }
}

bool MemoryAccount::add(MemoryUse use, std::int64_t bytes)
{
  std::int64_t used = all_.used.load(std::memory_order_relaxed);
  do
  {
    if (bytes > cap_ - used)
    {
      return false;
    }
  } while (!all_.used.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  all_.note_peak(used + bytes);
  sum(use).note_peak(sum(use).used.fetch_add(bytes, std::memory_order_relaxed) + bytes);
  return true;
}

void MemoryAccount::add_past_limit(MemoryUse use, std::int64_t bytes)
{
  all_.note_peak(all_.used.fetch_add(bytes, std::memory_order_relaxed) + bytes);
  sum(use).note_peak(sum(use).used.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

bool MemoryAccount::try_take(MemoryUse use, std::int64_t bytes)
{
  return add(use, bytes) || (bytes <= cap_ && reclaim(nullptr, bytes, Need::Wish) > 0 && add(use, bytes));
}

void MemoryAccount::take(MemoryUse use, std::int64_t bytes)
{
  int waits = 0;
  while (!add(use, bytes)) // another thread may take the memory that came back
  {
    const bool freed = reclaim(nullptr, bytes, Need::Urgent) > 0 || reclaim(nullptr, bytes, Need::Certain) > 0;
    if (!freed && ++waits > kMostWaits)
    {
      add_past_limit(use, bytes);
      return;
    }
    if (!freed)
    {
      std::this_thread::sleep_for(kPause); // memory that is being read into can be given back only when it is full
    }
  }
}

void MemoryAccount::give_back(MemoryUse use, std::int64_t bytes)
{
  all_.used.fetch_sub(bytes, std::memory_order_relaxed);
  sum(use).used.fetch_sub(bytes, std::memory_order_relaxed);
}

void MemoryAccount::find_idle()
{
  const Clock::time_point now = Clock::now();
  if (now - last_look_ < kIdleAfter)
  {
    return;
  }
  last_look_ = now;
  for (MemoryLease* lease : leases_)
  {
    lease->idle_ = !lease->used_lately_.exchange(false, std::memory_order_relaxed);
  }
}

double MemoryAccount::rest_per_weight(const MemoryLease* asker) const
{
  std::int64_t rest = cap_ - used();
  std::int64_t weights = 0;
  for (const MemoryLease* lease : leases_)
  {
    rest += lease->held();
    if (!lease->idle_ || lease == asker)
    {
      rest -= lease->minimum_.load(std::memory_order_relaxed);
      weights += lease->terms_.weight;
    }
  }
  return static_cast<double>(std::max<std::int64_t>(0, rest)) / static_cast<double>(std::max<std::int64_t>(1, weights));
}

std::int64_t MemoryAccount::reclaim(const MemoryLease* asker, std::int64_t bytes, Need need)
{
  const std::lock_guard lock(mutex_);
  find_idle();
  const double rest = rest_per_weight(asker);
  const bool from_busy = need != Need::Wish || (asker != nullptr && asker->held() + bytes <= asker->share(rest));
  std::int64_t freed = 0;
  for (const bool idle : { true, false })
  {
    for (const MemoryLease* lease : leases_)
    {
      const std::int64_t missing = bytes - (cap_ - used());
      if (missing <= 0 || (!idle && !from_busy))
      {
        return freed;
      }
      const std::int64_t surplus = lease->held() - (idle ? 0 : lease->kept(need, rest));
      if (lease != asker && lease->idle_ == idle && surplus > 0)
      {
        freed += lease->terms_.reclaim(std::clamp(surplus / kAskings, std::min(missing, surplus), surplus));
      }
    }
  }
  return freed;
}

MemoryLease::MemoryLease(Terms terms, MemoryAccount& account)
  : account_(account)
  , terms_(std::move(terms))
  , minimum_(terms_.minimum)
{
  if (terms_.reclaim)
  {
    const std::lock_guard lock(account_.mutex_);
    account_.leases_.push_back(this);
  }
}

MemoryLease::~MemoryLease()
{
  end_reclaim();
  account_.give_back(terms_.use, held());
}

void MemoryLease::end_reclaim()
{
  if (terms_.reclaim)
  {
    const std::lock_guard lock(account_.mutex_);
    std::erase(account_.leases_, this);
  }
}

std::int64_t MemoryLease::kept(MemoryAccount::Need need, double rest_per_weight) const
{
  switch (need)
  {
  case MemoryAccount::Need::Wish:
    return share(rest_per_weight);
  case MemoryAccount::Need::Urgent:
    return minimum_.load(std::memory_order_relaxed);
  case MemoryAccount::Need::Certain:
    break;
  }
  return 0;
}

std::int64_t MemoryLease::share(double rest_per_weight) const
{
  return minimum_.load(std::memory_order_relaxed) +
         static_cast<std::int64_t>(rest_per_weight * static_cast<double>(terms_.weight));
}

bool MemoryLease::try_take(std::int64_t bytes)
{
  touch();
  if (!account_.add(terms_.use, bytes) && !take_from_others(bytes, held() == 0 ? Need::Urgent : Need::Wish))
  {
    return false;
  }
  held_.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

void MemoryLease::take(std::int64_t bytes)
{
  touch();
  if (!account_.add(terms_.use, bytes) && !take_from_others(bytes, Need::Urgent) &&
      !take_from_others(bytes, Need::Certain))
  {
    account_.add_past_limit(terms_.use, bytes);
  }
  held_.fetch_add(bytes, std::memory_order_relaxed);
}

void MemoryLease::note(std::int64_t bytes)
{
  touch();
  account_.add_past_limit(terms_.use, bytes);
  held_.fetch_add(bytes, std::memory_order_relaxed);
}

void MemoryLease::give_back(std::int64_t bytes)
{
  held_.fetch_sub(bytes, std::memory_order_relaxed);
  account_.give_back(terms_.use, bytes);
}

bool MemoryLease::take_from_others(std::int64_t bytes, Need need)
{
  const std::int64_t now = MemoryAccount::Clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  if (bytes > account_.cap() || (need == Need::Wish && now < next_try_.load(std::memory_order_relaxed)))
  {
    return false;
  }
  std::int64_t freed = 0;
  do
  {
    freed = account_.reclaim(this, bytes, need);
    if (account_.add(terms_.use, bytes))
    {
      return true;
    }
  } while (freed > 0);
  next_try_.store(now + kPause / std::chrono::nanoseconds(1), std::memory_order_relaxed);
  return false;
}

std::int64_t default_memory_budget()
{
  const std::int64_t share = std::min(kLargestDefault, free_memory() / 4) / ranks_on_node();
  return std::max(share, kSmallestDefault);
}

} // namespace rivulet
