// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `store`: appends a field's step to a Rivulet store (Documentation/store-format.md), which ParaView may
/// show meanwhile. All ranks write the file of the step together; its bytes do not depend on their number. A step of a
/// field with levels becomes a SAMRAI dump (Levels/LevelDumps.h).
///
/// Options:
///     "field"      name of the field; needed if there are several
///     "variables"  names of variables; by default all
///     "type"       "float32" or "float64"; by default as published, and then integers are refused
///     "cells"      values in the middle of cells: "cells" (default) stay, "nodes" become nodes (FieldChoice.h)
///     "path"       of the store, in the folder for output if it is not absolute; a folder of dumps if it ends in
///     .samrai.
///                  By default NAME.rvs; NAME.samrai if the field has levels at the first step, or if there are such
///                  dumps and no store
///     "brick"      cells along each side of a brick: [9, 9, 9] by default, [30, 30, 1] of flat fields
///     "encoding"   "plain" (default) or "fixed16"
///     "sync"       true (default): a step is on the disk before it appears
///     "uuid"       identity of a new store, so that stores of the same values have the same bytes; random by default
/// "cells", "brick", "encoding" and "uuid" are refused for dumps.
///
/// Blocks of the ranks must cover the domain once. A brick is written by the rank that publishes its first point;
/// values of neighbours come by messages. Memory: the values of the rank's bricks, of all chosen variables. Steps that
/// the runtime leaves out are not in the store.
///
/// Threads: values are copied in the loops of the host; files are written by the calling thread alone, because writing
/// blocks.
#include "Base/Times.h"
#include "Convert/ParallelStoreWriter.h"
#include "Fields/CopyPoints.h"
#include "Fields/DistributedField.h"
#include "Io/FieldFile/PlacesHash.h"
#include "Io/FieldFile/WriteBox.h"
#include "Io/Series/StepTimes.h"
#include "Io/Series/StoreFolder.h"
#include "Levels/LevelDumps.h"
#include "Parallel/MpiLink.h"
#include "Plugin/Agree.h"
#include "Plugin/Analytics.h"
#include "Plugin/Options.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace
{

using namespace rivulet;

constexpr const char* kOfStores = ".rvs"; ///< endings of paths
constexpr const char* kOfDumps = ".samrai";

/// Bricks whose first points a block gives, and all points that they hold.
struct Share
{
  Box bricks;
  Box points;
};

class Store final : public Analytics
{
public:
  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host);
  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override;
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override
  {
    return wish_.wants(name, variable);
  }

private:
  explicit Store(const Host& host)
    : host_(host)
    , link_(host.comm())
  {
  }
  [[nodiscard]] std::string default_path(const char* ending) const { return host_.path_of(host_.name() + ending); }
  [[nodiscard]] Result<void> check_new() const;
  [[nodiscard]] Result<void> open_store(const std::string& path);
  [[nodiscard]] Result<void> open_dumps(const std::string& path);
  [[nodiscard]] Result<void> open_for(const ChosenField& chosen);
  [[nodiscard]] Result<bool> begin(const rivulet_snapshot& snapshot);
  [[nodiscard]] std::vector<Share> shares_of(const DistributedField& spread, int rank, std::size_t variable) const;
  [[nodiscard]] Result<bool> moved(const ChosenField& chosen);
  [[nodiscard]] Result<std::vector<DistributedField::Values>> fetch(
      const DistributedField& spread, std::size_t variables) const;
  [[nodiscard]] Result<void> append(
      const rivulet_snapshot& snapshot, const ChosenField& chosen, std::vector<SpreadBlock> blocks);

  Host host_;
  MpiLink link_;
  FieldSelection wish_;
  StoreOptions options_;
  std::string of_bricks_; ///< an option that is set and has no meaning for dumps
  // At most one is there: from the first step on, or from the beginning if the user has named a path.
  std::unique_ptr<ParallelStoreWriter> store_;
  std::unique_ptr<LevelDumps> dumps_;
  std::optional<PlacesHash::Value> places_; ///< of this rank's nodes at the last step that was written
  bool begun_ = false;                      ///< it is known which steps of an earlier run stay
};

