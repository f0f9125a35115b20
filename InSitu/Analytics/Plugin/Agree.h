// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Errors of single ranks between calls of MPI that all ranks must take part in.
///
///     Result<void> ready = prepare();                                             // may fail on some ranks
///     if (Result<void> all = agree(host, ready); !all) return all;                // fails on all, or on none
///     MPI_Allreduce(...);
#pragma once

#include "Base/Result.h"
#include "Plugin/Host.h"

namespace rivulet
{

/// Collective. This rank's error if it has one, else an error if any other rank has one.
[[nodiscard]] Result<void> agree(const Host& host, Result<void> mine);

/// Fails with MPI's words for a code that one of its functions has returned.
[[nodiscard]] Result<void> of_mpi(int code);

/// The first error of several calls of MPI, which are all made, so that no other rank waits for one.
class FirstMpiError
{
public:
  void note(int code) { code_ = code_ == MPI_SUCCESS ? code : code_; }
  [[nodiscard]] Result<void> result() const { return of_mpi(code_); }

private:
  int code_ = MPI_SUCCESS;
};

/// The error of a rank without a fault of its own.
[[nodiscard]] tl::unexpected<Error> other_rank_failed(const Host& host);

} // namespace rivulet
