// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/FieldSeries.h"

#include "Base/Times.h"
#include "Io/Series/StepIndex.h"
#include "Io/Series/StepTimes.h"
#include "Io/Series/StoreFolder.h"

#include <algorithm>
#include <filesystem>

namespace rivulet
{

namespace
{

constexpr const char* kPutBack = "put the step back, or convert the store again";

bool same_variable(const Variable& a, const Variable& b)
{
  return a.name == b.name && a.type == b.type && a.components == b.components && a.centering == b.centering;
}

bool same_bricks(const BrickLayout& a, const BrickLayout& b)
{
  return a.cells == b.cells && a.nodes == b.nodes && a.grid.count == b.grid.count && a.stride == b.stride &&
         a.encoding == b.encoding;
}

std::array<double, 2> join(const std::array<double, 2>& a, const std::array<double, 2>& b)
{
  return { std::min(a[0], b[0]), std::max(a[1], b[1]) };
}

/// Extends `all` by another file's range; empty if either is unknown.
void join(ValueRanges& all, const ValueRanges& other)
{
  if (all.components.size() != other.components.size())
  {
    all.components.clear();
    return;
  }
  for (std::size_t i = 0; i < all.components.size(); ++i)
  {
    all.components[i] = join(all.components[i], other.components[i]);
  }
  all.magnitude = join(all.magnitude, other.magnitude);
}

/// Number of the variables but the places of nodes.
std::ptrdiff_t values_of(const FieldInfo& info)
{
  return static_cast<std::ptrdiff_t>(info.variables.size()) - (info.points >= 0 ? 1 : 0);
}

Result<void> add_file(FieldSeries& series, const std::string& path)
{
  Result<FieldFile> file = FieldFile::open(path);
  if (!file)
  {
    return forward_error(file);
  }
  series.files.push_back(std::move(*file));
  const std::string defect = difference(series.files.front(), series.files.back());
  if (!defect.empty())
  {
    return fail(
        ErrorCode::BadArgument, "the file is not a step of the same series: " + defect, "open it on its own", path);
  }
  return {};
}

/// Identities of the files, also of lost ones.
using Identities = std::vector<std::string>;

/// The file with the places of the nodes of a step: its own, or an earlier one.
Result<std::int32_t> file_with_points(
    const FieldSeries& series, const FieldSeries::Step& step, const Identities& identities)
{
  const FieldFile& file = series.file_of(step);
  if (series.is_bad(step.file))
  {
    return series.points.empty() ? 0 : series.points.back().file;
  }
  if (file.info.points >= 0)
  {
    return step.file;
  }
  const auto end = identities.begin() + step.file; // only a file before has the places of its nodes
  const auto holder = std::find(identities.begin(), end, file.points_in);
  const auto number = static_cast<std::int32_t>(holder - identities.begin());
  const bool has =
      holder != end && (series.is_bad(number) || series.files[static_cast<std::size_t>(number)].info.points >= 0);
  return has ? Result<std::int32_t>(number)
             : fail(ErrorCode::NotFound, "the places of the nodes of its grid are in another file, which is not there",
                   "open the store that has this step, as a folder", file.path);
}

/// Finds the places of the nodes at each step.
Result<void> find_points(FieldSeries& series, const Identities& identities)
{
  series.info.points_steps.clear();
  for (std::size_t number = 0; series.info.points >= 0 && number < series.steps.size(); ++number)
  {
    const FieldSeries::Step& step = series.steps[number];
    const Result<std::int32_t> file = file_with_points(series, step, identities);
    if (!file)
    {
      return tl::unexpected(file.error());
    }
    const FieldInfo& info = series.files[static_cast<std::size_t>(*file)].info;
    const std::int32_t in_file = *file == step.file ? info.stored_step(info.points, step.step) : 0;
    const bool stays = number > 0 && series.points.back().file == *file && series.points.back().step == in_file;
    series.info.points_steps.push_back(stays ? series.info.points_steps.back() : static_cast<std::int32_t>(number));
    series.points.push_back({ step.time, *file, in_file });
  }
  return {};
}

/// Orders the steps of all files by time.
Result<void> join_steps(FieldSeries& series, const Identities& identities)
{
  series.info = series.files.front().info;
  for (std::size_t file = 0; file < series.files.size(); ++file)
  {
    const FieldInfo& info = series.files[file].info;
    for (std::size_t step = 0; step < info.times.size(); ++step)
    {
      series.steps.push_back({ info.times[step], static_cast<std::int32_t>(file), static_cast<std::int32_t>(step) });
    }
    for (std::size_t i = 0; i < info.variables.size(); ++i)
    {
      WholeType& whole = series.info.variables[i].whole;
      whole = whole == info.variables[i].whole ? whole : WholeType::None; // neither type holds all values
    }
    for (std::size_t i = 0; !series.is_bad(static_cast<std::int32_t>(file)) && i < info.ranges.size(); ++i)
    {
      join(series.info.ranges[i], info.ranges[i]);
    }
  }
  const auto earlier = [](const FieldSeries::Step& a, const FieldSeries::Step& b)
  {
    return a.time < b.time;
  };
  std::stable_sort(series.steps.begin(), series.steps.end(), earlier);
  series.info.times.clear();
  for (const FieldSeries::Step& step : series.steps)
  {
    if (!series.info.times.empty() && step.time <= series.info.times.back())
    {
      return fail(ErrorCode::BadArgument, "two files hold the time " + format_time(step.time),
          "name each step of a series once", series.file_of(step).path);
    }
    series.info.times.push_back(step.time);
  }
  return find_points(series, identities);
}

Result<FieldSeries> open_files(const std::vector<std::string>& paths)
{
  FieldSeries series;
  series.path = paths.front();
  for (const std::string& file : paths)
  {
    if (Result<void> added = add_file(series, file); !added)
    {
      return forward_error(added);
    }
  }
  if (const FieldFile& first = series.files.front(); !first.points_in.empty())
  {
    return fail(ErrorCode::BadArgument, "the places of the nodes of its grid are in another step of its store",
        "open the store, as a folder", first.path);
  }
  Identities identities;
  for (const FieldFile& file : series.files)
  {
    identities.push_back(file.uuid);
  }
  if (Result<void> joined = join_steps(series, identities); !joined)
  {
    return forward_error(joined);
  }
  return series;
}

/// The steps of a store, as they are opened one after the other.
class StepsOfStore
{
public:
  explicit StepsOfStore(StoreFolder folder)
    : folder_(std::move(folder))
    , index_(read_step_index(folder_.path, folder_.identity, folder_.steps.size()))
    , times_(folder_.steps.size())
  {
    series_.path = folder_.path;
    series_.store_uuid = folder_.identity.current();
  }

