// SPDX-License-Identifier: BSD-3-Clause
#include "Fields/SpreadField.h"

#include "Plugin/Agree.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <new>

namespace rivulet
{

namespace
{

constexpr std::int64_t kLargestMessage = std::int64_t{ 1 } << 30; ///< bytes; MPI counts in int
constexpr std::int64_t kRowBytes = std::int64_t{ 1 } << 20;       ///< of values in a slice of a copy
constexpr int kTag = 11;

/// What ranks tell each other first.
struct Summary
{
  std::int64_t failed = 0;
  std::int64_t blocks = 0;
  std::array<std::int64_t, 7> domain{}; ///< cells, centring, variables, values of all variables, geometry
};
static_assert(sizeof(Summary) == 9 * sizeof(std::int64_t));

/// A number for where the grid lies.
std::int64_t number_of(const Grid& grid)
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
    { field.cells[0], field.cells[1], field.cells[2], field.centring, static_cast<std::int64_t>(chosen->numbers.size()),
        values, number_of(chosen->info.grid) } };
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

template <class From, class To>
void convert(const void* from, To* to, std::int64_t count)
{
  const auto* values = static_cast<const From*>(from);
  std::transform(values, values + count, to, [](From value) { return static_cast<To>(value); });
}

template <class To>
void convert_from(std::int32_t type, const std::byte* from, std::int64_t first, To* to, std::int64_t count)
{
  switch (type)
  {
  case RIVULET_FLOAT32:
    return convert<float>(from + first * 4, to, count);
  case RIVULET_INT32:
    return convert<std::int32_t>(from + first * 4, to, count);
  case RIVULET_INT64:
    return convert<std::int64_t>(from + first * 8, to, count);
  case RIVULET_UINT8:
    return convert<std::uint8_t>(from + first, to, count);
  default:
    return convert<double>(from + first * 8, to, count);
  }
}

/// Sends or receives a buffer in messages of a size that MPI can count.
template <class Transfer>
void in_pieces(Buffer<std::byte>& buffer, const Transfer& transfer)
{
  const auto bytes = static_cast<std::int64_t>(buffer.size());
  for (std::int64_t done = 0; done < bytes; done += kLargestMessage)
  {
    transfer(buffer.data() + done, static_cast<int>(std::min(kLargestMessage, bytes - done)));
  }
}

} // namespace

