// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The record of one point of a line while the lines grow: bytes, as few as the requested results allow. Records lie in
/// blocks, in which each part of all records lies together: blocks are copied to arrays part by part.
#pragma once

#include "Trace/Mesh/Position.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rivulet
{

/// Form of the velocity: as interpolated, or rounded to the type of its array.
enum class VelocityRecord : std::uint8_t
{
  None,
  Floats,
  Doubles
};

/// A part of a record.
struct RecordPart
{
  std::int32_t at = 0; ///< offset in a record whose parts lie one after the other
  std::int32_t bytes = 0;
};

/// Byte offsets into a record whose parts lie one after the other. -1: not kept. In a block of n records, the values of
/// a part begin at n times its offset.
struct RecordLayout
{
  std::int32_t time = 0;              ///< double
  std::int32_t position = 8;          ///< 3 floats, world
  std::int32_t velocity = -1;         ///< 3 floats or doubles
  std::int32_t vorticity = -1;        ///< 3 doubles
  std::int32_t rotation = -1;         ///< double; with the vorticity, as the next one
  std::int32_t angular_velocity = -1; ///< double
  std::int32_t mesh_position = -1;    ///< Position, for arrays that are interpolated later
  std::int32_t place = -1;            ///< 3 doubles, world, where single precision is too coarse for the grid
  std::int32_t bytes = 20;
  VelocityRecord velocity_as = VelocityRecord::None;

  [[nodiscard]] static RecordLayout make(VelocityRecord velocity, bool vorticity, bool mesh_position, bool place);

  /// All parts that are kept, in the order of their offsets.
  [[nodiscard]] std::vector<RecordPart> parts() const;
};

} // namespace rivulet
