/* SPDX-License-Identifier: BSD-3-Clause */
#include "describe.h"

static const char* const values[3] = { "coordsets/c/values/x", "coordsets/c/values/y", "coordsets/c/values/z" };

static void set_types(conduit_node* domain, const char* topology, const char* coordset)
{
  conduit_node_set_path_char8_str(domain, "coordsets/c/type", coordset);
  conduit_node_set_path_char8_str(domain, "topologies/t/type", topology);
  conduit_node_set_path_char8_str(domain, "topologies/t/coordset", "c");
}

static void describe_uniform(conduit_node* domain, const flow_box* box, double shift)
{
  static const char* const dims[3] = { "coordsets/c/dims/i", "coordsets/c/dims/j", "coordsets/c/dims/k" };
  static const char* const origin[3] = { "coordsets/c/origin/x", "coordsets/c/origin/y", "coordsets/c/origin/z" };
  static const char* const spacing[3] = { "coordsets/c/spacing/dx", "coordsets/c/spacing/dy",
    "coordsets/c/spacing/dz" };
  set_types(domain, "uniform", "uniform");
  for (int axis = 0; axis < 3; ++axis)
  {
    const double step = flow_spacing[axis] / (box->level + 1);
    conduit_node_set_path_int64(domain, dims[axis], box->below[axis] + box->cells[axis] + box->above[axis] + 1);
    conduit_node_set_path_float64(domain, spacing[axis], step);
    conduit_node_set_path_float64(
        domain, origin[axis], flow_origin[axis] + step * (double)(box->begin[axis] - box->below[axis]) + shift);
  }
}

static void describe_rectilinear(conduit_node* domain, const flow_box* box)
{
  set_types(domain, "rectilinear", "rectilinear");
  for (int axis = 0; axis < 3; ++axis)
  {
    double coordinate[MOST];
    for (int64_t i = 0; i <= box->cells[axis]; ++i)
      coordinate[i] = flow_coordinate(axis, box->begin[axis] + i);
    conduit_node_set_path_float64_ptr(domain, values[axis], coordinate, box->cells[axis] + 1);
  }
}

/* Points as an array for each axis. The tree has copies. */
static void describe_points(conduit_node* domain, const double* point, int64_t count, int axes)
{
  for (int axis = 0; axis < axes; ++axis)
    conduit_node_set_path_float64_ptr_detailed(domain, values[axis], (double*)point, count,
        axis * (int64_t)sizeof(double), 3 * sizeof(double), sizeof(double), 0);
}

/* Sheets have no third axis. */
static void describe_structured(conduit_node* domain, const flow_box* box)
{
  static const char* const dims[3] = { "topologies/t/elements/dims/i", "topologies/t/elements/dims/j",
    "topologies/t/elements/dims/k" };
  static const char* const first[3] = { "topologies/t/elements/origin/i0", "topologies/t/elements/origin/j0",
    "topologies/t/elements/origin/k0" };
  static double point[3 * MOST];
  const int axes = box->cells[2] == 0 ? 2 : 3;
  int64_t count = 0;
  for (int64_t k = 0; k <= box->cells[2]; ++k)
    for (int64_t j = 0; j <= box->cells[1]; ++j)
      for (int64_t i = 0; i <= box->cells[0]; ++i, ++count)
        flow_point(i, box->begin[1] + j, box->begin[2] + k, &point[3 * count]);
  set_types(domain, "structured", "explicit");
  describe_points(domain, point, count, axes);
  for (int axis = 0; axis < axes; ++axis)
  {
    conduit_node_set_path_int64(domain, dims[axis], box->cells[axis]);
    conduit_node_set_path_int64(domain, first[axis], 10 + box->begin[axis]);
  }
}

void describe_grid(conduit_node* domain, const flow_box* box, const char* way, double shift)
{
  if (is_way(way, "rectilinear"))
    describe_rectilinear(domain, box);
  else if (is_structured(way))
    describe_structured(domain, box);
  else
    describe_uniform(domain, box, shift);
}

/* Numbers of shapes, which are no other library's. */
static void describe_mixed(conduit_node* elements, const flow_mesh* mesh)
{
  static const char* const names[4] = { "shape_map/hex", "shape_map/wedge", "shape_map/pyramid", "shape_map/tet" };
  int32_t shapes[MOST];
  int32_t offsets[MOST];
  int32_t used = 0;
  for (int64_t i = 0; i < mesh->cells; ++i)
  {
    shapes[i] = 40 + (int32_t)(i % 4);
    offsets[i] = used;
    used += (int32_t)mesh->size[i];
  }
  for (int i = 0; i < 4; ++i)
    conduit_node_set_path_int32(elements, names[i], 40 + i);
  conduit_node_set_path_int32_ptr(elements, "shapes", shapes, mesh->cells);
  conduit_node_set_path_int32_ptr(elements, "offsets", offsets, mesh->cells);
}

void describe_mesh(conduit_node* domain, const flow_mesh* mesh, const char* way)
{
  set_types(domain, is_way(way, "points") ? "points" : "unstructured", "explicit");
  if (is_way(way, "tet")) /* as the runtime has them: nothing is copied */
    for (int axis = 0; axis < 3; ++axis)
      conduit_node_set_path_external_float64_ptr_detailed(domain, values[axis], (double*)mesh->point, mesh->points,
          axis * (int64_t)sizeof(double), 3 * sizeof(double), sizeof(double), 0);
  else
    describe_points(domain, mesh->point, mesh->points, 3);
  if (is_way(way, "points"))
    return;
  conduit_node* const elements = conduit_node_fetch(domain, "topologies/t/elements");
  conduit_node_set_path_char8_str(elements, "shape", is_way(way, "mixed") ? "mixed" : mesh->shape[0]);
  if (is_way(way, "mixed"))
    describe_mixed(elements, mesh);
  if (is_way(way, "mixed") || is_way(way, "polygonal"))
    conduit_node_set_path_int64_ptr(elements, "sizes", (int64_t*)mesh->size, mesh->cells);
  if (is_way(way, "tet") || is_way(way, "mixed"))
  {
    conduit_node_set_path_external_int64_ptr(elements, "connectivity", (int64_t*)mesh->connectivity, mesh->used);
    return;
  }
  int32_t number[8 * MOST];
  for (int64_t i = 0; i < mesh->used; ++i)
    number[i] = (int32_t)mesh->connectivity[i];
  if (is_way(way, "quad"))
    conduit_node_set_path_uint32_ptr(elements, "connectivity", (uint32_t*)number, mesh->used);
  else
    conduit_node_set_path_int32_ptr(elements, "connectivity", number, mesh->used);
}
