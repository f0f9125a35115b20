// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/MappedFile.h"
#include "Support/TemporaryFolder.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kPageBytes = 4096;

/// A mapped file of a few pages of ones.
class MappedFiles : public testing::Test
{
protected:
  MappedFiles()
  {
    write(4 * kPageBytes);
    file = std::move(*MappedFile::open(path));
  }
  void write(std::int64_t bytes)
  {
    std::ofstream(path, std::ios::binary) << std::string(static_cast<std::size_t>(bytes), '\1');
  }
  void cut(std::int64_t bytes) { std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes)); }
  template <class T>
  [[nodiscard]] T value(std::int64_t offset) const
  {
    T result;
    std::memcpy(&result, file->data() + offset, sizeof(T));
    return result;
  }

  void touch(std::int64_t offset) const
  {
    static_cast<void>(*static_cast<const volatile std::byte*>(file->data() + offset));
  }

  TemporaryFolder folder;
  std::string path = folder.file("values");
  std::unique_ptr<MappedFile> file;
};

class NumberOfCalls
{
public:
  static void count(int) { calls = calls + 1; }
  static inline volatile std::sig_atomic_t calls = 0;
};

} // namespace

TEST_F(MappedFiles, ShowTheFile)
{
  EXPECT_EQ(file->size(), 4 * kPageBytes);
  EXPECT_EQ(value<char>(3 * kPageBytes), '\1');
  EXPECT_FALSE(file->damaged(0, file->size()));
  EXPECT_TRUE(file->health());
}

TEST_F(MappedFiles, CannotBeMissingOrEmpty)
{
  EXPECT_EQ(MappedFile::open(folder.file("none")).error().code, ErrorCode::NotFound);
  write(0);
  EXPECT_EQ(MappedFile::open(path).error().code, ErrorCode::Truncated);
}

TEST_F(MappedFiles, ReadAsNanWhereTheyWereCutShort)
{
  cut(kPageBytes);
  EXPECT_TRUE(std::isnan(value<float>(2 * kPageBytes)));
  EXPECT_TRUE(std::isnan(value<float>(2 * kPageBytes + 4)));
  EXPECT_TRUE(std::isnan(value<double>(3 * kPageBytes)));
  EXPECT_EQ(value<char>(0), '\1');
}

namespace
{

std::int64_t mappings_of_this_process()
{
  std::ifstream maps("/proc/self/maps");
  return std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n');
}

} // namespace

TEST_F(MappedFiles, ReadAsNanHoweverMuchWasCutOff)
{
  constexpr std::int64_t kLarge = std::int64_t{ 300 } << 20; // more pages than a process may have mappings
  cut(kLarge);
  file = std::move(*MappedFile::open(path));
  const auto users = std::move(*file->for_users());
  cut(kPageBytes);
  const std::int64_t before = mappings_of_this_process();
  for (const MappedFile* mapped : { file.get(), users.get() })
  {
    std::int64_t numbers = 0;
    for (std::int64_t offset = kPageBytes; offset < kLarge; offset += kPageBytes)
    {
      float value = 0;
      std::memcpy(&value, mapped->data() + offset, sizeof(value));
      numbers += std::isnan(value) ? 0 : 1;
    }
    EXPECT_EQ(numbers, 0);
    EXPECT_TRUE(mapped->damaged(kLarge - 8, 8));
    EXPECT_EQ(mapped->health().error().code, ErrorCode::Truncated);
    EXPECT_EQ(mapped->data()[kPageBytes - 1], std::byte{ 1 });
  }
  EXPECT_LT(mappings_of_this_process() - before, 1000);
}

TEST_F(MappedFiles, ForUsersBearToBeWrittenTo)
{
  const auto users = std::move(*file->for_users());
  EXPECT_EQ(users->user_data()[5], std::byte{ 1 });
  EXPECT_FALSE(users->written());
  users->user_data()[5] = std::byte{ 9 };
  users->drop(0, users->size());
  EXPECT_TRUE(users->written());
  EXPECT_EQ(users->user_data()[5], std::byte{ 9 });
  EXPECT_EQ(file->data()[5], std::byte{ 1 });
  EXPECT_TRUE(users->health());
  cut(kPageBytes);
  users->user_data()[2 * kPageBytes] = std::byte{ 9 }; // where the file has nothing any more
  EXPECT_TRUE(std::isnan(value<float>(2 * kPageBytes)));
  EXPECT_TRUE(users->damaged(2 * kPageBytes, 1));
}

TEST_F(MappedFiles, PassWritesOnThatAreNotTheirs)
{
  const auto fault = [&]
  {
    const auto users = std::move(*file->for_users());
    const_cast<volatile std::byte*>(file->data())[0] = std::byte{ 2 };
  };
  EXPECT_DEATH(fault(), ""); // by the signal, or by what a sanitizer makes of it
}

