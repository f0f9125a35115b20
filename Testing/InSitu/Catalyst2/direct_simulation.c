/* SPDX-License-Identifier: BSD-3-Clause
 * Publishes the flow of flow.h by rivulet_insitu.h: what catalyst_simulation must come to.
 *
 *     direct_simulation CONFIGURATION ROUNDS WAY... */
#include "publish.h"

#include <stdlib.h>

static flow_box boxes[4];

static void execute(rivulet_insitu* insitu, const char* way, int rank, int ranks, int step)
{
  const int domains = place_boxes(boxes, way, rank);
  for (int i = 0; i < 4; ++i)
    fill_flow(&boxes[i], step);
  if (is_mesh(way))
    publish_mesh(insitu, boxes, domains, way);
  else
    publish_fields(insitu, boxes, domains, way, ranks);
  rivulet_insitu_execute(insitu, step, 0.5 * step);
}

int main(int argc, char** argv)
{
  rivulet_insitu* insitu = NULL;
  int level = 0;
  int rank = 0;
  int ranks = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 4 || rivulet_insitu_initialize(argv[1], MPI_COMM_WORLD, &insitu) != RIVULET_OK)
    return 2;
  int step = 0;
  for (int round = 0; round < atoi(argv[2]); ++round)
    for (int way = 3; way < argc; ++way)
      execute(insitu, argv[way], rank, ranks, step++);
  rivulet_insitu_finalize(&insitu);
  MPI_Finalize();
  return 0;
}
