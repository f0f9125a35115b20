// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A brick for those who have nothing else to do meanwhile.
///
///     std::shared_ptr<const Error> error;
///     if (const BrickPin pin = wait_for_brick(source, key, error)) use(pin.view());
///
/// Threads: any.
#pragma once

#include "Store/BrickSource.h"

namespace rivulet
{

/// The brick, however long it takes; an empty pin and `error` if it cannot be had.
[[nodiscard]] BrickPin wait_for_brick(BrickSource& source, const BrickKey& key, std::shared_ptr<const Error>& error);

} // namespace rivulet
