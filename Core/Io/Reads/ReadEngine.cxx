// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Reads/ReadEngine.h"

#include "Io/Reads/RingReads.h"
#include "Io/Reads/ThreadedReads.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

namespace rivulet
{

std::unique_ptr<ReadEngine> open_read_engine(EngineChoice choice)
{
  std::string refusal = "they were asked for";
  if (choice == EngineChoice::Best)
  {
    Result<std::unique_ptr<ReadEngine>> ring = open_ring();
    if (ring)
    {
      return std::move(*ring);
    }
    refusal = ring.error().what;
    if (ring.error().sys_errno != 0)
    {
      refusal += " (" + std::string(std::strerror(ring.error().sys_errno)) + ")";
    }
  }
  return std::make_unique<ThreadedReads>(refusal);
}

bool has_room(std::vector<ReadAnswer>& answers) noexcept
{
  try
  {
    if (answers.size() == answers.capacity())
    {
      answers.reserve(std::max<std::size_t>(16, 2 * answers.size()));
    }
    return true;
  }
  catch (const std::bad_alloc&)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return false;
  }
}

std::vector<iovec> with_waste(const std::vector<iovec>& parts, void* waste, std::size_t bytes)
{
  std::vector<iovec> whole;
  for (const iovec& part : parts)
  {
    if (part.iov_base != nullptr)
    {
      whole.push_back(part);
      continue;
    }
    for (std::size_t done = 0; done < part.iov_len; done += bytes)
    {
      whole.push_back({ waste, std::min(bytes, part.iov_len - done) });
    }
  }
  return whole;
}

} // namespace rivulet
