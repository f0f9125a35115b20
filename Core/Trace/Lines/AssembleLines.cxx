// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/AssembleLines.h"
#include "Trace/Contract/NoMemory.h"

#include "Parallel/Team.h"
#include "Parallel/ThreadExecutor.h"

#include <cstring>
#include <new>

namespace rivulet
{

namespace
{

/// Lists the lines in output order, with the places of their points.
void list_lines(const PathRecorder& recorded, TracedLines& out)
{
  const std::vector<TracedPath>& results = recorded.paths();
  const auto seeds = static_cast<std::int64_t>(results.size() / 2);
  std::int64_t points = 0;
  for (std::int64_t task = 0; task < 2 * seeds; ++task)
  {
    const TracedPath& result = results[static_cast<std::size_t>(task)];
    if (result.chain.points >= recorded.least_points())
    {
      out.lines.push_back({ .seed = static_cast<std::int32_t>(task % seeds),
          .backward = task >= seeds,
          .reason = result.reason,
          .first_point = points,
          .points = result.chain.points });
      points += result.chain.points;
    }
  }
}

void list_fates(const std::vector<TracedPath>& results, TracedLines& out)
{
  const std::size_t seeds = results.size() / 2;
  out.seeds.resize(seeds);
  for (std::size_t task = 0; task < results.size(); ++task)
  {
    const TracedPath& result = results[task];
    SeedFate& fate = out.seeds[task % seeds];
    const std::size_t way = task / seeds;
    fate.reason[way] = result.reason;
    fate.length[way] = result.length;
    fate.time[way] = result.time;
    fate.steps[way] = result.steps;
  }
}

void allocate(const AdvectionContext& context, std::size_t points, TracedLines& out, Buffer<Position>& positions)
{
  out.attributes.clear();
  const RecordLayout& layout = context.layout();
  out.points = Buffer<float>(3 * points);
  out.places = Buffer<double>(layout.place >= 0 ? 3 * points : 0);
  out.time = Buffer<double>(points);
  if (layout.rotation >= 0)
  {
    out.vorticity = Buffer<double>(3 * points);
    out.rotation = Buffer<double>(points);
    out.angular_velocity = Buffer<double>(points);
  }
  if (context.velocity().centering == Centering::Cell)
  {
    out.cell_velocity = Buffer<double>(3 * points);
  }
  if (layout.mesh_position >= 0)
  {
    positions = Buffer<Position>(points);
  }
  for (const AttributeRequest& attribute : context.field().attributes)
  {
    const Variable& variable =
        attribute.array.source->info().variables[static_cast<std::size_t>(attribute.array.variable)];
    out.attributes.push_back({ .name = attribute.name,
        .type = variable.interpolated_type(),
        .components = variable.components,
        .values = Buffer<std::byte>(points * variable.interpolated_bytes()) });
  }
}

/// Allocates the output for as many lines as the system has memory for: halves their number until they fit.
void allocate_what_fits(const AdvectionContext& context, TracedLines& out, Buffer<Position>& positions)
{
  for (;;)
  {
    const std::int64_t points = out.lines.empty() ? 0 : out.lines.back().first_point + out.lines.back().points;
    try
    {
      allocate(context, static_cast<std::size_t>(points), out, positions);
      return;
    }
    catch (const std::bad_alloc&)
    {
      if (out.lines.empty())
      {
        throw;
      }
      out.lines.resize(out.lines.size() / 2);
      positions = {};
    }
    out.data_error = no_memory_for("put all lines together");
  }
}

/// Writes blocks of records to the output arrays, part by part.
class BlockWriter
{
public:
  BlockWriter(const AdvectionContext& context, TracedLines& out, Buffer<Position>& positions)
    : layout_(context.layout())
    , out_(out)
    , positions_(positions)
  {
    if (context.velocity_attribute() >= 0)
    {
      velocity_ = &out.attributes[static_cast<std::size_t>(context.velocity_attribute())];
    }
  }

