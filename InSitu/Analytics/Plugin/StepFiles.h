// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Results of an analytics in one file for each step, and the treatment of an earlier run's files (Host::start()).
///
///     StepFiles files(host, ".csv");       // NAME-00000120.csv; or of each rank: NAME.0003-00000120.csv
///     files.check();                       // in create()
///     files.write(snapshot, [&](const std::string& path) { return write_whole_file(path, text); });
///
/// Start::Restart: files of the run's first step and of later ones are removed when the first new one is complete.
/// Of each rank: the first one takes care of the files of ranks that only an earlier run had.
/// Start::Continue: steps up to the last one that has a file are left out. Start::New: there must be none.
///
/// Threads: one at a time.
#pragma once

#include "Base/Result.h"
#include "Plugin/Host.h"

#include <functional>
#include <optional>

namespace rivulet
{

class StepFiles
{
public:
  StepFiles(const Host& host, std::string ending, FilesOf ranks = FilesOf::AllRanks);

  /// Fails with CannotWrite if an earlier run has left files that this one may not touch.
  [[nodiscard]] Result<void> check() const;

  /// Calls `write` with the path of the step's file, unless the step is left out.
  [[nodiscard]] Result<void> write(
      const rivulet_snapshot& snapshot, const std::function<Result<void>(const std::string& path)>& write);

  /// Start::Continue: whether an earlier run has written this step or a later one. The first time, a note says so.
  [[nodiscard]] bool is_left_out(std::int64_t step);

  struct Found
  {
    std::string path;
    std::int64_t step = 0;
    int rank = 0;
  };
  /// Existing files: of this rank, and on the first rank of ranks that only an earlier run had.
  [[nodiscard]] std::vector<Found> there() const;
  /// Path of a step's file.
  [[nodiscard]] std::string path_of(std::int64_t step) const;

private:
  void remove_replaced(const rivulet_snapshot& snapshot);

  Host host_;
  std::string ending_;
  FilesOf ranks_;
  std::optional<std::int64_t> last_; ///< step of an earlier run; -1: none
  bool begun_ = false;               ///< a file of this run is complete
};

} // namespace rivulet
