// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/ArrayWriter.h"

#include "Base/Bytes.h"
#include "Io/FieldFile/WriteBox.h"
#include "Parallel/Team.h"
#include "Pipeline/Rows.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <span>

namespace rivulet
{

namespace
{

constexpr std::int64_t kShareBytes = kMiB; // of records that a thread fills before it writes them

class ArrayWriter
{
public:
  ArrayWriter(FieldFileWriter& writer, const ArrayToWrite& what)
    : writer_(writer)
    , array_(what.array)
    , variable_(what.variable)
    , step_(what.step)
    , layout_(writer.layout(variable_))
    , bricks_(along_curve(layout_, what.bricks))
    , threads_(resolve_threads(0))
    , share_(std::clamp<std::int64_t>(static_cast<std::int64_t>(bricks_.size()) / (std::int64_t{ 4 } * threads_), 1,
          std::max<std::int64_t>(1, kShareBytes / layout_.stride)))
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
        threads_, [this](int) { work(); }, watch);
    const std::lock_guard lock(mutex_);
    return error_ ? Result<void>(tl::unexpected(*error_)) : Result<void>();
  }

private:
  /// Memory of one thread.
  struct Scratch
  {
    std::vector<std::byte> part;
    std::vector<std::byte> payload;
    PageMemory records;
  };

  void work()
  {
    Scratch scratch{ std::vector<std::byte>(static_cast<std::size_t>(layout_.values)),
      std::vector<std::byte>(static_cast<std::size_t>(layout_.values)), pages_of(share_ * layout_.stride) };
    const auto all = static_cast<std::int64_t>(bricks_.size());
    for (std::int64_t at = next_.fetch_add(share_); at < all && !stopped_; at = next_.fetch_add(share_))
    {
      const auto count = static_cast<std::size_t>(std::min(share_, all - at));
      if (auto written = write(std::span(bricks_).subspan(static_cast<std::size_t>(at), count), scratch); !written)
      {
        stop_with(std::move(written.error()));
      }
    }
  }

  /// Bricks that follow one another along the curve are written in one call.
  Result<void> write(std::span<const CurvePlace> bricks, Scratch& scratch)
  {
    while (!bricks.empty() && !stopped_)
    {
      const std::span<const CurvePlace> run = first_run(bricks, bricks.size());
      std::byte* record = scratch.records.get();
      for (const CurvePlace& place : run)
      {
        if (auto filled = fill(place.brick, scratch, record); !filled)
        {
          return filled;
        }
        record += layout_.stride;
      }
      if (auto written = writer_.write_run(
              variable_, step_, run.front().hilbert, static_cast<std::int64_t>(run.size()), scratch.records.get());
          !written)
      {
        return written;
      }
      bricks = bricks.subspan(run.size());
    }
    return {};
  }

  Result<void> fill(const Int3& brick, Scratch& scratch, std::byte* record) const
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
    if (auto read = read_box(*array_.source, block, scratch.part.data()); !read)
    {
      return read;
    }
    pad(scratch.part, box.size(), scratch.payload);
    return writer_.encode(variable_, scratch.payload.data(), record);
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
  std::vector<CurvePlace> bricks_;
  const int threads_;
  const std::int64_t share_; ///< bricks that a thread takes at a time
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
