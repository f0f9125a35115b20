// SPDX-License-Identifier: BSD-3-Clause
#include "Store/AsyncBricks.h"

#include "Store/MemoryAccount.h"
#include "Store/RecordReads.h"

#include <set>

namespace rivulet
{

AsyncBricks::AsyncBricks(FieldRecords&& field, StrategyChoice&& choice, const OpenOptions& options)
  : FieldBricks(std::move(field), std::move(choice), options.verify)
  , cache_(*this, { .slot_bytes = records().largest_slot(), .memory_budget = options.memory_budget })
{
}

Result<std::shared_ptr<FileBricks>> AsyncBricks::open(
    FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options, const Wrap& wrap)
{
  const bool direct = choice.direct;
  std::shared_ptr<AsyncBricks> bricks(new AsyncBricks(std::move(records), std::move(choice), options));
  Result<RecordFiles> files = RecordFiles::open(bricks->records(), direct);
  if (!files)
  {
    return forward_error(files);
  }
  bricks->files_ = std::move(*files);
  const EngineChoice wanted = options.io_uring ? EngineChoice::Best : EngineChoice::Threads;
  std::unique_ptr<ReadEngine> engine = open_read_engine(bricks->files_.descriptors(), wanted);
  bricks->reason_ = bricks->FieldBricks::strategy_reason() + " They are read by " + engine->name() + ".";
  bricks->start(wrap ? wrap(std::move(engine)) : std::move(engine), direct);
  return bricks;
}

void AsyncBricks::start(std::unique_ptr<ReadEngine> engine, bool direct)
{
  std::set<std::int64_t> reads; // the engine knows memory by where it reads to
  for (const BrickLayout& layout : records().files().front().layouts)
  {
    reads.insert(layout.record_in_slot());
  }
  const auto admit_brick = [this](const BrickKey& key, std::byte* slot)
  {
    return admit(key, records().place(key), slot);
  };
  cache_.start(std::make_unique<RecordReads>(records(), direct, admit_brick), std::move(engine), std::move(reads));
}

Lookup AsyncBricks::try_get(const BrickKey& key)
{
  return records().exists(key) ? cache_.find({ key, storage_order(key) }) : no_such_brick(path());
}

void AsyncBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  if (!records().exists(key))
  {
    waiter.brick_arrived(key, try_get(key));
    return;
  }
  cache_.request({ key, storage_order(key) }, waiter, particles);
}

void AsyncBricks::set_memory_budget(std::int64_t bytes)
{
  cache_.set_memory_budget(bytes > 0 ? bytes : default_memory_budget());
}

} // namespace rivulet
