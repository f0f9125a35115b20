// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/FieldSaver.h"

#include "Curve/Hilbert.h"
#include "Io/Series/FieldSeries.h"
#include "Parallel/Team.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/Rows.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

namespace rivulet
{

namespace
{

std::string name_of(vtkAbstractArray& array)
{
  return array.GetName() != nullptr ? array.GetName() : "";
}

/// Writes one variable of one step with a team of threads.
class StepWriter
{
public:
  StepWriter(FieldFileWriter& writer, const PipelineArray& array, int variable, int step)
    : writer_(writer)
    , array_(array)
    , variable_(variable)
    , step_(step)
    , layout_(writer.layout(variable))
    , curve_(layout_.grid.count)
  {
  }

  Result<void> run(const std::function<bool(double)>& progress)
  {
    const auto watch = [&]
    {
      if (!progress(static_cast<double>(std::min(next_.load(), curve_.size())) / static_cast<double>(curve_.size())))
      {
        stop_with(fail(ErrorCode::Cancelled, "stopped on request").value());
      }
    };
    run_team(
        resolve_threads(0), [this](int) { work(); }, watch);
    const std::lock_guard lock(mutex_);
    return error_ ? Result<void>(tl::unexpected(*error_)) : Result<void>();
  }

private:
  void work()
  {
    std::vector<std::byte> payload(static_cast<std::size_t>(layout_.values));
    std::vector<std::byte> part(payload.size());
    for (std::int64_t at = next_++; at < curve_.size() && !stopped_; at = next_++)
    {
      if (auto written = write(curve_.at(at), part, payload); !written)
      {
        stop_with(std::move(written.error()));
      }
    }
  }

  Result<void> write(const Int3& brick, std::vector<std::byte>& part, std::vector<std::byte>& payload)
  {
    Box box;
    Box shifted;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = brick[axis] * layout_.cells[axis];
      box.end[axis] = std::min(box.begin[axis] + layout_.nodes[axis], layout_.grid.lattice[axis]);
      shifted.begin[axis] = box.begin[axis] + array_.lattice_offset[axis];
      shifted.end[axis] = box.end[axis] + array_.lattice_offset[axis];
    }
    const ValueBlock block{ array_.array.variable, array_.array.step, shifted };
    if (auto read = read_box(*array_.source, block, part.data()); !read)
    {
      return read;
    }
    pad(part, box.size(), payload);
    return writer_.write_brick({ variable_, step_, row_major(brick, layout_.grid.count) }, payload.data());
  }

  /// Spreads the values of a cut brick over a whole one. Points outside repeat the last value inside.
  void pad(const std::vector<std::byte>& part, const Int3& size, std::vector<std::byte>& payload) const
  {
    const Int3& nodes = layout_.nodes;
    const auto tuple = static_cast<std::size_t>(layout_.values / volume(nodes));
    std::byte* to = payload.data();
    for (Int3 at{ 0, 0, 0 }; at[2] < nodes[2]; ++at[2])
    {
      for (at[1] = 0; at[1] < nodes[1]; ++at[1])
      {
        for (at[0] = 0; at[0] < nodes[0]; ++at[0], to += tuple)
        {
          const Int3 inside{ std::min(at[0], size[0] - 1), std::min(at[1], size[1] - 1), std::min(at[2], size[2] - 1) };
          std::memcpy(to, part.data() + static_cast<std::size_t>(row_major(inside, size)) * tuple, tuple);
        }
      }
    }
  }

  void stop_with(Error error)
  {
    const std::lock_guard lock(mutex_);
    if (!error_)
    {
      error_ = std::make_unique<Error>(std::move(error));
    }
    stopped_ = true;
  }

  FieldFileWriter& writer_;
  const PipelineArray& array_;
  int variable_;
  int step_;
  const BrickLayout& layout_;
  HilbertCurve curve_;
  std::atomic<std::int64_t> next_{ 0 };
  std::atomic<bool> stopped_{ false };
  std::mutex mutex_; ///< guards error_
  std::unique_ptr<Error> error_;
};

} // namespace