  Result<FieldSeries> open()
  {
    for (std::size_t number = 0; number < folder_.steps.size(); ++number)
    {
      Result<FieldFile> file = open_sound(number);
      if (file)
      {
        const bool whole = file->points_in.empty(); // the places of nodes are in it, or it needs none
        first_ = !first_ || (whole && !series_.files[*first_].points_in.empty()) ? number : first_;
        before_ = number;
        times_[number] = file->info.times.front();
        series_.files.push_back(std::move(*file));
      }
      else
      {
        series_.defects.emplace(static_cast<std::int32_t>(number), std::move(file.error()));
        series_.files.emplace_back();
      }
    }
    if (!first_ || !series_.files[*first_].points_in.empty()) // the places of nodes are lost
    {
      return tl::unexpected(series_.defects.begin()->second);
    }
    fill_in();
    Identities identities;
    for (std::size_t number = 0; number < series_.files.size(); ++number)
    {
      identities.push_back(folder_.identity.of_step(static_cast<std::int64_t>(number)));
    }
    Result<void> joined = join_steps(series_, identities);
    return joined ? Result<FieldSeries>(std::move(series_)) : forward_error(joined);
  }

private:
  [[nodiscard]] Result<FieldFile> open_sound(std::size_t number) const
  {
    const auto step = static_cast<std::int64_t>(number);
    if (std::binary_search(folder_.missing.begin(), folder_.missing.end(), step))
    {
      return tl::unexpected(folder_.gap_at(step));
    }
    Result<FieldFile> file = open_step(folder_.steps[number], folder_.identity, step);
    if (!file)
    {
      return file;
    }
    if (index_[number] && *index_[number] != entry_of(*file))
    {
      return tl::unexpected(error_of_other_step(*file, step));
    }
    const std::string defect = defect_of_step(*file, number);
    return defect.empty() ? std::move(file) : fail(ErrorCode::Corrupt, defect, kPutBack, file->path);
  }

  /// Reason why the file does not belong among the others; empty if it does.
  [[nodiscard]] std::string defect_of_step(const FieldFile& file, std::size_t number) const
  {
    if (first_ && !(file.info.times.front() > *times_[before_]))
    {
      return "the time of step " + std::to_string(number) + " is not after that of the step before";
    }
    if (number == 0 && !file.points_in.empty())
    {
      return "the first step has no places of the nodes of its grid";
    }
    return first_ ? difference(series_.files[*first_], file) : std::string();
  }

  /// Gives bad steps their times, and the properties common to all steps.
  void fill_in()
  {
    const FieldFile pattern = series_.files[*first_];
    const std::vector<double> times = times_of_all();
    for (const auto& [number, error] : series_.defects)
    {
      const auto file = static_cast<std::size_t>(number);
      FieldFile& bad = series_.files[file];
      bad = pattern;
      bad.path = folder_.steps[file];
      bad.uuid.clear();
      bad.file_bytes = 0;
      bad.info.times = { times[file] };
      bad.hidden = { std::vector<std::int64_t>{ -1 }, std::vector<std::int64_t>{ -1 } };
    }
  }

