// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The record of one point of a line while the lines grow: bytes, as few as the requested results allow.
#pragma once

#include "Trace/Mesh/StructuredMesh.h"

#include <cstddef>
#include <cstring>

namespace rivulet
{

/// Form of the velocity: as interpolated, or rounded to the type of its array.
enum class VelocityRecord : std::uint8_t
{
  None,
  Floats,
  Doubles
};

/// Byte offsets into a record. -1: not kept.
struct RecordLayout
{
  std::int32_t time = 0;           ///< double
  std::int32_t position = 8;       ///< 3 floats, world
  std::int32_t velocity = -1;      ///< 3 floats or doubles
  std::int32_t rotation = -1;      ///< 5 doubles: vorticity, rotation, angular velocity
  std::int32_t cell_position = -1; ///< CellPosition, for arrays that are interpolated later
  std::int32_t bytes = 20;
  VelocityRecord velocity_as = VelocityRecord::None;

  static RecordLayout make(VelocityRecord velocity, bool vorticity, bool cell_position);
};

/// Writes the parts of a record that every record has, and its velocity.
inline void write_record(
    const RecordLayout& layout, double time, const float* position, const double* velocity, std::byte* record)
{
  std::memcpy(record + layout.time, &time, sizeof(time));
  std::memcpy(record + layout.position, position, 3 * sizeof(float));
  if (layout.velocity_as == VelocityRecord::Floats)
  {
    const float rounded[3] = { static_cast<float>(velocity[0]), static_cast<float>(velocity[1]),
      static_cast<float>(velocity[2]) };
    std::memcpy(record + layout.velocity, rounded, sizeof(rounded));
  }
  else if (layout.velocity_as == VelocityRecord::Doubles)
  {
    std::memcpy(record + layout.velocity, velocity, 3 * sizeof(double));
  }
}

} // namespace rivulet
