// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The data files of a field, opened when they are needed. All fields of the process together keep at most a quarter of
/// the descriptors that it may have (RLIMIT_NOFILE), and at most kMostKept, for any number of files: the files read
/// last. A file under a read stays open until that ends.
///
///     DataFiles files;
///     Result<std::shared_ptr<const DataFile>> file = files.open("flow.00007.raw", 4096);    // of 4096 bytes at least
///     if (file) (*file)->read(0, 4096, out);
///
/// Any thread. A handle stays valid while it is held, also after its file was given up.
#pragma once

#include "Io/Files/FileChangeGuard.h"

#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace rivulet
{

/// One file, open for reading.
class DataFile
{
public:
  /// Fails with NotFound or CannotRead. `direct` asks for reads past the page cache.
  [[nodiscard]] static Result<std::shared_ptr<const DataFile>> open(const std::string& path, bool direct = false);

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::int64_t size() const { return identity_.size(); } ///< bytes of the file when it was opened
  [[nodiscard]] int descriptor() const { return file_.descriptor(); }
  /// FileIdentity::fingerprint(). The first call may read from the file.
  [[nodiscard]] std::uint64_t fingerprint() const;

  /// Fails with Truncated, naming the bytes there are, if the file is shorter than `bytes`.
  [[nodiscard]] Result<void> require(std::int64_t bytes) const;
  /// Fails if this is not the file from when the field was opened.
  [[nodiscard]] Result<void> see(FileChangeGuard& seen) const { return seen.see(file_, identity_); }
  /// Fails if this is not the file that was opened any more.
  [[nodiscard]] Result<void> check() const { return identity_.check(file_); }

  /// Reads exactly `bytes`; fails with CannotRead or, where the file has become shorter, with Truncated.
  [[nodiscard]] Result<void> read(std::int64_t offset, std::int64_t bytes, void* out) const;
  /// Fails with Truncated if the file ends before `end` now. Called after each read: a read during which the file is
  /// cut short may return all bytes, with zeros from pages that the system took back.
  [[nodiscard]] Result<void> reaches(std::int64_t end) const;

private:
  DataFile(File&& file, const FileIdentity& identity)
    : file_(std::move(file))
    , identity_(identity)
  {
  }

  File file_;
  FileIdentity identity_;
  mutable std::once_flag fingerprinted_;
  mutable std::uint64_t fingerprint_ = 0;
};

class DataFiles
{
public:
  /// Order of the reads.
  enum class Order : std::uint8_t
  {
    Any,
    Random ///< the system need not read ahead
  };
  static constexpr std::int64_t kMostKept = 512; ///< descriptors, of all fields of the process

  /// `seen` may be shared with other readers of the same field.
  explicit DataFiles(bool direct = false, std::shared_ptr<FileChangeGuard> seen = std::make_shared<FileChangeGuard>(),
      Order order = Order::Any)
    : direct_(direct)
    , order_(order)
    , seen_(std::move(seen))
  {
  }

  DataFiles(const DataFiles&) = delete;
  DataFiles& operator=(const DataFiles&) = delete;
  ~DataFiles();

  /// The file, with at least `bytes` bytes. Fails with NotFound, CannotRead or Truncated, also if it was replaced or
  /// written to since `seen` was made.
  [[nodiscard]] Result<std::shared_ptr<const DataFile>> open(const std::string& path, std::int64_t bytes);

  /// Keeps an open file open until this object is destroyed. Refused once the process keeps half of its share so.
  [[nodiscard]] bool pin(const std::string& path);

  /// Descriptors that all fields of the process keep: at most, and now.
  [[nodiscard]] static std::int64_t most_kept();
  [[nodiscard]] static std::int64_t kept();

  /// Fails if an open file is not the same any more (Truncated, CannotRead).
  [[nodiscard]] Result<void> health();

private:
  struct Kept
  {
    DataFiles* owner = nullptr;
    std::shared_ptr<const DataFile> file;
    bool pinned = false;
  };
  using Files = std::vector<std::shared_ptr<const DataFile>>;

  /// Files that are kept open, of all objects of this class.
  struct Process
  {
    std::mutex mutex;       ///< guards the members below, and open_ of each object
    std::list<Kept> by_use; ///< the least recently used first
    std::int64_t pinned = 0;
  };
  [[nodiscard]] static Process& process();
  [[nodiscard]] static Files give_up(std::int64_t most);
  [[nodiscard]] std::shared_ptr<const DataFile> find(const std::string& path);
  [[nodiscard]] Result<std::shared_ptr<const DataFile>> open_anew(const std::string& path, std::int64_t bytes);
  void keep(const std::shared_ptr<const DataFile>& file);

  bool direct_;
  Order order_;
  std::shared_ptr<FileChangeGuard> seen_;
  std::unordered_map<std::string, std::list<Kept>::iterator> open_; ///< guarded by the process's mutex
};

/// Error for a file with `held` bytes of which `needed` are needed.
[[nodiscard]] Error too_short(const std::string& path, std::int64_t held, std::int64_t needed);

} // namespace rivulet
