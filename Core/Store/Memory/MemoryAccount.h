// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The account of the memory in which Rivulet keeps values in this process. RIVULET_MEMORY_LIMIT is its limit; budgets
/// of readers and runs are kept by their owners.
///
/// A lease is an owner's part of the account. At the limit, the account asks other leases to give memory back (reclaim)
/// before it refuses. Idle leases are asked first, for all their memory. Busy ones are asked next, for the memory
/// beyond their share, if the asker has less than its own share. For a lease that holds nothing, busy leases are
/// reduced to their minimum. For memory that cannot be refused, they give all that they can. A lease is idle if it was
/// not used for a quarter of a second. The share of a busy lease is its minimum and, by weight, a part of the rest.
///
///     MemoryLease lease({ .use = MemoryUse::Bricks, .minimum = 4 * slot,
///         .reclaim = [this](std::int64_t bytes) { return drop_oldest(bytes); } });
///     if (lease.try_take(slot)) { ...; lease.give_back(slot); }
///
/// Memory that no owner can give back is taken from the account itself, or is a MemoryPart.
///
/// Threads: any. Taking is lock-free below the limit. At the limit one thread at a time asks, with the account's mutex
/// locked. So a reclaim function takes no memory, makes and ends no lease, and waits for no lock that a thread may hold
/// while it takes memory. Bytes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace rivulet
{

enum class MemoryUse : std::uint8_t
{
  Bricks,      ///< read from files into caches
  MadeBricks,  ///< assembled from other bricks or from patches
  MappedPages, ///< resident pages of mapped files
  Staging,     ///< bytes on their way from a file into bricks
  Patches,     ///< of AMR dumps
  NodeValues,  ///< scratch memory while bricks are assembled from patches
  Tiles,       ///< of arrays that are converted piece by piece
  Lines,       ///< points of lines under construction
  Copies,      ///< whole arrays for filters that want plain memory
};
inline constexpr std::size_t kMemoryUses = 9;

class MemoryLease;

class MemoryAccount
{
public:
  [[nodiscard]] static MemoryAccount& process();
  explicit MemoryAccount(std::int64_t cap)
    : cap_(cap)
  {
  }

  /// Takes `bytes` if the limit allows it, possibly after idle leases have given memory back.
  [[nodiscard]] bool try_take(MemoryUse use, std::int64_t bytes);
  /// Takes `bytes` even beyond the limit, if leases do not give enough back within about 20 ms.
  void take(MemoryUse use, std::int64_t bytes);
  void give_back(MemoryUse use, std::int64_t bytes);

  [[nodiscard]] std::int64_t used() const { return all_.used.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t peak() const { return all_.peak.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t cap() const { return cap_; } ///< bytes; RIVULET_MEMORY_LIMIT or no limit
  [[nodiscard]] std::int64_t used(MemoryUse use) const { return sum(use).used.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t peak(MemoryUse use) const { return sum(use).peak.load(std::memory_order_relaxed); }

private:
  friend class MemoryLease;
  using Clock = std::chrono::steady_clock;

  /// Amount that the asker may take from busy leases.
  enum class Need : std::uint8_t
  {
    Wish,   ///< memory beyond their share, if the asker has less than its own
    Urgent, ///< down to their minimum: the asker has nothing
    Certain ///< all that they can give: the asker cannot be refused
  };
  struct Sum
  {
    std::atomic<std::int64_t> used{ 0 };
    std::atomic<std::int64_t> peak{ 0 };

    void note_peak(std::int64_t bytes);
  };

  [[nodiscard]] const Sum& sum(MemoryUse use) const { return uses_[static_cast<std::size_t>(use)]; }
  [[nodiscard]] Sum& sum(MemoryUse use) { return uses_[static_cast<std::size_t>(use)]; }
  /// Takes `bytes` if the limit allows it now.
  [[nodiscard]] bool add(MemoryUse use, std::int64_t bytes);
  void add_past_limit(MemoryUse use, std::int64_t bytes);
  /// Asks leases other than the asker's until the limit allows `bytes` more. Returns the bytes that came back.
  std::int64_t reclaim(const MemoryLease* asker, std::int64_t bytes, Need need);
  void find_idle();
  /// Bytes beyond the minima for each unit of weight of the busy leases and the asker's.
  [[nodiscard]] double rest_per_weight(const MemoryLease* asker) const;

  const std::int64_t cap_;
  Sum all_;
  std::array<Sum, kMemoryUses> uses_;

  std::mutex mutex_; ///< guards the members below
  std::vector<MemoryLease*> leases_;
  Clock::time_point last_look_; ///< when idle leases were last determined
};

class MemoryLease
{
public:
  struct Terms
  {
    MemoryUse use = MemoryUse::Bricks;
    std::int64_t minimum = 0; ///< bytes that a busy lease cannot do without
    std::int64_t weight = 1;  ///< of its share beyond the minimum
    /// Gives about `bytes` back, through give_back(), if it can; returns the bytes given back.
    std::function<std::int64_t(std::int64_t bytes)> reclaim;
  };

  explicit MemoryLease(Terms terms, MemoryAccount& account = MemoryAccount::process());
  MemoryLease(const MemoryLease&) = delete;
  MemoryLease& operator=(const MemoryLease&) = delete;
  /// Gives all memory back.
  ~MemoryLease();

  /// Takes `bytes` if the limit allows it, possibly after other leases have given memory back. The caller must not hold
  /// a lock that a reclaim function waits for.
  [[nodiscard]] bool try_take(std::int64_t bytes);
  /// Takes `bytes` even beyond the limit, if other leases do not give enough back.
  void take(std::int64_t bytes);
  /// Counts `bytes` that are in memory already. Reclaims nothing, so that a reclaim function may call it.
  void note(std::int64_t bytes);
  void give_back(std::int64_t bytes);
  /// From now on reclaim is not called. Waits for a call under way.
  void end_reclaim();

  /// Makes the lease busy. Owners call it when they use memory without taking any.
  void touch()
  {
    if (!used_lately_.load(std::memory_order_relaxed))
    {
      used_lately_.store(true, std::memory_order_relaxed);
    }
  }

  [[nodiscard]] std::int64_t held() const { return held_.load(std::memory_order_relaxed); }
  void set_minimum(std::int64_t bytes) { minimum_.store(bytes, std::memory_order_relaxed); }

private:
  friend class MemoryAccount;

  using Need = MemoryAccount::Need;
  [[nodiscard]] bool take_from_others(std::int64_t bytes, Need need);
  /// Bytes that a busy lease keeps when another asks with this need.
  [[nodiscard]] std::int64_t kept(Need need, double rest_per_weight) const;
  /// Bytes that a busy lease may keep when others want memory.
  [[nodiscard]] std::int64_t share(double rest_per_weight) const;

  MemoryAccount& account_;
  const Terms terms_;
  std::atomic<std::int64_t> minimum_;
  std::atomic<std::int64_t> held_{ 0 };
  std::atomic<bool> used_lately_{ true };
  std::atomic<std::int64_t> next_try_{ 0 }; ///< nanoseconds of the clock; before, others had nothing to give
  bool idle_ = false;                       ///< guarded by the account's mutex
};

/// Memory that is taken for a while and cannot be reclaimed. The destructor gives it back.
class MemoryPart
{
public:
  explicit MemoryPart(MemoryUse use)
    : use_(use)
  {
  }
  MemoryPart(MemoryPart&& other) noexcept
    : use_(other.use_)
    , bytes_(std::exchange(other.bytes_, 0))
  {
  }
  MemoryPart& operator=(MemoryPart&& other) noexcept
  {
    std::swap(use_, other.use_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryPart() { MemoryAccount::process().give_back(use_, bytes_); }

  /// Takes `bytes` more, even beyond the limit.
  void take(std::int64_t bytes)
  {
    MemoryAccount::process().take(use_, bytes);
    bytes_ += bytes;
  }

private:
  MemoryUse use_;
  std::int64_t bytes_ = 0;
};

/// min(2 GiB, a quarter of the memory that is free under physical memory and the memory cgroup) / ranks on this node,
/// at least 16 MiB. The number of ranks comes from the launcher's environment (OMPI_COMM_WORLD_LOCAL_SIZE,
/// MPI_LOCALNRANKS, SLURM's).
[[nodiscard]] std::int64_t default_memory_budget();

} // namespace rivulet
