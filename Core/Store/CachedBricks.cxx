// SPDX-License-Identifier: BSD-3-Clause
#include "Store/CachedBricks.h"

#include "Store/MemoryAccount.h"

namespace rivulet
{

CachedBricks::CachedBricks(FieldRecords&& field, StrategyChoice&& choice, const OpenOptions& options)
  : FieldBricks(std::move(field), std::move(choice), options.verify)
  , cache_(*this, *this, { .slot_bytes = records().largest_slot(), .memory_budget = options.memory_budget })
{
}

Result<std::shared_ptr<FileBricks>> CachedBricks::open(
    FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options)
{
  std::shared_ptr<CachedBricks> bricks(new CachedBricks(std::move(records), std::move(choice), options));
  Result<RecordFiles> files = RecordFiles::open(bricks->records(), bricks->strategy() == AccessStrategy::DirectCache);
  if (!files)
  {
    return forward_error(files);
  }
  bricks->files_ = std::move(*files);
  return bricks;
}

Lookup CachedBricks::try_get(const BrickKey& key)
{
  return records().exists(key) ? cache_.try_get(key) : no_such_brick(path());
}

Result<LoadedBrick> CachedBricks::load(const BrickKey& key, std::byte* slot)
{
  const StoredRecord place = records().place(key);
  const BrickLayout& layout = records().layout(key.variable);
  const File& file = files_[place.file];
  if (Result<void> read = file.pread_full(slot + layout.record_in_slot(), layout.stride, place.offset); !read)
  {
    return forward_error(read);
  }
  Result<BrickView> admitted = admit(key, place, slot);
  if (!admitted)
  {
    return forward_error(admitted);
  }
  return LoadedBrick{ *admitted, layout.stride };
}

void CachedBricks::set_memory_budget(std::int64_t bytes)
{
  cache_.set_memory_budget(bytes > 0 ? bytes : default_memory_budget());
}

} // namespace rivulet
