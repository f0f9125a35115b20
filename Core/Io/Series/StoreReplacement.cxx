// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/StoreReplacement.h"

#include "Io/Files/File.h"
#include "Io/Series/StepIndex.h"
#include "Io/Series/StoreFolder.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>

namespace rivulet
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* kNew = ".tmp-";
constexpr const char* kOld = ".old-";

/// The name that the old store has for a moment where names cannot be exchanged.
std::string aside_of(const std::string& hidden)
{
  const std::size_t mark = hidden.rfind(kNew);
  return hidden.substr(0, mark) + kOld + hidden.substr(mark + std::string(kNew).size());
}

std::vector<fs::path> entries_of(const fs::path& folder)
{
  std::vector<fs::path> paths;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error))
  {
    paths.push_back(entries->path());
  }
  return paths;
}

/// Removes a store that has lost its name. Files that are none of the store's move to the one that has the name now; it
/// stays, with them, where they cannot.
bool discard(const std::string& store, const std::string& folder)
{
  std::error_code error;
  for (const fs::path& path : entries_of(store))
  {
    const fs::path to = fs::path(folder) / path.filename();
    if (is_of_store(path.filename().string()))
    {
      continue;
    }
    if (fs::exists(fs::symlink_status(to, error)) || ::rename(path.c_str(), to.c_str()) != 0)
    {
      return false;
    }
  }
  return remove_place(store);
}

/// Whether no process writes this store. The lock is of its description, which a writer holds (StoreWriter.h).
bool is_free(const std::string& store)
{
  const Result<File> description = File::open(store_description(store), File::Mode::Read);
  return description && ::flock(description->descriptor(), LOCK_EX | LOCK_NB) == 0;
}

} // namespace

bool is_of_store(const std::string& name)
{
  const std::string description = fs::path(store_description("")).filename().string();
  const std::string index = fs::path(step_index("")).filename().string();
  const auto begins = [&](const std::string& with)
  {
    return name.rfind(with, 0) == 0;
  };
  return name == description || name == description + ".removed" || name == index || name == "hints" ||
         begins("." + description + kNew) || begins(".step-") || is_step_name(name);
}

void clean_up_beside(const std::string& folder)
{
  const fs::path target(folder);
  const std::string beginning = "." + target.filename().string().substr(0, TemporaryPlace::kMostOfName) + kOld;
  const fs::path parent = target.has_parent_path() ? target.parent_path() : ".";
  for (const fs::path& path : entries_of(parent))
  {
    std::error_code none;
    if (path.filename().string().rfind(beginning, 0) != 0 || !is_free(path.string()))
    {
      continue;
    }
    if (fs::exists(fs::symlink_status(target, none)))
    {
      (void)discard(path.string(), folder);
    }
    else
    {
      fs::rename(path, target, none);
    }
  }
  remove_abandoned_places(folder, [&](const std::string& place) { return discard(place, folder); });
}

Result<StoreReplacement> StoreReplacement::beside(const std::string& folder)
{
  Result<TemporaryPlace> hidden = TemporaryPlace::folder(folder, Abandoned::Leave);
  if (!hidden)
  {
    hidden.error().what = "no store can be made beside the one that is to be replaced";
    return forward_error(hidden);
  }
  return StoreReplacement(folder, std::move(*hidden));
}

Result<void> StoreReplacement::take_place(bool sync, ExchangeWay way)
{
  struct stat old = {};
  if (::stat(folder_.c_str(), &old) != 0 || ::chmod(path().c_str(), old.st_mode & 07777U) != 0)
  {
    return fail(ErrorCode::CannotWrite, "the new store cannot get the permissions of the old one",
        "check the permissions of the folder", folder_, -1, errno);
  }
  const std::string aside = aside_of(path());
  if (Result<void> done = exchange_names(path(), folder_, aside, way); !done)
  {
    return done;
  }
  Result<void> durable = sync ? sync_folder_of(folder_) : Result<void>{};
  if (durable)
  {
    (void)discard(path(), folder_);
  }
  hidden_.forget(); // the next writer removes the remains
  return durable;
}

} // namespace rivulet
