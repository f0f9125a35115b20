// SPDX-License-Identifier: BSD-3-Clause
// A file system that shows a folder as a slow, shared and unreliable disk would: every request waits for one of a few
// places, takes a while, and its bytes share one pipe. For tests and benchmarks of what reads files, by whatever means
// (read, mmap, O_DIRECT, io_uring).
//
//   slow_disk FOLDER MOUNTPOINT [--latency MS] [--bandwidth MB/S] [--depth N] [--head] [--writable] [--faults FILE]
//             [--count FILE]
//
// It is read-only without --writable. With --head it has one head, as a hard disk: a request that begins where the last
// one ended does not wait for the latency.
//
// Stays in the foreground until the mount point is unmounted or SIGTERM comes. The file of --count holds two integers
// of 8 bytes, kept up to date: the reads that were served, and the bytes that they asked for. The file of --faults may
// be changed at any time; it holds one fault a line:
//
//   eio BEGIN END       reads that touch these bytes of any file fail with EIO
//   short BYTES         no read answers more than this
//   busy N              every Nth read fails with EAGAIN
#include "CommandLine/CommandLine.h"

#define FUSE_USE_VERSION 31
#include <fuse3/fuse.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace
{

using Clock = std::chrono::steady_clock;

/// Where the time goes.
class Device
{
public:
  Device(double latency_ms, double megabytes_per_second, int depth, bool head)
    : latency_(latency_ms)
    , bytes_per_second_(megabytes_per_second * 1e6)
    , head_(head)
    , places_(depth)
  {
  }

  /// Returns when a request for so many bytes of an open file would have been served.
  void serve(std::uint64_t file, off_t offset, std::size_t bytes)
  {
    places_.acquire();
    if (!goes_on(file, offset, bytes))
    {
      std::this_thread::sleep_for(latency_);
    }
    std::this_thread::sleep_until(reserve(bytes));
    places_.release();
  }

private:
  /// Whether the request begins where the one before ended.
  bool goes_on(std::uint64_t file, off_t offset, std::size_t bytes)
  {
    if (!head_)
    {
      return false;
    }
    const std::lock_guard lock(mutex_);
    const std::pair before = std::exchange(last_, { file, offset + static_cast<off_t>(bytes) });
    return before == std::pair(file, offset);
  }
  Clock::time_point reserve(std::size_t bytes)
  {
    if (bytes_per_second_ <= 0.0)
    {
      return Clock::now();
    }
    const std::chrono::duration<double> takes(static_cast<double>(bytes) / bytes_per_second_);
    const std::lock_guard lock(mutex_);
    free_ = std::max(free_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(takes);
    return free_;
  }

  const std::chrono::duration<double, std::milli> latency_;
  const double bytes_per_second_;
  const bool head_;
  std::counting_semaphore<> places_;
  std::mutex mutex_;                              ///< guards the members below
  std::pair<std::uint64_t, off_t> last_{ 0, -1 }; ///< file and end of the last request
  Clock::time_point free_;                        ///< when the pipe is
};

struct Faults
{
  std::vector<std::pair<off_t, off_t>> bad;
  std::size_t most_bytes = ~std::size_t{ 0 };
  int busy_every = 0;
};

/// The faults in a file that may change.
class FaultFile
{
public:
  explicit FaultFile(std::string path)
    : path_(std::move(path))
  {
  }

  Faults now()
  {
    const std::lock_guard lock(mutex_);
    struct stat status = {};
    if (path_.empty() || ::stat(path_.c_str(), &status) != 0)
    {
      return {};
    }
    // Two changes may come within one tick of the file system's clock.
    const std::tuple changed(status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size, status.st_ino);
    if (changed != changed_)
    {
      changed_ = changed;
      faults_ = parse();
    }
    return faults_;
  }

private:
  [[nodiscard]] Faults parse() const
  {
    Faults faults;
    std::ifstream file(path_);
    std::string word;
    while (file >> word)
    {
      if (word == "eio")
      {
        std::pair<off_t, off_t> range;
        file >> range.first >> range.second;
        faults.bad.push_back(range);
      }
      else if (word == "short")
      {
        file >> faults.most_bytes;
      }
      else if (word == "busy")
      {
        file >> faults.busy_every;
      }
    }
    return faults;
  }

  const std::string path_;
  std::mutex mutex_;
  std::tuple<time_t, long, off_t, ino_t> changed_{ -1, -1, -1, 0 };
  Faults faults_;
};

struct BadCountFile : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

/// What was served, for whoever looks from outside: a process's own counts of bytes from devices leave FUSE out.
class Count
{
public:
  explicit Count(const std::string& path)
  {
    if (path.empty())
    {
      return;
    }
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0 || ::ftruncate(descriptor, sizeof(Numbers)) != 0)
    {
      throw BadCountFile(path + " cannot be written: " + std::strerror(errno));
    }
    void* memory = ::mmap(nullptr, sizeof(Numbers), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (memory == MAP_FAILED)
    {
      throw BadCountFile(path + " cannot be mapped: " + std::strerror(errno));
    }
    numbers_ = static_cast<Numbers*>(memory);
  }
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;

  /// The number of this read, from 1.
  std::int64_t add(std::size_t bytes)
  {
    std::atomic_ref(numbers_->bytes) += static_cast<std::int64_t>(bytes);
    return ++std::atomic_ref(numbers_->reads);
  }

private:
  struct Numbers
  {
    std::int64_t reads = 0;
    std::int64_t bytes = 0;
  };
  Numbers unseen_;
  Numbers* numbers_ = &unseen_; ///< mapped until the program ends
};

struct Disk
{
  std::string folder;
  int depth;
  bool writable;
  Device device;
  FaultFile faults;
  Count count;
};

Disk& disk()
{
  return *static_cast<Disk*>(fuse_get_context()->private_data);
}

std::string real_path(const char* path)
{
  return disk().folder + path;
}

int get_attributes(const char* path, struct stat* status, fuse_file_info*)
{
  return ::lstat(real_path(path).c_str(), status) == 0 ? 0 : -errno;
}

int read_folder(const char* path, void* buffer, fuse_fill_dir_t fill, off_t, fuse_file_info*, fuse_readdir_flags)
{
  DIR* folder = ::opendir(real_path(path).c_str());
  if (folder == nullptr)
  {
    return -errno;
  }
  while (const dirent* entry = ::readdir(folder))
  {
    fill(buffer, entry->d_name, nullptr, 0, static_cast<fuse_fill_dir_flags>(0));
  }
  ::closedir(folder);
  return 0;
}

int open_file(const char* path, fuse_file_info* info)
{
  const int access = info->flags & O_ACCMODE;
  if (access != O_RDONLY && !disk().writable)
  {
    return -EROFS;
  }
  const int descriptor = ::open(real_path(path).c_str(), access | O_CLOEXEC);
  info->fh = static_cast<std::uint64_t>(descriptor);
  return descriptor < 0 ? -errno : 0;
}

int create_file(const char* path, mode_t mode, fuse_file_info* info)
{
  const int descriptor =
      disk().writable ? ::open(real_path(path).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode) : -1;
  info->fh = static_cast<std::uint64_t>(descriptor);
  return descriptor >= 0 ? 0 : disk().writable ? -errno : -EROFS;
}

int set_length(const char* path, off_t bytes, fuse_file_info*)
{
  return !disk().writable ? -EROFS : ::truncate(real_path(path).c_str(), bytes) == 0 ? 0 : -errno;
}

int get_room(const char* path, struct statvfs* room)
{
  return ::statvfs(real_path(path).c_str(), room) == 0 ? 0 : -errno;
}

int set_times(const char* path, const timespec* times, fuse_file_info*)
{
  return ::utimensat(AT_FDCWD, real_path(path).c_str(), times, 0) == 0 ? 0 : -errno;
}

int remove_file(const char* path)
{
  return !disk().writable ? -EROFS : ::unlink(real_path(path).c_str()) == 0 ? 0 : -errno;
}

int rename_file(const char* from, const char* to, unsigned flags)
{
  const bool done =
      disk().writable && ::renameat2(AT_FDCWD, real_path(from).c_str(), AT_FDCWD, real_path(to).c_str(), flags) == 0;
  return done ? 0 : disk().writable ? -errno : -EROFS;
}

int write_file(const char*, const char* from, std::size_t bytes, off_t offset, fuse_file_info* info)
{
  disk().device.serve(info->fh, offset, bytes);
  const ssize_t done = ::pwrite(static_cast<int>(info->fh), from, bytes, offset);
  return done < 0 ? -errno : static_cast<int>(done);
}

int close_file(const char*, fuse_file_info* info)
{
  ::close(static_cast<int>(info->fh));
  return 0;
}

/// Answers with a place in the real file, from where the kernel moves the bytes: what the disk itself takes of the
/// machine is to be as little as can be.
int read_file(const char*, fuse_bufvec** answer, std::size_t bytes, off_t offset, fuse_file_info* info)
{
  const Faults faults = disk().faults.now();
  disk().device.serve(info->fh, offset, bytes);
  const std::int64_t number = disk().count.add(bytes);
  if (faults.busy_every > 0 && number % faults.busy_every == 0)
  {
    return -EAGAIN;
  }
  for (const auto& [begin, end] : faults.bad)
  {
    if (begin < offset + static_cast<off_t>(bytes) && offset < end)
    {
      return -EIO;
    }
  }
  // The library frees it.
  auto* place = static_cast<fuse_bufvec*>(std::malloc(sizeof(fuse_bufvec)));
  if (place == nullptr)
  {
    return -ENOMEM;
  }
  *place = FUSE_BUFVEC_INIT(std::min(bytes, faults.most_bytes));
  place->buf[0].flags = static_cast<fuse_buf_flags>(FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK);
  place->buf[0].fd = static_cast<int>(info->fh);
  place->buf[0].pos = offset;
  *answer = place;
  return 0;
}

void* start(fuse_conn_info* connection, fuse_config* config)
{
  config->use_ino = 1;      // as of the file, and the same in each run
  config->attr_timeout = 0; // a file that is cut short is seen at once
  config->auto_cache = 1;   // what was read of a file that has not changed need not be read again
  if (disk().writable)
  {
    // Nobody else changes the files: what was read or written stays in the page cache, as that of a disk does.
    config->attr_timeout = 3600;
    connection->want |= connection->capable & FUSE_CAP_WRITEBACK_CACHE;
    connection->want &= ~static_cast<unsigned>(FUSE_CAP_AUTO_INVAL_DATA);
  }
  // The kernel would hold back all but a dozen reads that nobody waits for in a system call.
  connection->max_background = static_cast<unsigned>(2 * disk().depth);
  connection->congestion_threshold = connection->max_background;
  connection->want |= connection->capable & FUSE_CAP_SPLICE_WRITE;
  return fuse_get_context()->private_data;
}

int mount(char* name, const std::string& mount_point, Disk& the_disk)
{
  fuse_operations operations = {};
  operations.init = start;
  operations.getattr = get_attributes;
  operations.readdir = read_folder;
  operations.open = open_file;
  operations.create = create_file;
  operations.truncate = set_length;
  operations.unlink = remove_file;
  operations.rename = rename_file;
  operations.statfs = get_room;
  operations.utimens = set_times;
  operations.write = write_file;
  operations.release = close_file;
  operations.read_buf = read_file;
  // A thread serves one request; the library would stop at ten of them. A few more answer what is no read.
  const std::string threads = std::to_string(the_disk.depth + 4);
  std::vector<std::string> words{ name, "-f", mount_point, "-o",
    "max_threads=" + threads + ",max_idle_threads=" + threads };
  std::vector<char*> arguments;
  for (std::string& word : words)
  {
    arguments.push_back(word.data());
  }
  return fuse_main(static_cast<int>(arguments.size()), arguments.data(), &operations, &the_disk);
}

} // namespace

int main(int argc, char** argv)
{
  std::string folder;
  std::string mount_point;
  std::string faults;
  double latency = 0.0;
  double bandwidth = 0.0;
  std::string count;
  int depth = 32;
  bool head = false;
  bool writable = false;
  rivulet::cli::Program program("Shows a folder as a slow disk would.");
  program.option("folder", folder).required().existing_folder();
  program.option("mountpoint", mount_point).required().existing_folder();
  program.option("--latency", latency, "milliseconds per request").non_negative();
  program.option("--bandwidth", bandwidth, "megabytes per second of all requests together; 0 = no limit");
  program.option("--depth", depth, "requests that are served at once").in_range(1, 1024);
  program.flag("--head", head, "requests that begin where the last one ended do not wait for the latency");
  program.flag("--writable", writable, "files may be made, written and removed");
  program.option("--faults", faults, "file of faults; may be changed at any time");
  program.option("--count", count, "file for the numbers of reads and bytes");
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }

  try
  {
    Disk the_disk{ folder, depth, writable, Device(latency, bandwidth, depth, head), FaultFile(faults), Count(count) };
    return mount(argv[0], mount_point, the_disk);
  }
  catch (const BadCountFile& error)
  {
    return program.report_wrong("--count", error.what());
  }
}
