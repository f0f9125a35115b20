// SPDX-License-Identifier: BSD-3-Clause
#include "Coupling.h"

namespace rivulet::bench
{

std::unique_ptr<Coupling> make_coupling(const CouplingOptions& options)
{
  if (options.kind == "dedicated")
  {
    return make_dedicated(options);
  }
  if (options.kind == "suspended")
  {
    return make_suspended(options);
  }
  return options.kind == "stream" ? make_stream(options) : make_alone_or_session(options.threads);
}

} // namespace rivulet::bench
