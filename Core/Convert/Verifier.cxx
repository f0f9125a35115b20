// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Verifier.h"

#include "Convert/PageBuffer.h"
#include "Curve/Hilbert.h"
#include "Parallel/Team.h"

#include <algorithm>
#include <mutex>
#include <optional>

namespace rivulet
{

namespace
{

// Long enough for the disk, short enough to stay in the caches until it is checked.
constexpr std::int64_t kChunk = 2 * kMiB;

struct Chunk
{
  RecordPlace first;
  std::int64_t count = 0;
};

class Verification
{
public:
  Verification(const Records& records, const VerifyOptions& options);
  Result<VerifyReport> run();

private:
  void add_chunks(const BrickLayout& layout, RecordPlace first);
  void work();
  void check_chunk(const Chunk& chunk, std::byte* buffer);
  void examine(const RecordPlace& id, const std::byte* record, const Result<void>& read);
  void note(const RecordPlace& id, std::string what);
  [[nodiscard]] Chunk chunk_at(std::int64_t number) const;
  [[nodiscard]] bool stopped() const;

  // The chunks of one variable and step, numbered from `begin`.
  struct Series
  {
    RecordPlace first;
    std::int64_t begin;
    std::int64_t records_per_chunk;
  };

  const Records& records_;
  const VerifyOptions& options_;
  std::vector<Series> series_;
  std::int64_t chunks_ = 0;
  std::int64_t buffer_bytes_ = kChunk;
  std::atomic<std::int64_t> next_{ 0 };
  std::atomic<std::int64_t> bytes_done_{ 0 };
  std::mutex mutex_;
  std::optional<Error> error_; // this and the report are guarded by mutex_ while workers run
  VerifyReport report_;
};

Verification::Verification(const Records& records, const VerifyOptions& options)
  : records_(records)
  , options_(options)
{
  const FieldFile& file = records.file();
  for (std::size_t step = 0; step < file.info.times.size(); ++step)
  {
    for (std::size_t variable = 0; variable < file.layouts.size(); ++variable)
    {
      add_chunks(file.layouts[variable], { static_cast<std::int32_t>(variable), static_cast<std::int32_t>(step), 0 });
    }
  }
}

void Verification::add_chunks(const BrickLayout& layout, RecordPlace first)
{
  const std::int64_t per_chunk = std::max<std::int64_t>(1, kChunk / layout.stride);
  series_.push_back({ first, chunks_, per_chunk });
  chunks_ += (layout.grid.size() + per_chunk - 1) / per_chunk;
  buffer_bytes_ = std::max(buffer_bytes_, layout.stride);
  report_.bricks += layout.grid.size();
  report_.bytes += layout.grid.size() * layout.stride;
}

Chunk Verification::chunk_at(std::int64_t number) const
{
  const auto after = std::upper_bound(series_.begin(), series_.end(), number,
      [](std::int64_t wanted, const Series& series) { return wanted < series.begin; });
  const Series& series = *std::prev(after);
  Chunk chunk{ series.first, series.records_per_chunk };
  chunk.first.hilbert = (number - series.begin) * series.records_per_chunk;
  chunk.count = std::min(chunk.count, records_.layout(chunk.first).grid.size() - chunk.first.hilbert);
  return chunk;
}

bool Verification::stopped() const
{
  return options_.cancel != nullptr && options_.cancel->load();
}

void Verification::work()
{
  Result<PageBuffer> buffer = PageBuffer::allocate(buffer_bytes_);
  if (!buffer)
  {
    const std::lock_guard lock(mutex_);
    error_ = std::move(buffer.error());
    return;
  }
  while (!stopped())
  {
    const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= chunks_)
    {
      return;
    }
    check_chunk(chunk_at(number), buffer->data());
  }
}

void Verification::check_chunk(const Chunk& chunk, std::byte* buffer)
{
  const std::int64_t stride = records_.layout(chunk.first).stride;
  const Result<void> all = records_.read(chunk.first, chunk.count, buffer);
  for (std::int64_t number = 0; number < chunk.count; ++number)
  {
    RecordPlace id = chunk.first;
    id.hilbert += number;
    // Where the whole cannot be read, one by one tells the bad from the good.
    examine(id, buffer + number * stride, all ? all : records_.read(id, 1, buffer + number * stride));
  }
  bytes_done_.fetch_add(chunk.count * stride, std::memory_order_relaxed);
}

void Verification::examine(const RecordPlace& id, const std::byte* record, const Result<void>& read)
{
  std::string what = read ? describe(check_record(record, records_.layout(id), id)) : read.error().what;
  if (!what.empty())
  {
    note(id, std::move(what));
  }
}

void Verification::note(const RecordPlace& id, std::string what)
{
  const Int3 brick = HilbertCurve(records_.layout(id).grid.count).at(id.hilbert);
  const std::lock_guard lock(mutex_);
  ++report_.bad;
  if (report_.listed.size() < options_.most_listed)
  {
    report_.listed.push_back({ id, brick, records_.offset(id), std::move(what) });
  }
}

Result<VerifyReport> Verification::run()
{
  const auto tell = [this]
  {
    if (options_.progress)
    {
      options_.progress(bytes_done_.load(std::memory_order_relaxed), report_.bytes);
    }
  };
  records_.advise_sequential();
  const std::int64_t workers =
      std::min<std::int64_t>(resolve_threads(options_.threads), std::max<std::int64_t>(1, chunks_));
  run_team(
      static_cast<int>(workers), [this](int) { work(); }, tell);
  if (error_)
  {
    return tl::unexpected(std::move(*error_));
  }
  if (stopped())
  {
    return fail(ErrorCode::Cancelled, "the check was cancelled", {}, records_.file().path);
  }
  tell();
  std::sort(report_.listed.begin(), report_.listed.end(),
      [](const BadBrick& a, const BadBrick& b) { return a.offset < b.offset; });
  return std::move(report_);
}

} // namespace

Result<VerifyReport> verify(const FieldFile& file, const VerifyOptions& options)
{
  Result<Records> records = Records::open(file);
  if (!records)
  {
    return forward_error(records);
  }
  return Verification(*records, options).run();
}

} // namespace rivulet
