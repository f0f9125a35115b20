// SPDX-License-Identifier: BSD-3-Clause
#include "Fields/SpreadBlocks.h"

#include "Plugin/Agree.h"

#include <algorithm>
#include <array>
#include <functional>

namespace rivulet
{

namespace
{

/// Numbers that ranks exchange first.
struct Summary
{
  std::int64_t failed = 0;
  std::int64_t blocks = 0;
  std::array<std::int64_t, 8> domain{}; ///< cells, centring, levels, variables, bytes of all of them, geometry
};
constexpr int kSummary = 10; ///< integers
static_assert(sizeof(Summary) == kSummary * sizeof(std::int64_t));

/// A block on its way between ranks.
struct SentBlock
{
  std::int32_t level = 0;
  Box points;
};
constexpr int kSentBlock = 7; ///< integers
static_assert(sizeof(SentBlock) == kSentBlock * sizeof(std::int32_t));

/// A number for where the grid lies, and for the ratios of the levels.
std::int64_t number_of(const Grid& grid, const rivulet_field& field)
{
  std::string bytes;
  const auto add = [&](const double* values, std::size_t count)
  {
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(double));
  };
  add(grid.origin.data(), 3);
  add(grid.spacing.data(), 3);
  for (const std::vector<double>& axis : grid.axes)
  {
    add(axis.data(), axis.size());
  }
  if (field.levels > 1)
  {
    const std::size_t ratios = 3 * static_cast<std::size_t>(field.levels - 1);
    bytes.append(reinterpret_cast<const char*>(field.ratio), ratios * sizeof(std::int32_t));
  }
  return static_cast<std::int64_t>(std::hash<std::string>()(bytes));
}

Summary summary_of(const Result<ChosenField>& chosen)
{
  if (!chosen)
  {
    return { 1, 0, {} };
  }
  const rivulet_field& field = *chosen->field;
  std::int64_t values = 0;
  for (const Variable& variable : chosen->info.variables)
  {
    values += static_cast<std::int64_t>(variable.tuple_bytes());
  }
  return { 0, field.blocks,
    { field.cells[0], field.cells[1], field.cells[2], field.centring, field.levels,
        static_cast<std::int64_t>(chosen->numbers.size()), values, number_of(chosen->info.grid, field) } };
}

/// The points that a block gives: of its upper border only where the domain ends.
Box points_of(const rivulet_field& field, const rivulet_block& block)
{
  Box points;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t end = block.begin[axis] + block.cells[axis];
    const bool last = field.centring == RIVULET_NODES && end == field.cells[axis];
    points.begin[axis] = static_cast<std::int32_t>(block.begin[axis]);
    points.end[axis] = static_cast<std::int32_t>(end + (last ? 1 : 0));
  }
  return points;
}

} // namespace

Result<std::vector<SpreadBlock>> gather_blocks(const Host& host, const Result<ChosenField>& chosen)
{
  const Summary mine = summary_of(chosen);
  std::vector<Summary> all(static_cast<std::size_t>(host.size()));
  const Result<void> told =
      of_mpi(MPI_Allgather(&mine, kSummary, MPI_INT64_T, all.data(), kSummary, MPI_INT64_T, host.comm()));
  if (!chosen || !told)
  {
    return tl::unexpected(chosen ? told.error() : chosen.error());
  }
  if (std::any_of(all.begin(), all.end(), [](const Summary& rank) { return rank.failed != 0; }))
  {
    return other_rank_failed(host);
  }
  if (std::any_of(all.begin(), all.end(), [&](const Summary& rank) { return rank.domain != all[0].domain; }))
  {
    return fail(ErrorCode::BadArgument,
        "ranks publish different domains or variables of the field \"" + std::string(chosen->field->name) + "\"");
  }
  const rivulet_field& field = *chosen->field;
  std::vector<SentBlock> own;
  own.reserve(static_cast<std::size_t>(field.blocks));
  for (int number = 0; number < field.blocks; ++number)
  {
    own.push_back({ field.block[number].level, points_of(field, field.block[number]) });
  }
  std::vector<int> counts;
  std::vector<int> begins;
  std::vector<SpreadBlock> spread;
  for (int rank = 0; rank < host.size(); ++rank)
  {
    const auto blocks = static_cast<int>(all[static_cast<std::size_t>(rank)].blocks);
    begins.push_back(static_cast<int>(spread.size()) * kSentBlock);
    counts.push_back(blocks * kSentBlock);
    for (int number = 0; number < blocks; ++number)
    {
      spread.push_back({ rank, number, 0, {} });
    }
  }
  std::vector<SentBlock> sent(spread.size());
  if (Result<void> exchanged = of_mpi(MPI_Allgatherv(own.data(), static_cast<int>(own.size()) * kSentBlock, MPI_INT32_T,
          sent.data(), counts.data(), begins.data(), MPI_INT32_T, host.comm()));
      !exchanged)
  {
    return forward_error(exchanged);
  }
  for (std::size_t i = 0; i < sent.size(); ++i)
  {
    spread[i].level = sent[i].level;
    spread[i].points = sent[i].points;
  }
  return spread;
}

} // namespace rivulet