Result<SpreadField> SpreadField::gather(const Host& host, const Result<ChosenField>& chosen)
{
  const Summary mine = summary_of(chosen);
  std::vector<Summary> all(static_cast<std::size_t>(host.size()));
  const Result<void> told = of_mpi(MPI_Allgather(&mine, 9, MPI_INT64_T, all.data(), 9, MPI_INT64_T, host.comm()));
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
  std::vector<Box> own;
  own.reserve(static_cast<std::size_t>(field.blocks));
  for (int number = 0; number < field.blocks; ++number)
  {
    own.push_back(points_of(field, field.block[number]));
  }
  std::vector<int> counts;
  std::vector<int> begins;
  SpreadField spread(host, *chosen);
  for (int rank = 0; rank < host.size(); ++rank)
  {
    const auto blocks = static_cast<int>(all[static_cast<std::size_t>(rank)].blocks);
    begins.push_back(static_cast<int>(spread.blocks_.size()) * 6);
    counts.push_back(blocks * 6);
    for (int number = 0; number < blocks; ++number)
    {
      spread.blocks_.push_back({ rank, number, {} });
    }
  }
  static_assert(sizeof(Box) == 6 * sizeof(std::int32_t));
  std::vector<Box> boxes(spread.blocks_.size());
  if (Result<void> exchanged = of_mpi(MPI_Allgatherv(own.data(), static_cast<int>(own.size()) * 6, MPI_INT32_T,
          boxes.data(), counts.data(), begins.data(), MPI_INT32_T, host.comm()));
      !exchanged)
  {
    return forward_error(exchanged);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
  {
    spread.blocks_[i].points = boxes[i];
  }
  if (Result<void> covered = check_cover(spread.blocks_, chosen->lattice()); !covered)
  {
    return forward_error(covered);
  }
  return spread;
}

std::int64_t SpreadField::bytes_of(std::size_t variable, const Box& box) const
{
  return box.count() * static_cast<std::int64_t>(chosen_->info.variables[variable].tuple_bytes());
}

SpreadField::Values SpreadField::room_for(std::size_t variable, const std::vector<Box>& boxes) const
{
  Values values;
  for (const Box& box : boxes)
  {
    values.emplace_back(static_cast<std::size_t>(bytes_of(variable, box)));
  }
  return values;
}

/// Copies points of an own block to their places in the values of the box `into`.
void SpreadField::copy_points(
    std::size_t variable, int block, const Box& points, const Box& into, std::byte* values) const
{
  const rivulet_field& field = *chosen_->field;
  const rivulet_block& from = field.block[block];
  const int number = chosen_->numbers[variable];
  const Variable& as = chosen_->info.variables[variable];
  const std::int32_t type = field.variable[number].type;
  const auto* const data = static_cast<const std::byte*>(from.data[number]);
  Long3 stored{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t along = from.cells[axis] + (field.centring == RIVULET_NODES ? 1 : 0);
    stored[axis] = along + from.ghosts[axis] + rivulet_ghosts_above(&from, static_cast<int>(axis));
  }
  const Int3 size = points.size();
  const std::int64_t row = std::int64_t{ size[0] } * as.components;
  const std::int64_t grain = std::max<std::int64_t>(1, kRowBytes / (row * 8));
  host_.for_ranges(std::int64_t{ size[1] } * size[2], grain,
      [&](std::int64_t begin, std::int64_t end, int) noexcept
      {
        for (std::int64_t number_of_row = begin; number_of_row < end; ++number_of_row)
        {
          const Int3 at{ points.begin[0], points.begin[1] + static_cast<std::int32_t>(number_of_row % size[1]),
            points.begin[2] + static_cast<std::int32_t>(number_of_row / size[1]) };
          const auto place = [&](std::size_t axis)
          {
            return at[axis] - from.begin[axis] + from.ghosts[axis];
          };
          const std::int64_t first = (place(0) + stored[0] * (place(1) + stored[1] * place(2))) * as.components;
          const Int3 in{ at[0] - into.begin[0], at[1] - into.begin[1], at[2] - into.begin[2] };
          std::byte* const to = values + row_major(in, into.size()) * static_cast<std::int64_t>(as.tuple_bytes());
          if (as.type == ScalarType::Float32)
          {
            convert_from(type, data, first, reinterpret_cast<float*>(to), row);
          }
          else
          {
            convert_from(type, data, first, reinterpret_cast<double*>(to), row);
          }
        }
      });
}

/// Calls message(block, wanted box, its number, common points) for all that rank `from` has and rank `to` wants, in an
/// order that both know.
template <class Message>
void SpreadField::for_messages(int from, int to, const Wanted& wanted, const Message& message) const
{
  const std::vector<Box> boxes = wanted(to);
  for (const SpreadBlock& block : blocks_)
  {
    for (std::size_t i = 0; block.rank == from && i < boxes.size(); ++i)
    {
      const Box common = intersect(block.points, boxes[i]);
      if (!common.empty())
      {
        message(block.number, boxes[i], i, common);
      }
    }
  }
}

Result<void> SpreadField::fetch(const Wanted& wanted, std::span<Values> values) const
{
  for (std::size_t variable = 0; variable < values.size(); ++variable)
  {
    if (Result<void> done = fetch_one(wanted, variable, values[variable]); !done)
    {
      return done;
    }
  }
  return {};
}

/// Bytes of a variable that rank `from` has for rank `to`.
std::int64_t SpreadField::bytes_between(int from, int to, const Wanted& wanted, std::size_t variable) const
{
  std::int64_t bytes = 0;
  if (from != to)
  {
    for_messages(from, to, wanted,
        [&](int, const Box&, std::size_t, const Box& common) { bytes += bytes_of(variable, common); });
  }
  return bytes;
}

/// Memory for what goes to and comes from each rank.
Result<SpreadField::Traffic> SpreadField::room_for_traffic(const Wanted& wanted, std::size_t variable) const
{
  const int me = host_.rank();
  Traffic traffic;
  try
  {
    for (int rank = 0; rank < host_.size(); ++rank)
    {
      traffic.sent.emplace_back(static_cast<std::size_t>(bytes_between(me, rank, wanted, variable)));
      traffic.received.emplace_back(static_cast<std::size_t>(bytes_between(rank, me, wanted, variable)));
    }
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::BadArgument, "there is no memory for values of other ranks");
  }
  return traffic;
}

