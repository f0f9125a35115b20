// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A ReadEngine on io_uring (J. Axboe, "Efficient IO with io_uring", kernel.dk/io_uring.pdf): one call of the kernel
/// hands over many reads and takes many answers.
#pragma once

#include "Base/Result.h"
#include "Io/Reads/ReadEngine.h"

namespace rivulet
{

/// Unsupported, with the system's error, where this build has no liburing or the kernel no io_uring for us. Where it
/// lets us, descriptors are registered, and so is memory that is read into by itself: both save the kernel a look-up
/// per read.
[[nodiscard]] Result<std::unique_ptr<ReadEngine>> open_ring(const std::vector<int>& descriptors);

} // namespace rivulet
