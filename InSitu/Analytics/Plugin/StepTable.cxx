// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/StepTable.h"

#include "Plugin/OutputFile.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

namespace rivulet
{

namespace
{

constexpr const char* kEnding = ".csv";

/// The step at the begin of a row; -1: it is none, as of a row that was torn.
std::int64_t step_of(const std::string& row)
{
  std::int64_t step = -1;
  const auto read = std::from_chars(row.data(), row.data() + row.size(), step);
  return read.ec == std::errc() && read.ptr != row.data() + row.size() && *read.ptr == ',' ? step : -1;
}

} // namespace

StepTable::StepTable(const Host& host, FilesOf ranks, std::string header)
  : host_(host)
  , ranks_(ranks)
  , path_(host.path_of((ranks == FilesOf::EachRank ? host.name_of_rank() : host.name()) + kEnding))
  , header_(std::move(header))
{
}

Result<void> StepTable::check() const
{
  std::string first;
  if (!std::getline(std::ifstream(path_), first))
  {
    return {};
  }
  if (host_.start() == Start::New)
  {
    return fail_as_not_new(path_);
  }
  return first + "\n" == header_
             ? Result<void>()
             : fail(ErrorCode::BadArgument, "the file begins with other columns", "move it away", path_);
}

/// Tables of earlier runs that this rank takes care of.
std::vector<std::string> StepTable::there() const
{
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::directory_iterator entries(host_.folder(), error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
  {
    const std::filesystem::path& path = entries->path();
    const int rank = path.extension() == kEnding ? rank_of_file(host_, path.stem().string(), ranks_) : -1;
    if (rank >= 0 && is_care_of(host_, rank))
    {
      paths.push_back(path.string());
    }
  }
  return paths;
}

Result<void> StepTable::begin(const rivulet_snapshot& snapshot)
{
  Result<void> done = check();
  const std::vector<std::string> paths = done ? there() : std::vector<std::string>();
  for (auto path = paths.begin(); done && path != paths.end(); ++path)
  {
    done = look_at_rows(*path, snapshot);
  }
  return done;
}

/// Looks at the rows of an earlier run, and removes rows that are to be replaced.
Result<void> StepTable::look_at_rows(const std::string& path, const rivulet_snapshot& snapshot)
{
  std::ifstream file(path);
  std::string kept;
  std::string row;
  std::getline(file, row);
  std::int64_t replaced = 0;
  while (std::getline(file, row))
  {
    const std::int64_t step = step_of(row);
    const bool stays = host_.start() == Start::Continue || (step >= 0 && step < snapshot.first_step);
    kept += stays ? row + '\n' : "";
    replaced += stays ? 0 : 1;
    last_ = host_.start() == Start::Continue ? std::max(last_, step) : last_;
  }
  if (replaced > 0)
  {
    host_.note(std::to_string(replaced) + " rows of an earlier run, of step " + std::to_string(snapshot.first_step) +
               " and later ones, are replaced");
    return write_whole_file(path, header_ + kept);
  }
  if (snapshot.step <= last_)
  {
    host_.note("steps up to " + std::to_string(last_) + " are there already, and are left out");
  }
  return {};
}

Result<void> StepTable::add(std::string_view rows)
{
  std::error_code none;
  const std::uintmax_t bytes = std::filesystem::file_size(path_, none);
  errno = 0;
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  file << (none || bytes == 0 ? header_ : torn_ ? "\n" : "") << rows;
  file.close();
  torn_ = !file;
  return file ? Result<void>()
              : fail(ErrorCode::CannotWrite, "rows cannot be appended", "check room and permissions", path_, -1, errno);
}

Result<void> StepTable::append(const rivulet_snapshot& snapshot, std::string_view rows)
{
  if (!begun_)
  {
    if (Result<void> begun = begin(snapshot); !begun)
    {
      return begun;
    }
    begun_ = true;
  }
  return snapshot.step <= last_ ? Result<void>() : add(rows);
}

} // namespace rivulet
