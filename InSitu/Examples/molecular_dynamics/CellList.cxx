// SPDX-License-Identifier: BSD-3-Clause
#include "CellList.h"

#include <algorithm>
#include <atomic>

namespace molecular_dynamics
{

namespace
{

constexpr std::int64_t kGrain = 1 << 14;

/// values[i] becomes values[order[i]]; `scratch` is memory to work with.
template <class Value>
void reorder(std::vector<Value>& values, std::vector<Value>& scratch, const std::vector<std::int32_t>& order,
    std::int64_t begin, std::int64_t end)
{
  for (std::int64_t i = begin; i < end; ++i)
  {
    const auto to = static_cast<std::size_t>(i);
    scratch[to] = values[static_cast<std::size_t>(order[to])];
  }
}

} // namespace

CellList::CellList(const Domain& domain)
  : own_(domain.own())
  , spans_(index({ own_[0] + kLayers - 1, own_[1] + kLayers - 1, own_[2] + kLayers - 1 }) + 1)
  , sizes_(spans_.size())
{
}

void CellList::sort(Particles& particles, const Domain& domain, examples::Parallel& parallel)
{
  const auto count = static_cast<std::size_t>(particles.count);
  cell_of_.resize(count);
  place_of_.resize(count);
  order_.resize(count);
  find_places(particles, domain, parallel);
  find_spans();
  find_order(particles, parallel);
  apply_order(particles, parallel);
}

/// Places depend on the order in which threads arrive; find_order() mends that.
void CellList::find_places(const Particles& particles, const Domain& domain, examples::Parallel& parallel)
{
  std::fill(sizes_.begin(), sizes_.end(), 0);
  parallel.for_each(particles.count, kGrain,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        {
          Int3 cell;
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            cell[axis] = domain.cell(axis, particles.position[axis][i]) - domain.begin()[axis];
          }
          cell_of_[i] = static_cast<std::int32_t>(index(cell));
          std::atomic_ref<std::int32_t> size(sizes_[index(cell)]);
          place_of_[i] = size.fetch_add(1, std::memory_order_relaxed);
        }
      });
}

void CellList::find_spans()
{
  std::int32_t next = 0;
  for (std::size_t cell = 0; cell < spans_.size(); ++cell)
  {
    spans_[cell] = { next, next + sizes_[cell] };
    next += sizes_[cell];
  }
}

void CellList::find_order(const Particles& particles, examples::Parallel& parallel)
{
  parallel.for_each(particles.count, kGrain,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        {
          const Span& span = spans_[static_cast<std::size_t>(cell_of_[i])];
          order_[static_cast<std::size_t>(span.begin + place_of_[i])] = static_cast<std::int32_t>(i);
        }
      });
  parallel.for_each(static_cast<std::int64_t>(spans_.size()), kGrain,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t cell = begin; cell < end; ++cell)
        {
          const Span& span = spans_[static_cast<std::size_t>(cell)];
          std::sort(order_.begin() + span.begin, order_.begin() + span.end,
              [&](std::int32_t a, std::int32_t b)
              { return particles.id[static_cast<std::size_t>(a)] < particles.id[static_cast<std::size_t>(b)]; });
        }
      });
}

void CellList::apply_order(Particles& particles, examples::Parallel& parallel)
{
  const auto apply = [&](auto& values, auto& scratch)
  {
    scratch.resize(values.size());
    parallel.for_each(particles.count, kGrain,
        [&](std::int64_t begin, std::int64_t end) { reorder(values, scratch, order_, begin, end); });
    values.swap(scratch);
  };
  apply(particles.id, ids_);
  apply(particles.type, types_);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    apply(particles.position[axis], values_);
    apply(particles.velocity[axis], values_);
  }
  particles.resize_ghosts(0);
}

} // namespace molecular_dynamics
