// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Hints/HintFile.h"

#include "Io/Files/File.h"
#include "Io/Series/StoreFolder.h"
#include "Io/Writes/PublishFile.h"

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

static_assert(std::endian::native == std::endian::little, "hints are written as they lie in memory");

constexpr std::uint64_t kMagic = 0x3153544e49485652ULL; // "RVHINTS1"

struct Header
{
  std::uint64_t magic = kMagic;
  std::uint64_t identity = 0;
  std::uint64_t count = 0;
  std::uint64_t checksum = 0;
};

struct Record
{
  std::int32_t variable[3];
  std::int32_t step[3];
  std::int64_t index[3];
  std::uint32_t weight;
  std::uint32_t zero;
};
static_assert(sizeof(Header) == 32 && sizeof(Record) == 56, "no padding");

std::uint64_t checksum_of(Header header, std::span<const std::byte> records)
{
  header.checksum = 0;
  return XXH3_64bits_withSeed(records.data(), records.size(), XXH3_64bits(&header, sizeof header));
}

tl::unexpected<Error> unusable(const char* what)
{
  return fail(ErrorCode::Corrupt, what, "nothing need be done: it is written anew");
}

/// Held while a file of hints is replaced. It is a file of its own, because the other one changes its inode. A process
/// that holds it for long, or a file server that does not answer, must not keep a run from its end: after a second the
/// hints of this run are given up.
class HintLock
{
public:
  explicit HintLock(const File& file)
    : descriptor_(file.descriptor())
  {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    bool taken = false; // by another process
    while ((taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) &&
           std::chrono::steady_clock::now() < until)
    {
      std::this_thread::sleep_for(kPause);
    }
    held_ = !taken; // where the file system has no locks, the last run wins
  }
  HintLock(const HintLock&) = delete;
  HintLock& operator=(const HintLock&) = delete;
  ~HintLock() { ::flock(descriptor_, LOCK_UN); }

  [[nodiscard]] bool held() const { return held_; }

private:
  static constexpr std::chrono::seconds kPatience{ 1 };
  static constexpr std::chrono::milliseconds kPause{ 5 };

  int descriptor_;
  bool held_ = false;
};

Result<File> open_lock(const std::string& path)
{
  Result<File> made = File::create(path);
  return made ? std::move(made) : File::open(path, File::Mode::ReadWrite);
}

Result<void> write_file(const std::string& path, std::span<const std::byte> bytes)
{
  const std::string beside = path + ".tmp-" + std::to_string(::getpid());
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  Result<File> file = File::create(beside);
  if (!file)
  {
    return forward_error(file);
  }
  Result<void> written = file->append(bytes.data(), static_cast<std::int64_t>(bytes.size()));
  written = written ? file->close() : std::move(written);
  written = written ? publish_file(beside, path, OnExisting::Replace) : std::move(written);
  if (!written)
  {
    std::filesystem::remove(beside, ignored);
  }
  return written;
}

} // namespace

std::vector<std::byte> pack_hints(const HintGraph& hints, std::uint64_t identity)
{
  const std::vector<HintGraph::Hint> all = hints.all();
  std::vector<std::byte> bytes(sizeof(Header) + all.size() * sizeof(Record));
  std::byte* to = bytes.data() + sizeof(Header);
  for (const HintGraph::Hint& hint : all)
  {
    const Record record{ { hint.before.variable, hint.key.variable, hint.next.variable },
      { hint.before.step, hint.key.step, hint.next.step }, { hint.before.index, hint.key.index, hint.next.index },
      hint.weight, 0 };
    std::memcpy(to, &record, sizeof record);
    to += sizeof record;
  }
  Header header{ .identity = identity, .count = all.size() };
  header.checksum = checksum_of(header, std::span(bytes).subspan(sizeof(Header)));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Result<HintGraph> unpack_hints(std::span<const std::byte> bytes, std::uint64_t identity)
{
  Header header;
  if (bytes.size() < sizeof header)
  {
    return unusable("the file of hints is too short");
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::span<const std::byte> records = bytes.subspan(sizeof header);
  if (header.magic != kMagic || header.count > HintGraph::kMost || records.size() != header.count * sizeof(Record))
  {
    return unusable("the file holds no hints that this version reads");
  }
  if (header.checksum != checksum_of(header, records))
  {
    return unusable("the file of hints is damaged");
  }
  if (header.identity != identity)
  {
    return unusable("the hints are those of another field");
  }
  HintGraph hints;
  for (std::size_t i = 0; i < header.count; ++i)
  {
    Record record;
    std::memcpy(&record, records.data() + i * sizeof record, sizeof record);
    const auto key = [&record](int of)
    {
      return BrickKey{ record.variable[of], record.step[of], record.index[of] };
    };
    hints.add({ key(0), key(1), key(2), record.weight });
  }
  return hints;
}

Result<HintGraph> read_hints(const std::string& path, std::uint64_t identity)
{
  Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return file.error().code == ErrorCode::NotFound ? Result<HintGraph>(HintGraph()) : forward_error(file);
  }
  Result<std::int64_t> size = file->size();
  constexpr auto kLargest = static_cast<std::int64_t>(sizeof(Header) + HintGraph::kMost * sizeof(Record));
  if (!size || *size > kLargest)
  {
    return size ? unusable("the file is too long for hints") : forward_error(size);
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(*size));
  if (Result<void> read = file->pread_full(bytes.data(), *size, 0); !read)
  {
    return forward_error(read);
  }
  Result<HintGraph> hints = unpack_hints(bytes, identity);
  if (!hints)
  {
    hints.error().path = path;
  }
  return hints;
}

/// Makes the folder of a file of hints. A store that has been removed is not made again.
void make_folder_of(const std::filesystem::path& path)
{
  std::error_code ignored; // the next call reports the error
  const std::string user = user_hints_folder();
  if (!user.empty() && path.parent_path() == std::filesystem::path(user))
  {
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  else
  {
    std::filesystem::create_directory(path.parent_path(), ignored);
  }
}

Result<void> merge_hints(const std::string& path, std::uint64_t identity, const HintGraph& learnt)
{
  make_folder_of(path);
  Result<File> lock = open_lock(path + ".lock");
  if (!lock)
  {
    return forward_error(lock);
  }
  const HintLock mine(*lock);
  if (!mine.held())
  {
    return fail(ErrorCode::CannotWrite, "another process holds the lock of the hints", "remove the file if none does",
        path + ".lock");
  }
  Result<HintGraph> hints = read_hints(path, identity);
  HintGraph merged = hints ? std::move(*hints) : HintGraph();
  merged.fade();
  merged.merge(learnt);
  return write_file(path, pack_hints(merged, identity));
}

std::string user_hints_folder()
{
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') // the specification says to ignore others
  {
    return std::string(cache) + "/rivulet/hints";
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/rivulet/hints" : std::string();
}

HintFolders hint_folders(const std::string& path)
{
  const std::string user = user_hints_folder();
  if (!StoreFolder::can_read(path))
  {
    return { user, {} };
  }
  std::error_code ignored;
  const std::filesystem::path store = std::filesystem::is_directory(path, ignored)
                                          ? std::filesystem::path(path)
                                          : std::filesystem::path(path).parent_path();
  const std::string own = (store / "hints").string();
  const bool there = std::filesystem::is_directory(own, ignored);
  const std::string place = there ? own : store.string();
  const bool writable = ::access(place.empty() ? "." : place.c_str(), W_OK | X_OK) == 0;
  return writable ? HintFolders{ own, user } : HintFolders{ user, own };
}

} // namespace rivulet
