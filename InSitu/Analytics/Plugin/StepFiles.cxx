// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/StepFiles.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

namespace rivulet
{

namespace
{

/// Step at the end of a name without its ending, and where its digits begin; -1: it has none.
std::pair<std::int64_t, std::size_t> step_at_end(const std::string& stem)
{
  const std::size_t dash = stem.rfind('-');
  if (dash == std::string::npos)
  {
    return { -1, 0 };
  }
  const char* const to = stem.data() + stem.size();
  std::int64_t step = -1;
  const auto read = std::from_chars(stem.data() + dash + 1, to, step);
  return { read.ec == std::errc() && read.ptr == to ? step : -1, dash };
}

} // namespace

StepFiles::StepFiles(const Host& host, std::string ending, FilesOf ranks)
  : host_(host)
  , ending_(std::move(ending))
  , ranks_(ranks)
{
}

std::vector<StepFiles::Found> StepFiles::there() const
{
  std::vector<Found> found;
  std::error_code error;
  std::filesystem::directory_iterator entries(host_.folder(), error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
  {
    const std::string name = entries->path().filename().string();
    const std::string stem = name.ends_with(ending_) ? name.substr(0, name.size() - ending_.size()) : "";
    const auto [step, dash] = step_at_end(stem);
    const int rank = step < 0 ? -1 : rank_of_file(host_, stem.substr(0, dash), ranks_);
    if (rank >= 0 && is_care_of(host_, rank))
    {
      found.push_back({ entries->path().string(), step, rank });
    }
  }
  return found;
}

std::string StepFiles::path_of(std::int64_t step) const
{
  const std::string own = ranks_ == FilesOf::EachRank ? host_.name_of_rank() : host_.name();
  return host_.path_of(own + "-" + digits_of_step(step) + ending_);
}

Result<void> StepFiles::check() const
{
  if (host_.start() != Start::New)
  {
    return {};
  }
  const std::vector<Found> files = there();
  return files.empty() ? Result<void>() : fail_as_not_new(files.front().path);
}

bool StepFiles::is_left_out(std::int64_t step)
{
  if (host_.start() != Start::Continue)
  {
    return false;
  }
  if (!last_)
  {
    last_ = -1;
    for (const Found& file : there())
    {
      last_ = std::max(*last_, file.step);
    }
    if (step <= *last_)
    {
      host_.note("steps up to " + std::to_string(*last_) + " are there already, and are left out");
    }
  }
  return step <= *last_;
}

/// The new step's own file has just taken the place of the old one.
void StepFiles::remove_replaced(const rivulet_snapshot& snapshot)
{
  if (host_.start() != Start::Restart || std::exchange(begun_, true))
  {
    return;
  }
  std::int64_t removed = 0;
  for (const Found& file : there())
  {
    std::error_code error;
    const bool is_new = file.step == snapshot.step && file.rank == (ranks_ == FilesOf::EachRank ? host_.rank() : 0);
    if (file.step >= snapshot.first_step && !is_new)
    {
      removed += std::filesystem::remove(file.path, error) ? 1 : 0;
    }
  }
  if (removed > 0)
  {
    host_.note(std::to_string(removed) + " files of an earlier run, of step " + std::to_string(snapshot.first_step) +
               " and later ones, are removed");
  }
}

Result<void> StepFiles::write(
    const rivulet_snapshot& snapshot, const std::function<Result<void>(const std::string& path)>& write)
{
  if (is_left_out(snapshot.step))
  {
    return {};
  }
  Result<void> done = write(path_of(snapshot.step));
  if (done)
  {
    remove_replaced(snapshot);
  }
  return done;
}

} // namespace rivulet
