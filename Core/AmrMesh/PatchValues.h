// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where the values of the boxes of an AMR mesh come from: memory, or files that are read when a box is wanted.
///
/// Threads: every function may be called from any thread.
#pragma once

#include "Store/BrickSource.h"

#include <memory>

namespace rivulet
{

/// The values of one box of one level, in memory as long as this lives.
struct HeldPatch
{
  BrickView view;                    ///< its lattice: cells (or nodes), counted from the domain's corner; may hold more
                                     ///< than the box has
  std::shared_ptr<const void> keeps; ///< what the view points into, unless that outlives the source
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

  /// May read, and may be slow.
  [[nodiscard]] virtual Result<HeldPatch> hold(int level, std::int32_t box) = 0;

  /// How many callers of hold() at a time there is memory for, where it reads and they may have to wait; 0 where values
  /// are in memory, so that nobody gains by leaving hold() to another thread. Whether it is 0 never changes.
  [[nodiscard]] virtual int at_once() const = 0;
};

} // namespace rivulet
