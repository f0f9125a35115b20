// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/FieldSaver.h"

#include "Io/FieldFile/FieldRules.h"
#include "Io/Series/StepTimes.h"
#include "Io/Series/StoreFolder.h"
#include "Pipeline/GridConversion.h"
#include "Readers/ArrayWriter.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>

namespace rivulet
{

namespace
{

std::string name_of(vtkAbstractArray& array)
{
  return array.GetName() != nullptr ? array.GetName() : "";
}

/// The nodes of a grid, as in VTK's extents.
Box nodes_of_all(const Grid& grid)
{
  Box nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    nodes.begin[axis] = grid.first[axis];
    nodes.end[axis] = grid.first[axis] + grid.nodes[axis];
  }
  return nodes;
}

/// Of the coordinates as doubles.
PlacesHash::Value hash_of(vtkDataArray& places)
{
  constexpr vtkIdType kTogether = 4096;
  const auto components = static_cast<std::size_t>(places.GetNumberOfComponents());
  std::vector<double> some(components * kTogether);
  PlacesHash hash;
  for (vtkIdType first = 0; first < places.GetNumberOfTuples(); first += kTogether)
  {
    const vtkIdType count = std::min(kTogether, places.GetNumberOfTuples() - first);
    for (vtkIdType i = 0; i < count; ++i)
    {
      places.GetTuple(first + i, some.data() + static_cast<std::size_t>(i) * components);
    }
    hash.add(some.data(), static_cast<std::size_t>(count) * components * sizeof(double));
  }
  return hash.value();
}

} // namespace

FieldSaver::FieldSaver(SaveTarget target, const std::vector<double>& times, const Box& whole)
  : target_(std::move(target))
  , whole_(whole)
{
  info_.times = times;
}

Result<FieldSaver> FieldSaver::open(const SaveTarget& target, const std::vector<double>& times, const Box& whole)
{
  FieldSaver saver(target, times, whole);
  if (target.store)
  {
    auto store = ParallelStoreWriter::open(target.link, target.path, { .start = *target.store });
    if (!store)
    {
      return forward_error(store);
    }
    saver.store_ = std::move(*store);
  }
  return saver;
}

bool FieldSaver::wants(int step) const
{
  return !store_ || find_step(store_->times(), info_.times, static_cast<std::size_t>(step)) < 0;
}

Int3 FieldSaver::brick_counts() const
{
  const Int3 usual = store_ ? store_->brick_cells(whole_.size()) : usual_brick_cells(Encoding::Plain, whole_.size());
  Int3 counts{ 1, 1, 1 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t cells = std::max(1, whole_.size()[axis] - 1);
    const std::int32_t along = std::min(usual[axis], cells);
    counts[axis] = (cells + along - 1) / along;
  }
  return counts;
}

SaveShare FieldSaver::share_of_one() const
{
  return is_first() ? SaveShare{ whole_, { { 0, 0, 0 }, brick_counts() } } : SaveShare{};
}

SaveShare FieldSaver::share() const
{
  const Int3 counts = brick_counts();
  const auto axis = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  const std::int64_t layers = counts[axis];
  const std::int64_t rank = target_.link->rank();
  const std::int64_t ranks = std::min<std::int64_t>(layers, target_.link->size());
  if (rank >= ranks)
  {
    return {};
  }
  SaveShare share{ whole_, { { 0, 0, 0 }, counts } };
  share.bricks.begin[axis] = static_cast<std::int32_t>(layers * rank / ranks);
  share.bricks.end[axis] = static_cast<std::int32_t>(layers * (rank + 1) / ranks);
  const std::int32_t cells = std::min(store_->brick_cells(whole_.size())[axis], std::max(1, whole_.size()[axis] - 1));
  share.nodes.begin[axis] = whole_.begin[axis] + share.bricks.begin[axis] * cells;
  share.nodes.end[axis] = std::min(whole_.end[axis], whole_.begin[axis] + share.bricks.end[axis] * cells + 1);
  return share;
}

