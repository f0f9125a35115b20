// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/ReadingText.h"

#include "Base/Bytes.h"

namespace rivulet
{

std::string values_read(const SourceStatistics& read)
{
  std::string text = format_bytes(read.bytes_read);
  if (read.bricks_read > 0)
  {
    text += " in " + std::to_string(read.bricks_read) + (read.bricks_read == 1 ? " brick" : " bricks");
  }
  return text;
}

std::string peak_memory(std::int64_t bytes, std::int64_t budget)
{
  return budget > 0 ? format_bytes(bytes) + " of " + format_bytes(budget) : format_bytes(bytes);
}

} // namespace rivulet
