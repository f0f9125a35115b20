/* SPDX-License-Identifier: BSD-3-Clause
 * Publishes the flow of flow.h by rivulet_insitu.h: what catalyst_simulation must come to.
 *
 *     direct_simulation WAY STEPS CONFIGURATION */
#include "flow.h"

#include "rivulet_insitu.h"

#include <stdlib.h>

static flow_box boxes_of_rank[2];

/* Structures of a field. They must not change until execute has returned. */
typedef struct publication
{
  rivulet_variable variable[2];
  rivulet_block block[2];
  rivulet_field field;
  const void* data[2][2];
} publication;

static void set_block(rivulet_block* block, const void** data, const flow_box* box)
{
  block->level = box->level;
  for (int axis = 0; axis < 3; ++axis)
  {
    block->begin[axis] = box->begin[axis];
    block->cells[axis] = box->cells[axis];
    block->ghosts[axis] = box->ghosts;
  }
  data[0] = box->pressure;
  data[1] = box->velocity;
  block->data = data;
}

/* The field of boxes on `ranks` ranks, values not yet filled in. */
static void set_field(
    publication* made, const char* name, const char* const* names, int nodes, const flow_box* box, int boxes, int ranks)
{
  static const int32_t ratio[3] = { 2, 2, 2 };
  memset(made, 0, sizeof(*made));
  made->variable[0].name = names[0];
  made->variable[0].type = RIVULET_FLOAT64;
  made->variable[0].components = 1;
  made->variable[1].name = names[1];
  made->variable[1].type = RIVULET_FLOAT32;
  made->variable[1].components = 3;
  for (int i = 0; i < boxes; ++i)
    set_block(&made->block[i], made->data[i], &box[i]);
  rivulet_field* const field = &made->field;
  field->name = name;
  field->centring = nodes ? RIVULET_NODES : RIVULET_CELLS;
  memcpy(field->origin, flow_origin, sizeof(flow_origin));
  memcpy(field->spacing, flow_spacing, sizeof(flow_spacing));
  field->cells[0] = NX;
  field->cells[1] = NY;
  field->cells[2] = NZ * ranks;
  field->levels = boxes > 1 ? 2 : 1;
  field->ratio = boxes > 1 ? ratio : NULL;
  field->variables = 2;
  field->variable = made->variable;
  field->blocks = boxes;
  field->block = made->block;
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
  if (argc < 4 || rivulet_insitu_initialize(argv[3], MPI_COMM_WORLD, &insitu) != RIVULET_OK)
    return 2;
  const char* way = argv[1];
  static const char* const names[2][2] = { { "pressure", "velocity" }, { "corner_pressure", "corner_velocity" } };
  const int both = is_way(way, "both");
  const int boxes = is_way(way, "amr") ? 2 : is_way(way, "idle") && rank > 0 ? 0 : 1;
  flow_box* const box = boxes_of_rank;
  place_flow(&box[0], rank, 0, is_way(way, "ghosts"));
  place_flow(&box[1], rank, both ? 0 : 1, 0);
  static publication cells;
  static publication nodes;
  set_field(&cells, both ? "grid/element" : "grid", names[0], 0, box, boxes, is_way(way, "idle") ? 1 : ranks);
  set_field(&nodes, both ? "grid/vertex" : "grid", names[both], 1, &box[both], 1, ranks);
  for (int step = 0; step < atoi(argv[2]); ++step)
  {
    for (int i = 0; i < 2; ++i)
      fill_flow(&box[i], is_way(way, "nodes") || (both && i == 1), step);
    if (!is_way(way, "nodes"))
      rivulet_insitu_publish_field(insitu, &cells.field);
    if (is_way(way, "nodes") || both)
      rivulet_insitu_publish_field(insitu, &nodes.field);
    rivulet_insitu_execute(insitu, step, 0.5 * step);
  }
  rivulet_insitu_finalize(&insitu);
  MPI_Finalize();
  return 0;
}