bool FieldSaver::hides(vtkDataSet* dataset)
{
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    auto* ghosts = dataset == nullptr
                       ? nullptr
                       : vtkUnsignedCharArray::SafeDownCast(
                             attributes_of(*dataset, centering)->GetArray(vtkDataSetAttributes::GhostArrayName()));
    const std::uint8_t hiding = hiding_bits(centering);
    const unsigned char* values = ghosts != nullptr ? ghosts->GetPointer(0) : nullptr;
    if (values != nullptr && std::any_of(values, values + ghosts->GetNumberOfValues(),
                                 [&](unsigned char ghost) { return (ghost & hiding) != 0; }))
    {
      return true;
    }
  }
  return false;
}

/// The field of which the dataset is a part. The first dataset tells which arrays are kept.
Result<FieldInfo> FieldSaver::describe(vtkDataSet* dataset, const Box& nodes)
{
  auto grid = stored_grid_of(dataset);
  if (!grid)
  {
    return forward_error(grid);
  }
  const bool held = intersect(nodes_of_all(*grid), nodes) == nodes;
  if (grid->kind != Grid::Kind::Rectilinear)
  {
    grid->first = whole_.begin;
    grid->nodes = whole_.size();
  }
  if (!held || nodes_of_all(*grid) != whole_)
  {
    return fail(
        ErrorCode::BadArgument, "a part of the grid is missing", "check the filter before this one", target_.path);
  }
  if (!info_.variables.empty())
  {
    return *grid == info_.grid
               ? Result<FieldInfo>(info_)
               : fail(ErrorCode::BadArgument, "the grid changes from step to step", "save the steps to a file each");
  }
  info_.grid = std::move(*grid);
  kept_ = kept_arrays(*dataset);
  info_.variables = kept_.variables;
  const bool any = !info_.variables.empty();
  if (vtkDataArray* const places = places_of(*dataset); any && places != nullptr)
  {
    add_points(info_, plain_type_of(*places));
  }
  info_.ranges.resize(info_.variables.size());
  return any ? Result<FieldInfo>(info_)
             : fail(ErrorCode::BadArgument, "the input has no array of 1 to 9 components to save",
                   "choose another input", target_.path);
}

/// Arrays that only later steps have.
void FieldSaver::note_new_arrays(vtkDataSet& dataset, Centering centering)
{
  vtkDataSetAttributes* attributes = attributes_of(dataset, centering);
  for (int number = 0; number < attributes->GetNumberOfArrays(); ++number)
  {
    const std::string name = name_of(*attributes->GetAbstractArray(number));
    const bool kept = std::any_of(info_.variables.begin(), info_.variables.end(),
        [&](const Variable& variable) { return variable.name == name && variable.centering == centering; });
    const bool told = std::any_of(kept_.left_out.begin(), kept_.left_out.end(),
        [&](const std::string& what) { return what.find("\"" + name + "\"") != std::string::npos; });
    if (!kept && !told && !name.empty() && name != vtkDataSetAttributes::GhostArrayName())
    {
      kept_.leave_out("\"" + name + "\" (the first step has no such array)");
    }
  }
}

/// The arrays of a dataset; their offsets count from the first point of the whole grid.
Result<std::vector<PipelineArray>> FieldSaver::open_arrays(vtkDataSet& dataset) const
{
  const auto grid = stored_grid_of(&dataset);
  if (!grid)
  {
    return tl::unexpected(grid.error());
  }
  std::vector<PipelineArray> arrays;
  for (std::size_t number = 0; number < info_.variables.size(); ++number)
  {
    const Variable& variable = info_.variables[number];
    vtkDataArray* const array = static_cast<std::int32_t>(number) == info_.points
                                    ? places_of(dataset)
                                    : attributes_of(dataset, variable.centering)->GetArray(variable.name.c_str());
    auto opened = make_source(array, *grid, variable.centering);
    if (!opened)
    {
      return forward_error(opened);
    }
    if (plain_type_of(*array) != variable.type || array->GetNumberOfComponents() != variable.components)
    {
      return fail(ErrorCode::BadArgument, "the array \"" + variable.name + "\" changes its type from step to step",
          "save the steps to a file each");
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      opened->lattice_offset[axis] -= grid->first[axis] - whole_.begin[axis];
    }
    arrays.push_back(std::move(*opened));
  }
  return arrays;
}

