// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Field files, or a store, as a source of values, for example to write them with other bricks or with fewer variables.
///
///     Result<std::unique_ptr<FieldFileLattice>> source = FieldFileLattice::open({ "flow.rvf" });
///     convert(**source, "flow-16.rvf", { .file = { .brick_cells = { 16, 16, 16 } } });
///
/// Each read verifies the checksums of its bricks. Any number of threads may read at once.
#pragma once

#include "Convert/Records.h"
#include "Io/Blocks/LatticeReader.h"
#include "Io/Series/FieldSeries.h"

#include <memory>
#include <mutex>

namespace rivulet
{

class FieldFileLattice final : public LatticeReader
{
public:
  /// Fails as FieldSeries::open() does, and if a step of a store is bad.
  [[nodiscard]] static Result<std::unique_ptr<FieldFileLattice>> open(const std::vector<std::string>& paths);

  [[nodiscard]] const FieldInfo& info() const override { return series_.info; }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] bool hides(Centering centering, int step) const override
  {
    return series_.file_of(step).hides(centering, step_in_file(step));
  }
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) override
  {
    return series_.file_of(step).read_hidden(centering, step_in_file(step), box, out);
  }
  [[nodiscard]] std::int64_t source_bytes() const override { return series_.file_bytes(); }
  [[nodiscard]] std::vector<std::string> files() const override;
  [[nodiscard]] Result<void> check_unchanged() override;

private:
  static constexpr std::size_t kMostOpen = 64; ///< files

  explicit FieldFileLattice(FieldSeries series);
  [[nodiscard]] int step_in_file(int step) const { return series_.steps[static_cast<std::size_t>(step)].step; }
  [[nodiscard]] Result<std::shared_ptr<const Records>> records_of(std::int32_t number);

  FieldSeries series_;
  std::mutex mutex_;                                    // guards the members below
  std::vector<std::shared_ptr<const Records>> records_; ///< by file; nullptr: not open
  std::vector<std::size_t> opened_;                     ///< files that are open, the oldest first
  std::vector<bool> was_read_;                          ///< by file
};

} // namespace rivulet
