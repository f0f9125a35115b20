/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish.h"

enum
{
  MOST_OF_BOTH = 2 * MOST
};

/* Cells and points of all domains of the rank. */
static struct
{
  double point[3 * MOST_OF_BOTH];
  uint8_t type[MOST_OF_BOTH];
  uint8_t ghost[MOST_OF_BOTH];
  int64_t offset[MOST_OF_BOTH + 1];
  int64_t connectivity[8 * MOST_OF_BOTH];
  double pressure[2][MOST_OF_BOTH]; /* of points, and of cells */
  float velocity[2][3 * MOST_OF_BOTH];
  rivulet_array array[2][2];
  rivulet_mesh mesh;
} all;

static void add_domain(const flow_mesh* domain)
{
  rivulet_mesh* const mesh = &all.mesh;
  int64_t used = all.offset[mesh->cells];
  for (int64_t i = 0; i < domain->used; ++i)
    all.connectivity[used + i] = mesh->points + domain->connectivity[i];
  for (int64_t i = 0; i < domain->cells; ++i)
  {
    used += domain->size[i];
    all.type[mesh->cells] = domain->type[i];
    all.ghost[mesh->cells] = is_ghost_cell(i);
    all.offset[++mesh->cells] = used;
  }
  memcpy(&all.point[3 * mesh->points], domain->point, 3 * sizeof(double) * (size_t)domain->points);
  mesh->points += domain->points;
}

/* Values of a box behind those of the boxes before. */
static void add_values(int of_cells, const flow_box* box, int64_t before)
{
  const int64_t count = values_along(box, 0) * values_along(box, 1) * values_along(box, 2);
  memcpy(&all.pressure[of_cells][before], box->pressure, sizeof(double) * (size_t)count);
  memcpy(&all.velocity[of_cells][3 * before], box->velocity, 3 * sizeof(float) * (size_t)count);
}

static const rivulet_array* arrays_of(int of_cells)
{
  const char* const* const names = of_cells ? names_of_cells : names_of_nodes;
  rivulet_array* const array = all.array[of_cells];
  array[0].name = names[0];
  array[0].type = RIVULET_FLOAT64;
  array[0].components = 1;
  array[0].data = all.pressure[of_cells];
  array[1].name = names[1];
  array[1].type = RIVULET_FLOAT32;
  array[1].components = 3;
  array[1].data = all.velocity[of_cells];
  return array;
}

void publish_mesh(rivulet_insitu* insitu, flow_box box[4], int domains, const char* way)
{
  static flow_mesh domain;
  memset(&all, 0, sizeof(all));
  for (int i = 0; i < domains; ++i)
  {
    add_values(0, &box[2 + i], all.mesh.points);
    add_values(1, &box[i], all.mesh.cells);
    make_mesh(&domain, &box[i], way);
    add_domain(&domain);
  }
  rivulet_mesh* const mesh = &all.mesh;
  mesh->name = "grid";
  mesh->point = all.point;
  mesh->type = all.type;
  mesh->offset = all.offset;
  mesh->connectivity = all.connectivity;
  mesh->point_arrays = 2;
  mesh->at_point = arrays_of(0);
  mesh->cell_arrays = is_way(way, "points") ? 0 : 2;
  mesh->at_cell = arrays_of(1);
  mesh->ghost_cells = is_way(way, "hex") ? all.ghost : NULL;
  rivulet_insitu_publish_mesh(insitu, mesh);
}
