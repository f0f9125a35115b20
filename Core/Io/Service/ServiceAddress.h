// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Address of a service that keeps bytes, taken apart (ByteService.h).
#pragma once

#include "Base/Result.h"

#include <cstdint>
#include <string>

namespace rivulet
{

struct ServiceAddress
{
  std::string host; ///< empty for a Unix socket
  int port = 6379;
  std::string socket;                              ///< path
  std::int64_t expiry = std::int64_t{ 7 } * 86400; ///< seconds

  /// Fails with BadArgument.
  [[nodiscard]] static Result<ServiceAddress> from(const std::string& text);
};

} // namespace rivulet
