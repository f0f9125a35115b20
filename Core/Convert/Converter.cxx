// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Converter.h"

#include "Convert/RegionPlan.h"
#include "Convert/TaskTeam.h"
#include "Io/FieldFile/WriteBox.h"
#include "Io/Series/StoreFolder.h"
#include "Parallel/Team.h"

#include <algorithm>

namespace rivulet
{

namespace
{

// Bytes of one read, so that a cancelled conversion stops soon.
constexpr std::int64_t kReadPiece = 8 * kMiB;
// Bytes of a region of a computed field. Larger regions would not make reads cheaper.
constexpr std::int64_t kComputedTarget = 16 * kMiB;

// One of two workers waits for the disk.
constexpr int kWorkersPerCore = 2;

struct VariablePlan
{
  int variable;
  const BrickLayout* layout;
  std::size_t tuple_bytes;
  RegionPlan regions;
};

// One piece of work: a region of one variable and step.
struct Task
{
  int plan = 0; // of the variable
  int step = 0;
  std::int64_t region = 0;
};

class Conversion
{
public:
  Conversion(FieldFileWriter& writer, LatticeReader& reader, const ConvertOptions& options)
    : writer_(writer)
    , reader_(reader)
    , options_(options)
    , team_(options.cancel, options.progress)
  {
  }

  Result<ConvertReport> run();

private:
  Result<void> plan();
  Result<void> copy_hidden();
  Result<void> plan_variable(int variable, int workers);
  [[nodiscard]] bool is_written(int variable) const;
  void plan_tasks();
  Result<void> do_task(const Task& task, std::byte* buffer);
  Result<void> read_region(const Task& task, const Box& box, std::byte* values);
  Result<void> write_region(const Task& task, const ConstStridedBox& values, const Box& bricks, std::byte* records);
  [[nodiscard]] const VariablePlan& plan_of(const Task& task) const
  {
    return plans_[static_cast<std::size_t>(task.plan)];
  }
  [[nodiscard]] Task task_at(std::int64_t number) const;

  FieldFileWriter& writer_;
  LatticeReader& reader_;
  const ConvertOptions& options_;

  std::vector<VariablePlan> plans_;
  std::vector<Task> begins_;         // the first task of each variable and step that is written
  std::vector<std::int64_t> before_; // number of tasks before it
  std::int64_t tasks_ = 0;
  std::int64_t worker_bytes_ = 0;
  int workers_ = 1;
  ConvertReport report_;

