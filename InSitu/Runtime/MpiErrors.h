// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Errors of MPI on a communicator: noted, and returned to the caller, which may not look at them.
///
///     MpiErrors errors;
///     errors.watch(comm);
///     MPI_Send(...);                                      // to a rank that is not there
///     if (const std::string text = errors.take(); !text.empty()) ...
///
/// Threads: any may call MPI meanwhile; one at a time calls watch() and take().
#pragma once

#include <mpi.h>

#include <mutex>
#include <string>

namespace rivulet::insitu
{

class MpiErrors
{
public:
  MpiErrors() = default;
  MpiErrors(const MpiErrors&) = delete;
  MpiErrors& operator=(const MpiErrors&) = delete;
  ~MpiErrors() { watch(MPI_COMM_NULL); }

  /// From now on, notes errors on `comm`, and no longer on the communicator before. MPI_COMM_NULL: none.
  void watch(MPI_Comm comm);
  /// The first error since the last call, in MPI's words; empty if there was none.
  [[nodiscard]] std::string take();

private:
  static void on_error(MPI_Comm* comm, int* code, ...);

  std::mutex mutex_; ///< guards code_
  int code_ = MPI_SUCCESS;
};

} // namespace rivulet::insitu
