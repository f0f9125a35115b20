// SPDX-License-Identifier: BSD-3-Clause
#include "Fields/DistributedField.h"

#include "Fields/CopyPoints.h"
#include "Plugin/Agree.h"
#include "Plugin/InPieces.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

namespace rivulet
{

namespace
{

constexpr int kTag = 11;

} // namespace

Result<DistributedField> DistributedField::of(
    const Host& host, const ChosenField& chosen, std::vector<SpreadBlock> blocks)
{
  if (Result<void> covered = check_cover(blocks, chosen.lattice()); !covered)
  {
    return forward_error(covered);
  }
  return DistributedField(host, chosen, std::move(blocks));
}

std::int64_t DistributedField::bytes_of(std::size_t variable, const Box& box) const
{
  return box.count() * static_cast<std::int64_t>(chosen_->info.variables[variable].tuple_bytes());
}

DistributedField::Values DistributedField::room_for(std::size_t variable, const std::vector<Box>& boxes) const
{
  Values values;
  for (const Box& box : boxes)
  {
    values.emplace_back(static_cast<std::size_t>(bytes_of(variable, box)));
  }
  return values;
}

/// The lattice points of a variable that a block gives: of the nodes around cells, the ones on its upper border only
/// where the domain ends.
Box DistributedField::points_of(const SpreadBlock& block, std::size_t variable) const
{
  Box points = block.points;
  const Int3 cells = chosen_->info.grid.cells();
  const bool corners = chosen_->is_points(variable) && chosen_->field->centring == RIVULET_CELLS;
  for (std::size_t axis = 0; corners && axis < 3; ++axis)
  {
    points.end[axis] += points.end[axis] == cells[axis] ? 1 : 0;
  }
  return points;
}

/// Calls message(block, wanted box, its number, common points) for all that rank `from` has and rank `to` wants, in an
/// order that both know.
template <class Message>
void DistributedField::for_messages(
    int from, int to, const Wanted& wanted, std::size_t variable, const Message& message) const
{
  const std::vector<Box> boxes = wanted(to, variable);
  for (const SpreadBlock& block : blocks_)
  {
    for (std::size_t i = 0; block.rank == from && i < boxes.size(); ++i)
    {
      const Box common = intersect(points_of(block, variable), boxes[i]);
      if (!common.empty())
      {
        message(block.number, boxes[i], i, common);
      }
    }
  }
}

Result<void> DistributedField::fetch(const Wanted& wanted, std::span<Values> values) const
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
std::int64_t DistributedField::bytes_between(int from, int to, const Wanted& wanted, std::size_t variable) const
{
  std::int64_t bytes = 0;
  if (from != to)
  {
    for_messages(from, to, wanted, variable,
        [&](int, const Box&, std::size_t, const Box& common) { bytes += bytes_of(variable, common); });
  }
  return bytes;
}

/// Memory for the values sent to and received from each rank.
Result<DistributedField::Traffic> DistributedField::room_for_traffic(const Wanted& wanted, std::size_t variable) const
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

/// Copies values of this rank into its own wanted boxes, or into the message for another rank.
void DistributedField::copy_own(const Wanted& wanted, std::size_t variable, Traffic& traffic, Values& values) const
{
  for (int rank = 0; rank < host_.size(); ++rank)
  {
    std::byte* next = traffic.sent[static_cast<std::size_t>(rank)].data();
    for_messages(host_.rank(), rank, wanted, variable,
        [&](int block, const Box& box, std::size_t place, const Box& common)
        {
          if (rank == host_.rank())
          {
            copy_points(host_, *chosen_, { variable, block, common, box }, values[place].data());
            return;
          }
          copy_points(host_, *chosen_, { variable, block, common, common }, next);
          next += bytes_of(variable, common);
        });
  }
}

/// Copies values received from other ranks into the wanted boxes.
void DistributedField::place_received(
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
    for_messages(rank, host_.rank(), wanted, variable,
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

Result<void> DistributedField::fetch_one(const Wanted& wanted, std::size_t variable, Values& values) const
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
    in_pieces(into.data(), static_cast<std::int64_t>(into.size()),
        [&](std::byte* bytes, int count)
        { error.note(MPI_Irecv(bytes, count, MPI_BYTE, rank, kTag, host_.comm(), request())); });
  }
  copy_own(wanted, variable, *traffic, values);
  for (int rank = 0; rank < host_.size(); ++rank)
  {
    Buffer<std::byte>& from = traffic->sent[static_cast<std::size_t>(rank)];
    in_pieces(from.data(), static_cast<std::int64_t>(from.size()),
        [&](std::byte* bytes, int count)
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
