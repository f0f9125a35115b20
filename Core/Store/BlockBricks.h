// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the sources that read plain blocks in place have in common, whatever their strategy. See BovBricks.h.
///
/// Threads and units as in BrickSource.h.
#pragma once

#include "Io/BlockField.h"
#include "Store/BrickStore.h"
#include "Store/ChooseStrategy.h"

#include <utility>

namespace rivulet
{

class BlockBricks : public FileBricks
{
public:
  [[nodiscard]] const FieldInfo& info() const final { return field_.info; }
  [[nodiscard]] const BrickGrid& bricks(int variable) const final { return grids_[static_cast<std::size_t>(variable)]; }
  [[nodiscard]] const std::string& path() const final { return path_; }
  [[nodiscard]] AccessStrategy strategy() const final { return choice_.strategy; }
  [[nodiscard]] std::string strategy_reason() const override { return choice_.reason; }
  /// Blocks hold nothing but values.
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int, int) final
  {
    return std::vector<std::array<float, 2>>();
  }

protected:
  /// One BrickGrid for each variable.
  BlockBricks(BlockField&& field, std::vector<BrickGrid>&& grids, std::string path, StrategyChoice&& choice)
    : field_(std::move(field))
    , grids_(std::move(grids))
    , path_(std::move(path))
    , choice_(std::move(choice))
  {
  }

  [[nodiscard]] const BlockField& field() const { return field_; }
  [[nodiscard]] const std::vector<BrickGrid>& grids() const { return grids_; }
  /// Asynchronous: past the page cache.
  [[nodiscard]] bool reads_directly() const { return choice_.direct; }
  [[nodiscard]] const BlockVariable& variable(const BrickKey& key) const
  {
    return field_.variables[static_cast<std::size_t>(key.variable)];
  }
  [[nodiscard]] bool exists(const BrickKey& key) const
  {
    return key.variable >= 0 && static_cast<std::size_t>(key.variable) < grids_.size() && key.step >= 0 &&
           static_cast<std::size_t>(key.step) < field_.info.times.size() && key.index >= 0 &&
           key.index < bricks(key.variable).size();
  }
  [[nodiscard]] Lookup no_such_brick() const
  {
    return { Lookup::State::Failed, {},
      std::make_shared<const Error>(
          Error{ ErrorCode::BadArgument, "the field has no such brick", "ask for one that it has", path_ }) };
  }

private:
  BlockField field_;
  std::vector<BrickGrid> grids_;
  std::string path_;
  StrategyChoice choice_;
};

} // namespace rivulet
