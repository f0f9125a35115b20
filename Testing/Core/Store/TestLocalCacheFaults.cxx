// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Processes that read through one local cache while it is damaged, cut, emptied, replaced, filled up and taken away,
/// while the field changes, and while they are killed. No wrong byte may come out. The number of faults is
/// RIVULET_FAULTS.
#include "Store/LocalCache/LocalCacheReads.h"
#include "Support/TemporaryFolder.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rivulet::test
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kPiece = 3 * kPage;
constexpr std::int64_t kPieces = 400;
constexpr int kVersions = 4;
constexpr int kProcesses = 3;
constexpr int kAtOnce = 8;

/// In memory that all processes share.
struct Shared
{
  std::atomic<std::int64_t> reads{ 0 };
  std::atomic<std::int64_t> wrong{ 0 };
  std::atomic<std::int64_t> found{ 0 };
  std::atomic<std::int64_t> opened{ 0 };
  std::atomic<std::int64_t> refused{ 0 };
  std::atomic<std::int64_t> version{ 0 }; ///< of the field
};

std::uint64_t value_at(std::int64_t version, std::int64_t word)
{
  std::uint64_t mixed = static_cast<std::uint64_t>(version * 1000003 + word) * 0x9E3779B97F4A7C15U;
  return mixed ^ (mixed >> 29U);
}

class Field
{
public:
  explicit Field(const TemporaryFolder& folder)
  {
    for (int version = 0; version < kVersions; ++version)
    {
      std::vector<std::uint64_t> words(static_cast<std::size_t>(kPieces * kPiece / 8));
      for (std::size_t word = 0; word < words.size(); ++word)
      {
        words[word] = value_at(version, static_cast<std::int64_t>(word));
      }
      const std::string path = folder.file("field" + std::to_string(version));
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
      files_[static_cast<std::size_t>(version)] = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    }
  }
  [[nodiscard]] int descriptor(std::int64_t version) const
  {
    return files_[static_cast<std::size_t>(version % kVersions)];
  }

private:
  std::array<int, kVersions> files_{};
};

struct PieceRead : FileRead
{
  alignas(kPage) std::array<std::uint64_t, kPiece / 8> words;
};

void read_some(ReadEngine& engine, const Field& field, std::int64_t version, std::mt19937_64& random, Shared& shared)
{
  std::vector<std::unique_ptr<PieceRead>> reads;
  for (int i = 0; i < kAtOnce; ++i)
  {
    auto one = std::make_unique<PieceRead>();
    const auto piece = static_cast<std::int64_t>(random() % kPieces);
    one->descriptor = field.descriptor(version);
    one->contents = static_cast<std::uint64_t>(1000 + version);
    one->offset = piece * kPiece;
    one->parts = { { one->words.data(), kPiece } };
    engine.submit(*one);
    reads.push_back(std::move(one));
  }
  std::vector<ReadAnswer> answers;
  while (answers.size() < reads.size())
  {
    engine.wait(std::chrono::milliseconds(100), answers);
  }
  for (const ReadAnswer& answer : answers)
  {
    const auto& one = *static_cast<const PieceRead*>(answer.read);
    bool right = answer.result == kPiece;
    for (std::size_t word = 0; word < one.words.size(); ++word)
    {
      right =
          right && one.words[word] == value_at(version % kVersions, one.offset / 8 + static_cast<std::int64_t>(word));
    }
    shared.wrong += right ? 0 : 1;
    ++shared.reads;
  }
}

/// What a process does until it is killed.
[[noreturn]] void go_on_reading(const std::string& folder, const Field& field, Shared& shared, std::uint64_t seed)
{
  std::mt19937_64 random(seed);
  for (;;)
  {
    const std::array<std::int64_t, 4> limits{ 0, 16 * kMiB, 16 * kMiB, 20 * kMiB };
    Result<std::shared_ptr<LocalCache>> cache = LocalCache::open({ folder, limits[random() % limits.size()] });
    ++(cache ? shared.opened : shared.refused);
    const auto counts = std::make_shared<LocalCacheCounts>();
    LocalCacheReads engine(open_read_engine(EngineChoice::Best), cache ? *cache : nullptr, counts, { .quick = 1000.0 });
    for (int turn = 0; turn < 20; ++turn)
    {
      read_some(engine, field, shared.version, random, shared);
      if (cache && random() % 8 == 0)
      {
        (*cache)->flush();
      }
    }
    shared.found += counts->found;
  }
}

class Faults
{
public:
  Faults(std::string folder, std::string precious, Shared& shared)
    : folder_(std::move(folder))
    , file_(folder_ + "/" + kCacheFileName)
    , precious_(std::move(precious))
    , shared_(shared)
  {
  }

