// SPDX-License-Identifier: BSD-3-Clause
#include "Store/MeasureStorage.h"

namespace rivulet
{

MeasuredStorage measure_storage(
    const ProbeArea& area, const std::vector<std::int64_t>& bricks, bool io_uring, KnownStorage& known)
{
  static std::mutex probing; // one probe would slow down the other
  MeasuredStorage measured;
  measured.cached = cached_share(area.path, bricks);
  const std::optional<StorageDevice> device = device_of(area.path);
  if (!device)
  {
    return measured;
  }
  const std::lock_guard lock(probing);
  measured.speed = known.find(*device, area.request);
  if (measured.speed)
  {
    return measured;
  }
  const Result<ProbedStorage> probed = probe_storage(area, { .io_uring = io_uring });
  if (probed)
  {
    measured.speed = probed->speed;
    measured.bytes_read = probed->bytes_read;
    known.keep(*device, area.request, probed->speed);
  }
  return measured;
}

} // namespace rivulet
