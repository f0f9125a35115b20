// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The bytes of blocks from mapped files, where Io reads them (PositionedAccess, DirectAccess).
///
///     MappedAccess mapped(maps, residency, 256 * kKiB);  assemble(variable, step, box, mapped, out);
///
/// An access serves one thread at a time; MappedBlocks any number. Bytes.
#pragma once

#include "Io/BlockAssembly.h"
#include "Io/MappedFile.h"
#include "Store/Residency.h"

#include <vector>

namespace rivulet
{

/// The data files of a field, mapped when needed; no more than a few hundred stay mapped.
class MappedBlocks
{
public:
  explicit MappedBlocks(std::shared_ptr<SeenFiles> seen)
    : seen_(std::move(seen))
  {
  }
  /// Fails with what MappedFile::open() says, and with Truncated for a file of fewer than `bytes`.
  [[nodiscard]] Result<std::shared_ptr<const MappedFile>> open(const std::string& path, std::int64_t bytes);
  [[nodiscard]] Result<void> health();
  /// Gives all pages back; they come again when they are touched.
  void drop_all();

private:
  [[nodiscard]] std::vector<std::shared_ptr<const MappedFile>> all();

  struct Entry
  {
    std::shared_ptr<const MappedFile> file;
    std::uint64_t last_use = 0;
  };
  std::shared_ptr<SeenFiles> seen_;
  std::mutex mutex_; // guards what follows
  std::unordered_map<std::string, Entry> mapped_;
  std::uint64_t uses_ = 0;
};

/// What is fetched is counted as resident before it is touched, and may be dropped at any time after.
class MappedAccess final : public BlockAccess
{
public:
  MappedAccess(MappedBlocks& maps, Residency& residency, std::int64_t most);
  [[nodiscard]] Result<const std::byte*> fetch(const BlockSpan& span) override;
  [[nodiscard]] Result<void> finish() override;

private:
  struct Fetched
  {
    std::shared_ptr<const MappedFile> file;
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  void note(const std::shared_ptr<const MappedFile>& file, std::int64_t begin, std::int64_t end);

  MappedBlocks& maps_;
  Residency& residency_;
  std::vector<Fetched> fetched_;
};

} // namespace rivulet