  /// Times of bad steps are the index's if all known times increase then; else times_between().
  [[nodiscard]] std::vector<double> times_of_all() const
  {
    std::vector<std::optional<double>> known = times_;
    for (std::size_t number = 0; number < known.size(); ++number)
    {
      known[number] = known[number] || !index_[number] ? known[number] : std::optional(index_[number]->time);
    }
    const bool increase = times_increase(known);
    return times_between(increase ? known : times_);
  }

  StoreFolder folder_;
  std::vector<std::optional<StepEntry>> index_;
  std::vector<std::optional<double>> times_; ///< of sound steps
  std::optional<std::size_t> first_;         ///< the first sound step
  std::size_t before_ = 0;                   ///< the sound step before
  FieldSeries series_;
};

Result<FieldSeries> open_store(const std::string& path)
{
  Result<StoreFolder> folder = StoreFolder::open(path);
  if (!folder)
  {
    return forward_error(folder);
  }
  if (folder->steps.empty())
  {
    return fail(
        ErrorCode::Unfinished, "no step of the store has been written yet", "open it again later", folder->path);
  }
  return StepsOfStore(std::move(*folder)).open();
}

} // namespace

Result<FieldFile> open_step(const std::string& path, const StoreIdentity& identity, std::int64_t number)
{
  Result<FieldFile> file = FieldFile::open(path);
  if (!file && file.error().code == ErrorCode::NotThisFormat)
  {
    file.error().code = ErrorCode::Corrupt; // under this name it was one
    file.error().remedy = kPutBack;
  }
  if (file && file->uuid != identity.of_step(number))
  {
    return fail(
        ErrorCode::Corrupt, "the file is not step " + std::to_string(number) + " of this store", kPutBack, path);
  }
  if (file && file->info.times.size() != 1)
  {
    return fail(ErrorCode::Corrupt, "the file holds " + std::to_string(file->info.times.size()) + " steps, not one",
        kPutBack, path);
  }
  return file;
}

Error error_of_other_step(const FieldFile& file, std::int64_t number)
{
  return { ErrorCode::Corrupt,
    "the file is not the step " + std::to_string(number) + " that was written to this store: its values are others",
    "put the step back; or remove " + step_index(".").substr(2) + " from the store if this is the right one",
    file.path };
}

std::string difference(const FieldFile& first, const FieldFile& other)
{
  if (first.info.grid != other.info.grid)
  {
    return "its grid is not that of " + first.path;
  }
  // A step may have no places of nodes of its own.
  const std::ptrdiff_t values = values_of(first.info);
  const bool both = first.info.points >= 0 && other.info.points >= 0;
  if (values != values_of(other.info) ||
      !std::equal(first.info.variables.begin(), first.info.variables.begin() + values, other.info.variables.begin(),
          same_variable) ||
      (both && !same_variable(first.info.variables.back(), other.info.variables.back())))
  {
    return "its variables are not those of " + first.path;
  }
  if (!std::equal(first.layouts.begin(), first.layouts.begin() + values, other.layouts.begin(), same_bricks) ||
      (both && !same_bricks(first.layouts.back(), other.layouts.back())))
  {
    return "its bricks are not cut like those of " + first.path;
  }
  return {};
}

Result<FieldSeries> FieldSeries::open(const std::vector<std::string>& paths)
{
  if (paths.empty())
  {
    return fail(ErrorCode::BadArgument, "no file was named", "name a field file");
  }
  const auto store = std::find_if(paths.begin(), paths.end(), StoreFolder::can_read);
  if (store == paths.end())
  {
    std::error_code none;
    if (std::filesystem::is_directory(paths.front(), none) &&
        std::filesystem::exists(std::filesystem::symlink_status(store_description(paths.front()), none)))
    {
      return open_store(paths.front()); // says why it cannot
    }
    if (std::filesystem::is_directory(paths.front(), none))
    {
      return fail(ErrorCode::NotThisFormat, "this is a folder, and no store: it has no store.json",
          "give the path of a file, or of a folder that `rivulet convert` or a writer of stores made", paths.front());
    }
    return open_files(paths);
  }
  if (paths.size() > 1)
  {
    return fail(ErrorCode::BadArgument, "a store is not a step of a series", "open it on its own", *store);
  }
  return open_store(*store);
}

bool FieldSeries::can_read(const std::string& path)
{
  return StoreFolder::can_read(path) || FieldFile::can_read(path);
}

std::int64_t FieldSeries::file_bytes() const
{
  std::int64_t bytes = 0;
  for (const FieldFile& file : files)
  {
    bytes += file.file_bytes;
  }
  return bytes;
}

} // namespace rivulet
