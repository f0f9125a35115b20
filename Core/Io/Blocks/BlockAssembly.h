// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Assembles the values of any box of a variable from the blocks that hold them.
///
/// BlockPlan.h finds the bytes; they are converted on the way to their places. A BlockAccess fetches the bytes:
///
///     PositionedAccess access(files);                                              // pread
///     Result<void> done = assemble(variable, step, box, access, out);
///
/// assemble() keeps no state and may run on any number of threads; each needs a BlockAccess of its own.
#pragma once

#include "Base/Bytes.h"
#include "Io/Blocks/BlockPlan.h"
#include "Io/Files/DataFiles.h"

namespace rivulet
{

/// One way to fetch bytes of files.
class BlockAccess
{
public:
  /// Pieces at most `gap` bytes apart are fetched together, up to `most` bytes at once.
  BlockAccess(std::int64_t gap, std::int64_t most)
    : gap_(gap)
    , most_(most)
  {
  }
  BlockAccess(const BlockAccess&) = delete;
  BlockAccess& operator=(const BlockAccess&) = delete;
  virtual ~BlockAccess() = default;

  [[nodiscard]] std::int64_t gap() const { return gap_; }
  [[nodiscard]] std::int64_t most() const { return most_; }

  /// The bytes of the span; valid until the next call.
  [[nodiscard]] virtual Result<const std::byte*> fetch(const BlockSpan& span) = 0;

  /// Fetches the same into memory of the caller.
  [[nodiscard]] virtual Result<void> fetch_into(const BlockSpan& span, void* out);

  /// Whether all bytes fetched since the last call of finish() were really there; assemble() calls it at its end.
  [[nodiscard]] virtual Result<void> finish() { return {}; }

  /// Bytes that were read from the storage so far.
  [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }

protected:
  void count(std::int64_t bytes) { bytes_read_ += bytes; }

private:
  std::int64_t gap_;
  std::int64_t most_;
  std::int64_t bytes_read_ = 0;
};

/// Reads with pread, through the page cache.
class PositionedAccess final : public BlockAccess
{
public:
  /// Holds up to `most` bytes of scratch memory.
  explicit PositionedAccess(DataFiles& files, std::int64_t most = kMiB);
  [[nodiscard]] Result<const std::byte*> fetch(const BlockSpan& span) override;
  [[nodiscard]] Result<void> fetch_into(const BlockSpan& span, void* out) override;

private:
  DataFiles& files_;
  std::unique_ptr<std::byte[]> scratch_;
  std::int64_t scratch_bytes_ = 0;
};

/// Fills `out` with the values of `box` (inside the lattice, not empty): dense, components fastest, then i, j, k.
[[nodiscard]] Result<void> assemble(
    const BlockVariable& variable, int step, const Box& box, BlockAccess& access, void* out);

} // namespace rivulet
