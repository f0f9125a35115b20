// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Files of a BOV field: a header for each variable and step, and data files. All of them get their names together.
///
///     Result<BovSet> set = BovSet::create(info, "flow.bov", { 2, 1, 1 }, OnExisting::Replace);
///     Result<std::size_t> file = set->add_data(variable, step, block, bytes);
///     set->write_at(*file, 0, values, bytes);
///     set->add_header(variable, step, text);
///     set->publish(false);                            // else the destructor removes all of it
///
/// Before publish() all files lie in a hidden folder (TemporaryPlace). Replacing an existing set takes three steps: new
/// data files get new names ("flow-2.raw"), the headers are replaced, the old data files are removed. A single header
/// is replaced atomically. Several headers are first replaced by headers that say "UNFINISHED", which no reader
/// accepts. So at no time does a reader find steps of two fields, or a part of the steps.
///
/// write_at() may be called from any number of threads.
#pragma once

#include "Base/Field.h"
#include "Io/Writes/PublishFile.h"
#include "Io/Writes/TemporaryPlace.h"

namespace rivulet
{

class BovSet
{
public:
  /// Fails with CannotWrite if a file has one of the names (OnExisting::Keep), or if headers of a longer series would
  /// remain beside the new ones.
  [[nodiscard]] static Result<BovSet> create(
      const FieldInfo& info, const std::string& path, const Int3& blocks, OnExisting existing);

  /// Paths of the headers, in order of variable, then step.
  [[nodiscard]] const std::vector<std::string>& headers() const { return headers_; }
  /// Value of DATA_FILE in the header of a step.
  [[nodiscard]] std::string data_pattern(std::size_t variable, std::size_t step) const;

  /// Adds a data file and reserves `bytes` on the disk, so that a full disk is an error at the start. Returns the
  /// number of the file.
  [[nodiscard]] Result<std::size_t> add_data(
      std::size_t variable, std::size_t step, std::int64_t block, std::int64_t bytes);
  [[nodiscard]] Result<void> write_at(
      std::size_t file, std::int64_t offset, const std::byte* values, std::int64_t bytes) const;
  [[nodiscard]] Result<void> add_header(std::size_t variable, std::size_t step, const std::string& text);
  /// Gives all files their names. An error leaves the old set unchanged. `sync`: fsync of the files before, and of the
  /// folder afterwards.
  [[nodiscard]] Result<void> publish(bool sync);

private:
  struct Part
  {
    std::string hidden;
    std::string name;
  };
  BovSet(TemporaryPlace folder, std::vector<std::string> stems, const FieldInfo& info, const Int3& blocks)
    : folder_(std::move(folder))
    , stems_(std::move(stems))
    , steps_(info.times.size())
    , blocks_(blocks)
  {
  }
  [[nodiscard]] const std::string& stem(std::size_t variable, std::size_t step) const
  {
    return stems_[variable * steps_ + step];
  }
  [[nodiscard]] std::string data_name(const std::string& stem, const std::string& tag, std::int64_t block) const;
  [[nodiscard]] std::string first_taken(const std::string& tag) const;
  [[nodiscard]] Result<void> choose_names();
  [[nodiscard]] std::vector<std::string> old_data() const;
  [[nodiscard]] Result<void> sync_parts() const;
  [[nodiscard]] Result<void> claim_headers();
  [[nodiscard]] Result<void> take_names();
  [[nodiscard]] Result<void> take(const Part& part, OnExisting existing);
  void keep_header(const std::string& name);
  void give_back() const;

  TemporaryPlace folder_;
  std::vector<std::string> stems_;   ///< path of each header without the ending
  std::vector<std::string> headers_; ///< path of each header, parallel to stems_
  std::size_t steps_;
  Int3 blocks_;
  OnExisting existing_ = OnExisting::Keep;
  std::string tag_; ///< part of the data files' names if the usual names exist, as in "-2"
  std::vector<Part> data_;
  std::vector<Part> texts_;
  std::vector<std::string> taken_; ///< new names, to be removed after an error
  std::vector<Part> kept_;         ///< copies of replaced headers
};

} // namespace rivulet
