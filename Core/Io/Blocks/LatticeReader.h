// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Interface of the converter's sources: fills any box of a field with values. Sources are BOV and raw files, analytic
/// fields and field files.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"

#include <algorithm>

namespace rivulet
{

class LatticeReader
{
public:
  LatticeReader() = default;
  LatticeReader(const LatticeReader&) = delete;
  LatticeReader& operator=(const LatticeReader&) = delete;
  virtual ~LatticeReader() = default;

  [[nodiscard]] virtual const FieldInfo& info() const = 0;

  /// Fills `out` with the values of lattice points `box` (inside the variable's lattice): dense, components fastest,
  /// then i, j, k, in native byte order and the variable's type. Called from any number of threads.
  [[nodiscard]] virtual Result<void> read(int variable, int step, const Box& box, void* out) = 0;

  /// Whether any points, or cells, are hidden at a step.
  [[nodiscard]] virtual bool hides(Centering centering, int step) const
  {
    (void)centering;
    (void)step;
    return false;
  }

  /// One byte for each point (or cell) of `box`, i fastest: 0 if it is visible. Only where hides() holds.
  [[nodiscard]] virtual Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out)
  {
    (void)centering;
    (void)step;
    std::fill_n(out, box.count(), std::uint8_t{ 0 });
    return {};
  }

  /// Bytes of all values in storage; 0 for computed fields, which the converter reads in other boxes.
  [[nodiscard]] virtual std::int64_t source_bytes() const { return 0; }

  /// The files of the source; empty for computed fields.
  [[nodiscard]] virtual std::vector<std::string> files() const { return {}; }

  /// Fails (CannotRead, Truncated) if a file is not the same as when the source was opened: values may then be of two
  /// fields. Costs a system call for each file that was read, so not for every read. Any thread.
  [[nodiscard]] virtual Result<void> check_unchanged() { return {}; }

  /// Edges of the box that is cheapest to read (a native block, or whole rows); 0 along an axis without preference.
  [[nodiscard]] virtual Int3 preferred_box() const { return { 0, 0, 0 }; }
};

} // namespace rivulet