TEST_F(MappedFiles, KnowWhatIsDamagedAfterARead)
{
  cut(kPageBytes);
  touch(2 * kPageBytes);
  EXPECT_TRUE(file->damaged(2 * kPageBytes, 8));
  EXPECT_TRUE(file->damaged(3 * kPageBytes, 8)); // behind the new end, though nobody read it
  EXPECT_FALSE(file->damaged(0, kPageBytes));
  EXPECT_EQ(file->damage_at(2 * kPageBytes).code, ErrorCode::Truncated);
}

TEST_F(MappedFiles, AreIllWhenCutShort)
{
  cut(kPageBytes + 100);
  const Result<void> health = file->health();
  ASSERT_FALSE(health);
  EXPECT_EQ(health.error().code, ErrorCode::Truncated);
  EXPECT_EQ(health.error().path, path);
  EXPECT_EQ(health.error().offset, kPageBytes + 100);
  EXPECT_FALSE(health.error().remedy.empty());
  EXPECT_TRUE(file->damaged(kPageBytes, kPageBytes)); // though reading there raises no signal
}

TEST_F(MappedFiles, AreIllWhenWrittenTo)
{
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(file->health().error().code, ErrorCode::CannotRead);
}

TEST_F(MappedFiles, AreIllWhenReplacedButNotWhenUnlinked)
{
  std::filesystem::rename(path, folder.file("elsewhere"));
  EXPECT_TRUE(file->health());
  write(4 * kPageBytes);
  EXPECT_EQ(file->health().error().code, ErrorCode::CannotRead);
  EXPECT_EQ(value<char>(0), '\1');
}

TEST_F(MappedFiles, ReadAgainWhatWasDropped)
{
  EXPECT_EQ(value<char>(kPageBytes), '\1');
  file->drop(0, file->size());
  file->will_need(kPageBytes + 5, kPageBytes);
  EXPECT_EQ(value<char>(kPageBytes), '\1');
}

TEST_F(MappedFiles, PutTheHandlerBackThatOthersReplaced)
{
  std::signal(SIGBUS, SIG_DFL);
  ASSERT_TRUE(file->health());
  cut(kPageBytes);
  EXPECT_TRUE(std::isnan(value<float>(2 * kPageBytes)));
}

TEST_F(MappedFiles, AreForgottenWhenClosed)
{
  cut(kPageBytes);
  touch(2 * kPageBytes);
  write(4 * kPageBytes);
  file = std::move(*MappedFile::open(path)); // takes the region that the old one leaves
  file = std::move(*MappedFile::open(path));
  EXPECT_FALSE(file->damaged(0, file->size()));
  EXPECT_TRUE(file->health());
}

TEST_F(MappedFiles, PassSignalsOnThatAreNotTheirs)
{
  std::signal(SIGBUS, NumberOfCalls::count);
  ASSERT_TRUE(ensure_bus_error_handler());
  std::raise(SIGBUS);
  EXPECT_EQ(NumberOfCalls::calls, 1);
  std::signal(SIGBUS, SIG_DFL);
  ASSERT_TRUE(ensure_bus_error_handler());
}

namespace
{

/// Reads a page that another mapping's file does not have.
void read_missing_page(const std::string& path)
{
  const int descriptor = ::open(path.c_str(), O_RDONLY);
  const auto* page =
      static_cast<const volatile char*>(::mmap(nullptr, 8 * kPageBytes, PROT_READ, MAP_SHARED, descriptor, 0));
  static_cast<void>(page[6 * kPageBytes]);
}

struct sigaction chained
{
};

void leave(int)
{
  std::_Exit(42);
}

/// A handler of another library that hands every signal to the one it found: ours.
void call_back(int signal, siginfo_t* info, void* context)
{
  chained.sa_sigaction(signal, info, context);
}

} // namespace

TEST_F(MappedFiles, LeaveFaultsOfOthersToThePreviousHandler)
{
  const auto fault = [&]
  {
    std::signal(SIGBUS, leave);
    static_cast<void>(ensure_bus_error_handler());
    read_missing_page(path);
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(42), "");
}

TEST_F(MappedFiles, LeaveFaultsOfOthersToTheSystemIfThereIsNoHandler)
{
  const auto fault = [&]
  {
    std::signal(SIGBUS, SIG_DFL);
    static_cast<void>(ensure_bus_error_handler());
    read_missing_page(path);
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(MappedFiles, DoNotGoRoundInCirclesWithAHandlerThatCallsThemBack)
{
  const auto fault = [&]
  {
    std::signal(SIGBUS, leave);
    static_cast<void>(ensure_bus_error_handler());
    struct sigaction theirs
    {
    };
    theirs.sa_sigaction = call_back;
    theirs.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGBUS, &theirs, &chained);
    static_cast<void>(ensure_bus_error_handler());
    read_missing_page(path);
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(42), "");
}

} // namespace rivulet::test
