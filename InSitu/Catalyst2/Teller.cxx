// SPDX-License-Identifier: BSD-3-Clause
#include "Teller.h"

#include <bit>
#include <cstdio>

namespace rivulet::catalyst2
{

void Teller::tell(const char* severity, const std::string& text)
{
  last_ = text;
  const unsigned long times = ++times_[text];
  if (std::has_single_bit(times))
  {
    const std::string again = times == 1 ? "" : " (" + std::to_string(times) + " times by now)";
    std::fprintf(stderr, "rivulet in situ: rank %d: %s: %s%s\n", rank_, severity, text.c_str(), again.c_str());
  }
}

} // namespace rivulet::catalyst2
