// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Interface between the owners of a field's values and their users.
///
/// A field is cut into bricks. A brick owns a box of cells and holds every value its cells need, the shared layer
/// towards its upper neighbours included, so that no cell ever straddles two bricks. Sources are asynchronous:
///
///     Lookup found = source.try_get(key);
///     switch (found.state)
///     {
///       case Lookup::State::Ready:  use found.pin.view(); break;              // valid while the pin lives
///       case Lookup::State::Miss:   source.request(key, waiter); break;       // do other work; the waiter is told
///       case Lookup::State::Failed: report(*found.error); break;              // this brick cannot be had
///     }
///
/// A synchronous source (mapped, buffered, direct, in memory) reads inside try_get() and answers Ready or Failed. It
/// answers Miss only if every slot of its cache is pinned by others. An asynchronous source reads after request(), on
/// threads of its own. Callers must handle all three answers from any source.
///
/// Threads: every function may be called from any thread at any time, unless stated otherwise.
#pragma once

#include "Base/Brick.h"
#include "Base/Field.h"
#include "Base/Result.h"
#include "Store/Source/SourceStatistics.h"

#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rivulet
{

/// The values of one brick in memory: component c of lattice point (i, j, k), begin <= (i, j, k) < end, is scalar
///   data[c * component_stride + (i - begin[0]) * stride[0] + (j - begin[1]) * stride[1] + (k - begin[2]) * stride[2]]
/// in native byte order. Nothing outside these values may be read.
struct BrickView
{
  const void* data = nullptr;
  ScalarType type = ScalarType::Float32;
  std::int32_t components = 0;
  Box lattice;                       ///< box of the values
  Long3 stride{ 0, 0, 0 };           ///< in scalars
  std::int64_t component_stride = 1; ///< in scalars
};

class BrickSource;
class HintStore;

/// Keeps one brick in memory. Move-only; the destructor returns the brick. Must not outlive its source.
class BrickPin
{
public:
  BrickPin() = default;
  BrickPin(BrickSource* owner, void* token, const BrickView& view)
    : owner_(owner)
    , token_(token)
    , view_(view)
  {
  }
  BrickPin(BrickPin&& other) noexcept { *this = std::move(other); }
  BrickPin& operator=(BrickPin&& other) noexcept
  {
    if (this != &other)
    {
      release();
      owner_ = std::exchange(other.owner_, nullptr);
      token_ = other.token_;
      view_ = other.view_;
    }
    return *this;
  }
  BrickPin(const BrickPin&) = delete;
  BrickPin& operator=(const BrickPin&) = delete;
  ~BrickPin() { release(); }

  void release();
  [[nodiscard]] explicit operator bool() const { return owner_ != nullptr; }
  [[nodiscard]] const BrickView& view() const { return view_; }

private:
  BrickSource* owner_ = nullptr;
  void* token_ = nullptr;
  BrickView view_;
};

/// The answer of BrickSource::try_get().
struct Lookup
{
  enum class State : std::uint8_t
  {
    Ready,
    Miss,
    Failed
  };
  State state = State::Miss;
  BrickPin pin;                       ///< Ready only
  std::shared_ptr<const Error> error; ///< Failed only
};

/// Gets the answer of a request: exactly once per request, on any thread, possibly before request() returns. The brick
/// is pinned (Ready), so that it stays until it is used, or cannot be had (Failed). A Miss means: ask again, because
/// there may be an answer now or the request was withdrawn. The callback must be short, and must not call the source,
/// but for letting go of the pin.
class BrickWaiter
{
public:
  virtual void brick_arrived(const BrickKey& key, Lookup&& found) = 0;

protected:
  ~BrickWaiter() = default;
};

/// Facts that are known when a run begins, for the source.
struct Workload
{
  int threads = 1;
  std::int64_t at_once = 0; ///< particles advanced at a time by all threads: as many bricks may be wanted at once
  std::vector<BrickKey> first_bricks{}; ///< some of the bricks in which particles begin, spread over all of these
};

/// A cut of a field into bricks that is not a regular one, as AMR meshes have. Sources have the same cut if it is the
/// same object.
class BrickCut
{
public:
  virtual ~BrickCut() = default;

  /// Number of nodes of a brick, and of the largest brick at most.
  [[nodiscard]] virtual std::int64_t nodes_of(std::int64_t brick) const = 0;
  [[nodiscard]] virtual std::int64_t most_nodes() const = 0;

protected:
  BrickCut() = default;
  BrickCut(const BrickCut&) = default;
  BrickCut(BrickCut&&) = default;
  BrickCut& operator=(const BrickCut&) = default;
  BrickCut& operator=(BrickCut&&) = default;
};

/// An open field: hands out its bricks.
class BrickSource
{
public:
  BrickSource() = default;
  BrickSource(const BrickSource&) = delete;
  BrickSource& operator=(const BrickSource&) = delete;
  virtual ~BrickSource() = default;

  [[nodiscard]] virtual const FieldInfo& info() const = 0;
  [[nodiscard]] virtual const BrickGrid& bricks(int variable) const = 0;
  /// A cut of the source's own (AmrMesh/AmrMesh.h). Keys then number its bricks, and bricks() has only their number.
  /// nullptr: a regular cut, which is bricks().
  [[nodiscard]] virtual const BrickCut* own_cut() const { return nullptr; }

  [[nodiscard]] virtual Lookup try_get(const BrickKey& key) = 0;
  void request(const BrickKey& key, BrickWaiter& waiter) { request_for(key, waiter, 1); }
  /// request() on behalf of `particles` particles: a source that cannot read everything at once may serve the brick
  /// first that most particles wait for. By default the answer is that of try_get(), for sources that read in it.
  virtual void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
  {
    (void)particles;
    waiter.brick_arrived(key, try_get(key));
  }
  /// Withdraws all requests of the waiter: they are answered soon, read or not, still once each.
  virtual void withdraw(BrickWaiter& waiter) { (void)waiter; }

  /// Names bricks that may be requested later. An asynchronous source reads them, higher priority first, when all
  /// requested bricks are being read. A hint: other sources do nothing, and keys that do not exist, or for which
  /// there is no room, are skipped.
  virtual void prefetch(std::span<const BrickKey> keys, std::int64_t priority)
  {
    (void)keys;
    (void)priority;
  }

  /// Hints for prefetch(): it has the hints of earlier runs, and keeps the hints of this run (Hints/HintStore.h).
  /// nullptr: there are none to use or to keep. Call after prepare().
  [[nodiscard]] virtual HintStore* hints() { return nullptr; }

  /// Called when a run begins, before its first try_get(), by one thread; other runs may be under way. A source with
  /// several strategies may choose one. Changes neither values nor the order of bricks on the storage.
  virtual void prepare(const Workload& workload) { (void)workload; }

  /// Number of threads, of `wanted`, that are of use to a run. Asked after prepare().
  [[nodiscard]] virtual int useful_threads(int wanted) const { return wanted; }

  /// Number of bricks that fit in memory. A caller that requests more at a time makes them evict each other.
  [[nodiscard]] virtual std::int64_t bricks_at_once() const { return std::numeric_limits<std::int32_t>::max(); }

  /// Bytes of memory that `workers` threads, each pinning one brick at a time, need at least.
  [[nodiscard]] virtual std::int64_t working_minimum(int workers) const = 0;

  /// Position of a brick on the storage: work in this order reads neighbours together. Any monotonic number is allowed.
  [[nodiscard]] virtual std::int64_t storage_order(const BrickKey& key) const { return key.index; }

  [[nodiscard]] virtual SourceStatistics statistics() const = 0;

  /// Whether the values handed out so far are valid: fails if a file was cut short or replaced while it was open.
  /// Called every 100 ms and at the end of a run, by one thread.
  [[nodiscard]] virtual Result<void> health() { return {}; }

protected:
  friend class BrickPin;
  virtual void unpin(void* token) = 0;
};

inline void BrickPin::release()
{
  if (owner_ != nullptr)
  {
    std::exchange(owner_, nullptr)->unpin(token_);
  }
}

} // namespace rivulet
