// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the sources of field files share, whatever their strategy: the description, where records lie, and which of
/// them were checked since the field was opened.
///
/// Threads and units as in BrickSource.h.
#pragma once

#include "Store/BrickStore.h"
#include "Store/ChooseStrategy.h"
#include "Store/FieldRecords.h"
#include "Store/RecordFlags.h"

namespace rivulet
{

class FieldBricks : public FileBricks
{
public:
  [[nodiscard]] const FieldInfo& info() const final { return records_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const final { return records_.layout(variable).grid; }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const final { return records_.place(key).number; }
  [[nodiscard]] std::int64_t working_minimum(int workers) const final { return workers * records_.largest_slot(); }
  [[nodiscard]] const std::string& path() const final { return records_.files().front().path; }
  [[nodiscard]] AccessStrategy strategy() const final { return choice_.strategy; }
  [[nodiscard]] std::string strategy_reason() const override { return choice_.reason; }
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) final
  {
    return records_.brick_ranges(variable, step);
  }
  [[nodiscard]] bool hides(Centering centering, int step) const final { return records_.hides(centering, step); }
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) const final
  {
    return records_.read_hidden(centering, step, box, out);
  }

protected:
  FieldBricks(FieldRecords&& records, StrategyChoice&& choice, bool verify);

  [[nodiscard]] const FieldRecords& records() const { return records_; }
  [[nodiscard]] RecordFlags& flags() { return flags_; }

  /// Checks the record that lies at `record` against its trailer, the first time after the field was opened.
  [[nodiscard]] Result<void> check_once(const BrickKey& key, const StoredRecord& place, const std::byte* record);

  /// The same for a record that was read to layout.record_in_slot(); then makes plain values of it.
  [[nodiscard]] Result<BrickView> admit(const BrickKey& key, const StoredRecord& place, std::byte* slot);

private:
  const FieldRecords records_;
  const StrategyChoice choice_;
  const bool verify_;
  RecordFlags flags_;
};

/// The answer for a key that names no brick of the field.
[[nodiscard]] Lookup no_such_brick(const std::string& path);

} // namespace rivulet
