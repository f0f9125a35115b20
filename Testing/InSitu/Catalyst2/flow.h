/* SPDX-License-Identifier: BSD-3-Clause
 * The flow that catalyst_simulation and direct_simulation publish: pressure, and velocity with its components
 * interleaved. Ranks are slabs along z. There are several ways:
 *
 *     cells        values of cells
 *     nodes        values of nodes
 *     both         both of them; names of the latter begin with "corner_"
 *     ghosts       values of cells, with a layer of ghost cells on all sides
 *     uneven       values of cells, with ghost layers of other numbers on some sides
 *     amr          two levels; each rank refines the lower half of its slab by 2
 *     idle         values of cells of the first rank alone; the others have not even the channel
 *     flat         values of nodes of a grid without extent along z; slabs are along y
 *     flat_cells   the same with values of cells
 *     strided      as cells; Catalyst gets a structure for each cell
 *     separate     as cells; Catalyst gets an array for each component
 *     rectilinear  values of cells; cells become larger
 *     structured   values of nodes; the grid is sheared
 *     sheet        values of nodes of such a grid without extent along z; Catalyst gets x and y alone
 *     sheet_cells  the same with values of cells
 *
 * and those of flow_mesh.h. */
#ifndef FLOW_H
#define FLOW_H

#include <stdint.h>
#include <string.h>

enum
{
  NX = 6,
  NY = 5,
  NZ = 4, /* of a rank */
  MOST = 2 * NX * 2 * NY * 2 * NZ
};

extern const double flow_origin[3];
extern const double flow_spacing[3];

/* Values of a box of a rank: cells without ghosts from `begin` on, on a level. */
typedef struct flow_box
{
  int level;
  int nodes; /* 1: values are of nodes */
  int64_t begin[3];
  int64_t cells[3];
  int64_t below[3]; /* ghost layers */
  int64_t above[3];
  double pressure[MOST];
  float velocity[3 * MOST];
} flow_box;

int is_way(const char* way, const char* name);

/* 1: the boxes 2 and 3 have values of nodes of the boxes 0 and 1. */
int has_twins(const char* way);

/* Places the boxes of a rank. Returns how many there are, without twins: 0, 1 or 2. */
int place_boxes(flow_box box[4], const char* way, int rank);

/* Values along an axis, ghosts included. */
int64_t values_along(const flow_box* box, int axis);

/* Fills a box for a step; returns the number of its values. */
int64_t fill_flow(flow_box* box, int step);

/* Cells of the grid of all ranks; 0 along an axis without extent. */
void cells_of_flow(const char* way, int ranks, int64_t cells[3]);

/* How thick cells are along an axis: of a grid without extent, as thick as Catalyst says or as its thinnest cell is. */
double thickness_of_flow(const char* way, int axis);

int is_structured(const char* way);

/* The coordinate of a plane of nodes of a rectilinear grid. */
double flow_coordinate(int axis, int64_t node);

/* The position of a node of a structured grid or a mesh. */
void flow_point(int64_t i, int64_t j, int64_t k, double point[3]);

#endif
