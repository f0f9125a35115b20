// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field in one field file, in several that are steps of one series, or in a store.
///
///     Result<FieldSeries> series = FieldSeries::open({ "flow-0.rvf", "flow-1.rvf" });
///     Result<FieldSeries> store = FieldSeries::open({ "flow.rvs" });
///     const FieldSeries::Step& last = series->steps.back();      // series->files[last.file], its step last.step
///
/// Metadata only; holds no file handle. Plain values; any thread.
#pragma once

#include "Io/FieldFile/FieldFile.h"
#include "Io/Series/StoreIdentity.h"

#include <map>

namespace rivulet
{

struct FieldSeries
{
  /// A step of the series: the step of that number in that file.
  struct Step
  {
    double time = 0;
    std::int32_t file = 0;
    std::int32_t step = 0;
  };

  std::string path; ///< of the store, or of the first file; for messages
  /// At least one; the first has all variables. Of a bad step of a store only `path` is that of the file; the rest is
  /// as of another step.
  std::vector<FieldFile> files;
  std::vector<Step> steps;               ///< by time
  std::vector<Step> points;              ///< by step, of curvilinear grids: the places of its nodes; else empty
  FieldInfo info;                        ///< with the times of all steps, and ranges over all of them
  std::string store_uuid;                ///< StoreIdentity::current(); empty: no store
  std::map<std::int32_t, Error> defects; ///< of the bad steps of a store, by number of the file

  /// Field files have the same grid, variables and bricks, and no common time. A store is named alone: by its folder,
  /// or by the file StoreFolder.h calls its description. Fails as FieldFile::open() and StoreFolder::open() do, and
  /// with BadArgument where files are not steps of one field.
  ///
  /// A step of a store whose file is missing, damaged or not this store's is bad: it has its place and its time among
  /// the others, and `defects` says why its values cannot be read. The time comes from the store's index (StepIndex.h),
  /// else from the known times (StepTimes.h). A store of bad steps alone fails with the first one's error.
  [[nodiscard]] static Result<FieldSeries> open(const std::vector<std::string>& paths);

  /// Whether open() would read these bytes: a store, or a field file. Never reports an error.
  [[nodiscard]] static bool can_read(const std::string& path);

  [[nodiscard]] bool is_store() const { return !store_uuid.empty(); }
  [[nodiscard]] const FieldFile& file_of(const Step& step) const { return files[static_cast<std::size_t>(step.file)]; }
  [[nodiscard]] const FieldFile& file_of(int step) const { return file_of(steps[static_cast<std::size_t>(step)]); }
  /// Where the values of a variable at a step are.
  [[nodiscard]] const Step& place(std::int32_t variable, std::int32_t step) const
  {
    return (variable == info.points ? points : steps)[static_cast<std::size_t>(step)];
  }
  [[nodiscard]] std::int64_t file_bytes() const; ///< of all files
  [[nodiscard]] bool is_bad(std::int32_t file) const { return !defects.empty() && defects.count(file) > 0; }
};

/// The file of step `number` of a store. Fails as FieldFile::open() does, and with Corrupt if it is not this step.
[[nodiscard]] Result<FieldFile> open_step(const std::string& path, const StoreIdentity& identity, std::int64_t number);

/// Error for a step whose time or values differ from the store's index.
[[nodiscard]] Error error_of_other_step(const FieldFile& file, std::int64_t number);

/// Reason why a file cannot be a step of the same series as the first; empty if it can.
[[nodiscard]] std::string difference(const FieldFile& first, const FieldFile& other);

} // namespace rivulet
