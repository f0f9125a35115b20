// SPDX-License-Identifier: BSD-3-Clause
#include "Messages.h"

#include "rivulet_analytics.h"

#include <cstdio>

namespace rivulet::insitu
{

void Messages::add(int severity, const std::string& text)
{
  const char* const kind = severity == RIVULET_NOTE ? "note" : severity == RIVULET_WARNING ? "warning" : "error";
  // One call, so that lines of several threads and ranks do not mix.
  std::fprintf(stderr, "rivulet in situ: rank %d: %s: %s\n", rank_, kind, text.c_str());
  if (severity != RIVULET_NOTE)
  {
    const std::lock_guard lock(mutex_);
    last_ = text;
  }
}

std::string Messages::last() const
{
  const std::lock_guard lock(mutex_);
  return last_;
}

} // namespace rivulet::insitu