std::vector<bool> steps_to_save(const SaveTarget& target, const std::vector<double>& times)
{
  std::vector<bool> wanted(times.size(), true);
  if (target.store != StoreStart::Append)
  {
    return wanted;
  }
  const Result<FieldSeries> there = FieldSeries::open({ target.path });
  for (std::size_t step = 0; step < times.size() && there; ++step)
  {
    wanted[step] = !std::binary_search(there->info.times.begin(), there->info.times.end(), times[step]);
  }
  return wanted;
}

Result<FieldSaver> FieldSaver::create(const SaveTarget& target, vtkDataSet& first, const std::vector<double>& times)
{
  FieldSaver saver;
  auto grid = grid_of(&first);
  if (!grid)
  {
    return forward_error(grid);
  }
  saver.info_.grid = std::move(*grid);
  saver.info_.times = times;
  saver.kept_ = kept_arrays(first);
  saver.info_.variables = saver.kept_.variables;
  saver.info_.ranges.resize(saver.info_.variables.size());
  if (saver.info_.variables.empty())
  {
    return fail(ErrorCode::BadArgument, "the input has no array of 1 to 9 components to save", "choose another input",
        target.path);
  }
  if (Result<void> opened = saver.open(target); !opened)
  {
    return forward_error(opened);
  }
  return saver;
}

Result<void> FieldSaver::open(const SaveTarget& target)
{
  if (target.store)
  {
    auto store = StoreWriter::open(target.path, { .start = *target.store });
    store_ = store ? std::move(*store) : nullptr;
    return store ? Result<void>() : forward_error(store);
  }
  auto writer = FieldFileWriter::create(target.path, info_, {});
  writer_ = writer ? std::move(*writer) : nullptr;
  return writer ? Result<void>() : forward_error(writer);
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

Result<std::vector<PipelineArray>> FieldSaver::open_arrays(vtkDataSet& dataset) const
{
  auto grid = grid_of(&dataset);
  if (!grid)
  {
    return forward_error(grid);
  }
  if (*grid != info_.grid)
  {
    return fail(ErrorCode::BadArgument, "the grid changes from step to step", "save the steps to a file each");
  }
  std::vector<PipelineArray> arrays;
  for (const Variable& variable : info_.variables)
  {
    vtkDataArray* array = attributes_of(dataset, variable.centering)->GetArray(variable.name.c_str());
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
    arrays.push_back(std::move(*opened));
  }
  return arrays;
}

Result<void> FieldSaver::hide(int step, vtkDataSet& dataset, Centering centering)
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
  return writer_->hide(centering, step, fill);
}

Result<void> FieldSaver::add_step(int step, vtkDataSet& dataset, const std::function<bool(double)>& progress)
{
  if (!store_)
  {
    return write_step(step, dataset, progress);
  }
  FieldInfo one = info_;
  one.times = { info_.times[static_cast<std::size_t>(step)] };
  auto writer = store_->begin_step(one);
  if (!writer)
  {
    return forward_error(writer);
  }
  writer_ = std::move(*writer);
  Result<void> written = write_step(0, dataset, progress);
  written = written ? writer_->finish() : written;
  writer_.reset();
  return written;
}

/// `step`: in the file.
Result<void> FieldSaver::write_step(int step, vtkDataSet& dataset, const std::function<bool(double)>& progress)
{
  auto arrays = open_arrays(dataset);
  if (!arrays)
  {
    return forward_error(arrays);
  }
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    note_new_arrays(dataset, centering);
    if (Result<void> hidden = hide(step, dataset, centering); !hidden)
    {
      return hidden;
    }
  }
  for (std::size_t number = 0; number < arrays->size(); ++number)
  {
    const auto count = static_cast<double>(arrays->size());
    const auto shown = [&](double share)
    {
      return progress((static_cast<double>(number) + share) / count);
    };
    StepWriter writer(*writer_, (*arrays)[number], static_cast<int>(number), step);
    if (auto written = writer.run(shown); !written)
    {
      return written;
    }
  }
  return {};
}

} // namespace rivulet