  /// `point`: the one that the block begins with.
  void write(const PointBlock& block, std::size_t point)
  {
    copy<float, 3>(block, layout_.position, out_.points, point);
    copy<double, 1>(block, layout_.time, out_.time, point);
    copy<double, 3>(block, layout_.vorticity, out_.vorticity, point);
    copy<double, 1>(block, layout_.rotation, out_.rotation, point);
    copy<double, 1>(block, layout_.angular_velocity, out_.angular_velocity, point);
    copy<double, 3>(block, layout_.place, out_.places, point);
    copy<Position, 1>(block, layout_.mesh_position, positions_, point);
    if (layout_.velocity >= 0)
    {
      write_velocity(block, point);
    }
  }

private:
  template <class T, std::size_t kComponents>
  static void copy(const PointBlock& block, std::int32_t part, Buffer<T>& to, std::size_t point)
  {
    if (part >= 0)
    {
      std::memcpy(
          &to[kComponents * point], block.part(part), static_cast<std::size_t>(block.used) * kComponents * sizeof(T));
    }
  }
  void write_velocity(const PointBlock& block, std::size_t point)
  {
    if (!out_.cell_velocity.empty())
    {
      copy<double, 3>(block, layout_.velocity, out_.cell_velocity, point);
    }
    if (velocity_ == nullptr)
    {
      return;
    }
    const std::byte* from = block.part(layout_.velocity);
    const std::size_t values = 3 * static_cast<std::size_t>(block.used);
    std::byte* to = velocity_->values.data() + 3 * point * size_of(velocity_->type);
    if (layout_.velocity_as == VelocityRecord::Floats || velocity_->type == ScalarType::Float64)
    {
      std::memcpy(to, from, values * size_of(velocity_->type));
      return;
    }
    for (std::size_t i = 0; i < values; ++i)
    {
      double value = 0.0;
      std::memcpy(&value, from + i * sizeof(value), sizeof(value));
      const auto rounded = static_cast<float>(value);
      std::memcpy(to + i * sizeof(rounded), &rounded, sizeof(rounded));
    }
  }

  const RecordLayout& layout_;
  TracedLines& out_;
  Buffer<Position>& positions_;
  AttributeValues* velocity_ = nullptr;
};

} // namespace

std::int64_t bytes_per_point(const AdvectionContext& context)
{
  // Three floats, the time; vorticity with its two derived values; the cell position; and the values that a filter
  // makes for each point: a normal in doubles and a number.
  std::size_t bytes = 12 + 8 + 24 + 8;
  bytes += context.layout().rotation >= 0 ? 40 : 0;
  bytes += context.layout().place >= 0 ? 24 : 0;
  bytes += context.velocity().centering == Centering::Cell ? 24 : 0;
  bytes += context.layout().mesh_position >= 0 ? sizeof(Position) : 0;
  for (const AttributeRequest& attribute : context.field().attributes)
  {
    bytes += attribute.array.source->info()
                 .variables[static_cast<std::size_t>(attribute.array.variable)]
                 .interpolated_bytes();
  }
  return static_cast<std::int64_t>(bytes);
}

TracedLines assemble(
    const AdvectionContext& context, const PathRecorder& recorded, const RunOptions& run, Buffer<Position>& positions)
{
  TracedLines out;
  list_lines(recorded, out);
  list_fates(recorded.paths(), out);
  allocate_what_fits(context, out, positions);

  const auto seeds = static_cast<std::int64_t>(recorded.paths().size() / 2);
  std::atomic<std::size_t> next{ 0 };
  const auto copy_line = [&](int)
  {
    const std::size_t i = next.fetch_add(1);
    if (i >= out.lines.size())
    {
      return Slice::Done;
    }
    BlockWriter writer(context, out, positions);
    const TracedLine& line = out.lines[i];
    const std::int64_t task = line.backward ? line.seed + seeds : line.seed;
    auto point = static_cast<std::size_t>(line.first_point);
    const PointChain& chain = recorded.paths()[static_cast<std::size_t>(task)].chain;
    for (const PointBlock* block = chain.head; block != nullptr; block = block->next)
    {
      writer.write(*block, point);
      point += static_cast<std::size_t>(block->used);
    }
    return Slice::Worked;
  };
  Watch watch{ .interval = run.poll_interval };
  if (run.poll)
  {
    watch.poll = [&run]
    {
      (void)run.poll();
    };
  }
  static constexpr std::size_t kPointsForAThread = 65536;
  const auto wanted = static_cast<int>(std::min<std::size_t>(out.points.size() / (3 * kPointsForAThread), 1U << 16U));
  executor_or_threads(run.executor).run(std::clamp(wanted, 1, resolve_threads(run.threads)), { copy_line }, watch);
  return out;
}

} // namespace rivulet
