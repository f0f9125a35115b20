// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A ReadEngine on io_uring (J. Axboe, "Efficient IO with io_uring", kernel.dk/io_uring.pdf): one system call submits
/// many reads and takes many answers.
#pragma once

#include "Base/Result.h"
#include "Io/Reads/ReadEngine.h"

namespace rivulet
{

/// Fails with Unsupported, with the system's error, if this build has no liburing or the kernel refuses io_uring. If
/// allowed, it registers descriptors, and memory of single-part reads (same_memory): both save the kernel a search per
/// read.
[[nodiscard]] Result<std::unique_ptr<ReadEngine>> open_ring(const std::vector<int>& descriptors);

} // namespace rivulet
