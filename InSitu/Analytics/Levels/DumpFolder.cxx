// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/DumpFolder.h"

#include "Amr/DumpNames.h"
#include "Io/Files/File.h"
#include "Io/Writes/PublishFile.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <utility>

namespace rivulet
{

namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 5; ///< of a step in the name of its folder, at least
constexpr const char* kAside = "-old";

const DumpNames& names()
{
  return built_in_names().front();
}

/// "visit_dump."
std::string beginning_of_names()
{
  return names().folder.substr(0, names().folder.find('*'));
}

std::string name_of(std::int64_t step)
{
  const std::string digits = std::to_string(step);
  return beginning_of_names() + std::string(digits.size() < kDigits ? kDigits - digits.size() : 0, '0') + digits;
}

/// The step of a dump's folder; -1: it is none, or has another name than name_of() gives.
std::int64_t step_of(const std::string& name)
{
  const std::string beginning = beginning_of_names();
  std::int64_t step = -1;
  if (name.starts_with(beginning))
  {
    std::from_chars(name.data() + beginning.size(), name.data() + name.size(), step);
  }
  return step >= 0 && name_of(step) == name ? step : -1;
}

std::vector<std::string> names_in(const std::string& folder)
{
  std::vector<std::string> found;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error))
  {
    found.push_back(entries->path().filename().string());
  }
  return found;
}

} // namespace

std::string DumpFolder::path_of(std::int64_t step) const
{
  return (fs::path(path_) / name_of(step)).string();
}

std::string DumpFolder::index() const
{
  return (fs::path(path_) / names().index).string();
}

std::vector<std::int64_t> DumpFolder::steps_in_folder() const
{
  std::vector<std::int64_t> steps;
  for (const std::string& name : names_in(path_))
  {
    if (const std::int64_t step = step_of(name); step >= 0)
    {
      steps.push_back(step);
    }
  }
  return steps;
}

/// Steps that are listed and there.
std::vector<std::int64_t> DumpFolder::steps_in_index() const
{
  std::vector<std::int64_t> steps;
  std::ifstream file(index());
  std::string line;
  while (std::getline(file, line))
  {
    const std::int64_t step = step_of(line.substr(0, line.find('/')));
    std::error_code none;
    if (step >= 0 && fs::exists(fs::path(path_of(step)) / names().summary, none) &&
        std::find(steps.begin(), steps.end(), step) == steps.end())
    {
      steps.push_back(step);
    }
  }
  return steps;
}

bool DumpFolder::holds_dumps() const
{
  std::error_code none;
  return fs::exists(index(), none) || !steps_in_folder().empty();
}

Result<void> DumpFolder::check() const
{
  return host_.start() == Start::New && holds_dumps() ? Result<void>(fail_as_not_new(path_)) : Result<void>();
}

/// Hidden folders of processes that are gone, and old dumps that were put aside.
void DumpFolder::remove_half_written() const
{
  std::set<std::string> targets;
  for (const std::string& name : names_in(path_))
  {
    const std::size_t end = name.find(".tmp-");
    if (end == std::string::npos || !name.starts_with("." + beginning_of_names()))
    {
      continue;
    }
    if (name.ends_with(kAside))
    {
      std::error_code none;
      fs::remove_all(fs::path(path_) / name, none);
      continue;
    }
    targets.insert((fs::path(path_) / name.substr(1, end - 1)).string());
  }
  for (const std::string& target : targets)
  {
    (void)remove_abandoned_places(target);
  }
}

Result<bool> DumpFolder::begin(const rivulet_snapshot& snapshot)
{
  if (!begun_)
  {
    if (::mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST)
    {
      return fail(ErrorCode::CannotWrite, "the folder of the dumps cannot be made",
          "check the path and its permissions", path_, -1, errno);
    }
    remove_half_written();
    steps_ = steps_in_index();
    last_ = host_.start() == Start::Continue && !steps_.empty() ? *std::max_element(steps_.begin(), steps_.end()) : -1;
    begun_ = true;
  }
  if (snapshot.step > last_)
  {
    return true;
  }
  if (!std::exchange(told_, true))
  {
    host_.note("steps up to " + std::to_string(last_) + " are there already, and are left out");
  }
  return false;
}

Result<std::string> DumpFolder::make_place(std::int64_t step)
{
  Result<TemporaryPlace> made = TemporaryPlace::folder(path_of(step), Abandoned::Leave);
  if (!made)
  {
    return forward_error(made);
  }
  place_ = std::move(*made);
  return place_->path();
}

/// The hidden folder gets the permissions of the folder around it, and its name.
Result<void> DumpFolder::take_place(std::int64_t step)
{
  struct stat around = {};
  if (::stat(path_.c_str(), &around) != 0 || ::chmod(place_->path().c_str(), around.st_mode & 0777U) != 0)
  {
    return fail(ErrorCode::CannotWrite, "the dump cannot get the permissions of the folder around it",
        "check the permissions of the folder", path_, -1, errno);
  }
  Result<void> done = sync_ ? sync_folder_of((fs::path(place_->path()) / names().summary).string()) : Result<void>();
  done = done ? exchange_names(place_->path(), path_of(step), place_->path() + kAside) : done;
  return done && sync_ ? sync_folder_of(path_of(step)) : done;
}

Result<void> DumpFolder::write_index() const
{
  std::string text;
  for (const std::int64_t step : steps_)
  {
    text += name_of(step) + "/" + names().summary + "\n";
  }
  Result<TemporaryPlace> hidden = TemporaryPlace::file(index());
  Result<File> file = hidden ? File::open(hidden->path(), File::Mode::ReadWrite) : Result<File>(forward_error(hidden));
  Result<void> done =
      file ? file->append(text.data(), static_cast<std::int64_t>(text.size())) : Result<void>(forward_error(file));
  done = done && sync_ ? file->sync() : done;
  done = done ? file->close() : done;
  done = done ? publish_file(hidden->path(), index(), OnExisting::Replace) : done;
  if (done)
  {
    hidden->forget();
  }
  return done ? done : tl::unexpected(std::move(done.error()).at_path(index()));
}

/// Folders of later steps, which the index does not list any more.
void DumpFolder::remove_replaced(const rivulet_snapshot& snapshot) const
{
  std::int64_t removed = 0;
  for (const std::int64_t step : steps_in_folder())
  {
    if (step >= snapshot.first_step && step != snapshot.step)
    {
      std::error_code error;
      fs::remove(fs::path(path_of(step)) / names().summary, error); // without it the rest is no dump
      fs::remove_all(path_of(step), error);
      removed += error ? 0 : 1;
    }
  }
  if (removed > 0)
  {
    host_.note(std::to_string(removed) + " dumps of an earlier run, of step " + std::to_string(snapshot.first_step) +
               " and later ones, are removed");
  }
}

Result<void> DumpFolder::publish(const rivulet_snapshot& snapshot)
{
  if (Result<void> taken = take_place(snapshot.step); !taken)
  {
    return taken;
  }
  place_.reset(); // removes an older dump of the step, which has that name now
  const bool cuts = host_.start() == Start::Restart && !published_;
  std::erase_if(
      steps_, [&](std::int64_t step) { return step == snapshot.step || (cuts && step >= snapshot.first_step); });
  steps_.push_back(snapshot.step);
  Result<void> done = write_index();
  if (done && cuts)
  {
    remove_replaced(snapshot);
  }
  published_ = published_ || done;
  return done;
}

} // namespace rivulet
