// SPDX-License-Identifier: BSD-3-Clause
#include "FlowSolver.h"

#include "RowKernel.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

namespace lattice_boltzmann
{

namespace
{

constexpr std::int64_t kRowMargin = 16; ///< floats before and after each row, for reads beyond its ends
constexpr std::int64_t kHugePage = 2 << 20;
constexpr std::int64_t kGrain = 8; ///< rows

std::int64_t round_up(std::int64_t value, std::int64_t unit)
{
  return (value + unit - 1) / unit * unit;
}

std::int32_t wrapped(std::int32_t at, std::int32_t size)
{
  return at < 0 ? at + size : (at >= size ? at - size : at);
}

/// Huge pages where the kernel has them, because nineteen streams need many TLB entries.
float* allocate(std::int64_t floats)
{
  const auto bytes = static_cast<std::size_t>(round_up(floats * 4, kHugePage));
  void* memory = std::aligned_alloc(kHugePage, bytes);
  if (memory == nullptr)
  {
    throw std::bad_alloc();
  }
  madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<float*>(memory);
}

} // namespace

void FlowSolver::FreeMemory::operator()(float* memory) const
{
  std::free(memory);
}

FlowSolver::FlowSolver(const FlowOptions& options, const std::function<Vec3(const Int3&)>& velocity, MPI_Comm comm,
    const examples::RunRegion& run)
  : options_(options)
  , rates_(rates_for(options.viscosity))
  , slab_(options.size[2], comm)
  , parallel_(run)
  , row_stride_(round_up(options.size[0] + 2 * kRowMargin, 16))
  // No multiple of a page, so that the nineteen streams use different cache sets.
  , direction_stride_(round_up(row_stride_ * options.size[1] * slab_.places(), 1024) + 48)
  , populations_(allocate(direction_stride_ * kDirections))
{
  float inlet[kDirections];
  set_equilibrium(inlet, Moments<float>{ 0, static_cast<float>(options.inflow), 0, 0 });
  std::copy(std::begin(inlet), std::end(inlet), inlet_.begin());
  find_runs();
  find_wall_links();
  const Vec3 inflow{ options.inflow, 0, 0 };
  set_start(velocity ? velocity : [inflow](const Int3&) { return inflow; });
}

bool FlowSolver::solid(const Int3& at) const
{
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    square += (at[axis] - options_.sphere.centre[axis]) * (at[axis] - options_.sphere.centre[axis]);
  }
  return 4 * square < options_.sphere.diameter * options_.sphere.diameter;
}

std::int64_t FlowSolver::cells() const
{
  return std::int64_t{ options_.size[0] } * options_.size[1] * options_.size[2];
}

std::int64_t FlowSolver::row_start(std::int32_t y, std::int32_t z) const
{
  return (std::int64_t{ slab_.place(z) } * options_.size[1] + y) * row_stride_ + kRowMargin;
}

std::int64_t FlowSolver::position(int direction, const Int3& at) const
{
  return direction * direction_stride_ + row_start(at[1], at[2]) + at[0];
}

/// end_cell() does the end cells of each row.
void FlowSolver::find_runs()
{
  const std::int32_t nx = options_.size[0];
  const std::int32_t ny = options_.size[1];
  for (std::int32_t z = slab_.begin(); z < slab_.end(); ++z)
  {
    for (std::int32_t y = 0; y < ny; ++y)
    {
      first_run_.push_back(runs_.size());
      for (std::int32_t x = 1; x < nx - 1; ++x)
      {
        const bool starts = !solid({ x, y, z }) && (x == 1 || solid({ x - 1, y, z }));
        if (starts)
        {
          runs_.push_back({ x, x });
        }
        if (!solid({ x, y, z }))
        {
          runs_.back().end = x + 1;
        }
      }
    }
  }
  first_run_.push_back(runs_.size());
}

