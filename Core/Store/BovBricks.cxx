// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BovBricks.h"

#include "Base/Bytes.h"
#include "Io/BlockChecks.h"
#include "Io/BovSeries.h"
#include "Store/AssembledBricks.h"
#include "Store/AsyncBlocks.h"
#include "Store/AutomaticBricks.h"
#include "Store/BlockCut.h"
#include "Store/BlockReads.h"
#include "Store/FreeMemory.h"
#include "Store/MappedArrays.h"
#include "Store/MeasureStorage.h"
#include "Store/MemoryPool.h"

namespace rivulet
{

namespace
{

Result<void> check_first_step(const BlockField& field)
{
  BlockFiles files;
  for (const BlockVariable& variable : field.variables)
  {
    const BlockPart& part = variable.steps.front().parts.front();
    if (variable.block == variable.lattice)
    {
      const auto file = files.open(part.files.path(0), part.offset + variable.part_bytes());
      if (!file)
      {
        return tl::unexpected(file.error());
      }
    }
    if (Result<void> plausible = check_byte_order(variable, files); !plausible)
    {
      return plausible;
    }
  }
  return {};
}

// Why the values cannot be handed out as they lie in the file; empty if they can.
std::string why_not_whole(const BlockField& field)
{
  for (const BlockVariable& variable : field.variables)
  {
    if (variable.block != variable.lattice || variable.steps.front().parts.size() > 1)
    {
      return "they are spread over several places";
    }
    if (!variable.format.native())
    {
      return "they are not floats or doubles of this machine";
    }
    for (const BlockStep& step : variable.steps)
    {
      if (step.parts.front().offset % size_of(variable.format.type) != 0)
      {
        return "they do not begin on a multiple of their size";
      }
    }
  }
  return {};
}

StorageFacts facts_about_blocks(const BlockField& field, bool whole)
{
  StorageFacts facts = facts_about(field.variables.front().steps.front().parts.front().files.path(0), true);
  for (const BlockVariable& variable : field.variables)
  {
    const std::int64_t parts =
        volume(variable.blocks()) * static_cast<std::int64_t>(variable.steps.front().parts.size());
    facts.bytes += static_cast<std::int64_t>(variable.steps.size()) * parts * variable.part_bytes();
  }
  const std::int64_t free = free_memory();
  facts.fits_in_memory = whole || free == 0 || facts.bytes <= free / 2; // a whole mapping is of use to others, too
  facts.mapped = whole;
  return facts;
}

std::shared_ptr<FileBricks> open_assembled(BlockField&& field, const std::string& path, StrategyChoice&& choice,
    const OpenOptions& options, const std::shared_ptr<SeenFiles>& seen)
{
  if (choice.strategy == AccessStrategy::Asynchronous)
  {
    return std::make_shared<AsyncBlocks>(std::move(field), path, std::move(choice), options, seen);
  }
  return std::make_shared<AssembledBricks>(std::move(field), path, std::move(choice), options.memory_budget, seen);
}

/// Some rows of the first block: what a brick takes a request for.
ProbeArea area_of(const BlockField& field, std::int32_t variable, std::int32_t step)
{
  constexpr std::int64_t kRequest = 64 * kKiB;
  const BlockVariable& where = field.variables[static_cast<std::size_t>(variable)];
  const BlockPart& part = where.steps[static_cast<std::size_t>(step)].parts.front();
  return {
    .path = part.files.path(0), .begin = part.offset, .end = part.offset + where.part_bytes(), .request = kRequest
  };
}

/// Requests that the first brick takes.
int reads_of_brick(const BlockVariable& variable, const Grid& grid)
{
  int reads = 0;
  const Box first = brick_values(cut_blocks(variable, grid), variable.variable.centering, 0);
  (void)for_each_span(variable, 0, first, { AsyncBlocks::kGap, BlockReads::kMostBytes },
      [&reads](PlannedSpan&&)
      {
        ++reads;
        return Result<void>{};
      });
  return reads;
}

Result<std::shared_ptr<FileBricks>> open_automatic(
    BlockField&& blocks, const std::string& path, const std::string& why_assembled, const OpenOptions& options)
{
  const auto shared = std::make_shared<const BlockField>(std::move(blocks));
  AutomaticBricks::Field field;
  field.facts = facts_about_blocks(*shared, false);
  field.facts.brick_cells = cut_blocks(shared->variables.front(), shared->info.grid).cells;
  field.facts.brick_bytes = largest_brick(*shared);
  field.facts.brick_reads = reads_of_brick(shared->variables.front(), shared->info.grid);
  field.note = why_assembled;
  const auto seen = std::make_shared<SeenFiles>();
  field.open = [shared, path, options, seen](StrategyChoice&& choice, std::int64_t budget)
  {
    OpenOptions now = options;
    now.memory_budget = budget;
    return Result<std::shared_ptr<FileBricks>>(open_assembled(BlockField(*shared), path, std::move(choice), now, seen));
  };
  field.measure = [shared, options](std::int32_t variable, std::int32_t step)
  {
    return measure_storage(area_of(*shared, variable, step), options.io_uring);
  };
  return AutomaticBricks::open(std::move(field), options.memory_budget);
}

} // namespace

Result<std::shared_ptr<FileBricks>> open_blocks(BlockField field, const std::string& path, const OpenOptions& asked)
{
  if (Result<void> good = check_first_step(field); !good)
  {
    return forward_error(good);
  }
  OpenOptions options = asked;
  options.memory_budget = asked.memory_budget > 0 ? asked.memory_budget : default_memory_budget();
  const std::string why_assembled = why_not_whole(field);
  StrategyChoice choice = choose_strategy(options.strategy, facts_about_blocks(field, why_assembled.empty()));
  if (choice.strategy == AccessStrategy::MemoryMap && why_assembled.empty())
  {
    return std::shared_ptr<FileBricks>(
        std::make_shared<MappedArrays>(std::move(field), path, std::move(choice), options.memory_budget));
  }
  const std::string why =
      why_assembled.empty() ? "" : " They are put together in memory, because of the values: " + why_assembled + ".";
  if (options.strategy == AccessStrategy::Automatic)
  {
    return open_automatic(std::move(field), path, why, options);
  }
  choice.reason += why;
  return open_assembled(std::move(field), path, std::move(choice), options, std::make_shared<SeenFiles>());
}

Result<std::shared_ptr<FileBricks>> open_bov(const std::vector<std::string>& paths, const OpenOptions& options)
{
  Result<BlockField> field = bov_field(paths);
  if (!field)
  {
    return forward_error(field);
  }
  return open_blocks(std::move(*field), paths.front(), options);
}

} // namespace rivulet
