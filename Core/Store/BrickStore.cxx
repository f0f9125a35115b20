// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BrickStore.h"

namespace rivulet
{

const char* name_of(AccessStrategy strategy)
{
  switch (strategy)
  {
  case AccessStrategy::Automatic:
    return "Automatic";
  case AccessStrategy::MemoryMap:
    return "Memory Map";
  case AccessStrategy::BufferedCache:
    return "Buffered Cache";
  case AccessStrategy::DirectCache:
    return "Direct Cache";
  case AccessStrategy::Asynchronous:
    return "Asynchronous";
  }
  return "unknown";
}

Result<std::shared_ptr<FileBricks>> open_field(const std::vector<std::string>& paths, const OpenOptions&)
{
  return fail(ErrorCode::Unsupported, "this build cannot open fields yet", {}, paths.empty() ? "" : paths.front());
}

} // namespace rivulet
