// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowMap/FlowMap.h"

#include "Base/Times.h"
#include "Parallel/Team.h"
#include "Trace/Advect/Advect.h"
#include "Trace/Contract/NoMemory.h"
#include "Trace/FlowMap/LatticeSource.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <new>

namespace rivulet
{

namespace
{

/// The largest eigenvalue of a symmetric matrix, by Jacobi rotations (Golub, Van Loan, "Matrix Computations", 8.5).
double largest_eigenvalue(Mat3 m)
{
  static constexpr int kMostSweeps = 20;
  static constexpr double kNothing = 1e-17; // share of the trace; a third of the rounding of the largest eigenvalue
  static constexpr std::array<std::array<std::size_t, 2>, 3> kPairs{ { { 0, 1 }, { 0, 2 }, { 1, 2 } } };
  for (int sweep = 0; sweep < kMostSweeps; ++sweep)
  {
    if (std::fabs(m[1]) + std::fabs(m[2]) + std::fabs(m[5]) <= kNothing * (m[0] + m[4] + m[8]))
    {
      break;
    }
    for (const auto& [p, q] : kPairs)
    {
      const double apq = m[3 * p + q];
      if (apq == 0.0)
      {
        continue;
      }
      const double theta = (m[4 * q] - m[4 * p]) / (2.0 * apq);
      const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
      const double c = 1.0 / std::sqrt(t * t + 1.0);
      const double s = t * c;
      const std::size_t r = 3 - p - q;
      const double arp = m[3 * r + p];
      const double arq = m[3 * r + q];
      m[4 * p] -= t * apq;
      m[4 * q] += t * apq;
      m[3 * p + q] = m[3 * q + p] = 0.0;
      m[3 * r + p] = m[3 * p + r] = c * arp - s * arq;
      m[3 * r + q] = m[3 * q + r] = s * arp + c * arq;
    }
  }
  return std::max(m[0], std::max(m[4], m[8]));
}

/// Differences of a flow map between the nodes of its lattice.
class FlowGradient
{
public:
  FlowGradient(const FlowMap& map, const ReleaseLattice& lattice)
    : map_(map)
    , lattice_(lattice)
  {
  }

  /// d phi / d xi and d x / d xi, with xi the index along an axis. False if the node has no neighbour that arrived.
  [[nodiscard]] bool along(const Int3& node, std::size_t axis, Vec3& of_map, Vec3& of_place) const
  {
    Int3 low = node;
    Int3 high = node;
    low[axis] -= arrived(node, axis, -1) ? 1 : 0;
    high[axis] += arrived(node, axis, 1) ? 1 : 0;
    const double steps = high[axis] - low[axis];
    const Vec3 from = lattice_.place(low);
    const Vec3 to = lattice_.place(high);
    for (std::size_t c = 0; c < 3; ++c)
    {
      of_map[c] = (end_of(high).point[c] - end_of(low).point[c]) / steps;
      of_place[c] = (to[c] - from[c]) / steps;
    }
    return steps > 0.0;
  }

