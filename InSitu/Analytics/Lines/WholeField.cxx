// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/WholeField.h"

#include "AmrMesh/AmrBricks.h"
#include "Base/Bytes.h"
#include "Plugin/Agree.h"

#include <new>

namespace rivulet
{

namespace
{

/// The field, if it is a flow and, without levels, within the limit.
Result<ChosenField> choose(
    const Host& host, const rivulet_snapshot& snapshot, const FieldSelection& wish, const WholeFieldNeeds& needs)
{
  Result<ChosenField> chosen = choose_field(snapshot, wish);
  if (!chosen)
  {
    return chosen;
  }
  if (chosen->info.variables.front().components != 3)
  {
    return fail(ErrorCode::BadArgument, "the variable \"" + wish.variables.front() + "\" has not three components",
        "choose another \"velocity\"");
  }
  if (wish.says_cells && chosen->has_levels())
  {
    return fail(ErrorCode::BadArgument,
        "the option \"cells\" has no meaning for the field \"" + std::string(chosen->field->name) + "\", which has " +
            std::to_string(chosen->field->levels) + " levels",
        "leave it out: values of cells become values of the nodes of all levels");
  }
  double bytes = 0;
  for (const Variable& variable : chosen->info.variables)
  {
    const Int3 lattice = chosen->lattice();
    bytes += static_cast<double>(variable.tuple_bytes()) * lattice[0] * lattice[1] * lattice[2] * needs.steps;
  }
  if (bytes > static_cast<double>(needs.limit) && !chosen->has_levels())
  {
    return fail(ErrorCode::BadArgument,
        "the field \"" + std::string(chosen->field->name) + "\" takes " +
            std::to_string(static_cast<std::int64_t>(bytes) / kMiB + 1) + " MiB on each rank, and " + host.name() +
            " may take " + std::to_string(needs.limit / kMiB),
        "raise \"limit_mib\", or write it by the analytics store and trace there");
  }
  return chosen;
}

Result<WholeField> gather_uniform(
    const Host& host, const ChosenField& chosen, std::vector<SpreadBlock> blocks, const WholeFieldNeeds& needs)
{
  Result<DistributedField> spread = DistributedField::of(host, chosen, std::move(blocks));
  if (!spread)
  {
    return forward_error(spread);
  }
  const auto boxes_of = [&](int rank, std::size_t)
  {
    return std::vector<Box>(needs.traces(rank) ? 1 : 0, Box{ { 0, 0, 0 }, chosen.lattice() });
  };
  WholeField whole;
  whole.info = chosen.info;
  Result<void> room;
  try
  {
    for (std::size_t variable = 0; variable < chosen.numbers.size(); ++variable)
    {
      whole.values.push_back(spread->room_for(variable, boxes_of(host.rank(), variable)));
    }
  }
  catch (const std::bad_alloc&)
  {
    room = fail(ErrorCode::BadArgument, "there is no memory for the field of " + host.name());
  }
  Result<void> done = agree(host, room);
  done = done ? spread->fetch(boxes_of, whole.values) : done;
  return done ? Result<WholeField>(std::move(whole)) : forward_error(done);
}

} // namespace

std::vector<MemoryArray> WholeField::arrays() const
{
  std::vector<MemoryArray> all;
  for (std::size_t number = 0; number < info.variables.size(); ++number)
  {
    all.push_back({ info.variables[number], values[number].front().data(), {} });
  }
  return all;
}

FlowSources::FlowSources(const WholeField& whole)
{
  field_.grid = whole.info.grid;
  if (whole.levels == nullptr)
  {
    sources_.push_back(std::make_unique<ArrayBricks>(whole.info.grid, whole.arrays()));
  }
  for (std::size_t number = 0; number < whole.info.variables.size(); ++number)
  {
    if (whole.levels != nullptr)
    {
      sources_.push_back(std::make_unique<AmrBricks>(
          whole.levels->mesh(), whole.levels->values(number), whole.levels->bricks_budget(number)));
    }
    const auto variable = static_cast<std::int32_t>(whole.levels != nullptr ? 0 : number);
    field_.attributes.push_back({ whole.info.variables[number].name, { sources_.back().get(), variable, 0 } });
  }
  field_.velocity = field_.attributes.front().array;
}

Result<WholeField> gather_whole(
    const Host& host, const rivulet_snapshot& snapshot, const FieldSelection& wish, const WholeFieldNeeds& needs)
{
  const Result<ChosenField> chosen = choose(host, snapshot, wish, needs);
  Result<std::vector<SpreadBlock>> blocks = gather_blocks(host, chosen);
  if (!blocks)
  {
    return forward_error(blocks);
  }
  if (!chosen->has_levels())
  {
    return gather_uniform(host, *chosen, std::move(*blocks), needs);
  }
  Result<std::shared_ptr<const LevelField>> levels =
      LevelField::gather(host, *chosen, *blocks, { needs.limit, needs.traces });
  if (!levels)
  {
    return forward_error(levels);
  }
  return WholeField{ chosen->info, {}, std::move(*levels) };
}

} // namespace rivulet
