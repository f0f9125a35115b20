// SPDX-License-Identifier: BSD-3-Clause
#include "Gather.h"

#include <limits>

namespace rivulet::catalyst2
{

Result<std::vector<int>> begins_of(const std::vector<std::int64_t>& sizes)
{
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  std::vector<int> begins{ 0 };
  for (const std::int64_t size : sizes)
  {
    if (size > kMost - begins.back())
    {
      return fail(ErrorCode::Unsupported,
          "descriptions of all " + std::to_string(sizes.size()) + " ranks have more bytes together than MPI counts",
          "publish less fields, or grids of less coordinates");
    }
    begins.push_back(begins.back() + static_cast<int>(size));
  }
  return begins;
}

} // namespace rivulet::catalyst2
