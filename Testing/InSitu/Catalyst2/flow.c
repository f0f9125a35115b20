/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include "flow_mesh.h"

const double flow_origin[3] = { -1, 0.5, 2 };
const double flow_spacing[3] = { 0.25, 0.5, 1.5 };

int is_way(const char* way, const char* name)
{
  return strcmp(way, name) == 0;
}

int is_structured(const char* way)
{
  return is_way(way, "structured") || is_way(way, "sheet") || is_way(way, "sheet_cells");
}

int has_twins(const char* way)
{
  return is_way(way, "both") || is_mesh(way);
}

static int is_flat(const char* way)
{
  return is_way(way, "flat") || is_way(way, "flat_cells") || is_way(way, "sheet") || is_way(way, "sheet_cells");
}

static void set_layers(flow_box* box, const char* way)
{
  for (int axis = 0; axis < 3 && is_way(way, "ghosts"); ++axis)
    box->below[axis] = box->above[axis] = 1;
  if (is_way(way, "uneven"))
  {
    box->below[0] = 2;
    box->above[0] = 1;
    box->above[1] = 1;
  }
}

static void place_box(flow_box* box, const char* way, int rank, int number)
{
  const int slabs = is_flat(way) ? 1 : 2;
  const int64_t cells[3] = { NX, NY, is_flat(way) ? 0 : NZ };
  memset(box, 0, sizeof(*box));
  memcpy(box->cells, cells, sizeof(cells));
  box->begin[slabs] = rank * cells[slabs];
  box->nodes = is_way(way, "nodes") || is_way(way, "flat") || is_way(way, "structured") || is_way(way, "sheet");
  if (is_way(way, "pieces"))
  {
    box->cells[2] = NZ / 2;
    box->begin[2] += number * NZ / 2;
  }
  if (is_way(way, "amr") && number == 1)
  {
    box->level = 1;
    box->cells[2] = NZ / 2;
    for (int axis = 0; axis < 3; ++axis)
    {
      box->begin[axis] *= 2;
      box->cells[axis] *= 2;
    }
  }
  set_layers(box, way);
}

int place_boxes(flow_box box[4], const char* way, int rank)
{
  for (int i = 0; i < 4; ++i)
  {
    place_box(&box[i], way, rank, i % 2);
    box[i].nodes = i < 2 ? box[i].nodes : 1;
  }
  const int alone = is_way(way, "idle") || is_way(way, "alone");
  return is_way(way, "amr") || is_way(way, "pieces") ? 2 : alone && rank > 0 ? 0 : 1;
}

int64_t values_along(const flow_box* box, int axis)
{
  const int64_t values = box->below[axis] + box->cells[axis] + box->above[axis] + box->nodes;
  return values == 0 ? 1 : values;
}

int64_t fill_flow(flow_box* box, int step)
{
  int64_t count = 0;
  for (int64_t k = 0; k < values_along(box, 2); ++k)
    for (int64_t j = 0; j < values_along(box, 1); ++j)
      for (int64_t i = 0; i < values_along(box, 0); ++i, ++count)
      {
        const int64_t at[3] = { box->begin[0] - box->below[0] + i, box->begin[1] - box->below[1] + j,
          box->begin[2] - box->below[2] + k };
        const double place = (double)(at[0] + 100 * at[1] + 10000 * at[2]);
        box->pressure[count] = place + 0.25 * step + 1000000.0 * box->level;
        for (int c = 0; c < 3; ++c)
          box->velocity[3 * count + c] = (float)(place + 0.5 * c + step);
      }
  return count;
}

void cells_of_flow(const char* way, int ranks, int64_t cells[3])
{
  cells[0] = NX;
  cells[1] = is_flat(way) ? NY * ranks : NY;
  cells[2] = is_flat(way) ? 0 : is_way(way, "idle") ? NZ : NZ * ranks;
}

double thickness_of_flow(const char* way, int axis)
{
  return is_way(way, "flat") || is_structured(way) ? 1 : flow_spacing[axis];
}

double flow_coordinate(int axis, int64_t node)
{
  return flow_origin[axis] + flow_spacing[axis] * (double)(node * (node + 3));
}

void flow_point(int64_t i, int64_t j, int64_t k, double point[3])
{
  point[0] = flow_coordinate(0, i) + 0.125 * (double)j;
  point[1] = flow_coordinate(1, j) + 0.25 * (double)k;
  point[2] = flow_coordinate(2, k);
}
