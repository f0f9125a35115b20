// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A store that takes the place of another: it is written in a hidden folder beside that one, and the two exchange
/// their names when it is complete. Whatever happens before leaves the old store as it was.
///
///     Result<StoreReplacement> made = StoreReplacement::beside("flow.rvs");
///     ... write a store in made->path() ...
///     Result<void> replaced = made->take_place(true);                // else the destructor removes it
///
/// Then the old store is removed. Files in its folder that are none of the store's move to the new one.
///
/// A process that is killed leaves a hidden folder: ".flow.rvs.tmp-PID-HOST-RANDOM" (TemporaryPlace.h) holds an
/// unfinished new store, or the old one after the exchange. On a file system that cannot exchange names,
/// ".flow.rvs.old-..." may hold the old store; if nothing has its name, clean_up_beside() gives it back.
///
/// Threads: one at a time; the caller holds the lock of the old store (StoreWriter.h).
#pragma once

#include "Io/Writes/PublishFile.h"
#include "Io/Writes/TemporaryPlace.h"

namespace rivulet
{

class StoreReplacement
{
public:
  /// `folder`: of the store that is there, without links. Fails with CannotWrite.
  [[nodiscard]] static Result<StoreReplacement> beside(const std::string& folder);

  /// The hidden folder. No other user may enter it before it has its name.
  [[nodiscard]] const std::string& path() const { return hidden_.path(); }

  /// Exchanges the names, with `sync` on the disk when it returns. Fails with CannotWrite; the old store then stays.
  [[nodiscard]] Result<void> take_place(bool sync, ExchangeWay way = ExchangeWay::AtOnce);

private:
  StoreReplacement(std::string folder, TemporaryPlace hidden)
    : folder_(std::move(folder))
    , hidden_(std::move(hidden))
  {
  }

  std::string folder_;
  TemporaryPlace hidden_;
};

/// Cleans up stores left by killed writers beside a store: gives a store its name back, and removes the others.
/// Folders of living processes, of other machines and of other users stay.
void clean_up_beside(const std::string& folder);

/// Whether a name in the folder of a store is one that writers or readers of stores have given.
[[nodiscard]] bool is_of_store(const std::string& name);

} // namespace rivulet
