// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The files of a BOV field, which get their names together: headers, one for each variable and step, and data files.
///
///     Result<BovSet> set = BovSet::create(info, "flow.bov", { 2, 1, 1 }, Existing::Replace);
///     Result<std::size_t> file = set->add_data(variable, step, block, bytes);
///     set->write_at(*file, 0, values, bytes);
///     set->add_header(variable, step, text);
///     set->publish(false);                            // else the destructor removes all of it
///
/// Until then everything lies in a hidden folder (HiddenPlace). A set that is replaced keeps its data files to the end:
/// the new ones get names of their own ("flow-2.raw"), then the headers change, then the old data go. One header
/// changes in one step. Of several, all are first replaced by headers that say "UNFINISHED", which nothing can be read
/// from: whatever happens in between, no reader finds steps of two fields, or fewer of them.
///
/// write_at() may be called from any number of threads.
#pragma once

#include "Base/Field.h"
#include "Io/HiddenPlace.h"
#include "Io/TakeName.h"

namespace rivulet
{

class BovSet
{
public:
  /// Fails with CannotWrite where a file has one of the names (Existing::Keep), or where headers of a longer series
  /// would stay beside the new ones.
  [[nodiscard]] static Result<BovSet> create(
      const FieldInfo& info, const std::string& path, const Int3& blocks, Existing existing);

  /// In order of variable, then step.
  [[nodiscard]] const std::vector<std::string>& headers() const { return headers_; }
  /// What DATA_FILE says of a step.
  [[nodiscard]] std::string data_pattern(std::size_t variable, std::size_t step) const;

  /// Reserves `bytes` on the disk, so that a full one is known before anything is written. The number of the file.
  [[nodiscard]] Result<std::size_t> add_data(
      std::size_t variable, std::size_t step, std::int64_t block, std::int64_t bytes);
  [[nodiscard]] Result<void> write_at(
      std::size_t file, std::int64_t offset, const std::byte* values, std::int64_t bytes) const;
  [[nodiscard]] Result<void> add_header(std::size_t variable, std::size_t step, const std::string& text);
  /// Where it fails, the old set is as it was. `sync`: brings everything to the disk, before it gets its names and
  /// afterwards.
  [[nodiscard]] Result<void> publish(bool sync);

private:
  struct Part
  {
    std::string hidden;
    std::string name;
  };
  BovSet(HiddenPlace folder, std::vector<std::string> stems, const FieldInfo& info, const Int3& blocks)
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
  [[nodiscard]] Result<void> take(const Part& part, Existing existing);
  void keep_header(const std::string& name);
  void give_back() const;

  HiddenPlace folder_;
  std::vector<std::string> stems_;   ///< of each header
  std::vector<std::string> headers_; ///< parallel to them
  std::size_t steps_;
  Int3 blocks_;
  Existing existing_ = Existing::Keep;
  std::string tag_; ///< of the data files' names, where the usual ones are taken
  std::vector<Part> data_;
  std::vector<Part> texts_;
  std::vector<std::string> taken_; ///< names that were nobody's before
  std::vector<Part> kept_;         ///< copies of headers that were replaced
};

} // namespace rivulet
