// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A store that the ranks of a job write together: each writes bricks of its own into the file of the step, which the
/// first rank publishes when all have finished.
///
///     auto store = ParallelStoreWriter::open(link, "flow.rvs", {});            // by all ranks
///     for each step:
///       (*store)->write_step(info, [&](FieldFileWriter& writer) { ... bricks of this rank ... });
///
/// Every call is collective, and gives all ranks the same answer: the error of the first rank that failed. A step
/// to which a rank has not contributed is not published. A rank that does not answer within `patience` counts as
/// failed, so that no wait is unbounded.
///
/// Threads: the one that may call MPI.
#pragma once

#include "Io/Series/StoreWriter.h"
#include "Parallel/RankLink.h"

#include <chrono>
#include <functional>

namespace rivulet
{

struct RankWaiting
{
  std::chrono::milliseconds patience = std::chrono::minutes(10);
  std::function<void()> idle{}; ///< called about every millisecond while a rank waits
};

class ParallelStoreWriter
{
public:
  /// `link` must outlive the store and have no other user meanwhile; nullptr: this process is alone. Fails as
  /// StoreWriter::open() does.
  [[nodiscard]] static Result<std::unique_ptr<ParallelStoreWriter>> open(
      RankLink* link, const std::string& path, const StoreOptions& options, const RankWaiting& waiting = {});

  /// Times of the steps that are complete; the same on all ranks.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }

  /// Cells along each side of a brick of a grid, as StoreOptions says or the store has them, or the usual ones; the
  /// same on all ranks. A grid that is thinner has thinner bricks.
  [[nodiscard]] Int3 brick_cells(const Int3& nodes) const
  {
    return brick_cells_or_usual(brick_cells_, options_.encoding.value_or(Encoding::Plain), nodes);
  }

  /// Steps at `time` and later ones are to be replaced (StoreWriter::restart()). Collective. Before the first step.
  [[nodiscard]] Result<void> restart(double time);

  using WriteBricks = std::function<Result<void>(FieldFileWriter&)>;
  /// Writes a step. `field` is the same on all ranks, with one time; an error if this rank cannot write; without
  /// variables if it has no bricks. The ranks' bricks must make up all bricks; hidden points are the first rank's to
  /// write. Fails as StoreWriter::begin_step(), `write` and FieldFileWriter::finish() do.
  [[nodiscard]] Result<void> write_step(const Result<FieldInfo>& field, const WriteBricks& write);

  /// A store that replaces another takes its place (StoreWriter::publish()). Nothing to do for others.
  [[nodiscard]] Result<void> publish();

private:
  ParallelStoreWriter(RankLink* link, std::string path, const StoreOptions& options, RankWaiting waiting)
    : link_(link)
    , path_(std::move(path))
    , options_(options)
    , waiting_(std::move(waiting))
  {
  }
  enum class Phase : std::uint8_t
  {
    Begin,
    Written,
    End
  };

  [[nodiscard]] int rank() const { return link_ != nullptr ? link_->rank() : 0; }
  [[nodiscard]] int size() const { return link_ != nullptr ? link_->size() : 1; }
  void begin_session();
  [[nodiscard]] Result<void> take_up();
  [[nodiscard]] Result<void> learn_of(const Result<void>& done);
  [[nodiscard]] Result<void> write_as_owner(const Result<FieldInfo>& field, const WriteBricks& write);
  [[nodiscard]] Result<void> write_as_guest(const Result<FieldInfo>& field, const WriteBricks& write);
  [[nodiscard]] Result<std::vector<std::byte>> contribute(
      const Result<FieldInfo>& field, const WriteBricks& write, std::span<const std::byte> begin) const;
  [[nodiscard]] Result<void> gather(FieldFileWriter* writer);
  void send(int to, Phase phase, const Result<std::vector<std::byte>>& answer);
  [[nodiscard]] bool try_send(int to, Phase phase, const Result<std::vector<std::byte>>& answer);
  [[nodiscard]] bool take_message();
  void send_to_all(Phase phase, const Result<std::vector<std::byte>>& answer);
  [[nodiscard]] Result<std::vector<std::byte>> receive(int from, Phase phase);

  RankLink* link_;
  std::string path_;
  StoreOptions options_;
  RankWaiting waiting_;
  std::unique_ptr<StoreWriter> store_; ///< of the first rank
  bool replacing_ = false;             ///< the same on all ranks
  std::vector<double> times_;
  Int3 brick_cells_{ 1, 1, 1 };
  std::uint32_t session_ = 0;
  std::vector<RankMessage> early_; ///< arrived before they were wanted
};

} // namespace rivulet
