/* SPDX-License-Identifier: BSD-3-Clause
 * A simulation that knows Catalyst alone. It publishes the flow of flow.h in ways named there, one after the other, or
 * wrongly:
 *
 *     catalyst_simulation ROUNDS WAY...
 *
 *     polyhedra    cells of polyhedra
 *     short        a connectivity that lacks a number
 *     astray       a connectivity with a point that is not there
 *     apart        slabs whose origins are no whole cells apart
 *     timeless     no time
 *     narrow       velocity as int16, beside a pressure that is sound
 *     dense        a pressure whose numbers lie all at one address
 *
 * Prints what catalyst_about, catalyst_results and all status codes say. */
#include "describe.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static flow_box boxes[4];
static flow_mesh meshes[2];
static int domains;

/* The way whose flow a wrong way has. */
static const char* sound_way(const char* way)
{
  const int of_tets = is_way(way, "polyhedra") || is_way(way, "short") || is_way(way, "astray");
  return of_tets ? "tet" : way;
}

/* Makes the mistake of a wrong way. */
static void spoil(conduit_node* data, const char* way)
{
  static short narrow[MOST];
  if (is_way(way, "polyhedra"))
    conduit_node_set_path_char8_str(data, "topologies/t/elements/shape", "polyhedral");
  if (is_way(way, "short"))
    conduit_node_set_path_external_int64_ptr(
        data, "topologies/t/elements/connectivity", meshes[0].connectivity, meshes[0].used - 1);
  if (is_way(way, "astray"))
    meshes[0].connectivity[17] = 4000;
  if (is_way(way, "narrow"))
  {
    conduit_node_remove_path(data, "fields/velocity/values");
    conduit_node_set_path_external_int16_ptr(data, "fields/velocity/values", narrow, NX * NY * NZ);
  }
  if (is_way(way, "dense"))
    conduit_node_set_path_external_float64_ptr_detailed(
        data, "fields/pressure/values", boxes[0].pressure, NX * NY * NZ, 0, 0, sizeof(double), 0);
}

static void describe_domain(conduit_node* domain, const char* way, int number, int rank, int step)
{
  flow_box* const box = &boxes[number];
  const char* const sound = sound_way(way);
  if (is_way(way, "amr"))
    conduit_node_set_path_int64(domain, "state/level", box->level);
  if (is_mesh(sound))
  {
    make_mesh(&meshes[number], box, sound);
    describe_mesh(domain, &meshes[number], sound);
  }
  else
    describe_grid(domain, box, way, is_way(way, "apart") ? 0.1 * rank : 0);
  if (!is_way(way, "points"))
    describe_values(domain, "", box, sound, step);
  if (has_twins(sound))
    describe_values(domain, "corner_", &boxes[2 + number], sound, step);
  if (is_way(way, "ghosts") || is_way(way, "uneven"))
    describe_ghosts(domain, box);
  if (is_way(way, "hex"))
    describe_ghost_cells(domain, &meshes[number]);
  spoil(domain, way);
}

static void describe_channel(conduit_node* channel, const char* way, int rank, int step)
{
  conduit_node* const data = conduit_node_fetch(channel, "data");
  conduit_node_set_path_char8_str(channel, "type", is_way(way, "amr") ? "amrmesh" : "mesh");
  for (int i = 0; i < domains; ++i)
    describe_domain(domains > 1 ? conduit_node_append(data) : data, way, i, rank, step);
}

static int execute(const char* way, int rank, int step)
{
  domains = place_boxes(boxes, sound_way(way), rank);
  conduit_node* const params = conduit_node_create();
  conduit_node_set_path_int64(params, "catalyst/state/timestep", step);
  if (!is_way(way, "timeless"))
    conduit_node_set_path_float64(params, "catalyst/state/time", 0.5 * step);
  if (domains > 0)
    describe_channel(conduit_node_fetch(params, "catalyst/channels/grid"), way, rank, step);
  const int status = catalyst_execute(params);
  /* What was published may change now. */
  memset(boxes[0].pressure, 0x55, sizeof(boxes[0].pressure));
  memset(boxes[0].velocity, 0x55, sizeof(boxes[0].velocity));
  memset(&meshes[0], 0x55, sizeof(meshes[0]));
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
  conduit_node* const params = conduit_node_create();
  conduit_node_set_path_int64(params, "catalyst/mpi_comm", MPI_Comm_c2f(MPI_COMM_WORLD));
  int status = catalyst_initialize(params);
  int step = 0;
  for (int round = 0; round < atoi(argv[1]); ++round)
    for (int way = 2; way < argc; ++way)
      status += execute(argv[way], rank, step++);
  print_results(rank, status);
  status = catalyst_finalize(params);
  conduit_node_destroy(params);
  MPI_Finalize();
  return status;
}
