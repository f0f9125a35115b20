// SPDX-License-Identifier: BSD-3-Clause
#include "Need.h"

#include <cstdio>
#include <cstdlib>

namespace rivulet::bench
{

void stop(const std::string& why)
{
  std::fprintf(stderr, "insitu benchmark: %s\n", why.c_str());
  std::exit(1);
}

void need(bool good, const std::string& what)
{
  if (!good)
  {
    stop(what);
  }
}

} // namespace rivulet::bench
