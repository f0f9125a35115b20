/* SPDX-License-Identifier: BSD-3-Clause
 * The flow as structures of rivulet_insitu.h, all arrays packed. Structures are kept until the next call. */
#ifndef PUBLISH_H
#define PUBLISH_H

#include "flow_mesh.h"

#include "rivulet_insitu.h"

/* Names of pressure and velocity of cells, and of nodes where there are both. */
extern const char* const names_of_cells[2];
extern const char* const names_of_nodes[2];

/* `domains`: boxes of cells, of which there may be twins. */
void publish_fields(rivulet_insitu* insitu, flow_box box[4], int domains, const char* way, int ranks);
void publish_mesh(rivulet_insitu* insitu, flow_box box[4], int domains, const char* way);

#endif
