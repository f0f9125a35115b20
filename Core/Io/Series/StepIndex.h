// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The index of a store: the time of each step, and a number that is made of its values. Documentation/store-format.md
/// specifies the bytes.
///
///     const std::vector<std::optional<StepEntry>> entries = read_step_index(folder, identity, steps);
///
/// A writer learns from it in one read which times the store has, however many steps there are. A reader learns the
/// time of a step that it cannot read, and finds out a step that was put there from another copy of the store. A store
/// without an index, or with a part of one, is whole: an entry that is missing or torn says nothing.
///
/// Threads: any number may read; the writer of the store alone writes.
#pragma once

#include "Io/FieldFile/FieldFile.h"
#include "Io/Series/StoreIdentity.h"

namespace rivulet
{

/// The index entry of a step.
struct StepEntry
{
  double time = 0;
  std::uint64_t values = 0; ///< fingerprint_of() the step

  [[nodiscard]] bool operator==(const StepEntry&) const = default;
};

/// Path of the index.
[[nodiscard]] std::string step_index(const std::string& folder);

/// The entry of a step that is a file of one time.
[[nodiscard]] StepEntry entry_of(const FieldFile& step);

/// Entries of the first `steps` steps; empty ones where the index has none. Never fails.
[[nodiscard]] std::vector<std::optional<StepEntry>> read_step_index(
    const std::string& folder, const StoreIdentity& identity, std::size_t steps);

/// Writes the entry of a step. A failure is harmless: the entry is missing or torn then.
void write_step_entry(
    const std::string& folder, const StoreIdentity& identity, std::size_t step, const StepEntry& entry);

/// Removes the entries of step `steps` and later ones, which are not there any more: another step will have that
/// number. On the disk when it returns. Fails with CannotWrite.
[[nodiscard]] Result<void> cut_step_index(const std::string& folder, std::size_t steps);

} // namespace rivulet
