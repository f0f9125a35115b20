// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/PointRecord.h"

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
    reserve(layout.vorticity, 3 * sizeof(double));
    reserve(layout.rotation, sizeof(double));
    reserve(layout.angular_velocity, sizeof(double));
  }
  if (mesh_position)
  {
    reserve(layout.mesh_position, sizeof(Position));
  }
  if (place)
  {
    reserve(layout.place, 3 * sizeof(double));
  }
  return layout;
}

std::vector<RecordPart> RecordLayout::parts() const
{
  std::vector<std::int32_t> ends{ position };
  for (const std::int32_t at : { velocity, vorticity, rotation, angular_velocity, mesh_position, place })
  {
    if (at >= 0)
    {
      ends.push_back(at);
    }
  }
  ends.push_back(bytes);
  std::vector<RecordPart> all;
  std::int32_t begin = time;
  for (const std::int32_t end : ends)
  {
    all.push_back({ begin, end - begin });
    begin = end;
  }
  return all;
}

} // namespace rivulet
