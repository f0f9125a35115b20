/* SPDX-License-Identifier: BSD-3-Clause
 * A drop that wanders through a grid of two levels, whose fine patches follow it:
 *
 *     amr_simulation CONFIGURATION STEPS
 *
 * The coarse cells are cut into slabs, one for each rank. Patches go round the ranks, and their number changes. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "rivulet_insitu.h"

enum
{
  CELLS = 24,  /* of level 0, along each side */
  SIDE = 8,    /* cells of a patch, along each side */
  PATCHES = 6, /* places of patches along each side */
  MOST = PATCHES * PATCHES * PATCHES
};

static double drop(const double at[3], const double centre[3])
{
  double square = 0.0;
  for (int a = 0; a < 3; ++a)
    square += (at[a] - centre[a]) * (at[a] - centre[a]);
  return exp(-square / 18.0);
}

/* Values of a block's cells; `size`: of a cell, in cells of level 0. */
static double* fill(const rivulet_block* block, double size, const double centre[3])
{
  double* values = malloc(sizeof(double) * (size_t)(block->cells[0] * block->cells[1] * block->cells[2]));
  double* to = values;
  for (int64_t k = 0; k < block->cells[2]; ++k)
    for (int64_t j = 0; j < block->cells[1]; ++j)
      for (int64_t i = 0; i < block->cells[0]; ++i)
      {
        const double at[3] = { size * ((double)(block->begin[0] + i) + 0.5),
          size * ((double)(block->begin[1] + j) + 0.5), size * ((double)(block->begin[2] + k) + 0.5) };
        *to++ = drop(at, centre);
      }
  return values;
}

/* The patches near the drop: those of this rank. Returns their number. */
static int refine(rivulet_block* patches, const double centre[3], int rank, int ranks)
{
  int all = 0;
  int mine = 0;
  for (int place = 0; place < MOST; ++place)
  {
    const int at[3] = { place % PATCHES, place / PATCHES % PATCHES, place / (PATCHES * PATCHES) };
    const double middle[3] = { 4.0 * at[0] + 2.0, 4.0 * at[1] + 2.0, 4.0 * at[2] + 2.0 };
    if (drop(middle, centre) < 0.3 || all++ % ranks != rank)
      continue;
    const rivulet_block patch = { 1, { SIDE * at[0], SIDE * at[1], SIDE * at[2] }, { SIDE, SIDE, SIDE }, { 0, 0, 0 },
      NULL };
    patches[mine++] = patch;
  }
  return mine;
}

int main(int argc, char** argv)
{
  int level;
  int rank;
  int ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rivulet_insitu* insitu = NULL;
  if (argc < 3 || rivulet_insitu_initialize(argv[1], MPI_COMM_WORLD, &insitu) != RIVULET_OK)
    fprintf(stderr, "amr_simulation: no analytics\n");
  const rivulet_variable density = { "density", RIVULET_FLOAT64, 1 };
  const int32_t ratio[3] = { 2, 2, 2 };
  for (int step = 0; argc > 2 && step < atoi(argv[2]); ++step)
  {
    const double centre[3] = { 6.0 + step, 8.0 + 0.5 * step, 12.0 };
    static rivulet_block blocks[1 + MOST];
    static const void* values[1 + MOST];
    const int64_t first = CELLS * rank / ranks;
    const rivulet_block slab = { 0, { 0, 0, first }, { CELLS, CELLS, CELLS * (rank + 1) / ranks - first }, { 0, 0, 0 },
      NULL };
    blocks[0] = slab;
    const int count = 1 + refine(blocks + 1, centre, rank, ranks);
    for (int i = 0; i < count; ++i)
    {
      values[i] = fill(&blocks[i], blocks[i].level == 0 ? 1.0 : 0.5, centre);
      blocks[i].data = &values[i];
    }
    const rivulet_field field = { "drop", RIVULET_CELLS, { 0, 0, 0 }, { 1, 1, 1 }, { CELLS, CELLS, CELLS }, 2, ratio, 1,
      &density, count, blocks };
    rivulet_insitu_publish_field(insitu, &field);
    rivulet_insitu_execute(insitu, step, 0.1 * step);
    for (int i = 0; i < count; ++i)
      free((void*)values[i]);
  }
  rivulet_insitu_finalize(&insitu);
  MPI_Finalize();
  return 0;
}
