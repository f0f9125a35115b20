/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file
 * The smallest coupled simulation: heat that spreads in a box, in slabs along z, one for each rank.
 *
 *     mpirun -n 2 heat insitu.json 100        (configuration, steps)
 * Documentation/couple-your-code.md goes through it.
 */
#include "rivulet_insitu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 48 /* cells along each axis */
#define AT(i, j, k) (((k)*N + (j)) * N + (i))

typedef struct slab
{
  int rank, ranks;
  int64_t first, count; /* layers of this rank */
  double *heat, *next;  /* with one ghost layer below and above */
} slab;

static void start(slab* s)
{
  s->first = (int64_t)N * s->rank / s->ranks;
  s->count = (int64_t)N * (s->rank + 1) / s->ranks - s->first;
  s->heat = calloc((size_t)((s->count + 2) * N * N), sizeof(double));
  s->next = calloc((size_t)((s->count + 2) * N * N), sizeof(double));
  for (int64_t k = 0; k < s->count; ++k)
    for (int64_t j = 0; j < N; ++j)
      for (int64_t i = 0; i < N; ++i)
      {
        const double x = i - 0.3 * N, y = j - 0.5 * N, z = (double)(s->first + k) - 0.4 * N;
        s->heat[AT(i, j, k + 1)] = exp(-0.02 * (x * x + y * y + z * z));
      }
}

static void exchange(slab* s) /* ghost layers; walls stay at 0 */
{
  const int below = s->rank > 0 ? s->rank - 1 : MPI_PROC_NULL;
  const int above = s->rank + 1 < s->ranks ? s->rank + 1 : MPI_PROC_NULL;
  double *low = s->heat, *high = s->heat + AT(0, 0, s->count + 1);
  MPI_Sendrecv(s->heat + AT(0, 0, 1), N * N, MPI_DOUBLE, below, 0, high, N * N, MPI_DOUBLE, above, 0, MPI_COMM_WORLD,
      MPI_STATUS_IGNORE);
  MPI_Sendrecv(s->heat + AT(0, 0, s->count), N * N, MPI_DOUBLE, above, 1, low, N * N, MPI_DOUBLE, below, 1,
      MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void spread(void* data)
{
  slab* s = data;
  for (int64_t k = 1; k <= s->count; ++k)
    for (int64_t j = 1; j < N - 1; ++j)
      for (int64_t i = 1; i < N - 1; ++i)
      {
        const double* h = s->heat + AT(i, j, k);
        s->next[AT(i, j, k)] = *h + 0.15 * (h[-1] + h[1] + h[-N] + h[N] + h[-N * N] + h[N * N] - 6.0 * *h);
      }
  double* old = s->heat;
  s->heat = s->next;
  s->next = old;
}

int main(int argc, char** argv)
{
  const int steps = argc > 2 ? atoi(argv[2]) : 100;
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  slab s;
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
  start(&s);
  exchange(&s);
  rivulet_insitu* insitu = NULL;
  if (rivulet_insitu_initialize(argc > 1 ? argv[1] : "insitu.json", MPI_COMM_WORLD, &insitu) != RIVULET_OK)
    fprintf(stderr, "heat: no analytics: %s\n", rivulet_insitu_message(NULL));
  const rivulet_variable heat = { .name = "heat", .type = RIVULET_FLOAT64, .components = 1 };
  for (int step = 0; step < steps; ++step)
  {
    rivulet_insitu_run(insitu, spread, &s);
    exchange(&s);
    if (!rivulet_insitu_wants(insitu, step))
      continue;
    const void* values[] = { s.heat };
    const rivulet_block block = {
      .begin = { 0, 0, s.first }, .cells = { N, N, s.count }, .ghosts = { 0, 0, 1 }, .data = values
    };
    const rivulet_field field = { .name = "temperature",
      .centring = RIVULET_CELLS,
      .spacing = { 1, 1, 1 },
      .cells = { N, N, N },
      .levels = 1,
      .variables = 1,
      .variable = &heat,
      .blocks = 1,
      .block = &block };
    rivulet_insitu_publish_field(insitu, &field);
    rivulet_insitu_execute(insitu, step, 0.15 * step);
  }
  rivulet_insitu_finalize(&insitu);
  free(s.heat);
  free(s.next);
  MPI_Finalize();
  return 0;
}
