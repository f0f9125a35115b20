// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface/PointAttributes.h"

#include "Base/Times.h"
#include "Parallel/Team.h"
#include "Parallel/ThreadExecutor.h"
#include "Trace/Contract/NoMemory.h"
#include "Trace/Lines/InterpolateArrays.h"

#include <algorithm>
#include <atomic>
#include <new>

namespace rivulet
{

namespace
{

constexpr std::size_t kLocatedTogether = 65536;

/// The points inside the mesh.
struct Inside
{
  std::vector<Position> positions;
  std::vector<std::size_t> numbers;
};

Inside points_inside(const AdvectionContext& context, std::span<const Vec3> points, double time)
{
  Inside inside;
  const Mesh& mesh = context.mesh();
  const StepRange steps = context.steps_at(time, context.held_interval_of(time));
  std::vector<std::optional<Mesh::Place>> places;
  for (std::size_t first = 0; first < points.size(); first += kLocatedTogether)
  {
    const std::span<const Vec3> some = points.subspan(first, std::min(kLocatedTogether, points.size() - first));
    places.assign(some.size(), std::nullopt);
    mesh.locate(some, context.moment_in(context.held_interval_of(time), time), places);
    for (std::size_t i = 0; i < some.size(); ++i)
    {
      if (places[i] && places[i]->brick >= 0 && !hidden_at(mesh, places[i]->at, steps))
      {
        inside.positions.push_back(places[i]->at);
        inside.numbers.push_back(first + i);
      }
    }
  }
  return inside;
}

/// Puts the values of the points that are inside in the places of all points. The others have all bits set.
void spread(const Buffer<std::byte>& values, const Inside& inside, std::size_t bytes, Buffer<std::byte>& to)
{
  std::fill(to.begin(), to.end(), std::byte{ 0xFF });
  for (std::size_t i = 0; i < inside.numbers.size(); ++i)
  {
    std::copy_n(values.data() + i * bytes, bytes, to.data() + inside.numbers[i] * bytes);
  }
}

/// Hooks that stop a run on request.
Watch stopping_hooks(const RunOptions& run, std::atomic<bool>& stop)
{
  const auto stop_unless = [&stop](bool going_on)
  {
    stop.store(stop.load() || !going_on);
  };
  Watch hooks{ .report = [&run, stop_unless] { stop_unless(!run.progress || run.progress(0.5)); },
    .interval = run.poll_interval };
  if (run.poll)
  {
    hooks.poll = [&run, stop_unless]
    {
      stop_unless(run.poll());
    };
  }
  return hooks;
}

} // namespace

Result<PointAttributes> attributes_at(
    const AdvectionContext& context, std::span<const Vec3> points, double time, const RunOptions& run)
{
  const std::array<std::int32_t, 2>& held = context.intervals();
  if (!context.is_unsteady() || !(time >= context.held_end(-1.0) && time <= context.held_end(1.0)))
  {
    return fail(ErrorCode::BadArgument, "the field does not have the time " + format_time(time) + " in intervals " +
                                            std::to_string(held[0]) + " to " + std::to_string(held[1]));
  }
  try
  {
    PointAttributes attributes;
    const Inside inside = points_inside(context, points, time);
    const std::vector<double> times(inside.positions.size(), time);
    std::atomic<bool> stop{ false };
    const Watch hooks = stopping_hooks(run, stop);
    for (const AttributeRequest& request : context.field().attributes)
    {
      const SourceArray& array = request.array;
      const Variable& variable = array.source->info().variables[static_cast<std::size_t>(array.variable)];
      Buffer<std::byte> values(inside.positions.size() * variable.interpolated_bytes());
      const std::shared_ptr<const Error> error = interpolate_attribute(context, array, { inside.positions, times },
          values.data(), { executor_or_threads(run.executor), resolve_threads(run.threads), hooks, stop });
      if (stop)
      {
        return fail(ErrorCode::Cancelled, "the interpolation of \"" + request.name + "\" was stopped");
      }
      attributes.data_error = attributes.data_error ? attributes.data_error : error;
      attributes.arrays.push_back({ request.name, variable.interpolated_type(), variable.components,
          Buffer<std::byte>(points.size() * variable.interpolated_bytes()) });
      spread(values, inside, variable.interpolated_bytes(), attributes.arrays.back().values);
    }
    return attributes;
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected<Error>(*no_memory_for("interpolate the arrays at the points of the surface"));
  }
}

} // namespace rivulet
