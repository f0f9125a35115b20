// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The folder of a store (.rvs): a field that grows by whole time steps. Documentation/store-format.md specifies it.
///
///     flow.rvs/store.json              the description: format, version, identity
///     flow.rvs/step-00000000.rvf       one field file for each step, which appears when it is complete
///
/// Files appear and never change, so that a reader needs no lock. Plain values; any thread.
#pragma once

#include "Base/Result.h"
#include "Io/Series/StoreIdentity.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet
{

struct StoreFolder
{
  static constexpr std::int64_t kMostSteps = 100000000; ///< as many as eight digits name
  static constexpr int kVersion = 1;                    ///< of a store that was never restarted
  static constexpr int kRestartedVersion = 2;           ///< of others

  std::string path; ///< of the folder
  StoreIdentity identity;
  std::vector<std::string> steps;    ///< paths of the step files, by number, missing files included
  std::vector<std::int64_t> missing; ///< numbers of steps whose files are not there, though later ones are

  /// Reads the description and the names of the steps that are complete now. `path`: the folder or its description.
  /// Fails with NotFound, CannotRead, NotThisFormat, OtherVersion or Corrupt (a damaged description).
  [[nodiscard]] static Result<StoreFolder> open(const std::string& path);

  /// Whether this is the folder of a store or its description. Never reports an error.
  [[nodiscard]] static bool can_read(const std::string& path);

  /// Error for a missing step.
  [[nodiscard]] Error gap_at(std::int64_t step) const;
};

/// Path of the description.
[[nodiscard]] std::string store_description(const std::string& folder);

/// Path of the file of a step, there or not. Steps count from 0.
[[nodiscard]] std::string step_path(const std::string& folder, std::int64_t step);

/// Whether the file of a step is there, sound or not. An empty one is not: a writer on a file system without links has
/// claimed the name (PublishFile.h).
[[nodiscard]] bool holds_step(const std::string& folder, std::int64_t step);

/// Whether a file of this name in the folder of a store is a step.
[[nodiscard]] bool is_step_name(const std::string& name);

/// Fails with BadArgument if the path is that of a step of a store: only the store's own writer may write one.
[[nodiscard]] Result<void> check_no_step(const std::string& path);

/// Numbers of the steps whose files are in the folder, sorted. Fails with CannotRead.
[[nodiscard]] Result<std::vector<std::int64_t>> steps_in(const std::string& folder);

/// The text of a description.
[[nodiscard]] std::string describe_store(const StoreIdentity& identity);

} // namespace rivulet
