// SPDX-License-Identifier: BSD-3-Clause
// Every rank runs all tests, in the same order.
#include <gtest/gtest.h>
#include <mpi.h>
#include <oneapi/tbb/global_control.h>

int main(int argc, char** argv)
{
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  ::testing::InitGoogleTest(&argc, argv);
  // TBB would start no threads where mpiexec binds a rank to one core.
  const oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism, 8);
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
