// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/BlockLocator.h"

#include "Base/WholeType.h"
#include "Io/Files/DataFiles.h"

#include <algorithm>

namespace rivulet
{

namespace
{

BrickGrid whole_array(const BlockVariable& variable, const Grid& grid)
{
  return { .cells = grid.cells(), .count = { 1, 1, 1 }, .lattice = variable.lattice };
}

} // namespace

BlockLocator::BlockLocator(std::shared_ptr<const BlockField> field, std::string path, BlockCutting cutting)
  : field_(std::move(field))
  , path_(std::move(path))
  , cutting_(cutting)
{
  for (const BlockVariable& variable : field_->variables)
  {
    const Grid& grid = field_->info.grid;
    const auto steps = static_cast<std::int64_t>(variable.steps.size());
    const CutVariable& cut = variables_.emplace_back(
        CutVariable{ .grid = whole_arrays() ? whole_array(variable, grid) : cut_blocks(variable, grid),
            .first_brick = bricks_,
            .first_file = files_,
            .parts = static_cast<std::int64_t>(variable.steps.front().parts.size()),
            .blocks = volume(variable.blocks()) });
    bricks_ += steps * cut.grid.size();
    files_ += steps * cut.parts * cut.blocks;
    slot_bytes_ = std::max(slot_bytes_, brick_bytes(cut.grid, variable.variable));
  }
}

Box BlockLocator::box_of(const BrickKey& key) const
{
  return brick_values(bricks(key.variable), variable(key).variable.centering, key.index);
}

std::int64_t BlockLocator::number(const BrickKey& key) const
{
  const CutVariable& cut = variables_[static_cast<std::size_t>(key.variable)];
  return cut.first_brick + key.step * cut.grid.size() + key.index;
}

std::int64_t BlockLocator::storage_order(const BrickKey& key) const
{
  return block_order(variable(key), bricks(key.variable), key.index);
}

/// Files are numbered by variable, then step, then part, then block.
LocatedFile BlockLocator::file(std::int64_t number) const
{
  const auto after = std::upper_bound(variables_.begin(), variables_.end(), number,
      [](std::int64_t file, const CutVariable& cut) { return file < cut.first_file; });
  const CutVariable& cut = *std::prev(after);
  const BlockVariable& where = field_->variables[static_cast<std::size_t>(std::prev(after) - variables_.begin())];
  const std::int64_t among = number - cut.first_file;
  const BlockStep& step = where.steps[static_cast<std::size_t>(among / (cut.parts * cut.blocks))];
  const BlockPart& part = step.parts[static_cast<std::size_t>(among / cut.blocks % cut.parts)];
  return { part.files.path(among % cut.blocks), part.offset + where.part_bytes() };
}

Error BlockLocator::too_short(std::int64_t number, std::int64_t held) const
{
  const LocatedFile located = file(number);
  return rivulet::too_short(located.path, held, located.bytes);
}

void BlockLocator::find_extents(const BrickKey& key, const SpanLimits& limits, std::vector<Extent>& extents) const
{
  const CutVariable& cut = variables_[static_cast<std::size_t>(key.variable)];
  const BlockVariable& where = variable(key);
  const std::vector<BlockPart>& parts = where.steps[static_cast<std::size_t>(key.step)].parts;
  // Cannot fail: the visitor only stores the spans.
  (void)for_each_span(where, key.step, box_of(key), limits,
      [&](PlannedSpan&& planned)
      {
        const BlockSpan& span = planned.span;
        const bool plain = is_plain_copy(planned);
        const std::int64_t to = plain ? planned.runs.front().out * size_of(where.format.type) : Extent::kConverted;
        const std::int64_t file = cut.first_file + (key.step * cut.parts + (span.part - parts.data())) * cut.blocks;
        extents.push_back({ file + span.block, span.offset, span.bytes, to, std::move(planned.runs) });
        return Result<void>{};
      });
}

void BlockLocator::place(const BrickKey& key, const Extent& extent, const std::byte* bytes, std::byte* slot) const
{
  rivulet::place(variable(key), extent.runs, extent.offset, bytes, slot);
}

Result<BrickView> BlockLocator::finish(const BrickKey& key, std::byte* slot)
{
  const Variable& what = variable(key).variable;
  if (Result<void> held = check_whole(what, slot, box_of(key).count() * what.components); !held)
  {
    return forward_error(held);
  }
  return view(key, slot);
}

BrickInPlace BlockLocator::in_place(const BrickKey& key) const
{
  const BlockVariable& where = variable(key);
  const CutVariable& cut = variables_[static_cast<std::size_t>(key.variable)];
  return { .file = cut.first_file + key.step,
    .offset = where.steps[static_cast<std::size_t>(key.step)].parts.front().offset,
    .bytes = where.part_bytes(),
    .number = number(key) };
}

BrickView BlockLocator::view(const BrickKey& key, const std::byte* values) const
{
  const Variable& what = variable(key).variable;
  const Box box = whole_arrays() ? Box{ { 0, 0, 0 }, variable(key).lattice } : box_of(key);
  const std::int64_t row = std::int64_t{ what.components } * box.size()[0];
  return { values, what.type, what.components, box, { what.components, row, row * box.size()[1] } };
}

std::string why_not_in_place(const BlockField& field)
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

} // namespace rivulet