/// Bricks have up to 1024 cells along a side, so that one fits in memory.
std::optional<Int3> brick_of(OptionReader& read)
{
  const std::vector<double> sides = read.numbers("brick", 3);
  Int3 cells{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < sides.size(); ++axis)
  {
    if (!(sides[axis] >= 1 && sides[axis] <= 1024 && sides[axis] == std::floor(sides[axis])))
    {
      read.refuse("brick", "a list of 3 integers from 1 to 1024");
      return {};
    }
    cells[axis] = static_cast<std::int32_t>(sides[axis]);
  }
  return sides.empty() ? std::optional<Int3>() : cells;
}

Result<std::unique_ptr<Analytics>> Store::create(const Host& host)
{
  std::unique_ptr<Store> made(new Store(host));
  OptionReader read(host);
  made->wish_.field = read.text("field", "");
  made->wish_.variables = read.names("variables");
  made->wish_.levels = true;
  made->wish_.curvilinear = true;
  if (read.has("type"))
  {
    made->wish_.type = read.choice("type", { "float32", "float64" }) == 0 ? ScalarType::Float32 : ScalarType::Float64;
  }
  made->wish_.cells_as_nodes = read.choice("cells", { "cells", "nodes" }) == 1;
  const std::string path = read.text("path", "");
  StoreOptions& options = made->options_;
  options.start = host.start() == Start::New ? StoreStart::New : StoreStart::Append;
  options.brick_cells = brick_of(read);
  if (read.has("encoding"))
  {
    options.encoding = read.choice("encoding", { "plain", "fixed16" }) == 0 ? Encoding::Plain : Encoding::Fixed16;
  }
  options.sync = read.flag("sync", true);
  options.uuid = read.text("uuid", "");
  for (const char* key : { "cells", "brick", "encoding", "uuid" })
  {
    made->of_bricks_ = read.has(key) ? key : made->of_bricks_;
  }
  if (Result<void> sound = read.finish(); !sound)
  {
    return forward_error(sound);
  }
  Result<void> opened = path.empty()               ? made->check_new()
                        : path.ends_with(kOfDumps) ? made->open_dumps(host.path_of(path))
                                                   : made->open_store(host.path_of(path));
  if (!opened)
  {
    return forward_error(opened);
  }
  return made;
}

/// Without a path: refuses results of an earlier run at both default places.
Result<void> Store::check_new() const
{
  const std::string store = default_path(kOfStores);
  const std::string dumps = default_path(kOfDumps);
  Result<void> is_new;
  if (host_.first() && host_.start() == Start::New)
  {
    is_new = StoreFolder::can_read(store)                    ? Result<void>(fail_as_not_new(store))
             : DumpFolder(host_, dumps, false).holds_dumps() ? Result<void>(fail_as_not_new(dumps))
                                                             : Result<void>();
  }
  return agree(host_, is_new);
}

Result<void> Store::open_store(const std::string& path)
{
  const bool is_there = host_.first() && host_.start() == Start::New && StoreFolder::can_read(path);
  if (Result<void> is_new = agree(host_, is_there ? fail_as_not_new(path) : Result<void>()); !is_new)
  {
    return is_new;
  }
  auto store = ParallelStoreWriter::open(host_.size() > 1 ? &link_ : nullptr, path, options_);
  if (!store)
  {
    return forward_error(store);
  }
  store_ = std::move(*store);
  return {};
}

Result<void> Store::open_dumps(const std::string& path)
{
  if (!of_bricks_.empty())
  {
    return fail(ErrorCode::BadArgument,
        "the option \"" + of_bricks_ + "\" of " + host_.name() + " has no meaning for the dumps of a field with levels",
        "leave it out");
  }
  auto dumps = std::make_unique<LevelDumps>(host_, path, options_.sync);
  Result<void> is_new = dumps->check();
  dumps_ = is_new ? std::move(dumps) : nullptr;
  return is_new;
}

