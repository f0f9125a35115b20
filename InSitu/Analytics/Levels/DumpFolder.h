// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A folder of SAMRAI dumps that grows by whole steps, and the treatment of dumps of an earlier run (Host::start()).
///
///     flow.samrai/dumps.visit                          the index: a line for each step that is complete
///     flow.samrai/visit_dump.00120/summary.samrai      and files with values beside it
///
///     DumpFolder folder(host, "flow.samrai", true);
///     folder.check();                                  // in create()
///     folder.begin(snapshot);                          // whether the step is to be written
///     Result<std::string> place = folder.make_place(step);     // hidden, for the files of the step
///     folder.publish(snapshot);                        // the step appears, whole
///
/// A step is there if the index lists it: an unlisted folder was left by a killed run. Steps are told
/// apart by their numbers. Start::Restart: dumps of the run's first step and of later ones are removed when the first
/// new one is complete. Start::Continue: steps up to the last one are left out. Start::New: there must be none.
///
/// Threads: one at a time, of the first rank.
#pragma once

#include "Base/Result.h"
#include "Io/Writes/TemporaryPlace.h"
#include "Plugin/Host.h"

#include <optional>
#include <string>
#include <vector>

namespace rivulet
{

class DumpFolder
{
public:
  /// `sync`: a step is on the disk before it appears.
  DumpFolder(const Host& host, std::string path, bool sync)
    : host_(host)
    , path_(std::move(path))
    , sync_(sync)
  {
  }

  /// Whether there is an index or a dump.
  [[nodiscard]] bool holds_dumps() const;
  /// Fails with CannotWrite if an earlier run has left dumps that this one may not touch.
  [[nodiscard]] Result<void> check() const;

  /// Makes the folder, removes half-written dumps of killed runs, and reads the index. False: the step is left
  /// out. Fails with CannotWrite.
  [[nodiscard]] Result<bool> begin(const rivulet_snapshot& snapshot);

  /// A new hidden folder. It is removed unless publish() follows. Fails with CannotWrite.
  [[nodiscard]] Result<std::string> make_place(std::int64_t step);
  void remove_place() { place_.reset(); }

  /// Gives the hidden folder its name, in the place of an older dump of this step, and lists it. Fails with
  /// CannotWrite.
  [[nodiscard]] Result<void> publish(const rivulet_snapshot& snapshot);

private:
  [[nodiscard]] std::string path_of(std::int64_t step) const;
  [[nodiscard]] std::string index() const;
  [[nodiscard]] std::vector<std::int64_t> steps_in_folder() const;
  [[nodiscard]] std::vector<std::int64_t> steps_in_index() const;
  void remove_half_written() const;
  void remove_replaced(const rivulet_snapshot& snapshot) const;
  [[nodiscard]] Result<void> take_place(std::int64_t step);
  [[nodiscard]] Result<void> write_index() const;

  Host host_;
  std::string path_;
  bool sync_;
  bool begun_ = false;              ///< the index has been read
  bool published_ = false;          ///< a step of this run is complete
  bool told_ = false;               ///< that steps are left out
  std::vector<std::int64_t> steps_; ///< that the index lists
  std::int64_t last_ = -1;          ///< of an earlier run that goes on
  std::optional<TemporaryPlace> place_;
};

} // namespace rivulet
