// SPDX-License-Identifier: BSD-3-Clause
#include "Store/CachedBricks.h"

#include "Store/MemoryPool.h"

#include <fcntl.h>

namespace rivulet
{

CachedBricks::CachedBricks(FieldRecords&& field, StrategyChoice&& choice, const OpenOptions& options)
  : FieldBricks(std::move(field), std::move(choice), options.verify)
  , cache_(*this, *this, { .slot_bytes = records().largest_stride(), .memory_budget = options.memory_budget })
{
}

Result<std::shared_ptr<FileBricks>> CachedBricks::open(
    FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options)
{
  std::shared_ptr<CachedBricks> bricks(new CachedBricks(std::move(records), std::move(choice), options));
  if (Result<void> opened = bricks->open_files(); !opened)
  {
    return forward_error(opened);
  }
  return bricks;
}

Result<void> CachedBricks::open_files()
{
  const bool direct = strategy() == AccessStrategy::DirectCache;
  for (const FieldFile& description : records().files())
  {
    Result<File> file = File::open(description.path, direct ? File::Mode::ReadDirect : File::Mode::Read);
    if (!file)
    {
      return forward_error(file);
    }
    Result<FileIdentity> identity = FileIdentity::of(*file);
    if (!identity)
    {
      return forward_error(identity);
    }
    ::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_RANDOM); // what is near in the file is not wanted next
    files_.push_back({ std::move(*file), *identity });
  }
  return {};
}

Lookup CachedBricks::try_get(const BrickKey& key)
{
  return records().exists(key) ? cache_.try_get(key) : no_such_brick(path());
}

Result<LoadedBrick> CachedBricks::load(const BrickKey& key, std::byte* slot)
{
  const StoredRecord place = records().place(key);
  const std::int64_t bytes = records().layout(key.variable).stride;
  const File& file = files_[static_cast<std::size_t>(place.file)].file;
  if (Result<void> read = file.pread_full(slot, bytes, place.offset); !read)
  {
    return forward_error(read);
  }
  if (Result<void> sound = check_once(key, place, slot); !sound)
  {
    return forward_error(sound);
  }
  return LoadedBrick{ records().view(key, slot), bytes };
}

void CachedBricks::set_memory_budget(std::int64_t bytes)
{
  cache_.set_memory_budget(bytes > 0 ? bytes : default_memory_budget());
}

Result<void> CachedBricks::health()
{
  for (const OpenFile& open : files_)
  {
    if (Result<void> same = open.identity.check(open.file); !same)
    {
      return same;
    }
  }
  return {};
}

} // namespace rivulet
