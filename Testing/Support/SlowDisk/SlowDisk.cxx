// SPDX-License-Identifier: BSD-3-Clause
#include "Support/SlowDisk/SlowDisk.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

dev_t device_of(const std::filesystem::path& path)
{
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_dev : 0;
}

} // namespace

SlowDisk::SlowDisk(const std::filesystem::path& folder, const std::vector<std::string>& options)
{
  if (::access("/dev/fuse", R_OK | W_OK) != 0)
  {
    why_not_ = "there is no /dev/fuse to use";
    return;
  }
  set_faults("");
  start(folder, options);
}

void SlowDisk::start(const std::filesystem::path& folder, const std::vector<std::string>& options)
{
  std::vector<std::string> words{ RIVULET_SLOW_DISK, folder.string(), mount_.path().string(), "--faults",
    control_.file("faults") };
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  for (std::string& word : words)
  {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  const dev_t before = device_of(mount_.path());
  if (::posix_spawn(&process_, RIVULET_SLOW_DISK, nullptr, nullptr, arguments.data(), environ) != 0)
  {
    process_ = -1;
    why_not_ = "slow_disk does not start";
    return;
  }
  for (int turn = 0; turn < 500 && device_of(mount_.path()) == before; ++turn)
  {
    if (::waitpid(process_, nullptr, WNOHANG) == process_)
    {
      process_ = -1;
      why_not_ = "FUSE refuses to mount";
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (device_of(mount_.path()) == before)
  {
    why_not_ = "FUSE did not mount within five seconds";
  }
}

SlowDisk::~SlowDisk()
{
  if (process_ > 0)
  {
    ::kill(process_, SIGTERM); // it unmounts
    ::waitpid(process_, nullptr, 0);
  }
}

void SlowDisk::set_faults(const std::string& lines)
{
  const std::string next = control_.file("next");
  std::ofstream(next) << lines;
  std::rename(next.c_str(), control_.file("faults").c_str());
}

} // namespace rivulet::test
