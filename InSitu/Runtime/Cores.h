// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cores: the ones that this process may use, and the binding of threads to some of them. A core is a logical CPU of
/// the operating system, named by its number there.
///
///     const Cores cores = allowed_cores();
///     bind_this_thread({ cores.front() });
#pragma once

#include <mpi.h>

#include <vector>

namespace rivulet::insitu
{

using Cores = std::vector<int>;

/// Cores that the calling thread may use, in rising order. Empty where the system does not tell.
[[nodiscard]] Cores allowed_cores();

/// Binds the calling thread. Nothing happens for no cores, or where the system refuses.
void bind_this_thread(const Cores& cores);
/// Binds a thread of this process, named by its number of the system, in the same way.
void bind_thread(int thread, const Cores& cores);

/// Number of ranks of this node, this one included, that may use one of `cores`. Collective.
[[nodiscard]] int ranks_that_share(const Cores& cores, MPI_Comm comm);

} // namespace rivulet::insitu
