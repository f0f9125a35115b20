/* SPDX-License-Identifier: BSD-3-Clause
 * The flow that catalyst_simulation and direct_simulation publish, in one of several ways:
 *
 *     cells    values of cells: pressure, and velocity with its components interleaved. Ranks are slabs along z
 *     nodes    values of nodes of the same slabs
 *     both     both of them; names of the latter begin with "corner_"
 *     ghosts   values of cells, with a layer of ghost cells on all sides
 *     amr      two levels; each rank refines the lower half of its slab by 2
 *     idle     values of cells of the first rank alone; the others have not even the channel */
#ifndef FLOW_H
#define FLOW_H

#include <stdint.h>
#include <string.h>

enum
{
  NX = 6,
  NY = 5,
  NZ = 4, /* of a rank */
  MOST = 2 * NX * 2 * NY * 2 * NZ
};

static const double flow_origin[3] = { -1, 0.5, 2 };
static const double flow_spacing[3] = { 0.25, 0.5, 1.5 };

/* A box of a rank: cells without ghosts from `begin` on, on a level. */
typedef struct flow_box
{
  int level;
  int64_t begin[3];
  int64_t cells[3];
  int ghosts;
  double pressure[MOST];
  float velocity[3 * MOST];
} flow_box;

static int is_way(const char* way, const char* name)
{
  return strcmp(way, name) == 0;
}

/* Fills a box for a step. `more`: 1 for nodes. */
static int64_t fill_flow(flow_box* box, int more, int step)
{
  int64_t count = 0;
  for (int64_t k = -box->ghosts; k < box->cells[2] + box->ghosts + more; ++k)
    for (int64_t j = -box->ghosts; j < box->cells[1] + box->ghosts + more; ++j)
      for (int64_t i = -box->ghosts; i < box->cells[0] + box->ghosts + more; ++i, ++count)
      {
        const double place = (double)(box->begin[0] + i + 100 * (box->begin[1] + j) + 10000 * (box->begin[2] + k));
        box->pressure[count] = place + 0.25 * step + 1000000.0 * box->level;
        for (int c = 0; c < 3; ++c)
          box->velocity[3 * count + c] = (float)(place + 0.5 * c + step);
      }
  return count;
}

/* The box of a rank on level 0 or 1. */
static void place_flow(flow_box* box, int rank, int level, int ghosts)
{
  const int64_t factor = level == 0 ? 1 : 2;
  const int64_t begin[3] = { 0, 0, rank * NZ };
  const int64_t cells[3] = { NX, NY, level == 0 ? NZ : NZ / 2 };
  box->level = level;
  box->ghosts = ghosts;
  for (int axis = 0; axis < 3; ++axis)
  {
    box->begin[axis] = factor * begin[axis];
    box->cells[axis] = factor * cells[axis];
  }
}

#endif
