/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file
 * Offsets in bytes of the members of each structure, then its size, as C has them. The tests of the bindings for
 * Fortran and for Python compare.
 */
#include "InSitu/Runtime/rivulet_insitu_data.h"

#include <stddef.h>
#include <string.h>

/** Copies the places, and returns their number. `out` has room for 32. */
static int32_t put(int64_t* out, const int64_t* places, size_t bytes)
{
  memcpy(out, places, bytes);
  return (int32_t)(bytes / sizeof(int64_t));
}

int32_t layout_of_array(int64_t* out)
{
  typedef rivulet_array self;
  const int64_t places[] = { offsetof(self, name), offsetof(self, type), offsetof(self, components),
    offsetof(self, data), offsetof(self, stride), offsetof(self, size), sizeof(self) };
  return put(out, places, sizeof(places));
}

int32_t layout_of_particles(int64_t* out)
{
  typedef rivulet_particles self;
  const int64_t places[] = { offsetof(self, name), offsetof(self, count), offsetof(self, id), offsetof(self, type),
    offsetof(self, x), offsetof(self, y), offsetof(self, z), offsetof(self, vx), offsetof(self, vy), offsetof(self, vz),
    offsetof(self, arrays), offsetof(self, array), offsetof(self, low), offsetof(self, high), offsetof(self, periodic),
    offsetof(self, real), offsetof(self, stride), offsetof(self, tag_stride), sizeof(self) };
  return put(out, places, sizeof(places));
}

int32_t layout_of_variable(int64_t* out)
{
  typedef rivulet_variable self;
  const int64_t places[] = { offsetof(self, name), offsetof(self, type), offsetof(self, components),
    offsetof(self, separate), offsetof(self, stride), sizeof(self) };
  return put(out, places, sizeof(places));
}

int32_t layout_of_block(int64_t* out)
{
  typedef rivulet_block self;
  const int64_t places[] = { offsetof(self, level), offsetof(self, begin), offsetof(self, cells),
    offsetof(self, ghosts), offsetof(self, data), offsetof(self, ghosts_above), offsetof(self, size),
    offsetof(self, points), sizeof(self) };
  return put(out, places, sizeof(places));
}

int32_t layout_of_field(int64_t* out)
{
  typedef rivulet_field self;
  const int64_t places[] = { offsetof(self, name), offsetof(self, centring), offsetof(self, origin),
    offsetof(self, spacing), offsetof(self, cells), offsetof(self, levels), offsetof(self, ratio),
    offsetof(self, variables), offsetof(self, variable), offsetof(self, blocks), offsetof(self, block),
    offsetof(self, coordinates), offsetof(self, points), sizeof(self) };
  return put(out, places, sizeof(places));
}

int32_t layout_of_mesh(int64_t* out)
{
  typedef rivulet_mesh self;
  const int64_t places[] = { offsetof(self, name), offsetof(self, real), offsetof(self, index), offsetof(self, points),
    offsetof(self, point), offsetof(self, cells), offsetof(self, type), offsetof(self, offset),
    offsetof(self, connectivity), offsetof(self, point_arrays), offsetof(self, at_point), offsetof(self, cell_arrays),
    offsetof(self, at_cell), offsetof(self, ghost_cells), sizeof(self) };
  return put(out, places, sizeof(places));
}

int32_t layout_of_object(int64_t* out)
{
  typedef rivulet_object self;
  const int64_t places[] = { offsetof(self, name), offsetof(self, type), offsetof(self, data), offsetof(self, clone),
    offsetof(self, release), sizeof(self) };
  return put(out, places, sizeof(places));
}
