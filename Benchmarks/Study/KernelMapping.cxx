// SPDX-License-Identifier: BSD-3-Clause
#include "Study/KernelMapping.h"

#include <chrono>

namespace rivulet
{

KernelMapping::KernelMapping(
    std::shared_ptr<RecordLocator> records, std::unique_ptr<MappedFile> file, double drop_every)
  : records_(std::move(records))
  , file_(std::move(file))
{
  if (drop_every > 0.0)
  {
    dropping_ = std::thread([this, drop_every] { drop_again_and_again(drop_every); });
  }
}

KernelMapping::~KernelMapping()
{
  if (dropping_.joinable())
  {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_one();
    dropping_.join();
  }
}

Result<std::unique_ptr<KernelMapping>> KernelMapping::open(const std::string& path, double drop_every)
{
  Result<std::shared_ptr<RecordLocator>> records = RecordLocator::open({ path }, false);
  if (!records)
  {
    return forward_error(records);
  }
  if ((*records)->encoded())
  {
    return fail(ErrorCode::Unsupported, "the values are encoded", "convert the field with --encoding plain", path);
  }
  Result<std::unique_ptr<MappedFile>> file = MappedFile::open(path);
  if (!file)
  {
    return forward_error(file);
  }
  return std::unique_ptr<KernelMapping>(new KernelMapping(std::move(*records), std::move(*file), drop_every));
}

Lookup KernelMapping::try_get(const BrickKey& key)
{
  lookups_.add(1);
  const BrickView values = records_->view(key, file_->data() + records_->in_place(key).offset);
  return { Lookup::State::Ready, BrickPin(this, nullptr, values), nullptr };
}

SourceStatistics KernelMapping::statistics() const
{
  SourceStatistics statistics;
  statistics.cache_hits = lookups_.total();
  return statistics;
}

void KernelMapping::drop_again_and_again(double seconds)
{
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return ended_; }))
  {
    file_->drop(0, file_->size());
  }
}

} // namespace rivulet
