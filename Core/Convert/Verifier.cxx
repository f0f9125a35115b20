// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Verifier.h"

#include "Convert/TaskTeam.h"
#include "Curve/Hilbert.h"
#include "Io/FieldFile/BrickMeasure.h"
#include "Io/FieldFile/Fixed16.h"
#include "Io/FieldFile/PlacesTable.h"
#include "Io/Files/FileHash.h"
#include "Parallel/Team.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace rivulet
{

namespace
{

// Bytes of one read: enough for the disk, and few enough to stay in the caches until the check.
constexpr std::int64_t kChunk = 2 * kMiB;

using Range = std::array<float, 2>;

struct Chunk
{
  RecordPlace first;
  std::int64_t count = 0;
  std::int64_t table = -1;  ///< offset of its ranges in the file; -1 without comparison
  std::int64_t places = -1; ///< the same of the bounds of nodes
};

/// Equality up to rounding. Ranges of magnitudes are square roots of sums, and their last bits may depend on the
/// machine that wrote the file.
template <class T>
bool alike(T a, T b)
{
  const T tolerance = 4 * std::numeric_limits<T>::epsilon() * std::max(std::fabs(a), std::fabs(b));
  return a == b || (std::isnan(a) && std::isnan(b)) ||
         (std::isfinite(a) && std::isfinite(b) &&
             std::fabs(a - b) <= std::max(tolerance, std::numeric_limits<T>::min()));
}

template <class T>
bool alike(const std::array<T, 2>& a, const std::array<T, 2>& b)
{
  return alike(a[0], b[0]) && alike(a[1], b[1]);
}

/// Measures of a variable's values.
struct Found
{
  BrickMeasure measure;
  double error = 0; ///< largest error in the fixed16 records
};

std::string step_text(const std::string& name, int step)
{
  return "variable \"" + name + "\", step " + std::to_string(step);
}

class Verification
{
public:
  Verification(const Records& records, const VerifyOptions& options);
  Result<VerifyReport> run();

private:
  // The chunks of one variable and step, numbered from `begin`.
  struct Series
  {
    RecordPlace first;
    std::int64_t begin;
    std::int64_t records_per_chunk;
    std::int64_t table = -1;  // offset of its ranges in the file; -1 until their checksum is verified
    std::int64_t places = -1; // the same of the bounds of nodes
  };

  void add_chunks(const BrickLayout& layout, RecordPlace first);
  void check_chunk(const Chunk& chunk, std::byte* buffer);
  template <class Row>
  [[nodiscard]] std::vector<Row> table_of(std::int64_t offset, std::int64_t count) const;
  [[nodiscard]] bool holds(const RecordPlace& id, const std::byte* record, const PlacesRow& row) const;
  [[nodiscard]] bool examine(const RecordPlace& id, const std::byte* record, const Result<void>& read);
  [[nodiscard]] BrickMeasure measure(const RecordPlace& id, const std::byte* record, Found& found) const;
  void note(const RecordPlace& id, std::string what);
  [[nodiscard]] std::int64_t verified(const Series& series, const Result<RangeTable>& table, std::size_t row_bytes);
  void check_tables_of(Series& series);
  void check_tables();
  void check_ranges(std::size_t variable);
  void check_hidden(Centering centering, int step);
  void check_summary();
  [[nodiscard]] Chunk chunk_at(std::int64_t number) const;

  const Records& records_;
  const VerifyOptions& options_;
  std::vector<Series> series_;
  std::int64_t chunks_ = 0;
  std::int64_t buffer_bytes_ = kChunk;
  TaskTeam team_;
  std::mutex mutex_;
  VerifyReport report_;      // guarded by mutex_ while workers run
  std::vector<Found> found_; // by variable; guarded as well
};

Verification::Verification(const Records& records, const VerifyOptions& options)
  : records_(records)
  , options_(options)
  , team_(options.cancel, options.progress)
{
  const FieldFile& file = records.file();
  found_.resize(file.layouts.size());
  for (std::size_t step = 0; step < file.info.times.size(); ++step)
  {
    for (std::size_t variable = 0; variable < file.layouts.size(); ++variable)
    {
      const RecordPlace first{ static_cast<std::int32_t>(variable), static_cast<std::int32_t>(step), 0 };
      if (file.info.is_stored(first.variable, first.step))
      {
        add_chunks(file.layouts[variable], first);
      }
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
  if (series.table >= 0)
  {
    chunk.table = series.table + chunk.first.hilbert * static_cast<std::int64_t>(sizeof(Range));
  }
  if (series.places >= 0)
  {
    chunk.places = series.places + chunk.first.hilbert * static_cast<std::int64_t>(sizeof(PlacesRow));
  }
  chunk.count = std::min(chunk.count, records_.layout(chunk.first).grid.size() - chunk.first.hilbert);
  return chunk;
}

void Verification::check_chunk(const Chunk& chunk, std::byte* buffer)
{
  const std::int64_t stride = records_.layout(chunk.first).stride;
  const Result<void> all = records_.read(chunk.first, chunk.count, buffer);
  const std::vector<Range> ranges = table_of<Range>(chunk.table, chunk.count);
  const std::vector<PlacesRow> places = table_of<PlacesRow>(chunk.places, chunk.count);
  Found found;
  for (std::int64_t number = 0; number < chunk.count; ++number)
  {
    RecordPlace id = chunk.first;
    id.hilbert += number;
    const std::byte* record = buffer + number * stride;
    // If the whole read fails, single reads find the bad records.
    if (!examine(id, record, all ? all : records_.read(id, 1, buffer + number * stride)))
    {
      continue;
    }
    const BrickMeasure one = measure(id, record, found);
    found.measure.add(one);
    if (!ranges.empty() && !alike(ranges[static_cast<std::size_t>(number)], outer_range(one.magnitude)))
    {
      note(id, "the brick's range in the table is not that of its values");
    }
    if (!places.empty() && !holds(id, record, places[static_cast<std::size_t>(number)]))
    {
      note(id, "the brick's bounds in the table are not those of its nodes");
    }
  }
  {
    const std::lock_guard lock(mutex_);
    Found& sum = found_[static_cast<std::size_t>(chunk.first.variable)];
    sum.measure.add(found.measure);
    sum.error = std::max(sum.error, found.error);
  }
  team_.add_done(chunk.count * stride);
}

/// Rows of a table from an offset on; empty without a verified table.
template <class Row>
std::vector<Row> Verification::table_of(std::int64_t offset, std::int64_t count) const
{
  std::vector<Row> rows(static_cast<std::size_t>(offset >= 0 ? count : 0));
  const auto bytes = static_cast<std::int64_t>(rows.size() * sizeof(Row));
  return bytes > 0 && records_.descriptor().pread_full(rows.data(), bytes, offset) ? rows : std::vector<Row>();
}

/// Whether a row of the table of places is that of a brick's nodes.
bool Verification::holds(const RecordPlace& id, const std::byte* record, const PlacesRow& row) const
{
  const BrickLayout& layout = records_.layout(id);
  const Int3 brick = HilbertCurve(layout.grid.count).at(id.hilbert);
  const Variable& variable = records_.file().info.variables[static_cast<std::size_t>(id.variable)];
  const PlacesRow found = row_of(measure_places(layout, variable.type, brick, record));
  return std::equal(row.begin(), row.end(), found.begin(), [](double a, double b) { return alike(a, b); });
}

bool Verification::examine(const RecordPlace& id, const std::byte* record, const Result<void>& read)
{
  std::string what = read ? describe(check_record(record, records_.layout(id), id)) : read.error().what;
  const bool sound = what.empty();
  if (!sound)
  {
    note(id, std::move(what));
  }
  return sound;
}

BrickMeasure Verification::measure(const RecordPlace& id, const std::byte* record, Found& found) const
{
  const BrickLayout& layout = records_.layout(id);
  const Variable& variable = records_.file().info.variables[static_cast<std::size_t>(id.variable)];
  const std::int64_t points = volume(layout.nodes);
  if (layout.encoding == Encoding::Plain)
  {
    return measure_values(record, variable.type, variable.components, points);
  }
  std::vector<std::byte> values(static_cast<std::size_t>(layout.values));
  decode_fixed16(record, variable.type, variable.components, points, values.data());
  found.error = std::max(found.error, error_of_fixed16(record, variable.components));
  return measure_values(values.data(), variable.type, variable.components, points);
}

/// Place of a table, if its checksum holds; -1 with a finding if not.
std::int64_t Verification::verified(const Series& series, const Result<RangeTable>& table, std::size_t row_bytes)
{
  const FieldFile& file = records_.file();
  const auto variable = static_cast<std::size_t>(series.first.variable);
  std::string what = table ? "" : table.error().what;
  if (table)
  {
    const std::int64_t bytes = file.layouts[variable].grid.size() * static_cast<std::int64_t>(row_bytes);
    const Result<std::uint64_t> hash = hash_of(records_.descriptor(), table->offset, bytes);
    what = !hash ? hash.error().what : *hash != table->checksum ? "the checksum does not match" : "";
  }
  if (what.empty())
  {
    return table->offset;
  }
  report_.findings.push_back(
      "the ranges of bricks of " + step_text(file.info.variables[variable].name, series.first.step) + ": " + what);
  return -1;
}

/// Verifies the tables of a series.
void Verification::check_tables_of(Series& series)
{
  const FieldFile& file = records_.file();
  series.table = verified(series, file.range_table(series.first.variable, series.first.step), sizeof(Range));
  if (series.first.variable == file.info.points)
  {
    series.places = verified(series, file.places_table(series.first.step), sizeof(PlacesRow));
  }
}

void Verification::check_tables()
{
  for (Series& series : series_)
  {
    if (!team_.stopped())
    {
      check_tables_of(series);
    }
  }
}

/// Compares the range and the error in the header with the values of a variable.
void Verification::check_ranges(std::size_t variable)
{
  const FieldFile& file = records_.file();
  const std::string& name = file.info.variables[variable].name;
  const Found& found = found_[variable];
  const ValueRanges& said = file.info.ranges[variable];
  const ValueRanges is = value_ranges(found.measure, file.info.variables[variable].components);
  const bool same = said.components.size() != is.components.size() ||
                    (alike(said.magnitude, is.magnitude) &&
                        std::equal(said.components.begin(), said.components.end(), is.components.begin(),
                            [](const auto& a, const auto& b) { return alike(a, b); }));
  if (!same)
  {
    report_.findings.push_back("the range of variable \"" + name + "\" is not that of its values");
  }
  if (found.error > file.layouts[variable].largest_error)
  {
    report_.findings.push_back("the error of variable \"" + name + "\" is larger than the file says");
  }
}

void Verification::check_hidden(Centering centering, int step)
{
  const FieldFile& file = records_.file();
  const Int3 lattice = file.info.grid.lattice(centering);
  std::vector<std::uint8_t> plane(static_cast<std::size_t>(std::int64_t{ lattice[0] } * lattice[1]));
  for (std::int32_t k = 0; k < lattice[2] && !team_.stopped(); ++k)
  {
    const Box box{ { 0, 0, k }, { lattice[0], lattice[1], k + 1 } };
    if (Result<void> read = file.read_hidden(centering, step, box, plane.data()); !read)
    {
      report_.findings.push_back(std::string("the hidden ") + (centering == Centering::Node ? "points" : "cells") +
                                 " of step " + std::to_string(step) + ": " + read.error().what);
      return;
    }
  }
}

void Verification::check_summary()
{
  const FieldFile& file = records_.file();
  for (std::size_t variable = 0; variable < file.layouts.size() && report_.bad == 0; ++variable)
  {
    check_ranges(variable);
  }
  for (std::size_t step = 0; step < file.info.times.size(); ++step)
  {
    for (const Centering centering : { Centering::Node, Centering::Cell })
    {
      if (file.hides(centering, static_cast<int>(step)))
      {
        check_hidden(centering, static_cast<int>(step));
      }
    }
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
  check_tables();
  records_.advise_sequential();
  const std::int64_t workers =
      std::min<std::int64_t>(resolve_threads(options_.threads), std::max<std::int64_t>(1, chunks_));
  const TaskPlan plan{ chunks_, static_cast<int>(workers), buffer_bytes_, report_.bytes };
  const auto task = [this](std::int64_t number, std::byte* buffer)
  {
    check_chunk(chunk_at(number), buffer);
    return Result<void>();
  };
  if (Result<void> ran = team_.run(plan, task, nullptr); !ran)
  {
    return forward_error(ran);
  }
  check_summary();
  if (team_.stopped())
  {
    return fail(ErrorCode::Cancelled, "the check was cancelled", {}, records_.file().path);
  }
  team_.show_progress();
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
