// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The brick records of a field that lies in one field file, or in several that are steps of one series.
///
///     Result<std::shared_ptr<RecordLocator>> records = RecordLocator::open({ "flow.rvf" }, true);
///
/// A brick is one record and one extent. Records are numbered by variable, then step, then along the curve, so that
/// consecutive numbers are consecutive in the file. Holds no file handle.
///
/// Threads: any, after open(). Bytes.
#pragma once

#include "Io/Files/FileChangeGuard.h"
#include "Io/Series/FieldSeries.h"
#include "Store/Locate/BrickFlags.h"
#include "Store/Locate/BrickLocator.h"
#include "Store/Locate/HilbertMemo.h"

#include <map>

namespace rivulet
{

/// Place of the record of a brick.
struct StoredRecord
{
  std::int32_t file = 0;    ///< number of the file
  std::int32_t step = 0;    ///< in that file
  std::int64_t offset = 0;  ///< bytes from its start
  std::int64_t number = 0;  ///< of the record in the field
  std::int64_t hilbert = 0; ///< of the brick along the curve
};

class RecordLocator final : public BrickLocator
{
public:
  /// Fails as FieldSeries::open() does. `verify`: each record is checked against its trailer when it is first read.
  [[nodiscard]] static Result<std::shared_ptr<RecordLocator>> open(const std::vector<std::string>& paths, bool verify);

  [[nodiscard]] const std::vector<FieldFile>& files() const { return series_.files; }
  [[nodiscard]] const BrickLayout& layout(int variable) const
  {
    return files().front().layouts[static_cast<std::size_t>(variable)];
  }
  /// Whether values must be decoded, so that records cannot be used in place.
  [[nodiscard]] bool encoded() const;
  /// Identities of the files when their metadata was read, for checks when they are opened again.
  [[nodiscard]] std::shared_ptr<FileChangeGuard> change_guard() const;
  [[nodiscard]] StoredRecord record(const BrickKey& key) const;

  [[nodiscard]] const std::string& path() const override { return series_.path; }
  [[nodiscard]] const FieldInfo& info() const override { return series_.info; }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return layout(variable).grid; }
  [[nodiscard]] std::uint64_t identity() const override;
  [[nodiscard]] std::int64_t count() const override { return runs_.empty() ? 0 : runs_.back().end; }
  [[nodiscard]] std::int64_t number(const BrickKey& key) const override { return record(key).number; }
  [[nodiscard]] std::int64_t slot_bytes() const override;
  [[nodiscard]] std::int64_t slot_bytes(const BrickKey& key) const override
  {
    return layout(key.variable).slot_bytes();
  }
  [[nodiscard]] bool converts() const override { return false; }
  [[nodiscard]] bool consecutive() const override { return true; }
  [[nodiscard]] std::int64_t file_count() const override { return static_cast<std::int64_t>(files().size()); }
  [[nodiscard]] LocatedFile file(std::int64_t number) const override;
  [[nodiscard]] std::vector<Error> defects() const override;
  [[nodiscard]] Error too_short(std::int64_t file, std::int64_t held) const override;
  void find_extents(const BrickKey& key, const SpanLimits& limits, std::vector<Extent>& extents) const override;
  void place(const BrickKey&, const Extent&, const std::byte*, std::byte*) const override {}
  [[nodiscard]] Result<BrickView> finish(const BrickKey& key, std::byte* slot) override;
  [[nodiscard]] BrickInPlace in_place(const BrickKey& key) const override;
  [[nodiscard]] BrickView view(const BrickKey& key, const std::byte* values) const override;
  [[nodiscard]] Result<void> check(const BrickKey& key, const std::byte* record) override;
  [[nodiscard]] BrickRange range(std::int64_t first, std::int64_t count) const override;
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) const override;
  [[nodiscard]] Result<std::vector<PlacesMeasure>> brick_places(int step) const override;
  [[nodiscard]] bool hides(Centering centering, int step) const override;
  [[nodiscard]] Result<void> read_hidden(
      Centering centering, int step, const Box& box, std::uint8_t* out) const override;

private:
  /// Records of one variable at one step.
  struct Run
  {
    std::int32_t file = 0;
    std::int32_t step = 0;
    std::int64_t offset = 0;
    std::int64_t stride = 0;
    std::int64_t begin = 0; ///< number of the first record
    std::int64_t end = 0;
  };

  explicit RecordLocator(FieldSeries series);
  [[nodiscard]] const Run& run(int variable, int step) const
  {
    return runs_[static_cast<std::size_t>(variable) * series_.steps.size() + static_cast<std::size_t>(step)];
  }
  [[nodiscard]] const FieldSeries::Step& step(int number) const
  {
    return series_.steps[static_cast<std::size_t>(number)];
  }

  FieldSeries series_;
  std::vector<Run> runs_;                                        ///< by variable, then step; sorted by begin
  std::vector<std::shared_ptr<const HilbertMemo>> curves_;       ///< by variable; shared by variables with equal cuts
  std::map<std::int64_t, std::shared_ptr<const Error>> defects_; ///< by file
  std::unique_ptr<BrickFlags> checked_;                          ///< by number; nullptr: records are not checked
};

} // namespace rivulet