  [[nodiscard]] bool arrived(const Int3& node) const { return end_of(node).reason == Termination::OutOfTime; }

private:
  [[nodiscard]] bool arrived(Int3 node, std::size_t axis, int by) const
  {
    node[axis] += by;
    return node[axis] >= 0 && node[axis] < lattice_.nodes()[axis] && arrived(node);
  }
  [[nodiscard]] const EndState& end_of(const Int3& node) const
  {
    return map_.ends[static_cast<std::size_t>(row_major(node, lattice_.nodes()))];
  }
  const FlowMap& map_;
  const ReleaseLattice& lattice_;
};

/// The inverse, in which rows of zeros (flat axes) stay rows of zeros. The directions of the other axes are
/// independent.
Mat3 reciprocal_vectors(const std::array<Vec3, 3>& place, const std::array<bool, 3>& flat)
{
  const auto cross = [](const Vec3& a, const Vec3& b)
  {
    return Vec3{ a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
  };
  const auto dot = [](const Vec3& a, const Vec3& b)
  {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  // g_a: change of index a per world displacement, within the space of the axes that are not flat.
  Mat3 g{};
  for (std::size_t a = 0; a < 3; ++a)
  {
    if (flat[a])
    {
      continue;
    }
    const std::size_t b = (a + 1) % 3;
    const std::size_t c = (a + 2) % 3;
    Vec3 vector = place[a];
    if (!flat[b] && !flat[c])
    {
      vector = cross(place[b], place[c]);
    }
    else if (!flat[b] || !flat[c])
    {
      const Vec3& other = place[flat[b] ? c : b];
      vector = cross(other, cross(place[a], other));
    }
    const double scale = dot(vector, place[a]);
    for (std::size_t i = 0; i < 3; ++i)
    {
      g[3 * a + i] = vector[i] / scale;
    }
  }
  return g;
}

/// F at a node; empty if it is not known there.
std::optional<Mat3> gradient_at(const FlowGradient& gradient, const ReleaseLattice& lattice, const Int3& node)
{
  std::array<Vec3, 3> of_map{};
  std::array<Vec3, 3> of_place{};
  std::array<bool, 3> flat{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    flat[axis] = lattice.flat(static_cast<int>(axis));
    if (!flat[axis] && !gradient.along(node, axis, of_map[axis], of_place[axis]))
    {
      return std::nullopt;
    }
  }
  const Mat3 g = reciprocal_vectors(of_place, flat);
  Mat3 f{}; // f[3 c + i] = d phi_c / d x_i = sum over a of  d phi_c / d xi_a  d xi_a / d x_i
  for (std::size_t c = 0; c < 3; ++c)
  {
    for (std::size_t i = 0; i < 3; ++i)
    {
      f[3 * c + i] = of_map[0][c] * g[i] + of_map[1][c] * g[3 + i] + of_map[2][c] * g[6 + i];
    }
  }
  return f;
}

/// The same on unstructured cells.
std::optional<Mat3> gradient_in_cells(const FlowMap& map, std::int64_t node)
{
  return map.cells->gradient(node,
      [&](std::int64_t other) -> const Vec3*
      {
        const EndState& end = map.ends[static_cast<std::size_t>(other)];
        return end.reason == Termination::OutOfTime ? &end.point : nullptr;
      });
}

/// One of the parts of a row: its begin and end.
std::pair<std::int32_t, std::int32_t> part_of_row(std::int32_t nodes, std::int64_t part, std::int64_t parts)
{
  return { static_cast<std::int32_t>(nodes * part / parts), static_cast<std::int32_t>(nodes * (part + 1) / parts) };
}

double exponent_of(const Mat3& f, double duration)
{
  Mat3 cauchy_green{};
  for (std::size_t i = 0; i < 3; ++i)
  {
    for (std::size_t j = 0; j < 3; ++j)
    {
      cauchy_green[3 * i + j] = f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j];
    }
  }
  return std::log(std::sqrt(largest_eigenvalue(cauchy_green))) / duration;
}

} // namespace

Result<AdvectionContext> flow_map_context(
    const TraceField& field, std::span<const double> times, const FlowMapTimes& when, const PathlineOptions& options)
{
  if (!std::isfinite(when.start) || !std::isfinite(when.end) || when.start == when.end)
  {
    return fail(ErrorCode::BadArgument, "the flow map begins and ends at " + format_time(when.start),
        "give two different times");
  }
  std::vector<double> of_steps(times.begin(), times.end());
  if (of_steps.empty() && field.velocity.source != nullptr)
  {
    of_steps = field.velocity.source->info().times;
  }
  PathlineOptions ends_only = options;
  ends_only.direction = when.end < when.start ? TraceDirection::Backward : TraceDirection::Forward;
  ends_only.compute_vorticity = false;
  ends_only.terminal_speed = 0.0; // a particle at rest stays there until the end time
  const std::array<double, 2> limits{ std::min(when.start, when.end), std::max(when.start, when.end) };
  Result<AdvectionContext> context = AdvectionContext::unsteady(field, std::move(of_steps), limits, ends_only);
  if (context && context->limits() != limits)
  {
    return fail(ErrorCode::BadArgument, "the flow map's times lie outside those of the field",
        "the field lasts from " + format_time(context->times().front()) + " to " +
            format_time(context->times().back()));
  }
  return context;
}

Grid part_of(const Grid& lattice, const Box& nodes)
{
  Grid part = lattice;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    part.first[axis] += nodes.begin[axis];
    part.nodes[axis] = nodes.end[axis] - nodes.begin[axis];
  }
  return part;
}

FlowMapMarch::FlowMapMarch(const Grid& lattice, const FlowMapTimes& when)
  : FlowMapMarch(lattice, when, { { 0, 0, 0 }, lattice.nodes }, {})
{
}

FlowMapMarch::FlowMapMarch(const Grid& lattice, const FlowMapTimes& when, const Box& box, std::vector<EndState> ends)
  : map_{ .lattice = lattice, .times = when, .ends = std::move(ends) }
  , box_(box)
{
}

FlowMapMarch::FlowMapMarch(const Grid& lattice, const FlowMapTimes& when, std::span<const std::int64_t> nodes)
  : map_{ .lattice = lattice, .times = when }
  , nodes_(nodes)
{
}

AdvectionSummary FlowMapMarch::advect_on(const AdvectionContext& context, const RunOptions& run)
{
  if (march_)
  {
    EndStates recorder(map_.ends);
    return march_->go_on(context, recorder, run);
  }
  const double sign = map_.times.end < map_.times.start ? -1.0 : 1.0;
  if (nodes_)
  {
    ChosenNodes source({ *GridGeometry::create(map_.lattice), map_.places }, *nodes_, map_.times.start, sign);
    return begin(context, source, run);
  }
  LatticeSource source({ *GridGeometry::create(map_.lattice), map_.places }, map_.times.start, sign, box_);
  return begin(context, source, run);
}

AdvectionSummary FlowMapMarch::begin(const AdvectionContext& context, ParticleSource& source, const RunOptions& run)
{
  const double sign = map_.times.end < map_.times.start ? -1.0 : 1.0;
  EndStates recorder(map_.ends);
  if (context.held_stop_time(context.last_time(map_.times.start, sign, map_.times.end), sign) == map_.times.end)
  {
    return advect(context, source, recorder, run); // no other call follows
  }
  march_.emplace(map_.ends.size());
  return march_->begin(context, source, recorder, run);
}

void FlowMapMarch::set_cells(std::shared_ptr<const NodeCells> cells)
{
  auto places = std::make_shared<std::vector<Vec3>>(static_cast<std::size_t>(cells->nodes()));
  for (std::size_t node = 0; node < places->size(); ++node)
  {
    (*places)[node] = cells->place(static_cast<std::int64_t>(node));
  }
  map_.places = std::move(places);
  map_.cells = std::move(cells);
}

Result<void> FlowMapMarch::go_on(const AdvectionContext& context, const RunOptions& run)
{
  try
  {
    if (!std::exchange(begun_, true))
    {
      Result<GridGeometry> lattice = GridGeometry::create(map_.lattice);
      if (!lattice)
      {
        return forward_error(lattice);
      }
      map_.ends.resize(nodes_ ? nodes_->size() : static_cast<std::size_t>(volume(lattice->nodes())));
    }
    if (map_.ends.empty())
    {
      return {};
    }
    const AdvectionSummary summary = advect_on(context, run);
    for (EndState& end : map_.ends)
    {
      end.reason = end.reason == Termination::None ? summary.cut : end.reason;
    }
    map_.steps += summary.steps;
    map_.cancelled = summary.stopped;
    map_.data_error = map_.data_error ? map_.data_error : summary.data_error;
    return {};
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("keep the ends of all particles"));
  }
}

