/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file
 * Data that a simulation shows to analytics: sets of particles, fields on blocks, and objects of other libraries. C,
 * shared by simulations (rivulet_insitu.h) and analytics (rivulet_analytics.h).
 *
 * Everything is of this rank alone; analytics that need other ranks ask them by MPI. Nothing is owned by these
 * structures. Text is UTF-8 and ends with a zero byte. Arrays of components are interleaved: x0 y0 z0 x1 y1 z1.
 *
 * Units and frames are the simulation's own. Positions, origins and spacings are in one frame for all ranks.
 */
#ifndef RIVULET_INSITU_DATA_H
#define RIVULET_INSITU_DATA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /** Types of values. */
  enum
  {
    RIVULET_FLOAT32 = 1,
    RIVULET_FLOAT64 = 2,
    RIVULET_INT32 = 3,
    RIVULET_INT64 = 4,
    RIVULET_UINT8 = 5
  };

  /** Places of a field's values. */
  enum
  {
    RIVULET_CELLS = 1, /**< one value in the middle of each cell */
    RIVULET_NODES = 2  /**< one value at each corner; a block of n cells has n + 1 nodes along each axis */
  };

  /** A further value of each particle. */
  typedef struct rivulet_array
  {
    const char* name;
    int32_t type;       /**< RIVULET_FLOAT32, ... */
    int32_t components; /**< 1 or more */
    const void* data;   /**< `count` x `components` values; may be null where count is 0 */
  } rivulet_array;

  /** Particles of one kind, as a structure of arrays. A pointer may be null: the simulation has no such values, and
   * analytics that need them refuse the set by name. `x`, `y` and `z` must be there where count > 0. */
  typedef struct rivulet_particles
  {
    const char* name;
    int64_t count;       /**< of this rank; 0 is allowed */
    const int64_t* id;   /**< unique over all ranks */
    const int32_t* type; /**< species, or whatever the simulation tells apart */
    const double* x;
    const double* y;
    const double* z;
    const double* vx;
    const double* vy;
    const double* vz;
    int32_t arrays;             /**< number of further arrays */
    const rivulet_array* array; /**< `arrays` of them, in the same order on all ranks */
    double low[3];              /**< lower corner of the domain of all ranks */
    double high[3];             /**< its upper corner; equal to `low` where the domain has no bounds */
    int32_t periodic[3];        /**< 1 along axes where the domain repeats; positions may lie outside there */
  } rivulet_particles;

  /** A variable of a field. */
  typedef struct rivulet_variable
  {
    const char* name;
    int32_t type;
    int32_t components; /**< 3 for a velocity */
  } rivulet_variable;

  /** A block of cells: a piece of a uniform grid, or a patch of one level of an AMR mesh. Values are stored with the
   * first axis running fastest, ghost layers included. */
  typedef struct rivulet_block
  {
    int32_t level;     /**< 0 for uniform grids */
    int64_t begin[3];  /**< first cell without ghosts, counted from the lower corner of the domain on this level */
    int64_t cells[3];  /**< cells without ghosts; at least 1 along each axis */
    int32_t ghosts[3]; /**< layers of ghost cells (or nodes) on either side; the same on both sides of an axis */
    const void* const* data; /**< one pointer for each variable */
  } rivulet_block;

  /** A field on blocks. Along an axis without extent (flat fields) the domain has one cell. */
  typedef struct rivulet_field
  {
    const char* name;
    int32_t centring;     /**< RIVULET_CELLS or RIVULET_NODES */
    double origin[3];     /**< lower corner of the domain */
    double spacing[3];    /**< of a cell of level 0 */
    int64_t cells[3];     /**< of the domain of all ranks, on level 0 */
    int32_t levels;       /**< 1 for a uniform grid */
    const int32_t* ratio; /**< 3 x (levels - 1): cells of level l + 1 along one of level l; null for one level */
    int32_t variables;    /**< at least 1 */
    const rivulet_variable* variable; /**< the same on all ranks */
    int32_t blocks;                   /**< of this rank; 0 is allowed */
    const rivulet_block* block;
  } rivulet_field;

  /** Data of another library, which only some analytics understand, such as a VTK dataset. Where analytics run beside
   * the simulation, the runtime has it copied. */
  typedef struct rivulet_object
  {
    const char* name;
    const char* type; /**< says how analytics read `data`; see VtkInput (rivulet_legacy_catalyst.h) */
    void* data;
    void* (*clone)(const void* data); /**< a copy that shares nothing with the data; null: there is no memory for it */
    void (*release)(void* copy);      /**< ends a copy; called by any thread, but not while analytics read it */
  } rivulet_object;

  /** All that a simulation published for one step. */
  typedef struct rivulet_snapshot
  {
    int64_t step;
    double time;
    int32_t particle_sets;
    const rivulet_particles* particles;
    int32_t fields;
    const rivulet_field* field;
    int32_t objects;
    const rivulet_object* object;
  } rivulet_snapshot;

#ifdef __cplusplus
}
#endif
#endif
