/* SPDX-License-Identifier: BSD-3-Clause */
#include "publish.h"

const char* const names_of_cells[2] = { "pressure", "velocity" };
const char* const names_of_nodes[2] = { "corner_pressure", "corner_velocity" };

typedef struct publication
{
  rivulet_variable variable[2];
  rivulet_block block[2];
  const void* data[2][2];
  double coordinate[3][MOST];
  double point[3 * MOST];
  const void* points;
  rivulet_variable of_points;
  rivulet_field field;
} publication;

static void set_block(rivulet_block* block, const void** data, const flow_box* box)
{
  block->level = box->level;
  for (int axis = 0; axis < 3; ++axis)
  {
    block->begin[axis] = box->begin[axis];
    block->cells[axis] = box->cells[axis] == 0 && !box->nodes ? 1 : box->cells[axis];
    block->ghosts[axis] = (int32_t)box->below[axis];
    block->ghosts_above[axis] = box->above[axis] == 0 ? RIVULET_NO_GHOSTS : (int32_t)box->above[axis];
  }
  data[0] = box->pressure;
  data[1] = box->velocity;
  block->data = data;
}

static void set_uniform(rivulet_field* field, const char* way)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    field->origin[axis] = flow_origin[axis];
    field->spacing[axis] = field->cells[axis] == 0 ? thickness_of_flow(way, axis) : flow_spacing[axis];
  }
}

static void set_rectilinear(publication* made)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    double* const coordinate = made->coordinate[axis];
    const int64_t cells = made->field.cells[axis];
    for (int64_t i = 0; i <= cells; ++i)
      coordinate[i] = flow_coordinate(axis, i);
    made->field.coordinates[axis] = coordinate;
    made->field.origin[axis] = coordinate[0];
    made->field.spacing[axis] = (coordinate[cells] - coordinate[0]) / (double)cells;
  }
}

/* A sheet has z = 0; one of cells has two layers of nodes, as far apart as the nearest nodes in it. */
static void set_structured(publication* made, const flow_box* box)
{
  const int flat = box->cells[2] == 0;
  const int64_t layers = flat && !box->nodes ? 1 : box->cells[2];
  int64_t count = 0;
  for (int64_t k = 0; k <= layers; ++k)
    for (int64_t j = 0; j <= box->cells[1]; ++j)
      for (int64_t i = 0; i <= box->cells[0]; ++i, ++count)
      {
        flow_point(i, box->begin[1] + j, box->begin[2] + (flat ? 0 : k), &made->point[3 * count]);
        if (flat)
          made->point[3 * count + 2] = (double)k * (flow_coordinate(0, 1) - flow_coordinate(0, 0));
      }
  made->of_points.type = RIVULET_FLOAT64;
  made->of_points.components = 3;
  made->points = made->point;
  made->block[0].points = &made->points;
  made->field.points = &made->of_points;
  for (int axis = 0; axis < 3; ++axis)
    made->field.spacing[axis] = 1;
}

static void set_variable(rivulet_variable* variable, const char* name, int32_t type, int32_t components)
{
  variable->name = name;
  variable->type = type;
  variable->components = components;
}

static void publish_field(rivulet_insitu* insitu, publication* made, const char* name, const char* const* names,
    const flow_box* box, int domains, const char* way, int ranks)
{
  static const int32_t ratio[3] = { 2, 2, 2 };
  rivulet_field* const field = &made->field;
  memset(made, 0, sizeof(*made));
  set_variable(&made->variable[0], names[0], RIVULET_FLOAT64, 1);
  set_variable(&made->variable[1], names[1], RIVULET_FLOAT32, 3);
  for (int i = 0; i < domains; ++i)
    set_block(&made->block[i], made->data[i], &box[i]);
  cells_of_flow(way, ranks, field->cells);
  field->name = name;
  field->centring = box->nodes ? RIVULET_NODES : RIVULET_CELLS;
  field->levels = is_way(way, "amr") ? 2 : 1;
  field->ratio = is_way(way, "amr") ? ratio : NULL;
  field->variables = 2;
  field->variable = made->variable;
  field->blocks = domains;
  field->block = made->block;
  if (is_way(way, "rectilinear"))
    set_rectilinear(made);
  else if (is_structured(way))
    set_structured(made, box);
  else
    set_uniform(field, way);
  field->cells[2] = field->cells[2] == 0 && !box->nodes ? 1 : field->cells[2];
  rivulet_insitu_publish_field(insitu, field);
}

void publish_fields(rivulet_insitu* insitu, flow_box box[4], int domains, const char* way, int ranks)
{
  static publication of_cells;
  static publication of_nodes;
  const int both = has_twins(way);
  publish_field(insitu, &of_cells, both ? "grid/element" : "grid", names_of_cells, box, domains, way, ranks);
  if (both)
    publish_field(insitu, &of_nodes, "grid/vertex", names_of_nodes, box + 2, domains, way, ranks);
}
