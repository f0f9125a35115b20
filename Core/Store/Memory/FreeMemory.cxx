// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/FreeMemory.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace rivulet
{

namespace
{

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// Files of one version of the cgroup interface.
struct CgroupFiles
{
  const char* limit;
  const char* usage;
  const char* cache_prefix; ///< start of the names of the two page-cache lines of memory.stat
};
constexpr CgroupFiles kVersion1{ "memory.limit_in_bytes", "memory.usage_in_bytes", "total_" };
constexpr CgroupFiles kVersion2{ "memory.max", "memory.current", "" };

struct Cgroup
{
  std::string mount; ///< folder of the topmost visible group
  std::string group; ///< folder of this process's group, at or below `mount`
};

std::optional<std::int64_t> number_in(const std::string& file)
{
  std::ifstream in(file);
  std::int64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

/// The number after `name` in a file of "name value" lines; 0 if it is missing.
std::int64_t named_number(const std::string& file, const std::string& name)
{
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
  {
    std::istringstream words(line);
    std::string word;
    std::int64_t value = 0;
    if (words >> word >> value && word == name)
    {
      return value;
    }
  }
  return 0;
}

/// The path in /proc/self/cgroup of the version-2 group (controller "") or of a version-1 controller.
std::optional<std::string> group_path(const std::string& root, const std::string& controller)
{
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);)
  {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
    {
      continue;
    }
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers == ",," ? controller.empty()
                            : !controller.empty() && controllers.find("," + controller + ",") != std::string::npos)
    {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

/// Finds the group at `path` below the mount in /proc/self/mountinfo: "id parent dev root mount ... - type source
/// options". A container may see only a part of the hierarchy; then only its mount is visible.
std::optional<Cgroup> find_group(
    const std::string& root, const std::string& type, const std::string& option, const std::string& path)
{
  std::ifstream in(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(in, line);)
  {
    const std::size_t dash = line.find(" - " + type + " ");
    if (dash == std::string::npos || (!option.empty() && line.find(option, dash) == std::string::npos))
    {
      continue;
    }
    std::istringstream words(line);
    std::string id;
    std::string parent;
    std::string device;
    std::string top;
    std::string mount;
    words >> id >> parent >> device >> top >> mount;
    mount.insert(0, root);
    const std::string below = path.starts_with(top) ? path.substr(top == "/" ? 0 : top.size()) : std::string();
    return Cgroup{ mount, below == "/" ? mount : mount + below };
  }
  return std::nullopt;
}

/// Free bytes under the limit of one group.
std::int64_t group_free(const std::string& folder, const CgroupFiles& files)
{
  const std::optional<std::int64_t> limit = number_in(folder + "/" + files.limit); // "max" is not a number: no limit
  const std::optional<std::int64_t> usage = number_in(folder + "/" + files.usage);
  if (!limit || !usage)
  {
    return kNoLimit;
  }
  const std::string stat = folder + "/memory.stat";
  const std::string prefix = files.cache_prefix;
  const std::int64_t cache = named_number(stat, prefix + "inactive_file") + named_number(stat, prefix + "active_file");
  return std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *usage - cache));
}

std::int64_t groups_free(const std::string& root, bool second_version)
{
  const std::optional<std::string> path = group_path(root, second_version ? "" : "memory");
  const std::optional<Cgroup> found = !path            ? std::nullopt
                                      : second_version ? find_group(root, "cgroup2", "", *path)
                                                       : find_group(root, "cgroup", "memory", *path);
  std::int64_t least = kNoLimit;
  if (found)
  {
    for (std::string folder = found->group; folder.size() >= found->mount.size();
         folder.resize(std::min(folder.size() - 1, folder.rfind('/'))))
    {
      least = std::min(least, group_free(folder, second_version ? kVersion2 : kVersion1));
    }
  }
  return least;
}

/// The leading number of an environment variable ("4(x2),3" is 4), or 0.
int leading_number(const char* variable)
{
  const char* text = std::getenv(variable);
  const std::string_view view = text != nullptr ? text : "";
  int value = 0;
  std::from_chars(view.data(), view.data() + view.size(), value);
  return value;
}

} // namespace

std::int64_t free_memory(const std::string& root)
{
  const std::int64_t machine = named_number(root + "/proc/meminfo", "MemAvailable:") * kKiB;
  return std::min({ machine, groups_free(root, true), groups_free(root, false) });
}

int ranks_on_node()
{
  for (const char* variable : { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
           "PALS_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE" })
  {
    if (const int ranks = leading_number(variable); ranks > 0)
    {
      return ranks;
    }
  }
  return 1;
}

} // namespace rivulet
