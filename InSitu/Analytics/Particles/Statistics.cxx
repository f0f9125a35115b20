// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `statistics`: mean, range and standard deviation of values of particles.
///
/// Options:
///     "set"       name of the particles; needed if there are several
///     "of"        names of values; by default ["x", "y", "z", "vx", "vy", "vz"]
///     "parallel"  true (default): in one parallel reduction; false: on the one thread that calls it. The same bits
///                 (Moments.h)
///     "global"    false: of each rank by itself, without messages, in NAME.RANK.csv
///                 true: of all ranks, in one MPI reduction, in NAME.csv
///
/// Each step appends one row for each value: step, time, value, count, not_finite, mean, min, max, standard_deviation.
/// Values that are not finite are counted, and left out of the rest. Without any other, the rest is nan.
#include "Particles/Moments.h"
#include "Plugin/Agree.h"
#include "Plugin/Analytics.h"
#include "Plugin/Options.h"
#include "Plugin/OutputFile.h"
#include "Plugin/StepTable.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace
{

using namespace rivulet;

constexpr const char* kHeader = "step,time,value,count,not_finite,mean,min,max,standard_deviation\n";
constexpr std::int64_t kBlocksAtOnce = 64; ///< about 200 us

class Statistics final : public Analytics
{
public:
  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host);
  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override;
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override;
  static bool asks_mpi(const char* options) { return has_flag(options, "global"); }

private:
  explicit Statistics(const Host& host)
    : host_(host)
  {
  }
  [[nodiscard]] Result<std::vector<Moments>> of_rank(const rivulet_snapshot& snapshot) const;
  [[nodiscard]] Result<void> write(const rivulet_snapshot& snapshot, const std::vector<Moments>& values);

  Host host_;
  std::string set_;
  std::vector<std::string> of_;
  bool parallel_ = true;
  bool global_ = false;
  std::optional<StepTable> table_;
};

/// Moments of whole columns, in their order.
std::vector<Moments> reduce_alone(const std::vector<Column>& columns)
{
  std::vector<Moments> all;
  for (const Column& column : columns)
  {
    Moments& value = all.emplace_back();
    for (std::int64_t begin = 0; begin < column.count; begin += kBlock)
    {
      value = merge(value, moments_of(column, begin, std::min(column.count, begin + kBlock)));
    }
  }
  return all;
}

/// The same in one loop over the blocks of all columns. Their moments are kept, and merged in order.
std::vector<Moments> reduce_in_parallel(const Host& host, const std::vector<Column>& columns)
{
  const std::int64_t count = columns.front().count;
  const std::int64_t blocks = (count + kBlock - 1) / kBlock;
  std::vector<Moments> parts(columns.size() * static_cast<std::size_t>(blocks));
  host.for_ranges(static_cast<std::int64_t>(parts.size()), kBlocksAtOnce,
      [&](std::int64_t begin, std::int64_t end, int) noexcept
      {
        for (std::int64_t part = begin; part < end; ++part)
        {
          const std::int64_t first = part % blocks * kBlock;
          parts[static_cast<std::size_t>(part)] =
              moments_of(columns[static_cast<std::size_t>(part / blocks)], first, std::min(count, first + kBlock));
        }
      });
  std::vector<Moments> all(columns.size());
  for (std::size_t part = 0; part < parts.size(); ++part)
  {
    Moments& value = all[part / static_cast<std::size_t>(blocks)];
    value = merge(value, parts[part]);
  }
  return all;
}

void merge_moments(void* from, void* into, int* length, MPI_Datatype*)
{
  const auto* a = static_cast<const Moments*>(from);
  auto* b = static_cast<Moments*>(into);
  for (int i = 0; i < *length; ++i)
  {
    b[i] = merge(a[i], b[i]);
  }
}

