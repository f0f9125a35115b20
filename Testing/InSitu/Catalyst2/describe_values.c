/* SPDX-License-Identifier: BSD-3-Clause */
#include "describe.h"

#include <stdio.h>

static const char* const components[3] = { "values/u", "values/v", "values/w" };

/* What a simulation may have for each cell. */
typedef struct cell
{
  double pressure;
  float velocity[3];
  float other;
} cell;

/* Memory in other layouts, for each of the boxes of a rank. Catalyst gets pointers to it. */
static struct
{
  const flow_box* box;
  cell cells[MOST];
  float component[3][MOST];
} layouts[4];

static int layout_of(const flow_box* box)
{
  int i = 0;
  while (layouts[i].box != NULL && layouts[i].box != box)
    ++i;
  layouts[i].box = box;
  return i;
}

conduit_node* describe_field(conduit_node* domain, const char* prefix, const char* name, int nodes)
{
  char path[100];
  snprintf(path, sizeof(path), "fields/%s%s", prefix, name);
  conduit_node* const field = conduit_node_fetch(domain, path);
  conduit_node_set_path_char8_str(field, "association", nodes ? "vertex" : "element");
  conduit_node_set_path_char8_str(field, "topology", "t");
  return field;
}

static void describe_strided(conduit_node* pressure, conduit_node* velocity, const flow_box* box, int64_t count)
{
  cell* const cells = layouts[layout_of(box)].cells;
  for (int64_t i = 0; i < count; ++i)
  {
    cells[i].pressure = box->pressure[i];
    memcpy(cells[i].velocity, &box->velocity[3 * i], sizeof(cells[i].velocity));
  }
  conduit_node_set_path_external_float64_ptr_detailed(
      pressure, "values", &cells[0].pressure, count, 0, sizeof(cell), sizeof(double), 0);
  for (int c = 0; c < 3; ++c)
    conduit_node_set_path_external_float32_ptr_detailed(
        velocity, components[c], &cells[0].velocity[c], count, 0, sizeof(cell), sizeof(float), 0);
}

static void describe_separate(conduit_node* velocity, const flow_box* box, int64_t count)
{
  float(*const component)[MOST] = layouts[layout_of(box)].component;
  for (int c = 0; c < 3; ++c)
  {
    for (int64_t i = 0; i < count; ++i)
      component[c][i] = box->velocity[3 * i + c];
    conduit_node_set_path_external_float32_ptr(velocity, components[c], component[c], count);
  }
}

void describe_values(conduit_node* domain, const char* prefix, flow_box* box, const char* way, int step)
{
  const int64_t count = fill_flow(box, step);
  conduit_node* const pressure = describe_field(domain, prefix, "pressure", box->nodes);
  conduit_node* const velocity = describe_field(domain, prefix, "velocity", box->nodes);
  if (is_way(way, "strided") || is_way(way, "wedge"))
  {
    describe_strided(pressure, velocity, box, count);
    return;
  }
  conduit_node_set_path_external_float64_ptr(pressure, "values", box->pressure, count);
  if (is_way(way, "separate") || is_way(way, "hex") || is_way(way, "pieces"))
  {
    describe_separate(velocity, box, count);
    return;
  }
  for (int c = 0; c < 3; ++c)
    conduit_node_set_path_external_float32_ptr_detailed(
        velocity, components[c], box->velocity, count, c * (int64_t)sizeof(float), 3 * sizeof(float), sizeof(float), 0);
}

void describe_ghosts(conduit_node* domain, const flow_box* box)
{
  static uint8_t mark[MOST];
  int64_t count = 0;
  for (int64_t k = 0; k < values_along(box, 2); ++k)
    for (int64_t j = 0; j < values_along(box, 1); ++j)
      for (int64_t i = 0; i < values_along(box, 0); ++i, ++count)
      {
        const int64_t at[3] = { i, j, k };
        mark[count] = 0;
        for (int axis = 0; axis < 3; ++axis)
          mark[count] |= at[axis] < box->below[axis] || at[axis] >= box->below[axis] + box->cells[axis];
      }
  conduit_node_set_path_external_uint8_ptr(describe_field(domain, "", "vtkGhostType", 0), "values", mark, count);
}

void describe_ghost_cells(conduit_node* domain, const flow_mesh* mesh)
{
  static int32_t mark[MOST];
  for (int64_t i = 0; i < mesh->cells; ++i)
    mark[i] = 4 * is_ghost_cell(i);
  conduit_node_set_path_external_int32_ptr(describe_field(domain, "", "ascent_ghosts", 0), "values", mark, mesh->cells);
}
