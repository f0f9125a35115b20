// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Source of the values of the boxes of an AMR mesh: memory, or files that are read on demand.
///
/// Threads: every function may be called from any thread.
#pragma once

#include "Store/Source/BrickSource.h"

#include <memory>

namespace rivulet
{

/// Values of one box of one level. They stay in memory as long as this object lives.
struct HeldPatch
{
  BrickView view;                    ///< lattice of cells (or nodes), counted from the corner of the domain; may be
                                     ///< larger than the box
  std::shared_ptr<const void> keeps; ///< owner of the memory of the view, unless that outlives the source
};

class PatchValues
{
public:
  PatchValues() = default;
  PatchValues(const PatchValues&) = delete;
  PatchValues& operator=(const PatchValues&) = delete;
  virtual ~PatchValues() = default;

  /// Name, type, components and centering of the values; the same for all boxes.
  [[nodiscard]] virtual const Variable& variable() const = 0;

  /// Values of a box. The call may read from files and wait.
  [[nodiscard]] virtual Result<HeldPatch> hold(int level, std::int32_t box) = 0;

  /// Number of calls of hold() at a time for which there is memory, if hold() reads from files. 0 if the values are in
  /// memory: other threads bring nothing then. Whether it is 0 never changes.
  [[nodiscard]] virtual int at_once() const = 0;
};

} // namespace rivulet
