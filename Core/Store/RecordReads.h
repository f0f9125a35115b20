// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a BrickFetcher reads of field files: records. Each read begins with the brick that most particles wait for and
/// takes in its neighbours along the curve that are asked for too, over gaps of at most kMostGap: one request of the
/// device costs more than a brick that is read in vain.
///
/// Threads: the fetcher's. The records must outlive this. Bytes.
#pragma once

#include "Store/BrickFetcher.h"
#include "Store/FieldRecords.h"
#include "Store/RecordRead.h"

#include <functional>

namespace rivulet
{

class RecordReads final : public BrickReads
{
public:
  /// Checks a record that was read into a slot, and makes plain values of it. Called by the fetcher's thread.
  using Admit = std::function<Result<BrickView>(const BrickKey&, std::byte*)>;

  static constexpr std::int64_t kMostBytes = std::int64_t{ 512 } * 1024; ///< of one read
  static constexpr std::int64_t kMostGap = std::int64_t{ 32 } * 1024;

  RecordReads(const FieldRecords& records, bool direct, Admit admit)
    : records_(records)
    , direct_(direct)
    , admit_(std::move(admit))
  {
  }

  [[nodiscard]] bool start(BrickFetcher& fetcher) override;
  void answer(BrickFetcher& fetcher, const ReadAnswer& answered) override;
  void end(BrickFetcher& fetcher) override;

private:
  [[nodiscard]] bool add(BrickFetcher& fetcher, RecordRead& read, const WantedBrick& brick, bool behind);
  void take_in_neighbours(BrickFetcher& fetcher, RecordRead& read, const WantedBrick& first);
  void split(const RecordRead& read);
  void finish(BrickFetcher& fetcher, const RecordRead& read);
  [[nodiscard]] Result<LoadedBrick> loaded(
      const RecordRead& read, const RecordRead::Brick& brick, std::int64_t waste) const;

  const FieldRecords& records_;
  const bool direct_;
  const Admit admit_;
  std::vector<std::unique_ptr<RecordRead>> retries_;
};

} // namespace rivulet
