// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One access from the files of a field to bricks in memory: mapped, cached or asynchronous (MappedBricks.h,
/// CachedBricks.h, AsyncBricks.h). Each works with any locator.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Store/Locate/BrickLocator.h"
#include "Store/Source/BrickSource.h"
#include "Store/Source/WholeArray.h"

namespace rivulet
{

class LocatedBricks : public BrickSource
{
public:
  [[nodiscard]] const FieldInfo& info() const final { return locator_->info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const final { return locator_->bricks(variable); }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const final { return locator_->storage_order(key); }
  [[nodiscard]] BrickLocator& locator() const { return *locator_; }

  [[nodiscard]] virtual std::int64_t memory_budget() const = 0;
  virtual void set_memory_budget(std::int64_t bytes) = 0; ///< more than 0

  /// Bytes of bricks in the access's own memory, and whether a brick is among them. A mapping has none of its own: its
  /// bricks are in the page cache.
  [[nodiscard]] virtual std::int64_t held_bytes() const { return 0; }
  [[nodiscard]] virtual bool holds(const BrickKey& key)
  {
    (void)key;
    return false;
  }

  /// A sentence on the threads that read bricks; empty if the calling thread reads.
  [[nodiscard]] virtual std::string reader() const { return {}; }
  /// As FileBricks::whole_array() and FileBricks::read_ahead().
  [[nodiscard]] virtual std::shared_ptr<const WholeArray> whole_array(int variable, int step)
  {
    (void)variable;
    (void)step;
    return nullptr;
  }
  virtual void read_ahead(const BrickKey& key, const Box& box)
  {
    (void)key;
    (void)box;
  }

protected:
  explicit LocatedBricks(std::shared_ptr<BrickLocator> locator)
    : locator_(std::move(locator))
  {
  }
  [[nodiscard]] Lookup no_such_brick() const
  {
    return { Lookup::State::Failed, {},
      std::make_shared<const Error>(Error{ ErrorCode::BadArgument, "there is no such brick",
          "name a variable, step and brick of the field", locator_->path() }) };
  }
  /// For BrickCacheOptions.
  [[nodiscard]] std::function<std::int64_t(const BrickKey&)> bytes_of_bricks() const
  {
    return [locator = locator_](const BrickKey& key)
    {
      return locator->slot_bytes(key);
    };
  }

private:
  const std::shared_ptr<BrickLocator> locator_;
};

} // namespace rivulet
