// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of the domains of a rank as one array with interleaved components, as a mesh of the runtime has them. They
/// stay where the simulation has them if one domain has them so; else they are copied.
///
///     domain 0: x0 x1, y0 y1     domain 1: x2, y2     joined: x0 y0 x1 y1 x2 y2
#pragma once

#include "Values.h"

namespace rivulet::catalyst2
{

class JoinedValues
{
public:
  JoinedValues() = default;
  /// The parts have one type. `components`: as many, or more; the further ones are zeros. `packed`: a stride is copied,
  /// too. Throws std::bad_alloc and std::length_error.
  JoinedValues(const std::vector<const Values*>& parts, std::int32_t components, bool packed);

  [[nodiscard]] const void* data() const { return copy_.empty() ? shown_ : copy_.data(); }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  /// The copy, where one was made.
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(copy_); }

private:
  void append(const Values& part, std::int64_t tuple);

  const void* shown_ = nullptr;
  std::int64_t stride_ = 0; ///< bytes; 0: packed
  std::vector<std::byte> copy_;
};

} // namespace rivulet::catalyst2
