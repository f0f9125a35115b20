// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Results of an analytics in a text table that grows by rows, and the treatment of an earlier run's rows
/// (Host::start()).
///
///     StepTable table(host, FilesOf::AllRanks, "step,time,mean\n");    // NAME.csv, or NAME.0003.csv of each rank
///     table.check();                                                 // in create()
///     table.append(snapshot, "12,0.5,1.25\n");                       // each row begins with the step
///
/// Start::Restart: rows of the run's first step and of later ones are left out when the first new one is written.
/// Start::Continue: steps up to that of the last row are left out. Start::New: there must be no table.
///
/// Threads: one at a time. Rows of a call that fails may be there in part; the next call begins a new line.
#pragma once

#include "Base/Result.h"
#include "Plugin/Host.h"

#include <optional>

namespace rivulet
{

class StepTable
{
public:
  StepTable(const Host& host, FilesOf ranks, std::string header);

  /// Fails with CannotWrite if an earlier run has left a table that this one may not touch, and with BadArgument if the
  /// file has other columns.
  [[nodiscard]] Result<void> check() const;

  /// Appends the rows of a step, unless it is left out. Fails with CannotWrite, and as check() does.
  [[nodiscard]] Result<void> append(const rivulet_snapshot& snapshot, std::string_view rows);

private:
  [[nodiscard]] std::vector<std::string> there() const;
  [[nodiscard]] Result<void> begin(const rivulet_snapshot& snapshot);
  [[nodiscard]] Result<void> look_at_rows(const std::string& path, const rivulet_snapshot& snapshot);
  [[nodiscard]] Result<void> add(std::string_view rows);

  Host host_;
  FilesOf ranks_;
  std::string path_;
  std::string header_;
  bool begun_ = false;
  bool torn_ = false;      ///< the last call has failed
  std::int64_t last_ = -1; ///< step of an earlier run that stays
};

} // namespace rivulet
