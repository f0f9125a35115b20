/* SPDX-License-Identifier: BSD-3-Clause
 * A simulation that ends in one of several ways, most of them without rivulet_insitu_finalize:
 *
 *     ending_simulation CONFIGURATION STEPS WAY
 *
 *     finalize   as it should
 *     mpi        MPI_Finalize alone
 *     order      MPI_Finalize, then rivulet_insitu_finalize
 *     return     main returns, and MPI is not finalized either
 *     exit       exit() in a function
 *     one        the first rank as it should, the others by MPI_Finalize alone
 *     child      a child of fork() exits; then as it should
 *     never      the first rank as it should, the others sleep and leave by _exit() */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rivulet_insitu.h"

int main(int argc, char** argv)
{
  static double x[100];
  const rivulet_particles set = { .name = "atoms", .count = 100, .x = x, .y = x, .z = x, .high = { 1, 1, 1 } };
  rivulet_insitu* insitu = NULL;
  int level = 0;
  int rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 4)
    return 2;
  const char* way = argv[3];
  rivulet_insitu_initialize(argv[1], MPI_COMM_WORLD, &insitu);
  for (int step = 0; step < atoi(argv[2]); ++step)
  {
    rivulet_insitu_publish_particles(insitu, &set);
    rivulet_insitu_execute(insitu, step, step);
  }
  if (strcmp(way, "child") == 0)
  {
    const pid_t child = fork();
    if (child == 0)
      exit(0);
    waitpid(child, NULL, 0);
  }
  if (strcmp(way, "return") == 0)
    return 0;
  if (strcmp(way, "exit") == 0)
    exit(0);
  if (strcmp(way, "never") == 0 && rank > 0)
  {
    sleep(3);
    _exit(0);
  }
  if (strcmp(way, "order") == 0)
  {
    MPI_Finalize();
    printf("finalize %d, again %d\n", rivulet_insitu_execute(insitu, 99, 99), rivulet_insitu_finalize(&insitu));
    return 0;
  }
  if (strcmp(way, "finalize") == 0 || strcmp(way, "child") == 0 || rank == 0)
    if (strcmp(way, "mpi") != 0)
      printf("finalize %d\n", rivulet_insitu_finalize(&insitu));
  fflush(stdout);
  if (strcmp(way, "never") == 0)
    _exit(0);
  MPI_Finalize();
  return 0;
}
