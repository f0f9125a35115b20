// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the converter reads from: anything that can fill a box of a field with values. BOV and raw files, analytic
/// fields and field files are such sources.
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

  /// Fills `out` with the values of lattice points `box` (inside the variable's lattice): components fastest, then i,
  /// j, k, densely, in native byte order and the variable's type. Called from any number of threads.
  [[nodiscard]] virtual Result<void> read(int variable, int step, const Box& box, void* out) = 0;

  /// Whether points, or cells, are hidden at a step.
  [[nodiscard]] virtual bool hides(Centering centering, int step) const
  {
    (void)centering;
    (void)step;
    return false;
  }

  /// Which of `box` are, where hides() holds: one byte each, i fastest; 0 where it is visible.
  [[nodiscard]] virtual Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out)
  {
    (void)centering;
    (void)step;
    std::fill_n(out, box.count(), std::uint8_t{ 0 });
    return {};
  }

  /// Bytes that one such read takes from storage, for rates; 0 for computed fields.
  [[nodiscard]] virtual std::int64_t source_bytes() const { return 0; }

  /// The files that it reads from; none for computed fields.
  [[nodiscard]] virtual std::vector<std::string> files() const { return {}; }

  /// Fails (CannotRead, Truncated) if one of them is not any more what it was when the source was opened: what was read
  /// may be of two fields then. Asks for each file that was read, so not for every read. Any thread.
  [[nodiscard]] virtual Result<void> check_unchanged() { return {}; }

  /// The sides that reads are cheapest for (a native block, or whole rows); 0 along an axis without preference.
  [[nodiscard]] virtual Int3 preferred_box() const { return { 0, 0, 0 }; }
};

} // namespace rivulet
