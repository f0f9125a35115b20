// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/FieldSeries.h"

#include "Io/Series/StoreFolder.h"

#include <algorithm>
#include <filesystem>

namespace rivulet
{

namespace
{

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

/// Orders the steps of all files by time.
Result<void> join_steps(FieldSeries& series)
{
  series.info = series.files.front().info;
  for (std::size_t file = 0; file < series.files.size(); ++file)
  {
    const FieldInfo& info = series.files[file].info;
    for (std::size_t step = 0; step < info.times.size(); ++step)
    {
      series.steps.push_back({ info.times[step], static_cast<std::int32_t>(file), static_cast<std::int32_t>(step) });
    }
    for (std::size_t i = 0; i < series.info.ranges.size() && i < info.ranges.size(); ++i)
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
      return fail(ErrorCode::BadArgument, "two files hold the time " + std::to_string(step.time),
          "name each step of a series once", series.file_of(step).path);
    }
    series.info.times.push_back(step.time);
  }
  return {};
}

/// Checks that the last file is the next step of its store.
Result<void> check_step_of_store(const FieldSeries& series)
{
  const std::size_t number = series.files.size() - 1;
  const FieldFile& file = series.files.back();
  const auto defect = [&](const std::string& what)
  {
    return fail(ErrorCode::Corrupt, what, "put the step back, or convert the store again", file.path);
  };
  if (file.uuid != step_uuid(series.store_uuid, static_cast<std::int64_t>(number)))
  {
    return defect("the file is not step " + std::to_string(number) + " of this store");
  }
  if (file.info.times.size() != 1)
  {
    return defect("the file holds " + std::to_string(file.info.times.size()) + " steps, not one");
  }
  if (number > 0 && !(file.info.times.front() > series.files[number - 1].info.times.front()))
  {
    return defect("the time of step " + std::to_string(number) + " is not after that of the step before");
  }
  return {};
}

Result<FieldSeries> open_files(
    const std::string& path, const std::string& store_uuid, const std::vector<std::string>& paths)
{
  FieldSeries series;
  series.path = path;
  series.store_uuid = store_uuid;
  for (const std::string& file : paths)
  {
    Result<void> added = add_file(series, file);
    added = added && series.is_store() ? check_step_of_store(series) : added;
    if (!added)
    {
      return forward_error(added);
    }
  }
  if (Result<void> joined = join_steps(series); !joined)
  {
    return forward_error(joined);
  }
  return series;
}

Result<FieldSeries> open_store(const std::string& path)
{
  const Result<StoreFolder> folder = StoreFolder::open(path);
  if (!folder)
  {
    return tl::unexpected(folder.error());
  }
  if (folder->steps.empty())
  {
    return fail(
        ErrorCode::Unfinished, "no step of the store has been written yet", "open it again later", folder->path);
  }
  return open_files(folder->path, folder->uuid, folder->steps);
}

} // namespace

std::string difference(const FieldFile& first, const FieldFile& other)
{
  if (first.info.grid != other.info.grid)
  {
    return "its grid is not that of " + first.path;
  }
  if (!std::equal(first.info.variables.begin(), first.info.variables.end(), other.info.variables.begin(),
          other.info.variables.end(), same_variable))
  {
    return "its variables are not those of " + first.path;
  }
  if (!std::equal(first.layouts.begin(), first.layouts.end(), other.layouts.begin(), other.layouts.end(), same_bricks))
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
    if (std::filesystem::is_directory(paths.front(), none))
    {
      return fail(ErrorCode::NotThisFormat, "this is a folder, and no store: it has no store.json",
          "give the path of a file, or of a folder that `rivulet convert` or a writer of stores made", paths.front());
    }
    return open_files(paths.front(), {}, paths);
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
