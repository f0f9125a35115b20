// SPDX-License-Identifier: BSD-3-Clause
#include "Io/KnownStorage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <utility>

namespace rivulet
{

namespace
{

constexpr const char* kFirstLine = "rivulet storage 1";

std::int64_t seconds_of(KnownStorage::Clock::time_point time)
{
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::int64_t size_class(std::int64_t request)
{
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, request))));
}

/// Neither a device of another world nor a file that somebody tampered with.
bool makes_sense(const StorageSpeed& speed)
{
  return std::isfinite(speed.latency) && speed.latency > 0.0 && speed.latency < 1000.0 &&
         std::isfinite(speed.requests_per_second) && speed.requests_per_second > 0.0 && speed.requests_per_second < 1e9;
}

std::string cache_file()
{
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  // Relative paths are to be ignored, says the XDG base directory specification.
  const std::string folder = cache != nullptr && cache[0] == '/' ? std::string(cache)
                             : home != nullptr && home[0] == '/' ? std::string(home) + "/.cache"
                                                                 : std::string();
  return folder.empty() ? folder : folder + "/rivulet/storage";
}

/// The folder of a file, if it is this user's and nobody else may write to it.
class OwnFolder
{
public:
  explicit OwnFolder(const std::string& file)
    : folder_(::open(file.substr(0, file.rfind('/') + 1).append(".").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    , name_(file.substr(file.rfind('/') + 1))
  {
    if (folder_ >= 0 && (file.empty() || !own(folder_, S_IFDIR)))
    {
      ::close(std::exchange(folder_, -1));
    }
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder()
  {
    if (folder_ >= 0)
    {
      ::close(folder_);
    }
  }

  /// The beginning of the file; nothing where there is none that may be read.
  [[nodiscard]] std::string read() const
  {
    std::string text;
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    const int file = folder_ < 0 ? -1 : ::openat(folder_, name_.c_str(), O_RDONLY | kNoTricks);
    if (file >= 0 && own(file, S_IFREG))
    {
      text.resize(kMostBytes);
      text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(file, text.data(), text.size()))));
    }
    if (file >= 0)
    {
      ::close(file);
    }
    return text;
  }

  void replace(const std::string& text) const
  {
    const std::string unfinished = name_ + "." + std::to_string(::getpid());
    if (folder_ < 0)
    {
      return;
    }
    ::unlinkat(folder_, unfinished.c_str(), 0); // of a process that had this number before and was killed
    const int file = ::openat(folder_, unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | kNoTricks, 0600);
    if (file < 0)
    {
      return;
    }
    const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (::close(file) != 0 || !written || ::renameat(folder_, unfinished.c_str(), folder_, name_.c_str()) != 0)
    {
      ::unlinkat(folder_, unfinished.c_str(), 0);
    }
  }

private:
  static constexpr std::size_t kMostBytes = 1 << 16;
  static constexpr int kNoTricks = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

  static bool own(int descriptor, mode_t kind)
  {
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == ::geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  }

  int folder_;
  std::string name_;
};

/// The line of /proc/self/mountinfo for a device: "36 35 98:0 /mnt1 /mnt2 rw - ext3 /dev/root rw". Names have no
/// blanks: the kernel writes \040 for them.
std::string name_of_mount(const std::string& device)
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
      std::istringstream rest(line.substr(dash + 3));
      std::string type;
      std::string source;
      rest >> type >> source;
      return type.append("|").append(source).append("|").append(point);
    }
  }
  return {};
}

} // namespace

std::optional<StorageDevice> device_of(const std::string& path)
{
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0)
  {
    return std::nullopt;
  }
  const std::string number = std::to_string(major(status.st_dev)) + ":" + std::to_string(minor(status.st_dev));
  return StorageDevice{ status.st_dev, name_of_mount(number) };
}

KnownStorage& KnownStorage::process()
{
  static KnownStorage known(cache_file());
  return known;
}

std::optional<StorageSpeed> KnownStorage::find(const StorageDevice& device, std::int64_t request, Clock::time_point now)
{
  const std::lock_guard lock(mutex_);
  const auto known = of_this_process_.find({ device.number, size_class(request) });
  if (known != of_this_process_.end())
  {
    return known->second;
  }
  const std::vector<Line> lines = device.name.empty() ? std::vector<Line>{} : read(now);
  const auto line = std::find_if(lines.begin(), lines.end(),
      [&](const Line& each) { return each.name == device.name && each.request == size_class(request); });
  if (line == lines.end())
  {
    return std::nullopt;
  }
  of_this_process_[{ device.number, size_class(request) }] = line->speed;
  return line->speed;
}

void KnownStorage::keep(
    const StorageDevice& device, std::int64_t request, const StorageSpeed& speed, Clock::time_point now)
{
  if (!makes_sense(speed))
  {
    return;
  }
  const std::lock_guard lock(mutex_);
  of_this_process_[{ device.number, size_class(request) }] = speed;
  if (device.name.empty() || file_.empty())
  {
    return;
  }
  std::vector<Line> lines = read(now);
  std::erase_if(
      lines, [&](const Line& each) { return each.name == device.name && each.request == size_class(request); });
  lines.push_back({ device.name, size_class(request), seconds_of(now), speed });
  lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(std::min(lines.size(), kMostLines)));
  write(lines);
}

std::vector<KnownStorage::Line> KnownStorage::read(Clock::time_point now) const
{
  std::istringstream file(OwnFolder(file_).read());
  std::string text;
  std::vector<Line> lines;
  if (!std::getline(file, text) || text != kFirstLine)
  {
    return lines;
  }
  while (lines.size() < kMostLines && std::getline(file, text))
  {
    std::istringstream words(text);
    Line line;
    words >> line.name >> line.request >> line.time >> line.speed.latency >> line.speed.requests_per_second;
    const std::int64_t age = seconds_of(now) - line.time;
    if (words && makes_sense(line.speed) && age >= 0 && age < std::chrono::seconds(kLongest).count())
    {
      lines.push_back(line);
    }
  }
  return lines;
}

void KnownStorage::write(const std::vector<Line>& lines) const
{
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(file_).parent_path();
  std::filesystem::create_directories(folder.parent_path(), ignored);
  (void)::mkdir(folder.c_str(), 0700); // it may be there
  std::ostringstream text;
  text << kFirstLine << '\n';
  for (const Line& line : lines)
  {
    text << line.name << ' ' << line.request << ' ' << line.time << ' ' << line.speed.latency << ' '
         << line.speed.requests_per_second << '\n';
  }
  OwnFolder(file_).replace(text.str());
}

} // namespace rivulet