  TaskTeam team_;
  std::atomic<std::int64_t> runs_{ 0 };
};

Result<void> Conversion::plan_variable(int variable, int workers)
{
  const auto index = static_cast<std::size_t>(variable);
  const BrickLayout& layout = writer_.layout(variable);
  const std::size_t tuple_bytes = reader_.info().variables[index].tuple_bytes();
  RegionLimits limits{ .memory = options_.memory, .workers = workers };
  if (reader_.source_bytes() == 0)
  {
    limits.target = kComputedTarget;
    limits.most = 2 * kComputedTarget;
  }
  Result<RegionPlan> regions = plan_regions(layout, tuple_bytes, reader_.preferred_box(), limits);
  if (!regions)
  {
    return forward_error(regions);
  }
  plans_.push_back(VariablePlan{ variable, &layout, tuple_bytes, *regions });
  return {};
}

// Plans twice: a variable of large bricks may reduce the number of workers, and other variables then get more memory
// for each worker.
Result<void> Conversion::plan()
{
  const auto variables = static_cast<int>(reader_.info().variables.size());
  workers_ = resolve_threads(options_.threads);
  if (options_.threads == 0 && reader_.source_bytes() > 0)
  {
    workers_ *= kWorkersPerCore;
  }
  for (int pass = 0; pass < 2; ++pass)
  {
    plans_.clear();
    for (int variable = 0; variable < variables; ++variable)
    {
      if (!is_written(variable))
      {
        continue;
      }
      if (Result<void> planned = plan_variable(variable, workers_); !planned)
      {
        return planned;
      }
      workers_ = std::min(workers_, plans_.back().regions.workers);
    }
  }
  plan_tasks();
  workers_ = static_cast<int>(std::min<std::int64_t>(workers_, tasks_));
  return {};
}

// Whether the file has a variable at any step.
bool Conversion::is_written(int variable) const
{
  bool any = false;
  for (int step = 0; !any && step < static_cast<int>(reader_.info().times.size()); ++step)
  {
    any = writer_.wants(variable, step);
  }
  return any;
}

void Conversion::plan_tasks()
{
  for (int step = 0; step < static_cast<int>(reader_.info().times.size()); ++step)
  {
    for (std::size_t number = 0; number < plans_.size(); ++number)
    {
      const VariablePlan& plan = plans_[number];
      if (!writer_.wants(plan.variable, step))
      {
        continue;
      }
      begins_.push_back({ static_cast<int>(number), step, 0 });
      before_.push_back(tasks_);
      tasks_ += plan.regions.size();
      worker_bytes_ = std::max(worker_bytes_, plan.regions.worker_bytes);
      report_.source_bytes += volume(plan.layout->grid.lattice) * static_cast<std::int64_t>(plan.tuple_bytes);
      report_.bricks += plan.layout->grid.size();
      report_.file_bytes += plan.layout->grid.size() * plan.layout->stride;
    }
  }
}

Task Conversion::task_at(std::int64_t number) const
{
  const auto at = std::prev(std::upper_bound(before_.begin(), before_.end(), number)) - before_.begin();
  Task task = begins_[static_cast<std::size_t>(at)];
  task.region = number - before_[static_cast<std::size_t>(at)];
  return task;
}

Result<void> Conversion::do_task(const Task& task, std::byte* buffer)
{
  const VariablePlan& plan = plan_of(task);
  const Box bricks = plan.regions.brick_box(*plan.layout, task.region);
  const Box box = lattice_of(*plan.layout, bricks);
  std::byte* records = buffer; // at the front, because records are whole pages
  std::byte* values = records + plan.regions.batch_bytes + plan.regions.brick_bytes;
  if (Result<void> read = read_region(task, box, values); !read)
  {
    return read;
  }
  const auto tuple_bytes = static_cast<std::int64_t>(plan.tuple_bytes);
  return write_region(task, { box, values, dense_strides(box, tuple_bytes) }, bricks, records);
}

Result<void> Conversion::read_region(const Task& task, const Box& box, std::byte* values)
{
  const Int3 size = box.size();
  const std::size_t tuple_bytes = plan_of(task).tuple_bytes;
  const std::int64_t plane = std::int64_t{ size[0] } * size[1] * static_cast<std::int64_t>(tuple_bytes);
  // A stored source without a preferred shape consists of bricks. Smaller reads would read the same bricks repeatedly.
  const bool whole = reader_.source_bytes() > 0 && reader_.preferred_box() == Int3{ 0, 0, 0 };
  const std::int64_t depth = whole ? size[2] : std::clamp<std::int64_t>(kReadPiece / plane, 1, size[2]);
  for (Box piece = box; piece.begin[2] < box.end[2] && !team_.stopped(); piece.begin[2] = piece.end[2])
  {
    piece.end[2] = static_cast<std::int32_t>(std::min<std::int64_t>(box.end[2], piece.begin[2] + depth));
    std::byte* out = values + (piece.begin[2] - box.begin[2]) * plane;
    if (Result<void> read = reader_.read(plan_of(task).variable, task.step, piece, out); !read)
    {
      return read;
    }
  }
  return {};
}

// Packs bricks until the curve leaves the region or the batch is full, then writes them with one call.
Result<void> Conversion::write_region(
    const Task& task, const ConstStridedBox& values, const Box& bricks, std::byte* records)
{
  const VariablePlan& plan = plan_of(task);
  const auto written = [&](std::span<const CurvePlace> run)
  {
    std::int64_t points = 0;
    for (const CurvePlace& place : run)
    {
      points += owned_points(*plan.layout, place.brick);
    }
    runs_.fetch_add(1, std::memory_order_relaxed);
    team_.add_done(points * static_cast<std::int64_t>(plan.tuple_bytes));
    return !team_.stopped();
  };
  if (team_.stopped()) // the region was not read to its end
  {
    return {};
  }
  const BatchMemory memory{ records, plan.regions.batch_bytes, records + plan.regions.batch_bytes };
  return write_box(writer_, plan.variable, task.step, values, bricks, memory, written);
}

// Copies flags of hidden points and cells. They are small, so one thread copies them before the values.
Result<void> Conversion::copy_hidden()
{
  const FieldInfo& info = reader_.info();
  for (int step = 0; step < static_cast<int>(info.times.size()); ++step)
  {
    for (const Centering centering : { Centering::Node, Centering::Cell })
    {
      const Int3 lattice = info.grid.lattice(centering);
      const auto plane = [&](std::int32_t k, std::uint8_t* flags)
      {
        return reader_.read_hidden(centering, step, { { 0, 0, k }, { lattice[0], lattice[1], k + 1 } }, flags);
      };
      if (Result<void> hidden = reader_.hides(centering, step) ? writer_.hide(centering, step, plane) : Result<void>{};
          !hidden)
      {
        return hidden;
      }
    }
  }
  return {};
}

Result<ConvertReport> Conversion::run()
{
  if (Result<void> planned = plan(); !planned)
  {
    return forward_error(planned);
  }
  if (Result<void> hidden = copy_hidden(); !hidden)
  {
    return forward_error(hidden);
  }
  const TaskPlan plan{ tasks_, workers_, worker_bytes_, report_.source_bytes };
  const auto task = [this](std::int64_t number, std::byte* buffer)
  {
    return do_task(task_at(number), buffer);
  };
  if (Result<void> ran = team_.run(plan, task, &reader_); !ran)
  {
    return forward_error(ran);
  }
  if (team_.stopped())
  {
    return fail(ErrorCode::Cancelled, "the conversion was cancelled");
  }
  team_.show_progress();
  report_.runs = runs_.load();
  report_.threads = workers_;
  report_.memory_bytes = worker_bytes_ * workers_;
  return report_;
}

} // namespace

Result<ConvertReport> convert_into(FieldFileWriter& writer, LatticeReader& reader, const ConvertOptions& options)
{
  return Conversion(writer, reader, options).run();
}

Result<ConvertReport> convert(LatticeReader& reader, const std::string& path, const ConvertOptions& options)
{
  if (Result<void> free = check_no_step(path); !free)
  {
    return forward_error(free);
  }
  Result<std::unique_ptr<FieldFileWriter>> writer = FieldFileWriter::create(path, reader.info(), options.file);
  if (!writer)
  {
    return forward_error(writer);
  }
  Result<ConvertReport> report = convert_into(**writer, reader, options);
  if (report)
  {
    if (Result<void> finished = (*writer)->finish(); !finished)
    {
      return forward_error(finished);
    }
  }
  return report;
}

} // namespace rivulet
