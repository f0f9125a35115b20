/* SPDX-License-Identifier: BSD-3-Clause
 * A simulation that looks at itself: with handlers of signals of its own, traps of floating-point exceptions, random
 * numbers, environment, descriptors, limits, and a thread that writes files with relative paths all the time. It
 * publishes cells with a velocity, and particles, for all analytics.
 *
 *     guarded_simulation CONFIGURATION STEPS SESSIONS
 *
 * It prints a line for each thing of its own that has changed, and at its end "sessions N, files N". */
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rivulet_insitu.h"

enum
{
  CELLS = 24,
  ATOMS = 1000,
  LOOKS = 1000,
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
static int expected[LOOKS]; /* of rand() */
static int looks;

/* All that a process has beside signals, locale, folder and floating-point environment. */
typedef struct state
{
  mode_t umask;
  uint64_t environment;
  ino_t standard[3];
  sigset_t blocked;
  cpu_set_t cores;
  int memory_policy;
  int priority;
  struct rlimit limits[4];
  size_t buffer;
  int line_buffered;
} state;
static state first;

extern char** environ;

static state state_now(void)
{
  static const int limits[] = { RLIMIT_NOFILE, RLIMIT_CORE, RLIMIT_STACK, RLIMIT_AS };
  state now;
  memset(&now, 0, sizeof(now));
  now.umask = umask(0);
  umask(now.umask);
  now.environment = 14695981039346656037U;
  for (char** entry = environ; *entry != NULL; ++entry)
    for (const char* letter = *entry; *letter != 0; ++letter)
      now.environment = (now.environment ^ (unsigned char)*letter) * 1099511628211U;
  for (int i = 0; i < 3; ++i)
  {
    struct stat about;
    now.standard[i] = fstat(i, &about) == 0 ? about.st_ino : 0;
  }
  pthread_sigmask(SIG_BLOCK, NULL, &now.blocked);
  sched_getaffinity(0, sizeof(now.cores), &now.cores);
  syscall(SYS_get_mempolicy, &now.memory_policy, NULL, 0, NULL, 0);
  now.priority = getpriority(PRIO_PROCESS, 0);
  for (int i = 0; i < 4; ++i)
    getrlimit(limits[i], &now.limits[i]);
  now.buffer = __fbufsize(stdout);
  now.line_buffered = __flbf(stdout);
  return now;
}

static void look_at_state(const char* when)
{
  const state now = state_now();
  if (now.umask != first.umask)
    printf("changed %s: the umask\n", when);
  if (now.environment != first.environment)
    printf("changed %s: the environment variables\n", when);
  if (memcmp(now.standard, first.standard, sizeof(now.standard)) != 0)
    printf("changed %s: the descriptors 0 to 2\n", when);
  if (memcmp(&now.blocked, &first.blocked, sizeof(now.blocked)) != 0)
    printf("changed %s: the blocked signals\n", when);
  if (memcmp(&now.cores, &first.cores, sizeof(now.cores)) != 0)
    printf("changed %s: the cores of the thread\n", when);
  if (now.memory_policy != first.memory_policy || now.priority != first.priority)
    printf("changed %s: the memory policy or the priority\n", when);
  if (memcmp(now.limits, first.limits, sizeof(now.limits)) != 0)
    printf("changed %s: the limits of the process\n", when);
  if (now.buffer != first.buffer || now.line_buffered != first.line_buffered)
    printf("changed %s: the buffer of stdout from %zu, %d to %zu, %d\n", when, first.buffer, first.line_buffered,
        now.buffer, now.line_buffered);
  if (looks < LOOKS && rand() != expected[looks++])
    printf("changed %s: the random numbers\n", when);
}

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
  look_at_state(when);
}

static void run(const char* configuration, int steps)
{
  static double heat[CELLS * CELLS * CELLS];
  static double velocity[3 * CELLS * CELLS * CELLS];
  static double places[ATOMS];
  rivulet_insitu* insitu = NULL;
  rivulet_insitu_initialize(configuration, MPI_COMM_WORLD, &insitu);
  look("by initialize");
  for (int step = 0; step < steps; ++step)
  {
    for (int i = 0; i < CELLS * CELLS * CELLS; ++i)
    {
      heat[i] = 0.01 * (i % CELLS) + 0.001 * step;
      velocity[3 * i] = 1;
    }
    for (int i = 0; i < ATOMS; ++i)
      places[i] = 0.001 * i * CELLS;
    const rivulet_variable variables[] = { { "heat", RIVULET_FLOAT64, 1 }, { "velocity", RIVULET_FLOAT64, 3 } };
    const void* values[] = { heat, velocity };
    const rivulet_block block = { 0, { 0, 0, CELLS * rank }, { CELLS, CELLS, CELLS }, { 0, 0, 0 }, values };
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const rivulet_field field = { "temperature", RIVULET_CELLS, { 0, 0, 0 }, { 1, 1, 1 },
      { CELLS, CELLS, CELLS * ranks }, 1, NULL, 2, variables, 1, &block };
    const rivulet_particles atoms = {
      .name = "atoms", .count = ATOMS, .x = places, .y = places, .z = places, .vx = places, .vy = places, .vz = places
    };
    rivulet_insitu_publish_field(insitu, &field);
    rivulet_insitu_publish_particles(insitu, &atoms);
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
  setvbuf(stdout, NULL, _IOLBF, 4096);
  printf("begins\n"); /* stdout has its buffer from now on */
  srand(7);
  for (int i = 0; i < LOOKS; ++i)
    expected[i] = rand();
  srand(7);
  first = state_now();
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