/// At the first step: dumps if the field has levels, or had them in an earlier run.
Result<void> Store::open_for(const ChosenField& chosen)
{
  int levels = chosen.has_levels() ? 1 : 0;
  if (host_.first() && host_.start() != Start::New && !StoreFolder::can_read(default_path(kOfStores)))
  {
    levels = DumpFolder(host_, default_path(kOfDumps), false).holds_dumps() ? 1 : levels;
  }
  Result<void> told = of_mpi(MPI_Bcast(&levels, 1, MPI_INT, 0, host_.comm()));
  return !told ? told : levels == 1 ? open_dumps(default_path(kOfDumps)) : open_store(default_path(kOfStores));
}

std::vector<Share> Store::shares_of(const DistributedField& spread, int rank, std::size_t variable) const
{
  const Centering centering = spread.chosen().info.variables[variable].centering;
  const Int3 lattice = spread.chosen().info.grid.lattice(centering);
  const Int3 cells = spread.chosen().info.grid.cells();
  const Int3 of_brick = store_->brick_cells(spread.chosen().info.grid.nodes);
  std::vector<Share> shares;
  for (const SpreadBlock& block : spread.blocks())
  {
    if (block.rank != rank)
    {
      continue;
    }
    Share share;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::int32_t side = std::min(of_brick[axis], cells[axis]);
      const std::int32_t count = (cells[axis] + side - 1) / side;
      const auto from = [&](std::int32_t point)
      {
        return std::min(count, (point + side - 1) / side);
      };
      share.bricks.begin[axis] = from(block.points.begin[axis]);
      share.bricks.end[axis] = from(block.points.end[axis]);
      share.points.begin[axis] = share.bricks.begin[axis] * side;
      const std::int64_t end = std::int64_t{ share.bricks.end[axis] } * side + (centering == Centering::Cell ? 0 : 1);
      share.points.end[axis] = static_cast<std::int32_t>(std::min<std::int64_t>(lattice[axis], end));
    }
    if (!share.bricks.empty())
    {
      shares.push_back(share);
    }
  }
  return shares;
}

/// Whether the nodes of a curvilinear field lie elsewhere than at the last step, on any rank.
Result<bool> Store::moved(const ChosenField& chosen)
{
  const rivulet_field& field = *chosen.field;
  if (field.points == nullptr)
  {
    return false;
  }
  PlacesHash hash;
  for (std::int32_t number = 0; number < field.blocks; ++number)
  {
    const rivulet_block& block = field.block[number];
    const Long3 nodes = stored_size(block, true);
    const std::int64_t bytes = nodes[0] * nodes[1] * nodes[2] * (field.points->type == RIVULET_FLOAT64 ? 24 : 12);
    hash.add(block.begin, sizeof block.begin);
    hash.add(block.points[0], static_cast<std::size_t>(bytes));
  }
  int moved = places_ == hash.value() ? 0 : 1;
  Result<void> told = of_mpi(MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, host_.comm()));
  places_ = hash.value();
  return told ? Result<bool>(moved != 0) : tl::unexpected(told.error());
}

/// Values of the first `variables` variables.
Result<std::vector<DistributedField::Values>> Store::fetch(const DistributedField& spread, std::size_t variables) const
{
  const auto boxes_of = [&](int rank, std::size_t variable)
  {
    std::vector<Box> boxes;
    for (const Share& share : shares_of(spread, rank, variable))
    {
      boxes.push_back(share.points);
    }
    return boxes;
  };
  std::vector<DistributedField::Values> values;
  Result<void> room;
  try
  {
    for (std::size_t variable = 0; variable < variables; ++variable)
    {
      values.push_back(spread.room_for(variable, boxes_of(host_.rank(), variable)));
    }
  }
  catch (const std::bad_alloc&)
  {
    room = fail(
        ErrorCode::BadArgument, "there is no memory for the bricks of " + host_.name(), "choose fewer \"variables\"");
  }
  Result<void> done = agree(host_, room);
  done = done ? spread.fetch(boxes_of, values) : done;
  if (!done)
  {
    return forward_error(done);
  }
  return values;
}

