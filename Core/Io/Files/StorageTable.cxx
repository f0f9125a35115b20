// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/StorageTable.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fnmatch.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

constexpr const char* kHelp = "see \"Threads\" in Documentation/samrai.md";
constexpr int kMostReaders = 1 << 20;

bool fits(const std::string& pattern, const std::string& text)
{
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// The defect of one value of an entry; empty if there is none.
std::optional<std::string> wrong_value(const std::string& key, const nlohmann::json& value)
{
  const bool text = key == "host" || key == "mount" || key == "type";
  if (!text && key != "readers" && key != "others")
  {
    return "has an unknown key \"" + key + "\"";
  }
  if (text ? !value.is_string() : !value.is_number_integer())
  {
    return "has a \"" + key + "\" that is not " + (text ? "text" : "an integer");
  }
  if (!text && (value < (key == "readers" ? 1 : 0) || value > kMostReaders))
  {
    return "has a number of \"" + key + "\" that cannot be";
  }
  return std::nullopt;
}

/// The defect of an entry; empty if there is none.
std::optional<std::string> parse(const nlohmann::json& json, StorageEntry& entry)
{
  if (!json.is_object() || !json.contains("readers"))
  {
    return "is not an object with \"readers\"";
  }
  for (const auto& [key, value] : json.items())
  {
    if (std::optional<std::string> wrong = wrong_value(key, value))
    {
      return wrong;
    }
  }
  entry.host = json.value("host", entry.host);
  entry.mount = json.value("mount", entry.mount);
  entry.type = json.value("type", entry.type);
  entry.readers = json.value("readers", entry.readers);
  entry.others = json.value("others", entry.others);
  return std::nullopt;
}

std::string in_home(const char* variable, const char* folder)
{
  const char* set = std::getenv(variable);
  const char* home = std::getenv("HOME");
  return set != nullptr && set[0] == '/' ? std::string(set)
         : home != nullptr               ? std::string(home) + folder
                                         : std::string();
}

/// Sets mount point and type from the line of /proc/self/mountinfo for a device: "36 35 98:0 /mnt1 /mnt2 rw - ext3
/// /dev/root rw". Names have no blanks: the kernel writes \\040 for them.
void find_mount(const std::string& device, StoragePlace& place)
{
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);)
  {
    std::istringstream words(line);
    std::string id;
    std::string parent;
    std::string number;
    std::string root;
    std::string point;
    words >> id >> parent >> number >> root >> point;
    const std::size_t dash = line.find(" - ");
    if (number == device && dash != std::string::npos)
    {
      place.mount = point;
      std::istringstream(line.substr(dash + 3)) >> place.type;
      return;
    }
  }
}

} // namespace

StoragePlace storage_place_of(const std::string& path)
{
  StoragePlace place;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0)
  {
    place.host = host.data();
  }
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0)
  {
    find_mount(std::to_string(major(status.st_dev)) + ":" + std::to_string(minor(status.st_dev)), place);
  }
  return place;
}

Result<std::vector<StorageEntry>> read_storage_table(const std::string& path)
{
  std::ifstream file(path);
  if (!file)
  {
    return fail(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::CannotRead, "the table of storage cannot be opened",
        "check the path", path, -1, errno);
  }
  const nlohmann::json entries = nlohmann::json::parse(file, nullptr, false);
  if (!entries.is_array())
  {
    return fail(ErrorCode::BadArgument, "the table of storage is not a JSON list", kHelp, path);
  }
  std::vector<StorageEntry> table;
  for (std::size_t i = 0; i < entries.size(); ++i)
  {
    if (const std::optional<std::string> wrong = parse(entries[i], table.emplace_back()))
    {
      return fail(ErrorCode::BadArgument, "entry " + std::to_string(i) + " " + *wrong, kHelp, path);
    }
  }
  return table;
}

Result<std::vector<StorageEntry>> read_site_table()
{
  if (const char* named = std::getenv("RIVULET_STORAGE_TABLE"))
  {
    return read_storage_table(named);
  }
  for (const std::string& path :
      { in_home("XDG_CONFIG_HOME", "/.config") + "/rivulet/storage.json", std::string("/etc/rivulet/storage.json") })
  {
    Result<std::vector<StorageEntry>> table = read_storage_table(path);
    if (table || table.error().code != ErrorCode::NotFound)
    {
      return table;
    }
  }
  return std::vector<StorageEntry>{};
}

std::optional<StorageEntry> entry_for(std::span<const StorageEntry> table, const StoragePlace& place)
{
  for (const StorageEntry& entry : table)
  {
    if (fits(entry.host, place.host) && fits(entry.mount, place.mount) && fits(entry.type, place.type))
    {
      return entry;
    }
  }
  return std::nullopt;
}

} // namespace rivulet
