/* SPDX-License-Identifier: BSD-3-Clause
 * A simulation that knows Catalyst alone. It publishes the flow of flow.h in one of the ways named there, or wrongly:
 *
 *     catalyst_simulation WAY STEPS
 *
 *     tetrahedra   an unstructured topology
 *     apart        slabs whose origins are no whole cells apart
 *     timeless     no time
 *     narrow       velocity as int16, beside a pressure that is sound
 *
 * Prints what catalyst_about, catalyst_results and all status codes say. */
#include "flow.h"

#include <catalyst.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static flow_box boxes_of_rank[2];

static void set_text(conduit_node* node, const char* path, const char* text)
{
  conduit_node_set_path_char8_str(node, path, text);
}

static void describe_grid(conduit_node* mesh, const flow_box* box, double shift)
{
  static const char* const dims[3] = { "coordsets/c/dims/i", "coordsets/c/dims/j", "coordsets/c/dims/k" };
  static const char* const origin[3] = { "coordsets/c/origin/x", "coordsets/c/origin/y", "coordsets/c/origin/z" };
  static const char* const spacing[3] = { "coordsets/c/spacing/dx", "coordsets/c/spacing/dy",
    "coordsets/c/spacing/dz" };
  set_text(mesh, "coordsets/c/type", "uniform");
  set_text(mesh, "topologies/t/type", "uniform");
  set_text(mesh, "topologies/t/coordset", "c");
  for (int axis = 0; axis < 3; ++axis)
  {
    const double step = flow_spacing[axis] / (box->level + 1);
    conduit_node_set_path_int64(mesh, dims[axis], box->cells[axis] + 2 * box->ghosts + 1);
    conduit_node_set_path_float64(mesh, spacing[axis], step);
    conduit_node_set_path_float64(
        mesh, origin[axis], flow_origin[axis] + step * (double)(box->begin[axis] - box->ghosts) + shift);
  }
}

/* A field's node; its values are described in its child "values". */
static conduit_node* describe_field(conduit_node* mesh, const char* prefix, const char* name, int nodes)
{
  char path[100];
  snprintf(path, sizeof(path), "fields/%s%s", prefix, name);
  conduit_node* const field = conduit_node_fetch(mesh, path);
  set_text(field, "association", nodes ? "vertex" : "element");
  set_text(field, "topology", "t");
  return field;
}

/* `prefix`: put before the names of fields. */
static void describe_values(conduit_node* mesh, const char* prefix, flow_box* box, int nodes, int step)
{
  static const char* const component[3] = { "values/u", "values/v", "values/w" };
  const int64_t count = fill_flow(box, nodes, step);
  conduit_node_set_path_external_float64_ptr(
      describe_field(mesh, prefix, "pressure", nodes), "values", box->pressure, count);
  conduit_node* const velocity = describe_field(mesh, prefix, "velocity", nodes);
  for (int c = 0; c < 3; ++c)
    conduit_node_set_path_external_float32_ptr_detailed(
        velocity, component[c], box->velocity, count, c * (int64_t)sizeof(float), 3 * sizeof(float), sizeof(float), 0);
}

static void describe_ghosts(conduit_node* mesh, const flow_box* box)
{
  static uint8_t mark[MOST];
  const int64_t n[3] = { box->cells[0] + 2, box->cells[1] + 2, box->cells[2] + 2 };
  int64_t count = 0;
  for (int64_t k = 0; k < n[2]; ++k)
    for (int64_t j = 0; j < n[1]; ++j)
      for (int64_t i = 0; i < n[0]; ++i, ++count)
        mark[count] = i == 0 || j == 0 || k == 0 || i == n[0] - 1 || j == n[1] - 1 || k == n[2] - 1;
  conduit_node_set_path_external_uint8_ptr(describe_field(mesh, "", "vtkGhostType", 0), "values", mark, count);
}

static void describe_channel(conduit_node* params, const char* way, int rank, int step)
{
  static short narrow[MOST];
  flow_box* const box = boxes_of_rank;
  conduit_node* const channel = conduit_node_fetch(params, "catalyst/channels/grid");
  conduit_node* const data = conduit_node_fetch(channel, "data");
  set_text(channel, "type", is_way(way, "amr") ? "amrmesh" : "mesh");
  for (int level = 0; level < 2 && is_way(way, "amr"); ++level)
  {
    conduit_node* const domain = conduit_node_append(data);
    conduit_node_set_path_int64(domain, "state/level", level);
    describe_grid(domain, &box[level], 0);
    describe_values(domain, "", &box[level], 0, step);
  }
  if (is_way(way, "amr"))
    return;
  describe_grid(data, &box[0], is_way(way, "apart") ? 0.1 * rank : 0);
  describe_values(data, "", &box[0], is_way(way, "nodes"), step);
  if (is_way(way, "both"))
    describe_values(data, "corner_", &box[1], 1, step);
  if (is_way(way, "ghosts"))
    describe_ghosts(data, &box[0]);
  if (is_way(way, "tetrahedra"))
    set_text(data, "topologies/t/type", "unstructured");
  if (is_way(way, "narrow"))
  {
    conduit_node_remove_path(data, "fields/velocity/values");
    conduit_node_set_path_external_int16_ptr(data, "fields/velocity/values", narrow, NX * NY * NZ);
  }
}

static int execute(const char* way, int rank, int step)
{
  conduit_node* const params = conduit_node_create();
  conduit_node_set_path_int64(params, "catalyst/state/timestep", step);
  if (!is_way(way, "timeless"))
    conduit_node_set_path_float64(params, "catalyst/state/time", 0.5 * step);
  if (!is_way(way, "idle") || rank == 0)
    describe_channel(params, way, rank, step);
  const int status = catalyst_execute(params);
  /* What was published may change now. */
  memset(boxes_of_rank[0].pressure, 0x55, sizeof(boxes_of_rank[0].pressure));
  memset(boxes_of_rank[0].velocity, 0x55, sizeof(boxes_of_rank[0].velocity));
  conduit_node_destroy(params);
  return status;
}

static void print_results(int rank, int status)
{
  conduit_node* const about = conduit_node_create();
  conduit_node* const results = conduit_node_create();
  catalyst_about(about);
  catalyst_results(results);
  if (conduit_node_has_path(results, "catalyst/rivulet/code"))
    printf("rank %d: %s: status %d, code %d\n", rank,
        conduit_node_fetch_path_as_char8_str(about, "catalyst/implementation"), status,
        conduit_node_fetch_path_as_int32(results, "catalyst/rivulet/code"));
  conduit_node_destroy(about);
  conduit_node_destroy(results);
}

int main(int argc, char** argv)
{
  int level = 0;
  int rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 3)
    return 2;
  const char* const way = argv[1];
  place_flow(&boxes_of_rank[0], rank, 0, is_way(way, "ghosts"));
  place_flow(&boxes_of_rank[1], rank, is_way(way, "both") ? 0 : 1, 0);
  conduit_node* const params = conduit_node_create();
  conduit_node_set_path_int64(params, "catalyst/mpi_comm", MPI_Comm_c2f(MPI_COMM_WORLD));
  int status = catalyst_initialize(params);
  for (int step = 0; step < atoi(argv[2]); ++step)
    status += execute(way, rank, step);
  print_results(rank, status);
  status = catalyst_finalize(params);
  conduit_node_destroy(params);
  MPI_Finalize();
  return status;
}
