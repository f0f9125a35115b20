// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Contract/NoMemory.h"

namespace rivulet
{

std::shared_ptr<const Error> no_memory_for(const char* task)
{
  return std::make_shared<const Error>(
      Error{ ErrorCode::BudgetTooSmall, std::string("the system has no memory to ") + task,
          "ask for fewer or shorter lines, or raise the limit of addresses (ulimit -v)", {} });
}

} // namespace rivulet
