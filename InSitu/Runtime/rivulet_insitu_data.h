/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file
 * Data that a simulation shows to analytics: sets of particles, fields on blocks, meshes, and objects of other
 * libraries. C, shared by simulations (rivulet_insitu.h) and analytics (rivulet_analytics.h).
 *
 * Everything is of this rank alone; analytics that need other ranks ask them by MPI. Nothing is owned by these
 * structures. Text is UTF-8 and ends with a zero byte. Arrays of components are interleaved: x0 y0 z0 x1 y1 z1.
 *
 * Units and frames are the simulation's own. Positions, origins and spacings are in one frame for all ranks.
 *
 * A member that is 0 or null has its default: initialise structures by name, or with { 0 }. Strides, separate
 * components and single precision of positions describe the simulation's memory. Analytics always get packed arrays,
 * positions and velocities in doubles: the runtime packs all others, also where it copies nothing else.
 */
#ifndef RIVULET_INSITU_DATA_H
#define RIVULET_INSITU_DATA_H

#include <stdint.h>

/* Members that initialisers in C++ may leave out without a warning. C has designated initialisers for that. */
#if defined(__cplusplus) && __cplusplus >= 201402L
#define RIVULET_OPTIONAL = {}
#else
#define RIVULET_OPTIONAL
#endif

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

  /** No ghost layers on the upper side of an axis, where there are some on the lower one. */
  enum
  {
    RIVULET_NO_GHOSTS = -1
  };

  /** A further value of each particle. */
  typedef struct rivulet_array
  {
    const char* name;
    int32_t type;       /**< RIVULET_FLOAT32, ... */
    int32_t components; /**< 1 or more */
    const void* data;   /**< `count` x `components` values; may be null where count is 0 */
    /** Bytes from the first value of an element to that of the next; 0: packed */
    int64_t stride RIVULET_OPTIONAL;
    /** Number of values in memory from `data` on, for a check: values between its elements count. Of structures their
     * number x stride / bytes of a value. 0: unknown */
    int64_t size RIVULET_OPTIONAL;
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
    /** Type of x to vz: RIVULET_FLOAT64 (or 0), or RIVULET_FLOAT32, with pointers that are cast */
    int32_t real RIVULET_OPTIONAL;
    /** Bytes from a particle to the next one in x to vz: 24 for x[3 * i]; 0: packed */
    int64_t stride RIVULET_OPTIONAL;
    /** The same in id and type, at least 8 where there is an id; 0: packed */
    int64_t tag_stride RIVULET_OPTIONAL;
  } rivulet_particles;

  /** A variable of a field. */
  typedef struct rivulet_variable
  {
    const char* name;
    int32_t type;
    int32_t components; /**< 3 for a velocity */
    /** 1: each component is an array of its own, with a pointer of its own in the block */
    int32_t separate RIVULET_OPTIONAL;
    /** Bytes from the values of a cell (or node) to the values of the next; 0: packed */
    int64_t stride RIVULET_OPTIONAL;
  } rivulet_variable;

  /** A block of cells: a piece of a uniform grid, or a patch of one level of an AMR mesh. Values are stored with the
   * first axis running fastest, ghost layers included. */
  typedef struct rivulet_block
  {
    int32_t level;     /**< 0 for uniform grids */
    int64_t begin[3];  /**< first cell without ghosts, counted from the lower corner of the domain on this level */
    int64_t cells[3];  /**< cells without ghosts; at least 1, or 0 along an axis where the domain has none */
    int32_t ghosts[3]; /**< layers of ghost cells (or nodes) on the lower side of each axis, and on the upper one */
    const void* const* data; /**< one pointer for each variable; for a separate one, one for each component */
    /** Layers on the upper side, if others: RIVULET_NO_GHOSTS for none; 0: as `ghosts` */
    int32_t ghosts_above[3] RIVULET_OPTIONAL;
    /** For each pointer of `data` the values that the array has from there on, to be checked, as in rivulet_array;
     * null or 0: unknown */
    const int64_t* size RIVULET_OPTIONAL;
    /** Of curvilinear fields: pointers to the coordinates, one, or three if separate */
    const void* const* points RIVULET_OPTIONAL;
  } rivulet_block;

  /** Layers of ghosts of a block on the upper side of an axis. */
  static inline int32_t rivulet_ghosts_above(const rivulet_block* block, int axis)
  {
    const int32_t above = block->ghosts_above[axis];
    return above == 0 ? block->ghosts[axis] : (above == RIVULET_NO_GHOSTS ? 0 : above);
  }

  /** A field on blocks. Along an axis without extent (flat fields) the domain has one cell; or, with values at nodes,
   * none, and one layer of nodes. */
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
    /** Of a rectilinear field: the positions of the nodes of the whole domain along each axis, cells + 1 of them,
     * increasing. Null: evenly spaced */
    const double* coordinates[3] RIVULET_OPTIONAL;
    /** Of a curvilinear field: type, stride and separation of the nodes' coordinates, three components; the name is not
     * used. Ghosts as the block has them. Null: the field is uniform or rectilinear */
    const rivulet_variable* points RIVULET_OPTIONAL;
  } rivulet_field;

  /** Cells of any shape. A rank that has none has 0 points and 0 cells. */
  typedef struct rivulet_mesh
  {
    const char* name;
    int32_t real;        /**< type of the coordinates: RIVULET_FLOAT64 (or 0) or RIVULET_FLOAT32 */
    int32_t index;       /**< type of offsets and connectivity: RIVULET_INT64 (or 0) or RIVULET_INT32 */
    int64_t points;      /**< of this rank */
    const void* point;   /**< x y z of each */
    int64_t cells;       /**< of this rank */
    const uint8_t* type; /**< of each cell, as VTK numbers them: 10 tetrahedron, 12 hexahedron, 13 wedge, 14 pyramid */
    const void* offset;  /**< cells + 1: where the points of each begin in `connectivity`, and their number */
    const void* connectivity; /**< points of the cells, counted from 0 on this rank */
    int32_t point_arrays;     /**< values of points */
    const rivulet_array* at_point;
    int32_t cell_arrays; /**< values of cells */
    const rivulet_array* at_cell;
    const uint8_t* ghost_cells; /**< 1: another rank's cell, given for its values; null: there is none */
  } rivulet_mesh;

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
    int32_t meshes RIVULET_OPTIONAL;
    const rivulet_mesh* mesh RIVULET_OPTIONAL;
    /** The first one that the simulation has handed over in this session */
    int64_t first_step RIVULET_OPTIONAL;
    /** Its time */
    double first_time RIVULET_OPTIONAL;
  } rivulet_snapshot;

#ifdef __cplusplus
}
#endif
#endif
