/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes and meshes of the flow as domains of Mesh Blueprint. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "flow_mesh.h"

#include <catalyst.h>

/* The topology "t" and its coordset "c". `shift`: of a uniform grid. */
void describe_grid(conduit_node* domain, const flow_box* box, const char* way, double shift);
void describe_mesh(conduit_node* domain, const flow_mesh* mesh, const char* way);

/* Values of a box on the topology, filled for a step. `prefix`: put before the names of fields. */
void describe_values(conduit_node* domain, const char* prefix, flow_box* box, const char* way, int step);

/* A field's node; its values are described in its child "values". */
conduit_node* describe_field(conduit_node* domain, const char* prefix, const char* name, int nodes);

/* Marks of ghost cells. */
void describe_ghosts(conduit_node* domain, const flow_box* box);
void describe_ghost_cells(conduit_node* domain, const flow_mesh* mesh);

#endif
