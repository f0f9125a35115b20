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
/// A step that is not finished, because of an error or because the process was killed, leaves nothing that readers see.
/// The next writer removes its unfinished file. Steps that are there are never written again.
///
/// One process writes a store at a time: its description is locked (flock) while this object lives. On a file system
/// without locks two writers may both write a step, and the second one's finish() fails.
///
/// Threads: one at a time; the writer of a step as FieldFileWriter.h says. The writer of a
/// step may outlive this object and complete its step; but the lock is gone then, and another process may write.
#pragma once

#include "Io/FieldFile/FieldFileWriter.h"
#include "Io/Files/File.h"

namespace rivulet
{

/// Treatment of what lies at the store's path.
enum class StoreStart : std::uint8_t
{
  New,    ///< nothing, or an empty folder, may be there
  Append, ///< a store goes on after its last step; without one, as New
  Replace ///< a store is removed, but never a folder that is none
};

struct StoreOptions
{
  StoreStart start = StoreStart::New;
  std::optional<Int3> brick_cells{};  ///< by default those of the store's first step, else usual_brick_cells()
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

  [[nodiscard]] const std::string& path() const { return folder_; }
  [[nodiscard]] const std::string& uuid() const { return uuid_; }
  /// Times of the steps that are complete. A step is counted once its writer has finished it.
  [[nodiscard]] const std::vector<double>& times();

  /// Cells along each side of a brick: as the options say, or as the store has them.
  [[nodiscard]] Int3 brick_cells() const { return options_of_step().brick_cells; }

  /// Writer of the next step. `field` has one time. Fails with BadArgument if that is not after the last step's, or if
  /// grid, variables or bricks are not those of the first step; and as FieldFileWriter::create() does. At most one step
  /// may be under way.
  [[nodiscard]] Result<std::unique_ptr<FieldFileWriter>> begin_step(const FieldInfo& field);

private:
  StoreWriter(std::string folder, const StoreOptions& options)
    : folder_(std::move(folder))
    , options_(options)
  {
  }
  [[nodiscard]] Result<void> take_up();
  [[nodiscard]] Result<void> remove_store();
  [[nodiscard]] Result<void> make_store();
  [[nodiscard]] Result<void> go_on();
  [[nodiscard]] Result<void> lock(const std::string& description);
  void count_finished_step();
  [[nodiscard]] Result<void> check_step(const FieldInfo& field) const;
  [[nodiscard]] Result<void> know_first();
  [[nodiscard]] FieldFileOptions options_of_step() const;
  [[nodiscard]] Result<void> check_fit(const FieldInfo& field, const FieldFileOptions& options) const;

  std::string folder_;
  StoreOptions options_;
  std::string uuid_;
  File lock_; ///< the description, locked
  std::vector<double> times_;
  std::optional<double> begun_; ///< time of the step under way
  std::optional<FieldFile> first_;
};

} // namespace rivulet
