// SPDX-License-Identifier: BSD-3-Clause
#include "Study/ChunkedBricks.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// Tells a waiter for a brick when its chunk can be had.
class WaiterForChunk final : public BrickWaiter
{
public:
  WaiterForChunk(const BrickKey& brick, BrickWaiter& waiter)
    : brick_(brick)
    , waiter_(waiter)
  {
  }
  void brick_arrived(const BrickKey&, Lookup&&) override
  {
    const std::unique_ptr<WaiterForChunk> last_use(this);
    waiter_.brick_arrived(brick_, {});
  }

private:
  const BrickKey brick_;
  BrickWaiter& waiter_;
};

} // namespace

class ChunkedBricks::Chunks final : public BrickSource
{
public:
  explicit Chunks(ChunkedBricks& bricks)
    : bricks_(bricks)
  {
  }
  [[nodiscard]] const FieldInfo& info() const override { return bricks_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return bricks_.bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& chunk) override { return bricks_.cache_.try_get(chunk); }
  void request_for(const BrickKey& chunk, BrickWaiter& waiter, std::int64_t) override
  {
    bricks_.cache_.request(chunk, waiter);
  }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return bricks_.working_minimum(workers); }
  [[nodiscard]] SourceStatistics statistics() const override { return bricks_.statistics(); }

private:
  void unpin(void* token) override { bricks_.cache_.unpin(token); }

  ChunkedBricks& bricks_;
};

ChunkedBricks::ChunkedBricks(std::shared_ptr<RecordLocator> records, File file, const Options& options)
  : records_(std::move(records))
  , file_(std::move(file))
  , options_(options)
  , stride_(records_->layout(0).stride)
  , chunks_(std::make_unique<Chunks>(*this))
  , cache_(*chunks_, *this,
        { .slot_bytes = options.records * stride_, .memory_budget = options.memory_budget, .banks = options.banks })
{
}

ChunkedBricks::~ChunkedBricks() = default;

Result<std::unique_ptr<ChunkedBricks>> ChunkedBricks::open(const std::string& path, const Options& options)
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
  Result<File> file = File::open(path, options.direct ? File::Mode::ReadDirect : File::Mode::Read);
  if (!file)
  {
    return forward_error(file);
  }
  return std::unique_ptr<ChunkedBricks>(new ChunkedBricks(std::move(*records), std::move(*file), options));
}

Lookup ChunkedBricks::try_get(const BrickKey& key)
{
  const std::int64_t number = records_->number(key);
  Lookup chunk = cache_.try_get({ 0, 0, number / options_.records });
  if (chunk.state != Lookup::State::Ready)
  {
    return chunk;
  }
  const auto* first = static_cast<const std::byte*>(chunk.pin.view().data);
  const BrickView values = records_->view(key, first + number % options_.records * stride_);
  auto kept = std::make_unique<BrickPin>(std::move(chunk.pin));
  return { Lookup::State::Ready, BrickPin(this, kept.release(), values), nullptr };
}

void ChunkedBricks::unpin(void* token)
{
  const std::unique_ptr<BrickPin> kept(static_cast<BrickPin*>(token));
}

void ChunkedBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t)
{
  auto for_chunk = std::make_unique<WaiterForChunk>(key, waiter);
  cache_.request({ 0, 0, records_->number(key) / options_.records }, *for_chunk.release());
}

std::int64_t ChunkedBricks::bricks_at_once() const
{
  return std::max<std::int64_t>(1, cache_.memory_budget() / cache_.slot_bytes()) * options_.records;
}

Result<LoadedBrick> ChunkedBricks::load(const BrickKey& chunk, std::byte* slot)
{
  const BrickRange range = records_->range(chunk.index * options_.records, options_.records);
  const std::int64_t bytes = range.count * range.stride;
  if (Result<void> read = file_.pread_full(slot, bytes, range.offset); !read)
  {
    return forward_error(read);
  }
  LoadedBrick loaded;
  loaded.view.data = slot;
  loaded.bytes_read = bytes;
  return loaded;
}

} // namespace rivulet
