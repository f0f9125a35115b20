// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/LevelField.h"

#include "Base/Bytes.h"
#include "Fields/CopyPoints.h"
#include "Plugin/Agree.h"
#include "Plugin/InPieces.h"

#include <algorithm>
#include <new>

namespace rivulet
{

namespace
{

constexpr int kTag = 12;

/// A variable of the patches in memory.
class GatheredValues final : public PatchValues
{
public:
  using View = std::function<BrickView(int level, std::int32_t box)>;

  GatheredValues(const Variable& variable, View view)
    : variable_(variable)
    , view_(std::move(view))
  {
  }
  [[nodiscard]] const Variable& variable() const override { return variable_; }
  [[nodiscard]] Result<HeldPatch> hold(int level, std::int32_t box) override
  {
    return HeldPatch{ view_(level, box), nullptr };
  }
  [[nodiscard]] int at_once() const override { return 0; }

private:
  Variable variable_;
  View view_;
};

/// Bytes of the values of each rank's patches, one rank after the other.
class RankParts
{
public:
  RankParts(const std::vector<SpreadBlock>& blocks, std::int64_t tuple_bytes, int ranks)
    : ends_(static_cast<std::size_t>(ranks), 0)
  {
    for (const SpreadBlock& block : blocks)
    {
      ends_[static_cast<std::size_t>(block.rank)] += block.points.count() * tuple_bytes;
    }
    for (std::size_t rank = 1; rank < ends_.size(); ++rank)
    {
      ends_[rank] += ends_[rank - 1];
    }
  }
  [[nodiscard]] std::int64_t begin(int rank) const { return rank == 0 ? 0 : end(rank - 1); }
  [[nodiscard]] std::int64_t end(int rank) const { return ends_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::int64_t size(int rank) const { return end(rank) - begin(rank); }

private:
  std::vector<std::int64_t> ends_;
};

/// Sends this rank's part to all ranks that trace, and receives the other parts if it traces itself. `own` lies
/// in `all` then.
Result<void> exchange(const Host& host, const RankParts& parts, const std::function<bool(int rank)>& traces,
    std::byte* own, std::byte* all)
{
  std::vector<MPI_Request> requests;
  FirstMpiError error;
  const auto request = [&]() -> MPI_Request*
  {
    return &requests.emplace_back(MPI_REQUEST_NULL);
  };
  for (int rank = 0; rank < host.size(); ++rank)
  {
    if (rank != host.rank() && traces(host.rank()))
    {
      in_pieces(all + parts.begin(rank), parts.size(rank),
          [&](std::byte* bytes, int count)
          { error.note(MPI_Irecv(bytes, count, MPI_BYTE, rank, kTag, host.comm(), request())); });
    }
  }
  for (int rank = 0; rank < host.size(); ++rank)
  {
    if (rank != host.rank() && traces(rank))
    {
      in_pieces(own, parts.size(host.rank()),
          [&](std::byte* bytes, int count)
          { error.note(MPI_Isend(bytes, count, MPI_BYTE, rank, kTag, host.comm(), request())); });
    }
  }
  error.note(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  return error.result();
}

} // namespace

std::int64_t LevelField::bytes_of_cell() const
{
  std::int64_t bytes = 0;
  for (const Variable& variable : variables_)
  {
    bytes += static_cast<std::int64_t>(variable.tuple_bytes());
  }
  return bytes;
}

Result<void> LevelField::check_limit(const Host& host, const ChosenField& chosen) const
{
  const std::int64_t bytes = cells() * bytes_of_cell();
  if (bytes <= limit_)
  {
    return {};
  }
  return fail(ErrorCode::BadArgument,
      "the patches of the field \"" + std::string(chosen.field->name) + "\" take " + std::to_string(bytes / kMiB + 1) +
          " MiB on each rank, and " + host.name() + " may take " + std::to_string(limit_ / kMiB),
      "raise \"limit_mib\", or write it by the analytics store and trace there");
}

std::int64_t LevelField::bricks_budget(std::size_t variable) const
{
  const double share = static_cast<double>(variables_[variable].tuple_bytes()) / static_cast<double>(bytes_of_cell());
  const double left = static_cast<double>(limit_ - cells() * bytes_of_cell());
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(share * left));
}

Result<void> LevelField::fetch(const Host& host, const ChosenField& chosen, const std::vector<SpreadBlock>& blocks,
    const std::function<bool(int rank)>& traces)
{
  const bool whole = traces(host.rank());
  for (std::size_t number = 0; number < variables_.size(); ++number)
  {
    const auto tuple = static_cast<std::int64_t>(variables_[number].tuple_bytes());
    const RankParts parts(blocks, tuple, host.size());
    Buffer<std::byte> values;
    Result<void> room;
    try
    {
      values = Buffer<std::byte>(static_cast<std::size_t>(whole ? cells() * tuple : parts.size(host.rank())));
    }
    catch (const std::bad_alloc&)
    {
      room = fail(ErrorCode::BadArgument, "there is no memory for the field of " + host.name());
    }
    if (Result<void> all = agree(host, room); !all)
    {
      return all;
    }
    std::byte* const own = values.data() + (whole ? parts.begin(host.rank()) : 0);
    std::byte* to = own;
    for (const SpreadBlock& block : blocks)
    {
      if (block.rank == host.rank())
      {
        copy_points(host, chosen, { number, block.number, block.points, block.points }, to);
        to += block.points.count() * tuple;
      }
    }
    if (Result<void> done = exchange(host, parts, traces, own, values.data()); !done)
    {
      return done;
    }
    if (whole)
    {
      values_.push_back(std::move(values));
    }
  }
  return {};
}

Result<std::shared_ptr<const LevelField>> LevelField::gather(
    const Host& host, const ChosenField& chosen, const std::vector<SpreadBlock>& blocks, const LevelFieldNeeds& needs)
{
  Result<PublishedLevels> found = find_levels(chosen, blocks);
  if (!found)
  {
    return forward_error(found);
  }
  const std::shared_ptr<LevelField> made(new LevelField(chosen.info.variables, needs.limit));
  made->first_.push_back(0);
  for (const SpreadBlock& block : blocks)
  {
    made->first_.push_back(made->first_.back() + block.points.count());
  }
  made->blocks_ = std::move(found->blocks);
  Result<void> done = made->check_limit(host, chosen);
  Result<AmrMesh> mesh = done ? AmrMesh::create(std::move(found->levels)) : Result<AmrMesh>(forward_error(done));
  if (!mesh)
  {
    return forward_error(mesh);
  }
  made->mesh_ = std::make_shared<const AmrMesh>(std::move(*mesh));
  if (done = made->fetch(host, chosen, blocks, needs.traces); !done)
  {
    return forward_error(done);
  }
  return made;
}

std::shared_ptr<PatchValues> LevelField::values(std::size_t variable) const
{
  const auto view = [field = shared_from_this(), variable](int level, std::int32_t box)
  {
    const auto at = static_cast<std::size_t>(level);
    const auto number = static_cast<std::size_t>(box);
    const Variable& of = field->variables_[variable];
    const Box& cells = field->mesh_->level(level).boxes[number];
    const std::int64_t first = field->first_[field->blocks_[at][number]] * static_cast<std::int64_t>(of.tuple_bytes());
    const Int3 size = cells.size();
    const std::int64_t components = of.components;
    return BrickView{ field->values_[variable].data() + first, of.type, of.components, cells,
      { components, components * size[0], components * size[0] * size[1] } };
  };
  return std::make_shared<GatheredValues>(variables_[variable], view);
}

} // namespace rivulet
