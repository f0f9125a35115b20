// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A finished field file as a source of values, for example to write it with other bricks or with fewer variables.
///
///     Result<std::unique_ptr<FieldFileLattice>> source = FieldFileLattice::open("flow.rvf");
///     convert(**source, "flow-16.rvf", { .file = { .brick_cells = { 16, 16, 16 } } });
///
/// Each read verifies the checksums of its bricks. Any number of threads may read at once.
#pragma once

#include "Convert/Records.h"
#include "Io/Blocks/LatticeReader.h"

#include <memory>

namespace rivulet
{

class FieldFileLattice final : public LatticeReader
{
public:
  [[nodiscard]] static Result<std::unique_ptr<FieldFileLattice>> open(const std::string& path);

  [[nodiscard]] const FieldInfo& info() const override { return file_.info; }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] bool hides(Centering centering, int step) const override { return file_.hides(centering, step); }
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) override
  {
    return file_.read_hidden(centering, step, box, out);
  }
  [[nodiscard]] std::int64_t source_bytes() const override;
  [[nodiscard]] std::vector<std::string> files() const override { return { file_.path }; }
  [[nodiscard]] Result<void> check_unchanged() override { return records_->check_unchanged(); }

private:
  explicit FieldFileLattice(FieldFile file)
    : file_(std::move(file))
  {
  }

  FieldFile file_;
  std::unique_ptr<Records> records_;
};

} // namespace rivulet
