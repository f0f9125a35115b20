// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a BrickFetcher reads of plain blocks: for each brick the rows of it that lie in each block, those close
/// together at once (BlockPlan.h), into staging memory, from where the values are put into the brick's slot. The spans
/// of a brick are read side by side, and so are bricks, as many as there is staging memory for.
///
/// Threads: the fetcher's. What it is given must outlive this. Bytes.
#pragma once

#include "Io/BlockFiles.h"
#include "Io/BlockPlan.h"
#include "Store/BrickFetcher.h"
#include "Store/StagingMemory.h"

#include <list>

namespace rivulet
{

class BlockReads final : public BrickReads
{
public:
  /// Where values come from.
  struct Field
  {
    const BlockField& blocks;
    const std::vector<BrickGrid>& grids; ///< by variable
    BlockFiles& files;
    StagingMemory& staging;
    bool direct; ///< the files are opened for direct reads
  };

  static constexpr std::int64_t kMostBytes =
      StagingMemory::kLargest - std::int64_t{ 2 } * 4096; ///< a direct read begins and ends at pages

  /// `gap`: rows no further apart are read at once.
  BlockReads(const Field& field, std::int64_t gap)
    : field_(field)
    , limits_{ gap, kMostBytes }
  {
  }

  [[nodiscard]] bool start(BrickFetcher& fetcher) override;
  void answer(BrickFetcher& fetcher, const ReadAnswer& answered) override;
  void end(BrickFetcher& fetcher) override;

private:
  /// A brick whose spans are being read.
  struct Loading
  {
    WantedBrick wanted;
    Slot* slot = nullptr;
    Box box;
    std::vector<PlannedSpan> spans;
    std::size_t next = 0; ///< of them to be read
    int under_way = 0;
    std::int64_t bytes_read = 0;
    std::optional<Error> error; ///< the first
  };
  struct SpanRead;

  [[nodiscard]] const BlockVariable& variable(const BrickKey& key) const
  {
    return field_.blocks.variables[static_cast<std::size_t>(key.variable)];
  }
  [[nodiscard]] bool begin_brick(BrickFetcher& fetcher);
  [[nodiscard]] bool submit_next(BrickFetcher& fetcher);
  void take_in(const SpanRead& read);
  void finish_if_done(BrickFetcher& fetcher, Loading& loading);

  const Field field_;
  const SpanLimits limits_;
  std::list<Loading> loading_; ///< only the last may have spans that are not read yet
};

} // namespace rivulet
