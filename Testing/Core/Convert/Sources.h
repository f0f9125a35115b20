// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Sources and targets in memory for the converter's tests: values that name their own place, failures on demand.
#pragma once

#include "Io/Blocks/LatticeReader.h"
#include "Io/FieldFile/FieldFileWriter.h"
#include "Support/TemporaryFolder.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace rivulet::test
{

/// The value of component `component` at lattice point `at`: different everywhere, exact in single precision.
[[nodiscard]] double value_at(int variable, int step, const Int3& at, int component);

/// A field whose values are value_at(). Counts what is read.
class NumberedSource final : public LatticeReader
{
public:
  NumberedSource(const Int3& nodes, std::vector<Variable> variables, int steps = 1);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] std::int64_t source_bytes() const override { return stored_bytes; }
  [[nodiscard]] Int3 preferred_box() const override { return preferred; }

  std::int64_t stored_bytes = 1;
  Int3 preferred{ 0, 0, 0 };
  std::function<Result<void>()> before_read;
  std::atomic<std::int64_t> points_read{ 0 };
  std::atomic<std::int64_t> largest_read{ 0 }; ///< bytes

private:
  FieldInfo info_;
};

/// "velocity", three floats at nodes.
[[nodiscard]] Variable velocity();
[[nodiscard]] Variable cell_pressure();

/// Names of the files in the folder, hidden ones too, sorted.
[[nodiscard]] std::vector<std::string> names_in(const TemporaryFolder& folder);

[[nodiscard]] std::vector<char> bytes_of(const std::string& path);

/// The layout a field file would have, with the bricks' record stride.
[[nodiscard]] BrickLayout layout_for(const Int3& lattice, const Int3& cells, std::size_t tuple_bytes);

} // namespace rivulet::test
