/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_mesh.h"

typedef struct cell_shape
{
  const char* name;
  uint8_t type;
  int points;
} cell_shape;

static const cell_shape shapes[9] = { { "hex", 12, 8 }, { "wedge", 13, 6 }, { "pyramid", 14, 5 }, { "tet", 10, 4 },
  { "quad", 9, 4 }, { "tri", 5, 3 }, { "line", 3, 2 }, { "point", 1, 1 }, { "polygonal", 7, 5 } };

static const cell_shape* shape_called(const char* name)
{
  for (int i = 0; i < 9; ++i)
    if (strcmp(shapes[i].name, name) == 0)
      return &shapes[i];
  return NULL;
}

static const cell_shape* shape_of_cell(const char* way, int64_t cell)
{
  const char* const name = is_way(way, "pieces") ? "tet" : is_way(way, "alone") ? "hex" : way;
  return is_way(way, "mixed") ? &shapes[cell % 4] : shape_called(is_way(way, "points") ? "point" : name);
}

int is_mesh(const char* way)
{
  return is_way(way, "mixed") || shape_of_cell(way, 0) != NULL;
}

uint8_t is_ghost_cell(int64_t cell)
{
  return cell % 7 == 3;
}

/* A cell whose points are the first corners of a box, in VTK's order; its lowest one is `first`. */
static void add_cell(flow_mesh* mesh, const cell_shape* shape, int64_t first)
{
  const int64_t row = NX + 1;
  const int64_t layer = row * (NY + 1);
  const int64_t corner[8] = { 0, 1, row + 1, row, layer, layer + 1, layer + row + 1, layer + row };
  mesh->shape[mesh->cells] = shape->name;
  mesh->type[mesh->cells] = shape->type;
  mesh->size[mesh->cells] = shape->points;
  for (int i = 0; i < shape->points; ++i)
    mesh->connectivity[mesh->used++] = first + corner[i];
  ++mesh->cells;
}

void make_mesh(flow_mesh* mesh, const flow_box* box, const char* way)
{
  memset(mesh, 0, sizeof(*mesh));
  for (int64_t k = 0; k <= box->cells[2]; ++k)
    for (int64_t j = 0; j <= NY; ++j)
      for (int64_t i = 0; i <= NX; ++i, ++mesh->points)
      {
        const int inside = i < NX && j < NY && k < box->cells[2];
        flow_point(i, j, box->begin[2] + k, &mesh->point[3 * mesh->points]);
        if (inside || is_way(way, "points"))
          add_cell(mesh, shape_of_cell(way, mesh->cells), mesh->points);
      }
}
