// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The brick records of a field that lies in one field file, or in several that are steps of one series: what every
/// variable and step is called, and where each brick's record begins.
///
///     Result<FieldRecords> records = FieldRecords::open({ "flow.rvf" });
///     const StoredRecord place = records->place(key);       // read records->layout(key.variable).stride bytes there
///
/// All records of the field are numbered: by variable, then step, then along the curve, so that neighbours in number
/// are neighbours in the file. Holds no file handle.
///
/// Threads: immutable after open() but for a memo that any thread may use. Bytes.
#pragma once

#include "Io/FieldFile.h"
#include "Store/BrickSource.h"
#include "Store/HilbertMemo.h"

namespace rivulet
{

/// Where one brick's record lies.
struct StoredRecord
{
  std::int32_t file = 0;    ///< number of the file
  std::int32_t step = 0;    ///< in that file
  std::int64_t offset = 0;  ///< bytes from its start
  std::int64_t number = 0;  ///< of the record in the field
  std::int64_t hilbert = 0; ///< of the brick along the curve
};

/// Records that follow each other in one file.
struct RecordRange
{
  std::int32_t file = 0;
  std::int64_t offset = 0;
  std::int64_t count = 0;
  std::int64_t stride = 0;
};

class FieldRecords
{
public:
  /// Several files must hold the same grid and variables, and no time twice; steps are sorted by time.
  [[nodiscard]] static Result<FieldRecords> open(const std::vector<std::string>& paths);

  [[nodiscard]] const FieldInfo& info() const { return info_; }
  [[nodiscard]] const std::vector<FieldFile>& files() const { return files_; }
  [[nodiscard]] const BrickLayout& layout(int variable) const
  {
    return files_.front().layouts[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] bool page_aligned() const;
  /// Whether the values are not what the bytes of the file are, so that a mapping would not show them.
  [[nodiscard]] bool encoded() const;
  /// Memory that any brick can be read into and turned into values in.
  [[nodiscard]] std::int64_t largest_slot() const;
  [[nodiscard]] std::int64_t count() const { return runs_.empty() ? 0 : runs_.back().end; }

  [[nodiscard]] bool exists(const BrickKey& key) const;
  [[nodiscard]] StoredRecord place(const BrickKey& key) const;
  [[nodiscard]] std::int64_t hilbert_index(const BrickKey& key) const
  {
    return curves_[static_cast<std::size_t>(key.variable)]->index(key.index);
  }

  /// The records from number `first`, as many of `count` as follow each other in one file.
  [[nodiscard]] RecordRange range(std::int64_t first, std::int64_t count) const;

  /// The values of a plain record that begins there, or of a slot whose record was unpacked.
  [[nodiscard]] BrickView view(const BrickKey& key, const std::byte* values) const;

  /// Turns the record that was read to layout.record_in_slot() into values at the slot's start.
  void unpack(const BrickKey& key, std::byte* slot) const;

  /// Checks a record against its trailer. Corrupt, with path, offset and remedy.
  [[nodiscard]] Result<void> check(const BrickKey& key, const StoredRecord& place, const std::byte* record) const;

  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) const;

  /// As those of FieldFile, by the field's steps.
  [[nodiscard]] bool hides(Centering centering, int step) const;
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) const;

private:
  FieldRecords() = default;

  /// One variable at one step.
  struct Run
  {
    std::int32_t file = 0;
    std::int32_t step = 0;
    std::int64_t offset = 0;
    std::int64_t stride = 0;
    std::int64_t begin = 0; ///< number of the first record
    std::int64_t end = 0;
  };
  /// A step of the series in its file.
  struct Step
  {
    double time = 0;
    std::int32_t file = 0;
    std::int32_t step = 0;
  };

  [[nodiscard]] Result<void> join_steps();
  void number_records();
  [[nodiscard]] const Run& run(int variable, int step) const
  {
    return runs_[static_cast<std::size_t>(variable) * steps_.size() + static_cast<std::size_t>(step)];
  }

  std::vector<FieldFile> files_;
  FieldInfo info_;
  std::vector<Step> steps_;
  std::vector<Run> runs_;                                  ///< by variable, then step; sorted by begin
  std::vector<std::shared_ptr<const HilbertMemo>> curves_; ///< by variable; shared where the grids are alike
};

} // namespace rivulet
