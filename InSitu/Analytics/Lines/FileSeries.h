// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A list of files and their times that ParaView opens as one series: NAME.vtp.series.
///
///     { "file-series-version": "1.0", "files": [
///       { "name": "lines-00000000.vtp", "time": 0.0 },
///       ...
///     ] }
///
///     FileSeries series(host, "lines.vtp.series");
///     series.add(snapshot, "results/lines-00000120.vtp");
///
/// A list that is there goes on: entries of an earlier run at the run's first time and later are left out, as are
/// entries whose files are not there (StepFiles.h). An entry is added at the end of the file in one write, so that it
/// costs the same for any number of them. A list that a failure of power has torn is made of its whole entries. An
/// entry that could not be written is added with the next one.
///
/// Threads: one at a time.
#pragma once

#include "Base/Result.h"
#include "Plugin/Host.h"

#include <string>

namespace rivulet
{

class FileSeries
{
public:
  FileSeries(const Host& host, const std::string& file)
    : path_(host.path_of(file))
    , continues_(host.start() == Start::Continue)
  {
  }

  /// Adds a file of the same folder. Fails with CannotWrite, and with BadArgument if another file has the list's name.
  [[nodiscard]] Result<void> add(const rivulet_snapshot& snapshot, const std::string& file);

private:
  [[nodiscard]] Result<void> write_anew(const rivulet_snapshot& snapshot, const std::string& added);
  [[nodiscard]] Result<void> append(const std::string& added);

  std::string path_;
  std::string waiting_;      ///< entries that are not in the list yet
  double waiting_since_ = 0; ///< time of the first of them
  bool continues_;
  bool begun_ = false;      ///< it has an entry of this run
  std::int64_t bytes_ = -1; ///< of the list as it was written last; -1: not yet
};

} // namespace rivulet
