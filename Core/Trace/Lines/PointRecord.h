// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The record of one point of a line while the lines grow: bytes, as few as the requested results allow.
#pragma once

#include "Trace/Mesh/Position.h"

#include <cstddef>
#include <cstdint>

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
  std::int32_t mesh_position = -1; ///< Position, for arrays that are interpolated later
  std::int32_t place = -1;         ///< 3 doubles, world, where single precision is too coarse for the grid
  std::int32_t bytes = 20;
  VelocityRecord velocity_as = VelocityRecord::None;

  static RecordLayout make(VelocityRecord velocity, bool vorticity, bool mesh_position, bool place);
};

} // namespace rivulet
