// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A source of bricks with values in files, and the strategies of reading. Use open_field() (OpenField.h).
#pragma once

#include "Base/PlacesMeasure.h"
#include "Store/LocalCache/LocalCache.h"
#include "Store/Source/BrickSource.h"
#include "Store/Source/WholeArray.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace rivulet
{

/// Access from files to memory. The numbers are saved in ParaView state files: never renumber.
enum class AccessStrategy : std::int32_t
{
  Automatic = 0,
  MemoryMap = 1,     ///< kernel-managed: pages are mapped, dropped with MADV_DONTNEED under the budget
  BufferedCache = 2, ///< user-managed cache filled with pread through the page cache
  DirectCache = 3,   ///< user-managed cache filled with O_DIRECT reads
  Asynchronous = 4,  ///< user-managed cache filled while other work goes on
};

struct OpenOptions
{
  AccessStrategy strategy = AccessStrategy::Automatic;
  std::int64_t memory_budget = 0; ///< bytes this field may hold at once; 0 = default_memory_budget()
  bool verify = true;             ///< check each brick's checksum when it is first read
  bool io_uring = true;           ///< Asynchronous: false = threads read, as on kernels without io_uring
  std::string hints{};            ///< Asynchronous: folder for prefetch hints that runs learn; empty: none are kept
  /// Keeps bricks of a field on slower storage (or_of_environment()). Automatic is Asynchronous then.
  LocalCacheOptions local_cache{};
  std::string more_hints{}; ///< a folder of other runs' hints, which are used and never changed; empty: none
};

/// A BrickSource with values in files. The budget may be changed at any time: memory above it is freed at once, except
/// pinned bricks.
class FileBricks : public BrickSource
{
public:
  [[nodiscard]] virtual const std::string& path() const = 0;
  [[nodiscard]] virtual AccessStrategy strategy() const = 0;     ///< strategy in use; never Automatic
  [[nodiscard]] virtual std::string strategy_reason() const = 0; ///< reason for this strategy
  [[nodiscard]] virtual AccessStrategy asked_strategy() const = 0;
  /// Changes the strategy. Pins, checked bricks and budget stay. The cut into bricks may change, so no other thread may
  /// read meanwhile. Fails, and changes nothing, if the files cannot be opened that way.
  [[nodiscard]] virtual Result<void> set_strategy(AccessStrategy strategy) = 0;
  [[nodiscard]] virtual std::int64_t memory_budget() const = 0;
  virtual void set_memory_budget(std::int64_t bytes) = 0; ///< 0 = default_memory_budget()
  [[nodiscard]] std::int64_t bricks_at_once() const override
  {
    return memory_budget() / std::max<std::int64_t>(1, working_minimum(1));
  }

  /// All values of a (variable, step) if they lie in one mapped native-endian row-major block, else nullptr. Each call
  /// makes a mapping of its own, which must not outlive the source. It costs no memory but pages that are read or
  /// written.
  [[nodiscard]] virtual std::shared_ptr<const WholeArray> whole_array(int variable, int step) = 0;

  /// Announces that all values `box` of a brick are about to be read: a source that pages on demand reads them ahead.
  virtual void read_ahead(const BrickKey& key, const Box& box) = 0;

  /// Per-brick range of the vector magnitude (or of the scalar), for culling; empty where the file has none.
  /// One {min, max} per brick in BrickGrid order.
  [[nodiscard]] virtual Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) = 0;

  /// Of the points of a curvilinear grid: bounds of each brick's nodes, and facts about its cells, in BrickGrid order.
  /// Reads a table of 64 bytes for each brick.
  [[nodiscard]] virtual Result<std::vector<PlacesMeasure>> brick_places(int step) = 0;

  /// Whether points, or cells, are hidden (blanked) at a step.
  [[nodiscard]] virtual bool hides(Centering centering, int step) const = 0;

  /// One byte for each point (or cell) of `box`, i fastest: 0 if it is visible. Only where hides() holds.
  [[nodiscard]] virtual Result<void> read_hidden(
      Centering centering, int step, const Box& box, std::uint8_t* out) const = 0;

  /// Sentences about the field that its user should know: steps that cannot be read, and times that differ from the
  /// times in the files. A sentence about one file names it.
  [[nodiscard]] virtual std::vector<std::string> notices() const { return {}; }

  /// The local cache that the field uses; nullptr: none (strategy_reason() says why not).
  [[nodiscard]] virtual LocalCache* local_cache() const { return nullptr; }
};

/// Name in ParaView: "Memory Map".
[[nodiscard]] const char* name_of(AccessStrategy strategy);

} // namespace rivulet