FlowMap FlowMapMarch::so_far(double end) const
{
  FlowMap map = map_;
  map.times.end = end;
  return map;
}

Result<FlowMap> flow_map(const TraceField& field, std::span<const double> times, const Grid& lattice,
    const FlowMapTimes& when, const PathlineOptions& options, const RunOptions& run)
{
  Result<AdvectionContext> context = flow_map_context(field, times, when, options);
  if (!context)
  {
    return forward_error(context);
  }
  FlowMapMarch march(lattice, when);
  Result<void> done = march.go_on(*context, run);
  return done ? Result<FlowMap>(march.take()) : forward_error(done);
}

void take_exponents(const FlowMap& map, const Box& nodes, int threads, const TakeExponents& take)
{
  static constexpr std::int64_t kAtATime = 4096; ///< nodes that a thread takes, in whole rows if these are short
  const ReleaseLattice lattice(*GridGeometry::create(map.lattice), map.places);
  const FlowGradient gradient(map, lattice);
  const double duration = std::fabs(map.times.end - map.times.start);
  const auto exponent_at = [&](const Int3& node)
  {
    const std::optional<Mat3> f = !gradient.arrived(node) ? std::nullopt
                                  : map.cells != nullptr  ? gradient_in_cells(map, node[0])
                                                          : gradient_at(gradient, lattice, node);
    return f ? exponent_of(*f, duration) : std::numeric_limits<double>::quiet_NaN();
  };
  const Int3 size = nodes.size();
  const std::int64_t parts_of_row = size[0] / kAtATime + 1;
  const std::int64_t parts = nodes.empty() ? 0 : parts_of_row * size[1] * size[2];
  const std::int64_t at_a_time = kAtATime / std::max(1, size[0]) + 1;
  std::atomic<std::int64_t> next{ 0 };
  run_team(parts <= at_a_time ? 1 : threads,
      [&](int)
      {
        std::vector<double> exponents;
        for (std::int64_t begin = next.fetch_add(at_a_time); begin < parts; begin = next.fetch_add(at_a_time))
        {
          for (std::int64_t part = begin; part < std::min(begin + at_a_time, parts); ++part)
          {
            const std::int64_t row = part / parts_of_row;
            const auto [from, to] = part_of_row(size[0], part % parts_of_row, parts_of_row);
            Int3 node{ nodes.begin[0] + from, nodes.begin[1] + static_cast<std::int32_t>(row % size[1]),
              nodes.begin[2] + static_cast<std::int32_t>(row / size[1]) };
            const Int3 first = node;
            exponents.resize(static_cast<std::size_t>(to - from));
            for (double& exponent : exponents)
            {
              exponent = exponent_at(node);
              ++node[0];
            }
            take(first, exponents);
          }
        }
      });
}

Buffer<double> lyapunov_exponent(const FlowMap& map, int threads)
{
  const Int3 nodes = map.lattice.nodes;
  Buffer<double> exponents(map.ends.size());
  take_exponents(map, { { 0, 0, 0 }, nodes }, threads,
      [&](const Int3& first, std::span<const double> of_row)
      { std::copy(of_row.begin(), of_row.end(), exponents.begin() + row_major(first, nodes)); });
  return exponents;
}

} // namespace rivulet
