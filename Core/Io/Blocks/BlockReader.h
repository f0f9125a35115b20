// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field of plain blocks as a LatticeReader: the converter reads BOV and raw files through it.
///
///     Result<std::unique_ptr<BlockReader>> reader = BlockReader::open(*bov_field(paths));
///     (*reader)->read(variable, step, box, out);
///
/// A source of a gibibyte or more is read past the page cache where the file system allows it: it is read only once,
/// and the copy would cost more than the reading. Any number of threads may read at once.
#pragma once

#include "Base/Bytes.h"
#include "Io/Blocks/BlockField.h"
#include "Io/Blocks/LatticeReader.h"
#include "Io/Files/DataFiles.h"

namespace rivulet
{

class BlockReader final : public LatticeReader
{
public:
  /// Checks every file first, so that hours of work do not end at a missing block. Fails with NotFound, CannotRead,
  /// Truncated or, if the byte order must be wrong, with Corrupt.
  /// `seen`: files that were opened to describe the field, such as headers.
  [[nodiscard]] static Result<std::unique_ptr<BlockReader>> open(BlockField field, std::int64_t direct_from = kGiB,
      std::shared_ptr<FileChangeGuard> seen = std::make_shared<FileChangeGuard>());

  [[nodiscard]] const FieldInfo& info() const override { return field_.info; }
  [[nodiscard]] const BlockField& field() const { return field_; }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] std::int64_t source_bytes() const override;
  [[nodiscard]] Int3 preferred_box() const override;
  [[nodiscard]] std::vector<std::string> files() const override;
  [[nodiscard]] Result<void> check_unchanged() override { return seen_->check_all(); }

private:
  BlockReader(BlockField field, bool direct, std::shared_ptr<FileChangeGuard> seen)
    : field_(std::move(field))
    , direct_(direct)
    , seen_(std::move(seen))
    , files_(direct, seen_)
  {
  }

  BlockField field_;
  bool direct_;
  std::shared_ptr<FileChangeGuard> seen_;
  DataFiles files_;
};

} // namespace rivulet
