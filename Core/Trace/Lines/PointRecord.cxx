// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/PointRecord.h"

namespace rivulet
{

RecordLayout RecordLayout::make(VelocityRecord velocity, bool vorticity, bool mesh_position, bool place)
{
  RecordLayout layout;
  const auto reserve = [&layout](std::int32_t& offset, std::size_t size)
  {
    offset = layout.bytes;
    layout.bytes += static_cast<std::int32_t>(size);
  };
  layout.velocity_as = velocity;
  if (velocity != VelocityRecord::None)
  {
    reserve(layout.velocity, 3 * (velocity == VelocityRecord::Floats ? sizeof(float) : sizeof(double)));
  }
  if (vorticity)
  {
    reserve(layout.rotation, 5 * sizeof(double));
  }
  if (mesh_position)
  {
    reserve(layout.mesh_position, sizeof(Position));
  }
  if (place)
  {
    reserve(layout.place, 3 * sizeof(double));
  }
  layout.bytes = (layout.bytes + 7) / 8 * 8;
  return layout;
}

} // namespace rivulet