/// The moments of all ranks, on the first one. Not commutative: ranks are merged in order.
Result<void> reduce_over_ranks(MPI_Comm comm, std::vector<Moments>& values)
{
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op operation = MPI_OP_NULL;
  MPI_Type_contiguous(sizeof(Moments), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(merge_moments, 0, &operation);
  std::vector<Moments> all(values.size());
  Result<void> done =
      of_mpi(MPI_Reduce(values.data(), all.data(), static_cast<int>(values.size()), type, operation, 0, comm));
  MPI_Op_free(&operation);
  MPI_Type_free(&type);
  values = all;
  return done;
}

void append_row(std::string& rows, const rivulet_snapshot& snapshot, const std::string& name, const Moments& value)
{
  const auto number = [&](auto what)
  {
    append_number(rows, what);
    rows += ',';
  };
  const bool any = value.count > 0;
  number(snapshot.step);
  number(snapshot.time);
  rows += name + ",";
  number(value.count);
  number(value.not_finite);
  number(any ? value.mean : std::nan(""));
  number(any ? value.least : std::nan(""));
  number(any ? value.most : std::nan(""));
  append_number(rows, any ? value.standard_deviation() : std::nan(""));
  rows += '\n';
}

Result<std::unique_ptr<Analytics>> Statistics::create(const Host& host)
{
  std::unique_ptr<Statistics> made(new Statistics(host));
  OptionReader read(host);
  made->set_ = read.text("set", "");
  made->of_ = read.names("of");
  made->parallel_ = read.flag("parallel", true);
  made->global_ = read.flag("global", false);
  if (made->of_.empty())
  {
    made->of_ = { "x", "y", "z", "vx", "vy", "vz" };
  }
  made->table_.emplace(host, made->global_ ? FilesOf::AllRanks : FilesOf::EachRank, kHeader);
  Result<void> sound = read.finish();
  sound = sound && (host.first() || !made->global_) ? made->table_->check() : sound;
  if (!sound)
  {
    return forward_error(sound);
  }
  return made;
}

bool Statistics::wants(const std::string& name, const std::string& variable) const
{
  return (set_.empty() || name == set_) && std::find(of_.begin(), of_.end(), variable) != of_.end();
}

Result<std::vector<Moments>> Statistics::of_rank(const rivulet_snapshot& snapshot) const
{
  Result<const rivulet_particles*> set = choose_particles(snapshot, set_);
  if (!set)
  {
    return forward_error(set);
  }
  std::vector<Column> columns;
  for (const std::string& name : of_)
  {
    Result<Column> column = column_of(**set, { name });
    if (!column)
    {
      return forward_error(column);
    }
    columns.push_back(*column);
  }
  std::vector<Moments> values = parallel_ ? reduce_in_parallel(host_, columns) : reduce_alone(columns);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (values[i].not_finite > 0)
    {
      host_.warn(not_finite_note(values[i].not_finite, "values \"" + of_[i] + "\"", (*set)->name));
    }
  }
  return values;
}

Result<void> Statistics::write(const rivulet_snapshot& snapshot, const std::vector<Moments>& values)
{
  std::string rows;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    append_row(rows, snapshot, of_[i], values[i]);
  }
  return table_->append(snapshot, rows);
}

Result<void> Statistics::execute(const rivulet_snapshot& snapshot)
{
  Result<std::vector<Moments>> mine = of_rank(snapshot);
  if (!global_)
  {
    return mine ? write(snapshot, *mine) : forward_error(mine);
  }
  // A rank that has failed takes part, so that the others do not wait.
  std::vector<Moments> all = mine ? *mine : std::vector<Moments>(of_.size(), Moments::failed());
  const Result<void> done = reduce_over_ranks(host_.comm(), all);
  if (!mine || !done)
  {
    return tl::unexpected(mine ? done.error() : mine.error());
  }
  if (!host_.first())
  {
    return {};
  }
  return all.front().count >= 0 ? write(snapshot, all) : Result<void>(other_rank_failed(host_));
}

} // namespace

RIVULET_ANALYTICS(Statistics, 1)
