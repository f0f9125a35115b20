// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BovBricks.h"

#include "Io/BlockChecks.h"
#include "Io/BovSeries.h"
#include "Store/AssembledBricks.h"
#include "Store/MappedArrays.h"
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

StrategyChoice choose_at_once(const BlockField& field, AccessStrategy wanted, const std::string& why_assembled)
{
  const std::string first = field.variables.front().steps.front().parts.front().files.path(0);
  StorageFacts facts = facts_about(first, true);
  facts.asynchronous = false;
  StrategyChoice choice = choose_strategy(wanted, facts);
  if (why_assembled.empty())
  {
    return choice;
  }
  const bool asked = wanted == AccessStrategy::MemoryMap;
  if (choice.strategy == AccessStrategy::MemoryMap && !asked)
  {
    choice = { .strategy = AccessStrategy::BufferedCache, .reason = "Bricks are read through the page cache." };
  }
  choice.reason += " They are put together in memory, because of the values: " + why_assembled + ".";
  return choice;
}

StrategyChoice choose(const BlockField& field, AccessStrategy wanted, const std::string& why_assembled)
{
  const bool asynchronous = wanted == AccessStrategy::Asynchronous;
  StrategyChoice choice = choose_at_once(field, asynchronous ? AccessStrategy::Automatic : wanted, why_assembled);
  choice.reason.insert(0, asynchronous ? "Only field files (.rvf) are read asynchronously. " : "");
  return choice;
}

} // namespace

Result<std::shared_ptr<FileBricks>> open_blocks(BlockField field, const std::string& path, const OpenOptions& options)
{
  if (Result<void> good = check_first_step(field); !good)
  {
    return forward_error(good);
  }
  const std::int64_t budget = options.memory_budget > 0 ? options.memory_budget : default_memory_budget();
  const std::string why_assembled = why_not_whole(field);
  StrategyChoice choice = choose(field, options.strategy, why_assembled);
  if (choice.strategy == AccessStrategy::MemoryMap && why_assembled.empty())
  {
    return std::shared_ptr<FileBricks>(
        std::make_shared<MappedArrays>(std::move(field), path, std::move(choice), budget));
  }
  return std::shared_ptr<FileBricks>(
      std::make_shared<AssembledBricks>(std::move(field), path, std::move(choice), budget));
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
