/* SPDX-License-Identifier: BSD-3-Clause
 * Cells of other shapes at the cells of the flow, with values of cells, and of points as "corner_...":
 *
 *     point, line, tri, quad, polygonal, tet, hex, wedge, pyramid   cells of one shape, with the first corners of boxes
 *     mixed    hex, wedge, pyramid and tet in turn
 *     points   no cells but the points
 *     pieces   tet; each rank has two domains
 *     alone    hex, of the first rank; the others have not even the channel */
#ifndef FLOW_MESH_H
#define FLOW_MESH_H

#include "flow.h"

typedef struct flow_mesh
{
  int64_t points;
  int64_t cells;
  int64_t used; /* of connectivity */
  double point[3 * MOST];
  const char* shape[MOST]; /* of each cell */
  uint8_t type[MOST];      /* its number in VTK */
  int64_t size[MOST];      /* its points */
  int64_t connectivity[8 * MOST];
} flow_mesh;

int is_mesh(const char* way);

/* The mesh in a box. */
void make_mesh(flow_mesh* mesh, const flow_box* box, const char* way);

/* 1 for some cells. */
uint8_t is_ghost_cell(int64_t cell);

#endif