/// Whether the step is to be written. Ranks answer alike, as they know the same times.
Result<bool> Store::begin(const rivulet_snapshot& snapshot)
{
  const std::vector<double>& times = store_->times();
  if (host_.start() == Start::Continue && steps_before(times, snapshot.time) < times.size())
  {
    if (!std::exchange(begun_, true) && host_.first())
    {
      host_.note("steps up to the time " + format_time(times.back()) + " are there already, and are left out");
    }
    return false;
  }
  if (host_.start() == Start::Restart && !begun_)
  {
    const std::size_t before = times.size();
    if (Result<void> restarted = store_->restart(std::min(snapshot.first_time, snapshot.time)); !restarted)
    {
      return forward_error(restarted);
    }
    places_.reset();
    if (store_->times().size() < before && host_.first())
    {
      host_.note("the steps of an earlier run from the time " + format_time(snapshot.first_time) + " on, " +
                 std::to_string(before - store_->times().size()) + " of " + std::to_string(before) + ", are replaced");
    }
    begun_ = true;
  }
  return true;
}

Result<void> Store::execute(const rivulet_snapshot& snapshot)
{
  const Result<ChosenField> chosen = choose_field(snapshot, wish_);
  Result<std::vector<SpreadBlock>> blocks = gather_blocks(host_, chosen);
  Result<void> opened = !blocks              ? Result<void>(forward_error(blocks))
                        : (store_ || dumps_) ? Result<void>()
                                             : open_for(*chosen);
  if (!opened)
  {
    return opened;
  }
  if (dumps_)
  {
    return dumps_->write(snapshot, *chosen, *blocks);
  }
  if (chosen->has_levels())
  {
    return fail(ErrorCode::BadArgument,
        "the field \"" + std::string(chosen->field->name) + "\" has " + std::to_string(chosen->field->levels) +
            " levels, which a store cannot have",
        "set \"path\" to a name that ends in \"" + std::string(kOfDumps) + "\"");
  }
  const Result<bool> wanted = begin(snapshot);
  return wanted && *wanted ? append(snapshot, *chosen, std::move(*blocks))
                           : (wanted ? Result<void>() : tl::unexpected(wanted.error()));
}

/// Writes a step of the store.
Result<void> Store::append(const rivulet_snapshot& snapshot, const ChosenField& chosen, std::vector<SpreadBlock> blocks)
{
  Result<DistributedField> spread = DistributedField::of(host_, chosen, std::move(blocks));
  if (!spread)
  {
    return forward_error(spread);
  }
  const Result<bool> has_moved = moved(chosen);
  if (!has_moved)
  {
    return tl::unexpected(has_moved.error());
  }
  const std::size_t written_variables =
      chosen.numbers.size() - (chosen.field->points != nullptr && !*has_moved ? 1 : 0);
  Result<std::vector<DistributedField::Values>> values = fetch(*spread, written_variables);
  if (!values)
  {
    places_.reset();
    return forward_error(values);
  }
  FieldInfo info = chosen.info;
  info.times = { snapshot.time };
  if (info.points >= 0)
  {
    info.points_steps = { *has_moved ? 0 : -1 };
  }
  if (shares_of(*spread, host_.rank(), 0).empty() && !host_.first())
  {
    info.variables.clear(); // this rank has no bricks
  }
  Result<void> written = store_->write_step(info,
      [&](FieldFileWriter& writer)
      {
        Result<void> done;
        for (std::size_t variable = 0; variable < values->size(); ++variable)
        {
          const auto tuple = static_cast<std::int64_t>(chosen.info.variables[variable].tuple_bytes());
          const std::vector<Share> shares = shares_of(*spread, host_.rank(), variable);
          for (std::size_t i = 0; done && i < shares.size(); ++i)
          {
            const Box& points = shares[i].points;
            const ConstStridedBox box{ points, (*values)[variable][i].data(), dense_strides(points, tuple) };
            done = write_box(writer, static_cast<int>(variable), 0, box, shares[i].bricks);
          }
        }
        return done;
      });
  if (!written)
  {
    places_.reset(); // the next step cannot be as this one
  }
  return written ? store_->publish() : written; // from the first step on, readers may follow
}

} // namespace

RIVULET_ANALYTICS(Store, 1)
