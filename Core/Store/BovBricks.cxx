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
#include "Store/MemoryAccount.h"

#include <cerrno>
#include <system_error>

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
  facts.fits_in_memory = free == 0 || facts.bytes <= free / 2;
  facts.mapped = whole;
  facts.shared_pages = true;
  return facts;
}

/// Why Automatic does not use the values as they lie in the file: something about them, or a system that refuses to map
/// files. Empty if it can. A file that is not there, or too short, is nothing to be said here.
std::string why_not_mapped(const BlockField& field, AccessStrategy wanted)
{
  if (wanted != AccessStrategy::Automatic)
  {
    return {};
  }
  const Result<std::unique_ptr<MappedFile>> file =
      MappedFile::open(field.variables.front().steps.front().parts.front().files.path(0));
  const bool refused = !file && (file.error().code == ErrorCode::Unsupported || file.error().sys_errno == ENOMEM ||
                                    file.error().sys_errno == EPERM || file.error().sys_errno == ENODEV);
  return refused ? instead_of_mapping(file.error()).reason : std::string();
}

std::shared_ptr<FileBricks> open_assembled(BlockField&& field, const std::string& path, StrategyChoice&& choice,
    const OpenOptions& options, const std::shared_ptr<SeenFiles>& seen)
{
  if (choice.strategy == AccessStrategy::Asynchronous)
  {
    const std::int64_t gap = choice.far ? AsyncBlocks::kFarGap : AsyncBlocks::kGap;
    try
    {
      return std::make_shared<AsyncBlocks>(
          BlockField(field), path, std::move(choice), options, seen, AsyncBlocks::Wrap{}, gap);
    }
    catch (const std::system_error&) // no thread
    {
      choice = without_threads();
    }
  }
  return std::make_shared<AssembledBricks>(std::move(field), path, std::move(choice), options.memory_budget, seen);
}

/// Of the block in which the first particle begins: what a brick takes a request for is some rows.
MeasuredStorage measure_blocks(const BlockField& field, const Workload& workload, bool io_uring)
{
  constexpr std::int64_t kRequest = 64 * kKiB;
  const BlockVariable& where = field.variables[static_cast<std::size_t>(workload.variable)];
  const BlockPart& part = where.steps[static_cast<std::size_t>(workload.step)].parts.front();
  const BrickGrid grid = cut_blocks(where, field.info.grid);
  std::optional<std::string> path;
  std::vector<std::int64_t> offsets;
  for (const std::int64_t brick : workload.first_bricks)
  {
    const Box box = brick_values(grid, where.variable.centering, brick);
    (void)for_each_span(where, workload.step, box, { 0, kPage },
        [&](PlannedSpan&& planned) -> Result<void>
        {
          path = path ? path : planned.span.path();
          if (*path == planned.span.path())
          {
            offsets.push_back(planned.span.offset);
          }
          return fail(ErrorCode::Cancelled, "one is enough");
        });
  }
  return measure_storage({ .path = path.value_or(part.files.path(0)),
                             .begin = part.offset,
                             .end = part.offset + where.part_bytes(),
                             .request = kRequest },
      offsets, io_uring);
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
  field.measure = [shared, options](const Workload& workload)
  {
    return measure_blocks(*shared, workload, options.io_uring);
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
  const StorageFacts facts = facts_about_blocks(field, why_assembled.empty());
  StrategyChoice choice = choose_strategy(options.strategy, facts);
  std::string why = " They are put together in memory, because of the values: " + why_assembled + ".";
  if (choice.strategy == AccessStrategy::MemoryMap && why_assembled.empty())
  {
    const std::string refusal = why_not_mapped(field, options.strategy);
    if (refusal.empty())
    {
      return std::shared_ptr<FileBricks>(
          std::make_shared<MappedArrays>(std::move(field), path, std::move(choice), options.memory_budget));
    }
    why = " " + refusal;
  }
  else if (why_assembled.empty())
  {
    why.clear();
  }
  if (options.strategy == AccessStrategy::Automatic)
  {
    return open_automatic(std::move(field), path, why, options);
  }
  choice.direct = choice.direct && !facts.fits_in_memory; // bricks beside each other lie in the same pages
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
