// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BlockAssembly.h"

#include <algorithm>
#include <cstring>

namespace rivulet
{

namespace
{

// Over larger gaps two reads are cheaper than one that also copies unwanted bytes out of the page cache.
constexpr std::int64_t kGap = 8 * kKiB;

Result<void> fetch_and_place(const PlannedSpan& planned, BlockAccess& access, void* out)
{
  if (is_plain_copy(planned))
  {
    const std::int64_t at = planned.runs.front().out * size_of(planned.span.variable->format.type);
    return access.fetch_into(planned.span, static_cast<std::byte*>(out) + at);
  }
  Result<const std::byte*> bytes = access.fetch(planned.span);
  if (!bytes)
  {
    return forward_error(bytes);
  }
  place(*planned.span.variable, planned.runs, planned.span.offset, *bytes, out);
  return {};
}

} // namespace

Result<void> BlockAccess::fetch_into(const BlockSpan& span, void* out)
{
  Result<const std::byte*> bytes = fetch(span);
  if (!bytes)
  {
    return forward_error(bytes);
  }
  std::memcpy(out, *bytes, static_cast<std::size_t>(span.bytes));
  return {};
}

PositionedAccess::PositionedAccess(DataFiles& files, std::int64_t most)
  : BlockAccess(kGap, most)
  , files_(files)
{
}

Result<const std::byte*> PositionedAccess::fetch(const BlockSpan& span)
{
  if (span.bytes > scratch_bytes_)
  {
    scratch_bytes_ = std::max(span.bytes, std::min(2 * scratch_bytes_, most()));
    scratch_.reset(new std::byte[static_cast<std::size_t>(scratch_bytes_)]);
  }
  if (Result<void> done = fetch_into(span, scratch_.get()); !done)
  {
    return forward_error(done);
  }
  return scratch_.get();
}

Result<void> PositionedAccess::fetch_into(const BlockSpan& span, void* out)
{
  Result<std::shared_ptr<const DataFile>> file = files_.open(span.path(), span.needed());
  if (!file)
  {
    return forward_error(file);
  }
  count(span.bytes);
  return (*file)->read(span.offset, span.bytes, out);
}

Result<void> assemble(const BlockVariable& variable, int step, const Box& box, BlockAccess& access, void* out)
{
  Result<void> done = for_each_span(variable, step, box, { access.gap(), access.most() },
      [&](PlannedSpan&& planned) { return fetch_and_place(planned, access, out); });
  Result<void> sound = access.finish(); // also after a failure, so that the next call begins anew
  return done ? sound : done;
}

} // namespace rivulet
