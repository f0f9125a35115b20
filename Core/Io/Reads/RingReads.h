// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A ReadEngine on io_uring (J. Axboe, "Efficient IO with io_uring", kernel.dk/io_uring.pdf): one system call submits
/// many reads and takes many answers.
#pragma once

#include "Base/Result.h"
#include "Io/Reads/ReadEngine.h"

namespace rivulet
{

/// Fails with Unsupported, with the system's error, if this build has no liburing or the kernel refuses io_uring. No
/// memory is registered: a registration takes longer than the searches that it saves, for as many reads as one run has.
[[nodiscard]] Result<std::unique_ptr<ReadEngine>> open_ring();

} // namespace rivulet
