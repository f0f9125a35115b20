// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Identities for new files. Any thread.
#pragma once

#include <string>

namespace rivulet
{

/// A random uuid: version 4 of RFC 4122, 36 characters.
[[nodiscard]] std::string random_uuid();

} // namespace rivulet
