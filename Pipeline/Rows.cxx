// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/Rows.h"

#include "Base/Bytes.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <thread>

namespace rivulet
{

namespace
{

/// Sleeps until the brick it waits for has arrived.
class SleepingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&) override
  {
    const std::lock_guard lock(mutex_);
    arrived_ = true;
    condition_.notify_one();
  }
  void wait()
  {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [this] { return arrived_; });
  }

private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool arrived_ = false;
};

} // namespace

BrickPin wait_for_brick(BrickSource& source, const BrickKey& key, std::shared_ptr<const Error>& error)
{
  for (;;)
  {
    Lookup found = source.try_get(key);
    if (found.state == Lookup::State::Ready)
    {
      return std::move(found.pin);
    }
    if (found.state == Lookup::State::Failed)
    {
      error = found.error;
      return {};
    }
    SleepingWaiter waiter;
    source.request(key, waiter);
    waiter.wait();
    // A synchronous source answers at once, although all its places may still be pinned by others.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

Int3 brick_holding(const BrickGrid& grid, const Int3& at)
{
  Int3 brick;
  for (int axis = 0; axis < 3; ++axis)
  {
    brick[axis] = std::min(at[axis] / grid.cells[axis], grid.count[axis] - 1);
  }
  return brick;
}

Box owned_values(const BrickGrid& grid, std::int64_t index)
{
  const Int3 brick = from_row_major(index, grid.count);
  Box box;
  for (int axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = brick[axis] * grid.cells[axis];
    const bool last = brick[axis] + 1 == grid.count[axis];
    box.end[axis] = last ? grid.lattice[axis] : box.begin[axis] + grid.cells[axis];
  }
  return box;
}

void copy_row(const BrickView& view, const Int3& at, std::int64_t count, std::byte* out)
{
  const auto scalar = static_cast<std::int64_t>(size_of(view.type));
  const std::int64_t offset = (at[0] - view.lattice.begin[0]) * view.stride[0] +
                              (at[1] - view.lattice.begin[1]) * view.stride[1] +
                              (at[2] - view.lattice.begin[2]) * view.stride[2];
  const auto* from = static_cast<const std::byte*>(view.data) + offset * scalar;
  const std::int64_t tuple = view.components * scalar;
  if (view.stride[0] == view.components)
  {
    std::memcpy(out, from, static_cast<std::size_t>(count * tuple));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
  {
    std::memcpy(out + i * tuple, from + i * view.stride[0] * scalar, static_cast<std::size_t>(tuple));
  }
}

void fill_nan(const Variable& variable, std::int64_t count, std::byte* out)
{
  const std::int64_t scalars = count * variable.components;
  if (variable.type == ScalarType::Float32)
  {
    std::fill_n(reinterpret_cast<float*>(out), scalars, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  std::fill_n(reinterpret_cast<double*>(out), scalars, std::numeric_limits<double>::quiet_NaN());
}

void copy_rows(const BrickPin& pin, const Variable& variable, const Box& part, const Box& whole, std::byte* out)
{
  if (part.empty())
  {
    return;
  }
  const std::int64_t length = part.size()[0];
  for (Int3 at = part.begin; at[2] < part.end[2]; ++at[2])
  {
    for (at[1] = part.begin[1]; at[1] < part.end[1]; ++at[1])
    {
      const Int3 place{ at[0] - whole.begin[0], at[1] - whole.begin[1], at[2] - whole.begin[2] };
      std::byte* row = out + row_major(place, whole.size()) * static_cast<std::int64_t>(variable.tuple_bytes());
      pin ? copy_row(pin.view(), at, length, row) : fill_nan(variable, length, row);
    }
  }
}

Result<void> read_box(BrickSource& source, const ValueBlock& block, std::byte* out)
{
  const Variable& variable = source.info().variables[static_cast<std::size_t>(block.variable)];
  const BrickGrid& grid = source.bricks(block.variable);
  const Box& box = block.box;
  const Int3 low = brick_holding(grid, box.begin);
  const Int3 high = brick_holding(grid, { box.end[0] - 1, box.end[1] - 1, box.end[2] - 1 });
  for (Int3 at = low; at[2] <= high[2]; ++at[2])
  {
    for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
    {
      for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
      {
        const std::int64_t index = row_major(at, grid.count);
        std::shared_ptr<const Error> error;
        const BrickPin pin = wait_for_brick(source, { block.variable, block.step, index }, error);
        if (error)
        {
          return tl::unexpected(*error);
        }
        if (intersect(pin.view().lattice, box) == box) // the shared layer saves asking the neighbours
        {
          copy_rows(pin, variable, box, box, out);
          return {};
        }
        copy_rows(pin, variable, intersect(owned_values(grid, index), box), box, out);
      }
    }
  }
  return {};
}

namespace
{

void widen(std::array<double, 2>& range, double value)
{
  if (std::isfinite(value))
  {
    range = { std::min(range[0], value), std::max(range[1], value) };
  }
}

template <class T>
void widen_with_row(ValueRanges& ranges, const std::byte* row, std::int64_t count)
{
  const auto* values = reinterpret_cast<const T*>(row);
  for (std::int64_t tuple = 0; tuple < count; ++tuple)
  {
    double square = 0.0;
    for (auto& range : ranges.components)
    {
      const double value = *values++;
      widen(range, value);
      square += value * value;
    }
    widen(ranges.magnitude, std::sqrt(square));
  }
}

/// Point number `sample` of a sequence that fills the box evenly: multiples of the plastic number's powers (M.
/// Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
Int3 spread_point(const Box& box, std::int64_t sample)
{
  constexpr Vec3 kSteps{ 0.8191725133961645, 0.6710436067037893, 0.5497004779019703 };
  Int3 at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double turns = 0.5 + static_cast<double>(sample) * kSteps[axis];
    at[axis] = static_cast<std::int32_t>((turns - std::floor(turns)) * box.size()[axis]) + box.begin[axis];
  }
  return at;
}

/// `rows` rows of at most 16 tuples, spread over the brick that holds lattice point `at`.
void widen_with_brick(ValueRanges& ranges, LazyField& field, int variable, const Int3& at, std::int64_t rows)
{
  const Variable& what = field.info().variables[static_cast<std::size_t>(variable)];
  const BrickGrid& grid = field.source()->bricks(variable);
  const BrickPin pin = field.pin({ variable, 0, row_major(brick_holding(grid, at), grid.count) });
  for (std::int64_t number = 0; pin && number < rows; ++number)
  {
    const Int3 first = spread_point(pin.view().lattice, number);
    const std::int64_t count = std::min(16, pin.view().lattice.end[0] - first[0]);
    alignas(8) std::array<std::byte, sizeof(double) * 16 * 9> row;
    copy_row(pin.view(), first, count, row.data());
    what.type == ScalarType::Float32 ? widen_with_row<float>(ranges, row.data(), count)
                                     : widen_with_row<double>(ranges, row.data(), count);
  }
}

} // namespace

ValueRanges estimate_ranges(LazyField& field, int variable)
{
  constexpr std::int64_t kBricks = 64;
  constexpr std::int64_t kRowsOfBrick = 16;
  constexpr std::int64_t kMostBytes = 4 * kMiB;
  const Variable& what = field.info().variables[static_cast<std::size_t>(variable)];
  const Box all{ { 0, 0, 0 }, field.source()->bricks(variable).lattice };
  const double infinity = std::numeric_limits<double>::infinity();
  ValueRanges ranges;
  ranges.components.assign(static_cast<std::size_t>(what.components), { infinity, -infinity });
  ranges.magnitude = { infinity, -infinity };
  const std::int64_t before = field.source()->statistics().bytes_read;
  for (std::int64_t sample = 0; sample < kBricks; ++sample)
  {
    widen_with_brick(ranges, field, variable, spread_point(all, sample), kRowsOfBrick);
    // In files that know no bricks, one may cost far more than its own bytes.
    if (field.source()->statistics().bytes_read - before > kMostBytes)
    {
      break;
    }
  }
  return ranges.magnitude[0] <= ranges.magnitude[1] ? ranges : ValueRanges{};
}

} // namespace rivulet
