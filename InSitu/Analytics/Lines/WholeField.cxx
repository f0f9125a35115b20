// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/WholeField.h"

#include "Base/Bytes.h"
#include "Plugin/Agree.h"

#include <new>

namespace rivulet
{

namespace
{

/// The field, if it is a flow and within the limit.
Result<ChosenField> choose(
    const Host& host, const rivulet_snapshot& snapshot, const FieldWish& wish, const WholeFieldNeeds& needs)
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
  double bytes = 0;
  for (const Variable& variable : chosen->info.variables)
  {
    const Int3 lattice = chosen->lattice();
    bytes += static_cast<double>(variable.tuple_bytes()) * lattice[0] * lattice[1] * lattice[2] * needs.steps;
  }
  if (bytes > static_cast<double>(needs.limit))
  {
    return fail(ErrorCode::BadArgument,
        "the field \"" + std::string(chosen->field->name) + "\" takes " +
            std::to_string(static_cast<std::int64_t>(bytes) / kMiB + 1) + " MiB on each rank, and " + host.name() +
            " may take " + std::to_string(needs.limit / kMiB),
        "raise \"limit_mib\", or write it by the analytics store and trace there");
  }
  return chosen;
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

Result<WholeField> gather_whole(
    const Host& host, const rivulet_snapshot& snapshot, const FieldWish& wish, const WholeFieldNeeds& needs)
{
  const Result<ChosenField> chosen = choose(host, snapshot, wish, needs);
  Result<SpreadField> spread = SpreadField::gather(host, chosen);
  if (!spread)
  {
    return forward_error(spread);
  }
  const auto boxes_of = [&](int rank)
  {
    return std::vector<Box>(needs.traces(rank) ? 1 : 0, Box{ { 0, 0, 0 }, chosen->lattice() });
  };
  WholeField whole;
  whole.info = chosen->info;
  Result<void> room;
  try
  {
    for (std::size_t variable = 0; variable < chosen->numbers.size(); ++variable)
    {
      whole.values.push_back(spread->room_for(variable, boxes_of(host.rank())));
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

} // namespace rivulet