Result<void> FieldSaver::hide(FieldFileWriter& writer, int step, vtkDataSet& dataset, Centering centering) const
{
  const Result<const std::uint8_t*> found = ghosts_of(dataset, info_.grid, centering);
  if (!found)
  {
    return tl::unexpected(found.error());
  }
  const std::uint8_t* ghosts = *found;
  const std::uint8_t hiding = hiding_bits(centering);
  const auto hidden = [&](std::uint8_t ghost)
  {
    return (ghost & hiding) != 0;
  };
  const Int3 lattice = info_.grid.lattice(centering);
  if (ghosts == nullptr || std::none_of(ghosts, ghosts + volume(lattice), hidden))
  {
    return {};
  }
  const std::int64_t plane = std::int64_t{ lattice[0] } * lattice[1];
  const auto fill = [&](std::int32_t k, std::uint8_t* flags)
  {
    std::transform(ghosts + k * plane, ghosts + (k + 1) * plane, flags, hidden);
    return Result<void>{};
  };
  return writer.hide(centering, step, fill);
}

/// `step`: in the file.
Result<void> FieldSaver::write_bricks(FieldFileWriter& writer, int step, vtkDataSet& dataset, const Box& bricks,
    const std::function<bool(double)>& progress)
{
  auto arrays = open_arrays(dataset);
  if (!arrays)
  {
    return forward_error(arrays);
  }
  const bool all = bricks == Box{ { 0, 0, 0 }, brick_counts() };
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    note_new_arrays(dataset, centering);
    if (Result<void> hidden = all ? hide(writer, step, dataset, centering) : Result<void>(); !hidden)
    {
      return hidden;
    }
  }
  for (std::size_t number = 0; number < arrays->size(); ++number)
  {
    if (!writer.wants(static_cast<int>(number), step))
    {
      continue;
    }
    const auto count = static_cast<double>(arrays->size());
    const auto shown = [&](double share)
    {
      return progress((static_cast<double>(number) + share) / count);
    };
    const ArrayToWrite what{ (*arrays)[number], static_cast<int>(number), step, bricks };
    if (auto written = write_array(writer, what, shown); !written)
    {
      return written;
    }
  }
  return {};
}

bool FieldSaver::moved(vtkDataSet* dataset)
{
  vtkDataArray* const places = dataset != nullptr ? rivulet::places_of(*dataset) : nullptr;
  if (places == nullptr || info_.times.size() == 1)
  {
    return places != nullptr; // nothing is compared
  }
  const PlacesHash::Value now = hash_of(*places);
  const bool moved = places_ != now;
  places_ = now;
  return moved;
}

Result<void> FieldSaver::write_file(
    int step, vtkDataSet* dataset, const SaveShare& share, bool moved, const std::function<bool(double)>& progress)
{
  if (share.bricks.empty())
  {
    return {};
  }
  const Result<FieldInfo> field = describe(dataset, share.nodes);
  if (!field)
  {
    return tl::unexpected(field.error());
  }
  if (!writer_)
  {
    if (Result<void> free = check_no_step(target_.path); !free)
    {
      return free;
    }
    auto writer = FieldFileWriter::create(target_.path, *field, {});
    if (!writer)
    {
      return forward_error(writer);
    }
    writer_ = std::move(*writer);
    moved = false; // from nowhere
  }
  if (moved)
  {
    return fail(ErrorCode::Unsupported, "the nodes of the grid move from step to step",
        "save it as a store (.rvs), which keeps their places at each step", target_.path);
  }
  return write_bricks(*writer_, step, *dataset, share.bricks, progress);
}

Result<void> FieldSaver::finish()
{
  return store_ ? store_->publish() : writer_ ? writer_->finish() : Result<void>();
}

Result<void> FieldSaver::add_step(
    int step, vtkDataSet* dataset, const SaveShare& share, bool moved, const std::function<bool(double)>& progress)
{
  if (!store_)
  {
    return write_file(step, dataset, share, moved, progress);
  }
  Result<FieldInfo> field = share.bricks.empty() ? Result<FieldInfo>(FieldInfo{}) : describe(dataset, share.nodes);
  if (field)
  {
    field->times = { info_.times[static_cast<std::size_t>(step)] };
    field->points_steps =
        field->points >= 0 ? std::vector<std::int32_t>{ moved ? 0 : -1 } : std::vector<std::int32_t>();
  }
  return store_->write_step(
      field, [&](FieldFileWriter& writer) { return write_bricks(writer, 0, *dataset, share.bricks, progress); });
}

} // namespace rivulet
