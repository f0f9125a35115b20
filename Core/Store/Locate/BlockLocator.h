// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks of a field of plain row-major blocks (BOV, raw files), read in place without a converted copy: native-user of
/// Jiang et al., "Multi-Threaded Streamline Tracing for Data-Intensive Architectures", LDAV 2014.
///
/// A brick consists of its rows in each block; rows close together form one extent (Io/Blocks/BlockPlan.h). With the
/// cut WholeArrays, each variable at each step is one brick, to be mapped in place: native-mmap of the same paper.
///
/// Threads: immutable. Bytes.
#pragma once

#include "Store/Locate/BlockCut.h"
#include "Store/Locate/BrickLocator.h"

namespace rivulet
{

enum class BlockCutting : std::uint8_t
{
  Bricks,
  WholeArrays ///< why_not_in_place() must be empty
};

class BlockLocator final : public BrickLocator
{
public:
  /// `path` is used in messages.
  BlockLocator(std::shared_ptr<const BlockField> field, std::string path, BlockCutting cutting);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] const FieldInfo& info() const override { return field_->info; }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override
  {
    return variables_[static_cast<std::size_t>(variable)].grid;
  }
  [[nodiscard]] std::int64_t count() const override { return bricks_; }
  [[nodiscard]] std::int64_t number(const BrickKey& key) const override;
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override;
  [[nodiscard]] std::int64_t slot_bytes() const override { return slot_bytes_; }
  [[nodiscard]] std::int64_t slot_bytes(const BrickKey& key) const override
  {
    return brick_bytes(bricks(key.variable), variable(key).variable);
  }
  [[nodiscard]] bool converts() const override { return true; }
  [[nodiscard]] bool consecutive() const override { return false; }
  [[nodiscard]] std::int64_t file_count() const override { return files_; }
  [[nodiscard]] LocatedFile file(std::int64_t number) const override;
  [[nodiscard]] Error too_short(std::int64_t file, std::int64_t held) const override;
  void find_extents(const BrickKey& key, const SpanLimits& limits, std::vector<Extent>& extents) const override;
  void place(const BrickKey& key, const Extent& extent, const std::byte* bytes, std::byte* slot) const override;
  [[nodiscard]] Result<BrickView> finish(const BrickKey& key, std::byte* slot) override;
  [[nodiscard]] BrickInPlace in_place(const BrickKey& key) const override;
  [[nodiscard]] BrickView view(const BrickKey& key, const std::byte* values) const override;
  [[nodiscard]] Result<void> check(const BrickKey&, const std::byte*) override { return {}; }
  [[nodiscard]] bool whole_arrays() const override { return cutting_ == BlockCutting::WholeArrays; }

private:
  struct CutVariable
  {
    BrickGrid grid;
    std::int64_t first_brick = 0; ///< number of the first of its bricks; files are numbered likewise
    std::int64_t first_file = 0;
    std::int64_t parts = 0;
    std::int64_t blocks = 0;
  };
  [[nodiscard]] const BlockVariable& variable(const BrickKey& key) const
  {
    return field_->variables[static_cast<std::size_t>(key.variable)];
  }
  [[nodiscard]] Box box_of(const BrickKey& key) const;

  const std::shared_ptr<const BlockField> field_;
  const std::string path_;
  const BlockCutting cutting_;
  std::vector<CutVariable> variables_;
  std::int64_t bricks_ = 0;
  std::int64_t files_ = 0;
  std::int64_t slot_bytes_ = 0;
};

/// Reason why the values cannot be used in place; empty if they can.
[[nodiscard]] std::string why_not_in_place(const BlockField& field);

} // namespace rivulet
