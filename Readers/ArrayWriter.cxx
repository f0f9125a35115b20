// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/ArrayWriter.h"

#include "Curve/Hilbert.h"
#include "Parallel/Team.h"
#include "Pipeline/Rows.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

namespace rivulet
{

namespace
{

class ArrayWriter
{
public:
  ArrayWriter(FieldFileWriter& writer, const ArrayToWrite& what)
    : writer_(writer)
    , array_(what.array)
    , variable_(what.variable)
    , step_(what.step)
    , layout_(writer.layout(variable_))
    , bricks_(along_curve(what.bricks))
  {
  }

  Result<void> run(const std::function<bool(double)>& progress)
  {
    const auto all = static_cast<std::int64_t>(bricks_.size());
    const auto watch = [&]
    {
      if (!progress(
              static_cast<double>(std::min(next_.load(), all)) / static_cast<double>(std::max<std::int64_t>(1, all))))
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
  /// The bricks of a box in the order of the curve, so that what is written together lies together.
  [[nodiscard]] std::vector<Int3> along_curve(const Box& box) const
  {
    const HilbertCurve curve(layout_.grid.count);
    std::vector<std::pair<std::int64_t, Int3>> numbered;
    for (std::int64_t number = 0; number < box.count(); ++number)
    {
      const Int3 at = from_row_major(number, box.size());
      const Int3 brick{ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
      numbered.emplace_back(curve.index(brick), brick);
    }
    std::sort(numbered.begin(), numbered.end());
    std::vector<Int3> bricks;
    std::transform(numbered.begin(), numbered.end(), std::back_inserter(bricks),
        [](const std::pair<std::int64_t, Int3>& one) { return one.second; });
    return bricks;
  }

  void work()
  {
    std::vector<std::byte> payload(static_cast<std::size_t>(layout_.values));
    std::vector<std::byte> part(payload.size());
    const auto all = static_cast<std::int64_t>(bricks_.size());
    for (std::int64_t at = next_++; at < all && !stopped_; at = next_++)
    {
      if (auto written = write(bricks_[static_cast<std::size_t>(at)], part, payload); !written)
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
  std::vector<Int3> bricks_;
  std::atomic<std::int64_t> next_{ 0 };
  std::atomic<bool> stopped_{ false };
  std::mutex mutex_; ///< guards error_
  std::unique_ptr<Error> error_;
};

} // namespace

Result<void> write_array(FieldFileWriter& writer, const ArrayToWrite& what, const std::function<bool(double)>& progress)
{
  return ArrayWriter(writer, what).run(progress);
}

} // namespace rivulet
