/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file
 * Interface of analytics: a shared library NAME.so in a plugin folder, developed apart from simulations and from
 * Rivulet.
 *
 *     static int create(const rivulet_analytics_host* host, void** self) { ... }
 *     static int execute(void* self, const rivulet_snapshot* snapshot) { ... }
 *     static void destroy(void* self) { ... }
 *     static const rivulet_analytics analytics = { RIVULET_ANALYTICS_ABI, 0, create, execute, destroy };
 *     RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void) { return &analytics; }
 *
 * Threads: all functions are called by one thread at a time, which is not the simulation's unless they run within
 * execute(). With the policy "task" it may be another one each time.
 * Analytics in C++ may use TBB as they like: they are called within the arena of analytics. Loops that take more than
 * 10 ms should go through rivulet_analytics_host::parallel, so that threads can return to the simulation in between.
 *
 * Errors: create and execute return 0, or another number after they have called host->message. Exceptions that leave
 * them are caught. MPI returns errors on `comm`, which are noted, too. A failure of create switches this analytics off;
 * one of execute costs the step, unless the configuration says "on_error": "stop". Either holds on all ranks if it uses
 * MPI, else on this one. Others and the simulation go on. Of failures in turn the first, second, fourth, ... are told,
 * with the messages that explain them.
 */
#ifndef RIVULET_ANALYTICS_H
#define RIVULET_ANALYTICS_H

#include "rivulet_insitu_data.h"

#include <mpi.h>

#define RIVULET_ANALYTICS_ABI 2

#if defined(__GNUC__)
#define RIVULET_ANALYTICS_VISIBLE __attribute__((visibility("default")))
#else
#define RIVULET_ANALYTICS_VISIBLE
#endif
#ifdef __cplusplus
#define RIVULET_ANALYTICS_EXPORT extern "C" RIVULET_ANALYTICS_VISIBLE
#else
#define RIVULET_ANALYTICS_EXPORT RIVULET_ANALYTICS_VISIBLE
#endif

#ifdef __cplusplus
extern "C"
{
#endif

  /** Severities of messages. */
  enum
  {
    RIVULET_NOTE = 0,
    RIVULET_WARNING = 1,
    RIVULET_ERROR = 2
  };

  /** Treatment of results that lie at the place of new ones, as from an earlier run. */
  enum
  {
    RIVULET_RESTART = 0,  /**< results before the first step of this run stay, the others are replaced */
    RIVULET_CONTINUE = 1, /**< all stay; steps up to the last of them are left out */
    RIVULET_NEW = 2       /**< there must be none */
  };

  /** Body of a loop: elements [begin, end). `slot` is in [0, slots): no two calls with the same slot run at once, so
   * that each may add to a sum of its own. */
  typedef void (*rivulet_loop_body)(void* data, int64_t begin, int64_t end, int32_t slot);

  /** All that the runtime gives to one analytics. Valid from create to destroy. */
  typedef struct rivulet_analytics_host
  {
    int32_t abi;         /**< RIVULET_ANALYTICS_ABI of the runtime */
    int32_t slots;       /**< threads that may work in a loop at once, at most */
    int32_t rank;        /**< of the simulation's communicator, and ... */
    int32_t ranks;       /**< ... its size */
    MPI_Comm comm;       /**< of this analytics alone, over all ranks; MPI_COMM_NULL unless it uses MPI */
    const char* name;    /**< as configured */
    const char* options; /**< JSON text of the object "options" of the configuration; "{}" if there is none */
    const char* output;  /**< folder for files; it exists */
    void* runtime;       /**< for the functions below */
    /** Runs a loop over [0, count) in pieces of at least `grain` elements, in the arena of analytics. Returns when all
     * pieces have run. Not to be called within a body. */
    void (*parallel)(void* runtime, int64_t count, int64_t grain, rivulet_loop_body body, void* data);
    /** Reports a line of text with the name of the analytics, the step and the rank. */
    void (*message)(void* runtime, int32_t severity, const char* text);
    /** 1: the session ends and its limit of time has passed; long work should return. */
    int32_t (*stopped)(void* runtime);
    int32_t start RIVULET_OPTIONAL; /**< RIVULET_RESTART, ... */
  } rivulet_analytics_host;

  /** The functions of an analytics. */
  typedef struct rivulet_analytics
  {
    int32_t abi;      /**< RIVULET_ANALYTICS_ABI of the analytics */
    int32_t uses_mpi; /**< 1: create, execute or destroy call MPI. All ranks then call them, in the same order */
    int (*create)(const rivulet_analytics_host* host, void** self);
    int (*execute)(void* self, const rivulet_snapshot* snapshot); /**< the snapshot is valid until it returns */
    void (*destroy)(void* self);
    /** 1 if it uses MPI with these options, which decides instead of `uses_mpi`. Called before create. May be null. */
    int32_t (*asks_mpi)(const char* options) RIVULET_OPTIONAL;
    /** 1 if it wants a variable of a field, a mesh or a set of particles: others are not copied, and may be missing in
     * its snapshots. A null variable: the points and cells of a mesh. Called by the simulation's thread, also while
     * another thread executes: it may only read data that create has set. A null function: all are wanted. */
    int32_t (*wants)(const void* self, const char* name, const char* variable) RIVULET_OPTIONAL;
  } rivulet_analytics;

  /** The one symbol that a plugin exports. */
  typedef const rivulet_analytics* (*rivulet_analytics_entry_function)(void);

#ifdef __cplusplus
}
#endif
#endif
