// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BrickStore.h"

#include "Base/Bytes.h"
#include "Store/AsyncBricks.h"
#include "Store/AutomaticBricks.h"
#include "Store/BovBricks.h"
#include "Store/CachedBricks.h"
#include "Store/FreeMemory.h"
#include "Store/MappedBricks.h"
#include "Store/MeasureStorage.h"
#include "Store/MemoryAccount.h"

#include <new>
#include <system_error>

namespace rivulet
{

namespace
{

/// The facts that hold for every file of the field.
StorageFacts facts_about_all(const FieldRecords& records)
{
  StorageFacts all;
  for (const FieldFile& file : records.files())
  {
    all.bytes += file.file_bytes;
    const StorageFacts facts = facts_about(file.path, file.page_aligned);
    all.network = all.network.empty() ? facts.network : all.network;
    all.direct_refusal = all.direct_refusal.empty() ? facts.direct_refusal : all.direct_refusal;
    all.page_aligned = all.page_aligned && facts.page_aligned;
  }
  all.mapped = !records.encoded();
  const std::int64_t free = free_memory();
  all.fits_in_memory = free == 0 || all.bytes <= free / 2; // 0: the system does not say
  return all;
}

/// Through the page cache all the same, because that is where what fits into memory stays.
StrategyChoice instead_of_mapping()
{
  return { AccessStrategy::BufferedCache, "The file's values are encoded, so that a mapping would not show them." };
}

Result<std::shared_ptr<FileBricks>> open_with(
    FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options)
{
  if (records.encoded() && choice.strategy == AccessStrategy::MemoryMap)
  {
    choice = instead_of_mapping();
  }
  switch (choice.strategy)
  {
  case AccessStrategy::MemoryMap:
    return MappedBricks::open(std::move(records), std::move(choice), options);
  case AccessStrategy::Asynchronous:
    try
    {
      return AsyncBricks::open(FieldRecords(records), std::move(choice), options);
    }
    catch (const std::system_error&) // no thread
    {
      return CachedBricks::open(std::move(records), without_threads(), options);
    }
  default:
    return CachedBricks::open(std::move(records), std::move(choice), options);
  }
}

Result<std::shared_ptr<FileBricks>> open_automatic(FieldRecords&& records, const OpenOptions& options)
{
  const auto shared = std::make_shared<const FieldRecords>(std::move(records));
  AutomaticBricks::Field field;
  field.facts = facts_about_all(*shared);
  field.facts.brick_cells = shared->layout(0).cells;
  field.facts.brick_bytes = shared->largest_slot();
  field.open = [shared, options](StrategyChoice&& choice, std::int64_t budget)
  {
    OpenOptions now = options;
    now.memory_budget = budget;
    return open_with(FieldRecords(*shared), std::move(choice), now);
  };
  field.measure = [shared, options](const Workload& workload)
  {
    const BrickKey first{ workload.variable, workload.step, 0 };
    const BrickLayout& layout = shared->layout(workload.variable);
    const StoredRecord place = shared->place(first);
    const std::int64_t begin = place.offset - place.hilbert * layout.stride;
    std::vector<std::int64_t> offsets;
    for (const std::int64_t brick : workload.first_bricks)
    {
      offsets.push_back(shared->place({ workload.variable, workload.step, brick }).offset);
    }
    return measure_storage({ .path = shared->files()[static_cast<std::size_t>(place.file)].path,
                               .begin = begin,
                               .end = begin + layout.stride * layout.grid.size(),
                               .request = layout.stride },
        offsets, options.io_uring);
  };
  return AutomaticBricks::open(std::move(field), options.memory_budget);
}

Result<std::shared_ptr<FileBricks>> open_records(FieldRecords&& records, const OpenOptions& options)
{
  if (options.strategy == AccessStrategy::Automatic)
  {
    return open_automatic(std::move(records), options);
  }
  StrategyChoice choice = choose_strategy(options.strategy, facts_about_all(records));
  return open_with(std::move(records), std::move(choice), options);
}

Result<std::shared_ptr<FileBricks>> open_any(const std::vector<std::string>& paths, const OpenOptions& options)
{
  if (!paths.empty() && paths.front().ends_with(".bov"))
  {
    return open_bov(paths, options);
  }
  Result<FieldRecords> records = FieldRecords::open(paths);
  if (!records)
  {
    return forward_error(records);
  }
  return open_records(std::move(*records), options);
}

/// A field of so many bricks that there is no room for notes about them is an error of its file.
Result<std::shared_ptr<FileBricks>> open_or_name(const std::vector<std::string>& paths, const OpenOptions& options)
{
  try
  {
    return open_any(paths, options);
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::CannotRead, "there is not enough memory to open the field",
        "give the program more memory, or check the file", paths.empty() ? std::string() : paths.front());
  }
}

} // namespace

const char* name_of(AccessStrategy strategy)
{
  switch (strategy)
  {
  case AccessStrategy::Automatic:
    return "Automatic";
  case AccessStrategy::MemoryMap:
    return "Memory Map";
  case AccessStrategy::BufferedCache:
    return "Buffered Cache";
  case AccessStrategy::DirectCache:
    return "Direct Cache";
  case AccessStrategy::Asynchronous:
    return "Asynchronous";
  }
  return "unknown";
}

Result<std::shared_ptr<FileBricks>> open_field(const std::vector<std::string>& paths, const OpenOptions& options)
{
  OpenOptions settled = options;
  settled.memory_budget = options.memory_budget > 0 ? options.memory_budget : default_memory_budget();
  Result<std::shared_ptr<FileBricks>> field = open_or_name(paths, settled);
  if (!field)
  {
    return field;
  }
  const std::int64_t minimum = (*field)->working_minimum(1);
  // The default is not the user's fault: then the field's own minimum is used instead.
  if (options.memory_budget > 0 && options.memory_budget < minimum)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "the memory budget of " + format_bytes(options.memory_budget) + " is below the working minimum of " +
            format_bytes(minimum) + " (one brick per thread)",
        "allow at least " + format_bytes(minimum) + " for each thread", paths.front());
  }
  if (settled.memory_budget < minimum)
  {
    (*field)->set_memory_budget(minimum);
  }
  return field;
}

} // namespace rivulet