/// Copies what this rank has to where it belongs, or into the message for its rank.
void SpreadField::copy_own(const Wanted& wanted, std::size_t variable, Traffic& traffic, Values& values) const
{
  for (int rank = 0; rank < host_.size(); ++rank)
  {
    std::byte* next = traffic.sent[static_cast<std::size_t>(rank)].data();
    for_messages(host_.rank(), rank, wanted,
        [&](int block, const Box& box, std::size_t place, const Box& common)
        {
          if (rank == host_.rank())
          {
            copy_points(variable, block, common, box, values[place].data());
            return;
          }
          copy_points(variable, block, common, common, next);
          next += bytes_of(variable, common);
        });
  }
}

/// Copies what has come from other ranks to where it belongs.
void SpreadField::place_received(
    const Wanted& wanted, std::size_t variable, const Traffic& traffic, Values& values) const
{
  const auto tuple = static_cast<std::int64_t>(chosen_->info.variables[variable].tuple_bytes());
  for (int rank = 0; rank < host_.size(); ++rank)
  {
    if (rank == host_.rank())
    {
      continue;
    }
    const std::byte* next = traffic.received[static_cast<std::size_t>(rank)].data();
    for_messages(rank, host_.rank(), wanted,
        [&](int, const Box& box, std::size_t place, const Box& common)
        {
          const Int3 size = common.size();
          for (std::int64_t row = 0; row < std::int64_t{ size[1] } * size[2]; ++row)
          {
            const Int3 at{ common.begin[0] - box.begin[0],
              common.begin[1] + static_cast<std::int32_t>(row % size[1]) - box.begin[1],
              common.begin[2] + static_cast<std::int32_t>(row / size[1]) - box.begin[2] };
            std::memcpy(values[place].data() + row_major(at, box.size()) * tuple, next,
                static_cast<std::size_t>(size[0] * tuple));
            next += size[0] * tuple;
          }
        });
  }
}

Result<void> SpreadField::fetch_one(const Wanted& wanted, std::size_t variable, Values& values) const
{
  Result<Traffic> traffic = room_for_traffic(wanted, variable);
  if (Result<void> all = agree(host_, traffic ? Result<void>() : tl::unexpected(traffic.error())); !all)
  {
    return all;
  }
  std::vector<MPI_Request> requests;
  FirstMpiError error;
  const auto request = [&]() -> MPI_Request*
  {
    return &requests.emplace_back(MPI_REQUEST_NULL);
  };
  for (int rank = 0; rank < host_.size(); ++rank)
  {
    Buffer<std::byte>& into = traffic->received[static_cast<std::size_t>(rank)];
    in_pieces(into, [&](std::byte* bytes, int count)
        { error.note(MPI_Irecv(bytes, count, MPI_BYTE, rank, kTag, host_.comm(), request())); });
  }
  copy_own(wanted, variable, *traffic, values);
  for (int rank = 0; rank < host_.size(); ++rank)
  {
    Buffer<std::byte>& from = traffic->sent[static_cast<std::size_t>(rank)];
    in_pieces(from, [&](std::byte* bytes, int count)
        { error.note(MPI_Isend(bytes, count, MPI_BYTE, rank, kTag, host_.comm(), request())); });
  }
  error.note(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  if (Result<void> done = error.result(); !done)
  {
    return done;
  }
  place_received(wanted, variable, *traffic, values);
  return {};
}

} // namespace rivulet
