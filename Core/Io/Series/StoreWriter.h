// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Appends whole time steps to a store (StoreFolder.h).
///
///     Result<std::unique_ptr<StoreWriter>> store = StoreWriter::open("flow.rvs", {});
///     for each step:
///       Result<std::unique_ptr<FieldFileWriter>> step = (*store)->begin_step(info);   // info.times = { time }
///       ... (*step)->write_brick({ variable, 0, brick }, values) ...                  // any order, any thread
///       (*step)->finish();                                                            // the step appears, whole
///
/// A store that replaces another is written beside it, and takes its place in publish(). Before, and if that is never
/// called, the old store is there as it was. The disk must have room for both.
///
/// A step that is not finished, because of an error or because the process was killed, leaves nothing that readers see.
/// The next writer removes its unfinished file. Files of steps that are there are never written again.
///
/// A run that goes back in time replaces the steps from its first time on: restart() makes a store beside the old one,
/// with links to the files of the steps before, and publish() exchanges the two.
///
/// One process writes a store at a time: its description is locked (flock) while this object lives. On a file system
/// without locks two writers may both write a step, and the second one's finish() fails.
///
/// Threads: one at a time; the writer of a step as FieldFileWriter.h says. The writer of a
/// step may outlive this object and complete its step; but the lock is gone then, and another process may write.
#pragma once

#include "Io/FieldFile/FieldFileWriter.h"
#include "Io/Files/File.h"
#include "Io/Series/StoreFolder.h"
#include "Io/Series/StoreReplacement.h"

namespace rivulet
{

/// Treatment of a file or folder at the store's path.
enum class StoreStart : std::uint8_t
{
  New,    ///< nothing, or an empty folder, may be there
  Append, ///< a store goes on after its last step; without one, as New
  Replace ///< a store is replaced in publish(), but never a folder that is none; without one, as New
};

struct StoreOptions
{
  StoreStart start = StoreStart::New;
  std::optional<Int3> brick_cells{};  ///< default: as in the store's first step, else the usual ones
  std::optional<Encoding> encoding{}; ///< by default that of the store's first step, else plain
  bool sync = true;                   ///< a step is on the disk before it appears, so that no failure of power tears it
  std::int64_t direct_from = 0;       ///< FieldFileOptions::direct_from of each step
  std::string uuid{};                 ///< identity of a new store; random if empty
};

class StoreWriter
{
public:
  /// Makes the folder and its description. Fails with CannotWrite, also if another process writes the store, and as
  /// FieldSeries::open() does for a store that is there.
  [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> open(const std::string& path, const StoreOptions& options);

  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter(); ///< removes a new store that has no step, or has not replaced the old one

  [[nodiscard]] const std::string& path() const { return folder_; }
  [[nodiscard]] const std::string& uuid() const { return identity_.current(); }
  /// Times of the steps that are complete. A step is counted once its writer has finished it.
  [[nodiscard]] const std::vector<double>& times();

  /// Cells along each side of a brick: as the options say, or as the store has them. kUsualBrick: neither says.
  [[nodiscard]] Int3 brick_cells() const { return options_of_step().brick_cells; }

  /// Writer of the next step. `field` has one time. Fails with BadArgument if that is not after the last step's, or if
  /// grid, variables or bricks differ from the first step's; and as FieldFileWriter::create() does. At most one step
  /// may be under way.
  ///
  /// Of a curvilinear grid `field.points_steps` is { -1 } where the nodes lie as at the last step. Their places are
  /// then in the file of an earlier step, and the writer does not want them. The first step needs them.
  [[nodiscard]] Result<std::unique_ptr<FieldFileWriter>> begin_step(const FieldInfo& field);

  /// The steps written next replace the steps at `time` and later. Readers see the old steps until publish(). Steps
  /// before stay. Nothing to do if there are none at or after `time`. Before the first step of this writer. Fails with
  /// CannotWrite, also on a file system without links.
  [[nodiscard]] Result<void> restart(double time);

  /// Whether readers still see the store that is to be replaced.
  [[nodiscard]] bool is_replacing() const { return replacement_.has_value(); }
  /// Lets the new store take the place of the old one, with the steps that are complete; no step may be under way.
  /// Later steps appear when they are finished. Nothing to do unless is_replacing(). Fails with CannotWrite; the old
  /// store then stays.
  [[nodiscard]] Result<void> publish();

private:
  StoreWriter(std::string folder, const StoreOptions& options)
    : folder_(std::move(folder))
    , place_(folder_)
    , options_(options)
  {
  }
  [[nodiscard]] Result<void> take_up();
  [[nodiscard]] Result<void> begin_replacement();
  [[nodiscard]] Result<void> take_over(std::size_t steps);
  [[nodiscard]] std::string new_uuid() const;
  [[nodiscard]] Result<void> remove_half_removed();
  [[nodiscard]] Result<void> make_store();
  [[nodiscard]] Result<void> describe_place();
  [[nodiscard]] Result<void> go_on();
  [[nodiscard]] Result<void> learn_steps(const StoreFolder& folder);
  [[nodiscard]] Result<void> lock(const std::string& description);
  void count_finished_step();
  void remove_empty_store();
  [[nodiscard]] Result<void> check_step(const FieldInfo& field) const;
  [[nodiscard]] Result<void> know_first();
  [[nodiscard]] Result<void> know_points();
  [[nodiscard]] FieldFileOptions options_of_step() const;
  [[nodiscard]] Result<void> check_fit(const FieldInfo& field, const FieldFileOptions& options) const;

  std::string folder_; ///< as the caller named it
  std::string place_;  ///< where the files lie: folder_, or beside it
  StoreOptions options_;
  StoreIdentity identity_;
  std::optional<StoreReplacement> replacement_;
  File replaced_; ///< the description of the store that is to be replaced, locked
  File lock_;     ///< the description, locked
  std::vector<double> times_;
  bool begun_ = false; ///< whether a step is under way
  bool new_ = false;   ///< whether this writer made the store
  std::optional<FieldFile> first_;
  std::string points_in_; ///< identity of the last step with places of nodes; empty: not known
};

} // namespace rivulet
