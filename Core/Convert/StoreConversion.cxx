// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/StoreConversion.h"

#include "Base/Times.h"
#include "Io/Series/StepTimes.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// One step of a source as a source.
class OneStep final : public LatticeReader
{
public:
  /// `first`: that is written: whatever the store has, the places of its nodes are in it.
  OneStep(LatticeReader& source, int step, bool first)
    : source_(source)
    , step_(step)
    , info_(source.info())
  {
    info_.times = { info_.times[static_cast<std::size_t>(step)] };
    if (info_.points >= 0)
    {
      const bool own = source.info().is_stored(info_.points, step);
      info_.points_steps = { own || first ? 0 : -1 };
    }
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] Result<void> read(int variable, int, const Box& box, void* out) override
  {
    return source_.read(variable, step_, box, out);
  }
  [[nodiscard]] bool hides(Centering centering, int) const override { return source_.hides(centering, step_); }
  [[nodiscard]] Result<void> read_hidden(Centering centering, int, const Box& box, std::uint8_t* out) override
  {
    return source_.read_hidden(centering, step_, box, out);
  }
  [[nodiscard]] std::int64_t source_bytes() const override { return source_.source_bytes(); }
  [[nodiscard]] std::vector<std::string> files() const override { return source_.files(); }
  [[nodiscard]] Result<void> check_unchanged() override { return source_.check_unchanged(); }
  [[nodiscard]] Int3 preferred_box() const override { return source_.preferred_box(); }

private:
  LatticeReader& source_;
  int step_;
  FieldInfo info_;
};

class ToStore
{
public:
  ToStore(StoreWriter& store, LatticeReader& reader, const StoreConversion& options)
    : store_(store)
    , reader_(reader)
    , options_(options)
  {
  }

  Result<StoreReport> run()
  {
    const Result<std::vector<int>> steps = steps_to_write();
    if (!steps)
    {
      return tl::unexpected(steps.error());
    }
    for (const int step : *steps)
    {
      if (Result<void> written = write(step, static_cast<std::int64_t>(steps->size())); !written)
      {
        return forward_error(written);
      }
    }
    Result<void> published = store_.publish();
    return published ? Result<StoreReport>(report_) : forward_error(published);
  }

private:
  /// Steps of the source that the store lacks.
  Result<std::vector<int>> steps_to_write()
  {
    const std::vector<double>& there = store_.times();
    const std::vector<double>& times = reader_.info().times;
    std::vector<int> steps;
    for (std::size_t step = 0; step < times.size(); ++step)
    {
      if (find_step(there, times, step) >= 0)
      {
        ++report_.steps_kept;
      }
      else if (!there.empty() && times[step] < there.back())
      {
        return fail(ErrorCode::BadArgument,
            "the store has later steps than time " + format_time(times[step]) + ", but not this one",
            "make a new store: steps can only be added at the end", store_.path());
      }
      else
      {
        steps.push_back(static_cast<int>(step));
      }
    }
    return steps;
  }

  Result<void> write(int step, std::int64_t count)
  {
    OneStep source(reader_, step, report_.steps_written == 0);
    Result<std::unique_ptr<FieldFileWriter>> writer = store_.begin_step(source.info());
    if (!writer)
    {
      return forward_error(writer);
    }
    ConvertOptions how = options_.convert;
    if (options_.convert.progress)
    {
      how.progress = [&](std::int64_t done, std::int64_t total)
      {
        options_.convert.progress(report_.written.source_bytes + done, total * count);
      };
    }
    const Result<ConvertReport> converted = convert_into(**writer, source, how);
    if (!converted)
    {
      return tl::unexpected(converted.error());
    }
    if (Result<void> finished = (*writer)->finish(); !finished)
    {
      return finished;
    }
    add(*converted);
    return {};
  }

  void add(const ConvertReport& step)
  {
    ConvertReport& all = report_.written;
    all.source_bytes += step.source_bytes;
    all.file_bytes += step.file_bytes;
    all.bricks += step.bricks;
    all.runs += step.runs;
    all.memory_bytes = std::max(all.memory_bytes, step.memory_bytes);
    all.threads = std::max(all.threads, step.threads);
    ++report_.steps_written;
  }

  StoreWriter& store_;
  LatticeReader& reader_;
  const StoreConversion& options_;
  StoreReport report_;
};

} // namespace

Result<StoreReport> convert_to_store(LatticeReader& reader, const std::string& path, const StoreConversion& options)
{
  const Result<std::unique_ptr<StoreWriter>> store = StoreWriter::open(path, options.store);
  if (!store)
  {
    return tl::unexpected(store.error());
  }
  return ToStore(**store, reader, options).run();
}

} // namespace rivulet
