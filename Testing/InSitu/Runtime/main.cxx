// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Runs the tests on all ranks. All must end well. With `--funneled` MPI gets fewer threads than analytics would like.
#include <gtest/gtest.h>

#include <mpi.h>

#include <cstdlib>
#include <string>

int main(int count, char** arguments)
{
  testing::InitGoogleTest(&count, arguments);
  const bool funneled = count > 1 && std::string(arguments[1]) == "--funneled";
  int provided = 0;
  MPI_Init_thread(&count, &arguments, funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE, &provided);
  int result = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // Threads of a test that hangs on purpose may still be about, and MPI_Finalize destroys things that they use.
  if (!testing::UnitTest::GetInstance()->failed_test_count() && result == 0)
  {
    MPI_Finalize();
  }
  std::_Exit(result);
}
