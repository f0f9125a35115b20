// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Places of a field's bricks in files, and their conversion to plain values: the interface of a kind of file for all
/// accesses.
///
///     std::vector<Extent> extents;
///     locator.find_extents(key, { .gap = 8 * kKiB, .most = 256 * kKiB }, extents);
///     ... read each one: straight to slot + extent.to, or elsewhere for place() ...
///     Result<BrickView> values = locator.finish(key, slot);
///
/// Bricks are numbered through the whole field. Neighbours in number lie near each other in the files.
///
/// Threads: every function may be called from any thread. Bytes.
#pragma once

#include "Base/Brick.h"
#include "Base/Field.h"
#include "Base/PlacesMeasure.h"
#include "Io/Blocks/BlockPlan.h"
#include "Store/Source/BrickSource.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace rivulet
{

/// Consecutive bytes of one file with values of one brick.
struct Extent
{
  static constexpr std::int64_t kConverted = -1;

  std::int64_t file = 0;   ///< number of the file
  std::int64_t offset = 0; ///< from the start of the file
  std::int64_t bytes = 0;
  std::int64_t to = kConverted;   ///< offset in the brick's memory that they are read to; kConverted: place() is needed
  std::vector<BlockPiece> runs{}; ///< for place()
};

/// A file with extents.
struct LocatedFile
{
  std::string path;
  std::int64_t bytes = 0;                         ///< bytes that it must have
  std::shared_ptr<const Error> defect{ nullptr }; ///< reason why it is not read; nullptr for a sound file
};

/// A brick whose values can be used in place in its file.
struct BrickInPlace
{
  std::int64_t file = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::int64_t number = 0;
};

/// Bricks with consecutive numbers that are consecutive in one file.
struct BrickRange
{
  std::int64_t file = 0;
  std::int64_t offset = 0;
  std::int64_t count = 0;
  std::int64_t stride = 0;
};

class BrickLocator
{
public:
  BrickLocator() = default;
  BrickLocator(const BrickLocator&) = delete;
  BrickLocator& operator=(const BrickLocator&) = delete;
  virtual ~BrickLocator() = default;

  [[nodiscard]] virtual const std::string& path() const = 0; ///< path of the field, for messages
  [[nodiscard]] virtual const FieldInfo& info() const = 0;
  [[nodiscard]] virtual const BrickGrid& bricks(int variable) const = 0;

  /// A number for the values, whatever the names of their files; 0 if there is none.
  [[nodiscard]] virtual std::uint64_t identity() const { return 0; }
  /// Number of bricks of all variables and steps.
  [[nodiscard]] virtual std::int64_t count() const = 0;
  [[nodiscard]] virtual std::int64_t number(const BrickKey& key) const = 0;
  [[nodiscard]] virtual std::int64_t storage_order(const BrickKey& key) const { return number(key); }

  /// Bytes of memory in which any brick can be read and converted to values.
  [[nodiscard]] virtual std::int64_t slot_bytes() const = 0;
  /// The same for one brick; all bricks of a variable need the same.
  [[nodiscard]] virtual std::int64_t slot_bytes(const BrickKey& key) const = 0;
  /// Whether any extent needs place().
  [[nodiscard]] virtual bool converts() const = 0;
  /// Whether each brick is one extent and range() may return several of them.
  [[nodiscard]] virtual bool consecutive() const = 0;

  [[nodiscard]] virtual std::int64_t file_count() const = 0;
  [[nodiscard]] virtual LocatedFile file(std::int64_t number) const = 0;
  /// Files of which nothing can be read: each fails its own bricks, and the field opens without it.
  [[nodiscard]] virtual std::vector<Error> defects() const { return {}; }
  /// Error for a file with `held` bytes.
  [[nodiscard]] virtual Error too_short(std::int64_t file, std::int64_t held) const = 0;

  /// Appends the extents of a brick in the order of the files.
  virtual void find_extents(const BrickKey& key, const SpanLimits& limits, std::vector<Extent>& extents) const = 0;
  /// Converts the values of an extent to their places in the brick's memory.
  virtual void place(const BrickKey& key, const Extent& extent, const std::byte* bytes, std::byte* slot) const = 0;
  /// Checks and decodes a brick with all extents in its slot.
  [[nodiscard]] virtual Result<BrickView> finish(const BrickKey& key, std::byte* slot) = 0;

  /// Place of a brick in its file. This and the next two functions are for locators with values in place.
  [[nodiscard]] virtual BrickInPlace in_place(const BrickKey& key) const = 0;
  /// The values of a brick whose first byte in place is at `values`.
  [[nodiscard]] virtual BrickView view(const BrickKey& key, const std::byte* values) const = 0;
  /// Checks a brick in place, at the first call only.
  [[nodiscard]] virtual Result<void> check(const BrickKey& key, const std::byte* values) = 0;
  /// Only if consecutive(): from brick number `first` on, as many of `count` bricks as are consecutive in one file.
  [[nodiscard]] virtual BrickRange range(std::int64_t first, std::int64_t count) const
  {
    (void)first;
    (void)count;
    return {};
  }
  /// Whether a brick is all values of a variable at a step.
  [[nodiscard]] virtual bool whole_arrays() const { return false; }

  /// This and the next functions: as the functions of FileBricks with the same names.
  [[nodiscard]] virtual Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) const
  {
    (void)variable;
    (void)step;
    return std::vector<std::array<float, 2>>();
  }
  [[nodiscard]] virtual Result<std::vector<PlacesMeasure>> brick_places(int step) const
  {
    (void)step;
    return std::vector<PlacesMeasure>();
  }
  [[nodiscard]] virtual bool hides(Centering centering, int step) const
  {
    (void)centering;
    (void)step;
    return false;
  }
  [[nodiscard]] virtual Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) const
  {
    (void)centering;
    (void)step;
    std::fill_n(out, box.count(), std::uint8_t{ 0 });
    return {};
  }

  [[nodiscard]] bool exists(const BrickKey& key) const
  {
    return key.variable >= 0 && static_cast<std::size_t>(key.variable) < info().variables.size() && key.step >= 0 &&
           static_cast<std::size_t>(key.step) < info().times.size() && key.index >= 0 &&
           key.index < bricks(key.variable).size();
  }
};

} // namespace rivulet