/// After the first step of a pair, a cell's outgoing population lies in its own slot of the opposite direction.
void FlowSolver::find_wall_links()
{
  const auto visit = [this](const Int3& at)
  {
    for (int direction = 1; direction < kDirections; ++direction)
    {
      const Int3& c = kPairVelocity[static_cast<std::size_t>((direction - 1) / 2)];
      const int sign = direction % 2 == 1 ? 1 : -1;
      const Int3 next{ at[0] + sign * c[0], wrapped(at[1] + sign * c[1], options_.size[1]),
        wrapped(at[2] + sign * c[2], options_.size[2]) };
      if (solid(next))
      {
        const int opposite = direction + sign;
        wall_links_.push_back({ position(opposite, at), { sign * c[0], sign * c[1], sign * c[2] } });
      }
    }
  };
  for (std::size_t row = 0; row + 1 < first_run_.size(); ++row)
  {
    const auto y = static_cast<std::int32_t>(row) % options_.size[1];
    const auto z = slab_.begin() + static_cast<std::int32_t>(row) / options_.size[1];
    for (std::size_t run = first_run_[row]; run < first_run_[row + 1] && options_.sphere.diameter > 0; ++run)
    {
      for (std::int32_t x = runs_[run].begin; x < runs_[run].end; ++x)
      {
        visit({ x, y, z });
      }
    }
  }
}

template <class Pass>
void FlowSolver::for_each_row(Pass pass)
{
  const std::int64_t rows = std::int64_t{ options_.size[1] } * (slab_.end() - slab_.begin());
  parallel_.for_each(rows, kGrain,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t row = begin; row < end; ++row)
        {
          const auto y = static_cast<std::int32_t>(row % options_.size[1]);
          pass(y, slab_.begin() + static_cast<std::int32_t>(row / options_.size[1]));
        }
      });
}

/// Each thread first touches its own rows, so that they lie in memory near it.
void FlowSolver::set_start(const std::function<Vec3(const Int3&)>& velocity)
{
  for_each_row(
      [&](std::int32_t y, std::int32_t z)
      {
        for (int direction = 0; direction < kDirections; ++direction)
        {
          float* const row = populations_.get() + direction * direction_stride_ + row_start(y, z) - kRowMargin;
          std::fill(row, row + row_stride_, 0.0F);
        }
        for (std::int32_t x = 0; x < options_.size[0]; ++x)
        {
          const Vec3 u = solid({ x, y, z }) ? Vec3{ 0, 0, 0 } : velocity({ x, y, z });
          float f[kDirections];
          set_equilibrium(f, Moments<float>{ 0, float(u[0]), float(u[1]), float(u[2]) });
          for (int direction = 0; direction < kDirections; ++direction)
          {
            populations_[static_cast<std::size_t>(position(direction, { x, y, z }))] = f[direction];
          }
        }
      });
}

/// Places of a cell's populations for each direction, as RowKernel.h describes.
std::array<float*, kDirections> FlowSolver::sources(const Int3& at, bool in_place) const
{
  std::array<float*, kDirections> found{};
  found[0] = populations_.get() + position(0, at);
  for (int direction = 1; direction < kDirections; ++direction)
  {
    const Int3& c = kPairVelocity[static_cast<std::size_t>((direction - 1) / 2)];
    const int sign = direction % 2 == 1 ? 1 : -1;
    const Int3 from{ at[0] - sign * c[0], wrapped(at[1] - sign * c[1], options_.size[1]), at[2] - sign * c[2] };
    const std::int64_t where = in_place ? position(direction, at) : position(direction + sign, from);
    found[static_cast<std::size_t>(direction)] = populations_.get() + where;
  }
  return found;
}

void FlowSolver::end_cell(const Int3& at, bool in_place)
{
  std::array<float*, kDirections> found = sources(at, in_place);
  if (options_.ends == Ends::Periodic)
  {
    if (!in_place)
    {
      for (std::size_t direction = 1; direction < kDirections; ++direction)
      {
        const std::int32_t cx = (direction % 2 == 1 ? 1 : -1) * kPairVelocity[(direction - 1) / 2][0];
        const std::int32_t from = at[0] - cx;
        found[direction] += wrapped(from, options_.size[0]) - from;
      }
    }
    advance_cell(found, rates_);
  }
  else if (at[0] == 0)
  {
    send(found, inlet_);
  }
}

void FlowSolver::row_step(std::int32_t y, std::int32_t z, bool in_place)
{
  const std::array<float*, kDirections> row = sources({ 0, y, z }, in_place);
  const std::size_t number = static_cast<std::size_t>(z - slab_.begin()) * static_cast<std::size_t>(options_.size[1]) +
                             static_cast<std::size_t>(y);
  for (std::size_t run = first_run_[number]; run < first_run_[number + 1]; ++run)
  {
    advance_cells(row, runs_[run].begin, runs_[run].end, rates_);
  }
  end_cell({ 0, y, z }, in_place);
  end_cell({ options_.size[0] - 1, y, z }, in_place);
}

