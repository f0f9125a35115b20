// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The data files of a field, opened when needed; no more than a few hundred stay open however many there are.
///
///     DataFiles files;
///     Result<std::shared_ptr<const DataFile>> file = files.open("flow.00007.raw", 4096);    // of 4096 bytes at least
///     if (file) (*file)->read(0, 4096, out);
///
/// Any thread. A handle stays valid while it is held, even when the family has forgotten it.
#pragma once

#include "Io/Files/SeenFiles.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace rivulet
{

/// One file, open for reading.
class DataFile
{
public:
  /// Fails with NotFound or CannotRead. `direct` asks for reads past the page cache.
  [[nodiscard]] static Result<std::shared_ptr<const DataFile>> open(const std::string& path, bool direct = false);

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::int64_t size() const { return identity_.size(); } ///< when it was opened
  [[nodiscard]] int descriptor() const { return file_.descriptor(); }

  /// Fails with Truncated, naming the bytes there are, if the file is shorter than `bytes`.
  [[nodiscard]] Result<void> require(std::int64_t bytes) const;
  /// Fails if it is not the file that was there when the field was opened.
  [[nodiscard]] Result<void> see(SeenFiles& seen) const { return seen.see(file_, identity_); }
  /// Fails if it is not the file any more that was opened.
  [[nodiscard]] Result<void> check() const { return identity_.check(file_); }

  /// Reads exactly `bytes`; fails with CannotRead or, where the file has become shorter, with Truncated.
  [[nodiscard]] Result<void> read(std::int64_t offset, std::int64_t bytes, void* out) const;
  /// Fails with Truncated if the file ends before `end` by now. Asked after each read: one that is under way while the
  /// file is cut short may count all its bytes and have zeros among them, of pages that the system takes back.
  [[nodiscard]] Result<void> reaches(std::int64_t end) const;

private:
  DataFile(File&& file, const FileIdentity& identity)
    : file_(std::move(file))
    , identity_(identity)
  {
  }

  File file_;
  FileIdentity identity_;
};

class DataFiles
{
public:
  /// In which reads come.
  enum class Order : std::uint8_t
  {
    Any,
    Random ///< the system need not read ahead
  };
  static constexpr std::int64_t kMostOpen = 256;

  /// `seen` may be shared with others who open files of the same field.
  explicit DataFiles(
      bool direct = false, std::shared_ptr<SeenFiles> seen = std::make_shared<SeenFiles>(), Order order = Order::Any)
    : direct_(direct)
    , order_(order)
    , seen_(std::move(seen))
  {
  }

  /// The file, of `bytes` at least. Fails with NotFound, CannotRead, Truncated; also where it was replaced or written
  /// to since that object was made.
  [[nodiscard]] Result<std::shared_ptr<const DataFile>> open(const std::string& path, std::int64_t bytes);

  /// Fails if one of the files that are open is not any more what it was (Truncated, CannotRead).
  [[nodiscard]] Result<void> health();

private:
  struct Entry
  {
    std::shared_ptr<const DataFile> file;
    std::uint64_t last_use = 0;
  };
  void forget_oldest();

  bool direct_;
  Order order_;
  std::shared_ptr<SeenFiles> seen_;
  std::mutex mutex_; // guards what follows
  std::unordered_map<std::string, Entry> open_;
  std::uint64_t uses_ = 0;
};

/// The error that a file of `held` bytes is, where `needed` are.
[[nodiscard]] Error too_short(const std::string& path, std::int64_t held, std::int64_t needed);

} // namespace rivulet