  /// One fault of any kind but kills.
  void cause()
  {
    switch (random_() % 16)
    {
    case 0:
      change_version();
      break;
    case 1:
      fs::remove(file_, ignored_);
      break;
    case 2:
      replace();
      break;
    case 3:
      cut();
      break;
    case 4:
      ::chmod(folder_.c_str(), random_() % 2 == 0 ? 0777 : 0700);
      break;
    case 5:
      empty_folder();
      break;
    case 6:
    case 7:
    case 8:
      copy_page();
      break;
    case 9:
      header();
      break;
    default:
      flip_bytes();
      break;
    }
  }

private:
  /// A place in one of the parts of the file, the values most often.
  [[nodiscard]] std::int64_t place(std::int64_t size)
  {
    const CacheShape shape(*CacheShape::header_for(16 * kMiB, 0));
    const std::array<std::int64_t, 5> begins{ 0, kPage, shape.place_of_part(0), shape.place_of_values(0), size };
    const std::size_t part = std::min<std::size_t>(random_() % 8, 3);
    const std::int64_t length = std::max<std::int64_t>(1, begins[part + 1] - begins[part]);
    return begins[part] + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(length));
  }
  [[nodiscard]] std::int64_t size() const
  {
    struct stat status = {};
    return ::lstat(file_.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : 0;
  }
  void change_version() { ++shared_.version; }
  void flip_bytes()
  {
    with_file(
        [&](int file)
        {
          for (int i = 0; i < 32; ++i)
          {
            const auto byte = static_cast<char>(random_());
            static_cast<void>(!::pwrite(file, &byte, 1, place(size())));
          }
        });
  }
  /// Bytes that look right, in a wrong place.
  void copy_page()
  {
    with_file(
        [&](int file)
        {
          std::array<char, kPage> page{};
          for (int i = 0; i < 16; ++i)
          {
            const std::int64_t from = place(size()) / kPage * kPage;
            const std::int64_t to = place(size()) / kPage * kPage;
            if (to > 0 && ::pread(file, page.data(), page.size(), from) == ssize_t{ page.size() })
            {
              static_cast<void>(!::pwrite(file, page.data(), page.size(), to));
            }
          }
        });
  }
  void header()
  {
    with_file(
        [&](int file)
        {
          const std::uint64_t number = random_() % 3 == 0 ? 0 : random_();
          static_cast<void>(!::pwrite(file, &number, sizeof number, static_cast<off_t>(random_() % 8 * 8)));
        });
  }
  void cut()
  {
    if (const std::int64_t bytes = size(); bytes > 0)
    {
      fs::resize_file(file_, random_() % static_cast<std::uint64_t>(bytes), ignored_);
    }
  }
  void replace()
  {
    fs::remove(file_, ignored_);
    switch (random_() % 4)
    {
    case 0:
      fs::create_symlink(precious_, file_, ignored_);
      break;
    case 1:
      fs::create_hard_link(precious_, file_, ignored_);
      break;
    case 2:
      fs::create_directory(file_, ignored_);
      break;
    default:
      std::ofstream(file_) << "somebody's own text";
      break;
    }
  }
  void empty_folder()
  {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored_))
    {
      fs::remove_all(entry.path(), ignored_);
    }
    ::chmod(folder_.c_str(), 0700);
  }
  template <class Change>
  void with_file(const Change& change)
  {
    const int file = ::open(file_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0)
    {
      struct stat status = {};
      if (::fstat(file, &status) == 0 && status.st_nlink == 1)
      {
        change(file);
      }
      ::close(file);
    }
    else
    {
      fs::remove_all(file_, ignored_); // what was planted is found
    }
  }

  std::string folder_;
  std::string file_;
  std::string precious_;
  Shared& shared_;
  std::mt19937_64 random_{ 11 };
  std::error_code ignored_;
};

std::int64_t faults_wanted()
{
  const char* text = std::getenv("RIVULET_FAULTS");
  return text != nullptr ? std::atoll(text) : 300;
}

TEST(LocalCacheFaults, NeverGiveAWrongByte)
{
  const TemporaryFolder folder;
  const std::string cache = folder.file("cache");
  const std::string precious = folder.file("precious");
  std::ofstream(precious) << "precious";
  fs::create_directory(cache);
  // A disk that is too small for all: the space runs out again and again.
  const bool small = ::mount("rivulet", cache.c_str(), "tmpfs", 0, "size=12m,mode=0700") == 0;
  ::chmod(cache.c_str(), 0700);

  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* shared = new (memory) Shared;
  const Field field(folder);
  std::uint64_t seed = 0;
  const auto start = [&]
  {
    const pid_t child = ::fork();
    if (child == 0)
    {
      go_on_reading(cache, field, *shared, ++seed);
    }
    ++seed;
    return child;
  };
  std::vector<pid_t> processes;
  for (int i = 0; i < kProcesses; ++i)
  {
    processes.push_back(start());
  }
  Faults faults(cache, precious, *shared);
  std::mt19937_64 random(3);
  int ended = 0;
  for (std::int64_t fault = 0; fault < faults_wanted(); ++fault)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + random() % 8));
    if (random() % 4 != 0)
    {
      faults.cause();
      continue;
    }
    pid_t& victim = processes[random() % processes.size()];
    int status = 0;
    if (::waitpid(victim, &status, WNOHANG) != 0) // nobody ends by itself
    {
      ++ended;
    }
    else
    {
      ::kill(victim, SIGKILL);
      ::waitpid(victim, &status, 0);
    }
    victim = start();
  }
  for (const pid_t process : processes)
  {
    int status = 0;
    ended += ::waitpid(process, &status, WNOHANG) != 0 ? 1 : 0;
    ::kill(process, SIGKILL);
    ::waitpid(process, &status, 0);
  }
  if (small)
  {
    ::umount2(cache.c_str(), MNT_DETACH);
  }
  EXPECT_EQ(shared->wrong, 0);
  EXPECT_EQ(ended, 0) << "processes crashed";
  EXPECT_GT(shared->reads, 10 * faults_wanted());
  EXPECT_GT(shared->found, shared->reads / 200) << "the cache served next to nothing"; // 1 in 70 under sanitizers
  EXPECT_EQ(fs::file_size(precious), 8U);
  std::printf("%lld reads, %lld from the cache, %lld wrong; opened %lld times, refused %lld times\n",
      static_cast<long long>(shared->reads), static_cast<long long>(shared->found),
      static_cast<long long>(shared->wrong), static_cast<long long>(shared->opened),
      static_cast<long long>(shared->refused));
  ::munmap(memory, sizeof(Shared));
}

} // namespace
} // namespace rivulet::test
