// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BlockSpans.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::size_t kMostMapped = 512;

std::int64_t page_of(std::int64_t offset)
{
  return offset / kPage * kPage;
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedBlocks::open(const std::string& path, std::int64_t bytes)
{
  std::shared_ptr<const MappedFile> file;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = mapped_.find(path); found != mapped_.end())
    {
      found->second.last_use = ++uses_;
      file = found->second.file;
    }
  }
  if (!file)
  {
    Result<std::unique_ptr<MappedFile>> opened = MappedFile::open(path);
    if (!opened)
    {
      return forward_error(opened);
    }
    file = std::move(*opened);
    const bool whole = file->size() >= bytes; // else that is said, which says more than that it changed
    if (Result<void> same = whole ? file->see(*seen_) : Result<void>{}; !same)
    {
      return forward_error(same);
    }
    const std::lock_guard lock(mutex_);
    if (mapped_.size() >= kMostMapped)
    {
      mapped_.erase(std::min_element(mapped_.begin(), mapped_.end(),
          [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; }));
    }
    mapped_[path] = { file, ++uses_ };
  }
  if (file->size() < bytes)
  {
    return tl::unexpected(too_short(path, file->size(), bytes));
  }
  return file;
}

std::vector<std::shared_ptr<const MappedFile>> MappedBlocks::all()
{
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const MappedFile>> files;
  for (const auto& [path, entry] : mapped_)
  {
    files.push_back(entry.file);
  }
  return files;
}

Result<void> MappedBlocks::health()
{
  for (const std::shared_ptr<const MappedFile>& file : all())
  {
    if (Result<void> sound = file->health(); !sound)
    {
      return sound;
    }
  }
  return {};
}

void MappedBlocks::drop_all()
{
  for (const std::shared_ptr<const MappedFile>& file : all())
  {
    file->drop(0, file->size());
  }
}

MappedAccess::MappedAccess(MappedBlocks& maps, Residency& residency, std::int64_t most)
  : BlockAccess(0, most) // there is no call to save by fetching what is not wanted
  , maps_(maps)
  , residency_(residency)
{
}

Result<const std::byte*> MappedAccess::fetch(const BlockSpan& span)
{
  Result<std::shared_ptr<const MappedFile>> file = maps_.open(span.path(), span.needed());
  if (!file)
  {
    return forward_error(file);
  }
  note(*file, span.offset, span.offset + span.bytes);
  count(span.bytes);
  return (*file)->data() + span.offset;
}

// Spans come in the order of the file, so that a page they share is counted once.
void MappedAccess::note(const std::shared_ptr<const MappedFile>& file, std::int64_t begin, std::int64_t end)
{
  const bool same = !fetched_.empty() && fetched_.back().file == file && fetched_.back().end <= begin;
  const std::int64_t counted = same ? round_up(fetched_.back().end, kPage) : 0;
  const std::int64_t fresh = round_up(end, kPage) - std::max(page_of(begin), counted);
  if (fresh > 0)
  {
    residency_.arrive(fresh);
  }
  if (same)
  {
    fetched_.back().end = end;
  }
  else
  {
    fetched_.push_back({ file, begin, end });
  }
}

Result<void> MappedAccess::finish()
{
  const std::vector<Fetched> fetched = std::exchange(fetched_, {});
  for (const Fetched& range : fetched)
  {
    if (range.file->damaged(range.begin, range.end - range.begin))
    {
      return tl::unexpected(range.file->damage_at(range.begin));
    }
  }
  return {};
}

} // namespace rivulet