/// Sends the populations of the neighbour upstream, shifted to density 1.
void FlowSolver::outlet_cell(std::int32_t y, std::int32_t z, bool in_place)
{
  const std::int32_t last = options_.size[0] - 1;
  float f[kDirections];
  receive_sent(sources({ last - 1, y, z }, in_place), f);
  Moments<float> m = moments_of(f);
  float before[kDirections];
  float after[kDirections];
  set_equilibrium(before, m);
  m.excess = 0;
  set_equilibrium(after, m);
  std::array<float, kDirections> sent{};
  for (std::size_t direction = 0; direction < kDirections; ++direction)
  {
    sent[direction] = f[direction] - before[direction] + after[direction];
  }
  send(sources({ last, y, z }, in_place), sent);
}

void FlowSolver::step(bool in_place)
{
  for_each_row([&](std::int32_t y, std::int32_t z) { row_step(y, z, in_place); });
  if (options_.ends == Ends::Open)
  {
    for_each_row([&](std::int32_t y, std::int32_t z) { outlet_cell(y, z, in_place); });
  }
}

void FlowSolver::advance(int steps)
{
  for (int done = 0; done < steps; done += 2)
  {
    step(true);
    if (done + 2 >= steps)
    {
      measure_force();
    }
    slab_.borrow(planes());
    step(false);
    slab_.give_back(planes());
    steps_ += 2;
  }
}

/// Each population sent into the sphere returns reversed, so the sphere gets twice its momentum.
void FlowSolver::measure_force()
{
  force_ = slab_.sum_in_order(
      [&](Vec3& sum)
      {
        for (const WallLink& link : wall_links_)
        {
          const double sent = populations_[static_cast<std::size_t>(link.position)];
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            sum[axis] += 2 * sent * link.velocity[axis];
          }
        }
      });
}

PlanesOfDirections FlowSolver::planes() const
{
  return { populations_.get(), direction_stride_, row_stride_ * options_.size[1] };
}

/// Cells of inlet and outlet only send. Their values are taken from their neighbours inside.
Moments<float> FlowSolver::moments_at(const Int3& cell) const
{
  const std::int32_t margin = options_.ends == Ends::Open ? 1 : 0;
  const Int3 at{ std::clamp(cell[0], margin, options_.size[0] - 1 - margin), cell[1], cell[2] };
  if (solid(at))
  {
    return { 0, 0, 0, 0 };
  }
  float f[kDirections];
  for (int direction = 0; direction < kDirections; ++direction)
  {
    f[direction] = populations_[static_cast<std::size_t>(position(direction, at))];
  }
  return moments_of(f);
}

double FlowSolver::excess_mass() const
{
  double sum = 0;
  for (std::int32_t z = slab_.begin(); z < slab_.end(); ++z)
  {
    for (std::int32_t y = 0; y < options_.size[1]; ++y)
    {
      for (std::int32_t x = 0; x < options_.size[0]; ++x)
      {
        sum += moments_at({ x, y, z }).excess;
      }
    }
  }
  return sum;
}

void FlowSolver::velocity_plane(std::int32_t z, std::span<float> out) const
{
  auto next = out.begin();
  for (std::int32_t y = 0; y < options_.size[1]; ++y)
  {
    for (std::int32_t x = 0; x < options_.size[0]; ++x)
    {
      const Moments<float> m = moments_at({ x, y, z });
      *next++ = m.u;
      *next++ = m.v;
      *next++ = m.w;
    }
  }
}

void FlowSolver::density_plane(std::int32_t z, std::span<float> out) const
{
  auto next = out.begin();
  for (std::int32_t y = 0; y < options_.size[1]; ++y)
  {
    for (std::int32_t x = 0; x < options_.size[0]; ++x)
    {
      *next++ = 1.0F + moments_at({ x, y, z }).excess;
    }
  }
}

void FlowSolver::velocity_block(std::vector<float>& out)
{
  const std::int32_t planes = slab_.end() - slab_.begin();
  const std::size_t plane = 3 * static_cast<std::size_t>(options_.size[0]) * static_cast<std::size_t>(options_.size[1]);
  out.resize(static_cast<std::size_t>(planes + 2) * plane);
  parallel_.for_each(planes, 1,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t number = begin; number < end; ++number)
        {
          const auto z = slab_.begin() + static_cast<std::int32_t>(number);
          velocity_plane(z, std::span(out).subspan(static_cast<std::size_t>(number + 1) * plane, plane));
        }
      });
  slab_.fill_ghosts(out.data(), static_cast<std::int64_t>(plane));
}

} // namespace lattice_boltzmann
