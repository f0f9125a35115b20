// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field with levels in the memory of the ranks that trace in it: the patches of all ranks, as an AmrMesh and
/// values for AmrBricks.
///
///     Result<std::shared_ptr<const LevelField>> field = LevelField::gather(host, chosen, blocks, { limit, traces });
///     AmrBricks velocity(field->mesh(), field->values(0), field->bricks_budget(0));
///
/// Threads: the one that calls the analytics; values() as PatchValues says. Bytes.
#pragma once

#include "AmrMesh/PatchValues.h"
#include "Base/Buffer.h"
#include "Levels/PublishedLevels.h"

#include <functional>
#include <memory>

namespace rivulet
{

struct LevelFieldNeeds
{
  std::int64_t limit = 0;               ///< bytes on each rank, of patches and of the bricks that are made of them
  std::function<bool(int rank)> traces; ///< whether a rank needs the values: the same answer on all ranks
};

class LevelField : public std::enable_shared_from_this<LevelField>
{
public:
  /// Collective; an error of one rank is one of all. `blocks`: of all ranks. Fails as find_levels() and
  /// AmrMesh::create() do, and if the patches take more than the limit.
  [[nodiscard]] static Result<std::shared_ptr<const LevelField>> gather(const Host& host, const ChosenField& chosen,
      const std::vector<SpreadBlock>& blocks, const LevelFieldNeeds& needs);

  [[nodiscard]] const std::shared_ptr<const AmrMesh>& mesh() const { return mesh_; }
  /// Values of a chosen variable. Only where they are.
  [[nodiscard]] std::shared_ptr<PatchValues> values(std::size_t variable) const;
  /// Part of the limit for the bricks of a variable: the room beside the patches, at least 1.
  [[nodiscard]] std::int64_t bricks_budget(std::size_t variable) const;

private:
  LevelField(std::vector<Variable> variables, std::int64_t limit)
    : variables_(std::move(variables))
    , limit_(limit)
  {
  }
  [[nodiscard]] std::int64_t cells() const { return first_.back(); }
  [[nodiscard]] std::int64_t bytes_of_cell() const;
  [[nodiscard]] Result<void> check_limit(const Host& host, const ChosenField& chosen) const;
  [[nodiscard]] Result<void> fetch(const Host& host, const ChosenField& chosen, const std::vector<SpreadBlock>& blocks,
      const std::function<bool(int rank)>& traces);

  std::vector<Variable> variables_;
  std::int64_t limit_;
  std::shared_ptr<const AmrMesh> mesh_;
  std::vector<std::vector<std::size_t>> blocks_; ///< by level and box: number among the blocks of all ranks
  std::vector<std::int64_t> first_;              ///< of each block: cells of the blocks before it; then of all
  std::vector<Buffer<std::byte>> values_;        ///< of each variable: patches in the order of the blocks of all ranks
};

} // namespace rivulet
