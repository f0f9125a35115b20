// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The reads of a BrickFetcher: the extents of requested bricks, many at once. Each read begins with the brick that
/// most particles wait for. If bricks are consecutive in a file, the read includes neighbours that are requested, too,
/// over gaps of at most kMostGap: one request to the device costs more than a brick that is read in vain.
///
/// Threads: the fetcher's. The reader must outlive this object. Bytes.
#pragma once

#include "Store/Cache/BrickFetcher.h"
#include "Store/Read/ExtentReader.h"

#include <unordered_map>

namespace rivulet
{

class ReadScheduler final : public BrickReads
{
public:
  static constexpr std::int64_t kMostBytes = std::int64_t{ 512 } * 1024; ///< bytes of a read of several bricks
  static constexpr std::int64_t kMostGap = std::int64_t{ 32 } * 1024;

  explicit ReadScheduler(ExtentReader& reader)
    : reader_(reader)
  {
  }

  [[nodiscard]] bool start(BrickFetcher& fetcher) override;
  void answer(BrickFetcher& fetcher, const ReadAnswer& answered) override;
  void end(BrickFetcher& fetcher) override;

private:
  [[nodiscard]] BrickLoad* begin_brick(BrickFetcher& fetcher, const WantedBrick& brick);
  [[nodiscard]] bool begin_best(BrickFetcher& fetcher);
  [[nodiscard]] bool submit_next(BrickFetcher& fetcher);
  void take_in_neighbours(BrickFetcher& fetcher, ExtentRead& read, const BrickLoad& first);
  void finish_if_done(BrickFetcher& fetcher, BrickLoad& load);
  void finish_pieces(BrickFetcher& fetcher, const ExtentRead& read);

  ExtentReader& reader_;
  std::unordered_map<std::int64_t, BrickLoad> loads_; ///< by number of the brick
  BrickLoad* filling_ = nullptr;                      ///< the load with extents that have no read yet
  std::vector<std::unique_ptr<ExtentRead>> retries_;
};

} // namespace rivulet
