/* SPDX-License-Identifier: BSD-3-Clause
 * A simulation that looks at itself: with handlers of signals of its own, traps of floating-point exceptions, and a
 * thread that writes files with relative paths all the time.
 *
 *     guarded_simulation CONFIGURATION STEPS SESSIONS
 *
 * It prints a line for each thing of its own that has changed, and at its end "sessions N, files N". */
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rivulet_insitu.h"

enum
{
  CELLS = 24,
  TRAPS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW
};

static const int signals[] = { SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGXCPU, SIGHUP, SIGPIPE, SIGXFSZ, SIGILL, SIGABRT,
  SIGSEGV, SIGFPE, SIGBUS, SIGCHLD };
static atomic_int ends;
static int rank;

static void handler(int number)
{
  (void)number;
  _exit(9);
}

static void* write_files(void* count)
{
  char name[64];
  for (int number = 0; !ends; ++number)
  {
    snprintf(name, sizeof(name), "own-%d-%06d.dat", rank, number);
    FILE* file = fopen(name, "w");
    if (file != NULL)
    {
      fputs("x", file);
      fclose(file);
      ++*(int*)count;
    }
    usleep(2000);
  }
  return NULL;
}

static char folder[4096];
static char locale[256];

static void look(const char* when)
{
  char now[sizeof(folder)];
  for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); ++i)
  {
    struct sigaction action;
    sigaction(signals[i], NULL, &action);
    if (action.sa_handler != handler)
      printf("changed %s: the action of signal %d\n", when, signals[i]);
  }
  if (fegetexcept() != TRAPS || fegetround() != FE_TONEAREST || fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT) != 0)
    printf("changed %s: the floating-point environment\n", when);
  if (strcmp(setlocale(LC_ALL, NULL), locale) != 0)
    printf("changed %s: the locale\n", when);
  if (getcwd(now, sizeof(now)) == NULL || strcmp(now, folder) != 0)
    printf("changed %s: the working folder\n", when);
}

static void run(const char* configuration, int steps)
{
  static double heat[CELLS * CELLS * CELLS];
  rivulet_insitu* insitu = NULL;
  rivulet_insitu_initialize(configuration, MPI_COMM_WORLD, &insitu);
  look("by initialize");
  for (int step = 0; step < steps; ++step)
  {
    for (int i = 0; i < CELLS * CELLS * CELLS; ++i)
      heat[i] = 0.01 * (i % CELLS) + 0.001 * step;
    const rivulet_variable variable[] = { { "heat", RIVULET_FLOAT64, 1 } };
    const void* values[] = { heat };
    const rivulet_block block = { 0, { 0, 0, CELLS * rank }, { CELLS, CELLS, CELLS }, { 0, 0, 0 }, values };
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const rivulet_field field = { "temperature", RIVULET_CELLS, { 0, 0, 0 }, { 1, 1, 1 },
      { CELLS, CELLS, CELLS * ranks }, 1, NULL, 1, variable, 1, &block };
    rivulet_insitu_publish_field(insitu, &field);
    rivulet_insitu_execute(insitu, step, 0.1 * step);
    look("by execute");
    usleep(20000);
    look("beside");
  }
  rivulet_insitu_finalize(&insitu);
  look("by finalize");
}

int main(int argc, char** argv)
{
  int level = 0;
  int files = 0;
  pthread_t writer;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 4 || getcwd(folder, sizeof(folder)) == NULL)
    return 2;
  for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); ++i)
    signal(signals[i], handler);
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(TRAPS);
  snprintf(locale, sizeof(locale), "%s", setlocale(LC_ALL, NULL));
  pthread_create(&writer, NULL, write_files, &files);
  for (int session = 0; session < atoi(argv[3]); ++session)
    run(argv[1], atoi(argv[2]));
  ends = 1;
  pthread_join(writer, NULL);
  printf("sessions %s, files %d\n", argv[3], files);
  fedisableexcept(FE_ALL_EXCEPT);
  MPI_Finalize();
  return 0;
}
