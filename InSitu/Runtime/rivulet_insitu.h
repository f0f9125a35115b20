/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file
 * In situ analytics for a simulation with MPI: analytics run beside the simulation, on threads that help the simulation
 * while there is nothing to analyse.
 *
 *     rivulet_insitu* insitu = NULL;
 *     rivulet_insitu_initialize("insitu.json", MPI_COMM_WORLD, &insitu);   // after MPI_Init_thread
 *     for (step = 0; step < steps; ++step)
 *     {
 *       rivulet_insitu_run(insitu, compute, state);                        // compute(state): with TBB inside
 *       if (rivulet_insitu_wants(insitu, step))
 *       {
 *         rivulet_insitu_publish_field(insitu, &flow);                     // structures on the stack will do
 *         rivulet_insitu_execute(insitu, step, time);
 *       }
 *     }
 *     rivulet_insitu_finalize(&insitu);                                    // before MPI_Finalize
 *
 * The configuration file says which analytics run, how often, and by which policy (Documentation/in-situ.md). Nothing
 * is compiled anew to change it.
 *
 * The simulation always goes on. Analytics that fail are reported, and lose the step. Every function returns a code; a
 * simulation may ignore it. After a failed initialize the session is null, and all functions do nothing with it.
 *
 * Order: initialize; then any number of { publish..., execute }; finalize. A call out of order returns
 * RIVULET_ERROR_ORDER, and does nothing else. Published data stay until execute or discard: a step that is
 * published in part and given up ends with discard.
 *
 * Names: one name stands for one field, mesh, set of particles or object of a step. A name that is published for the
 * second time before execute is RIVULET_ERROR_DATA, and the step is left out.
 *
 * Threads: all functions are called by one thread of each rank, the one that called initialize. initialize, execute and
 * finalize are called by all ranks of the communicator, with the same configuration, step and time. All ranks publish
 * the same particles and fields in the same order; a rank that has none of them publishes them empty.
 *
 * Ownership: structures, with their names, lists and blocks, are copied when they are published, and may end or serve
 * again at once. Values stay the simulation's, and must not change until execute has returned. By then they were
 * copied, or analysed (synchronous policy: nothing is copied).
 */
#ifndef RIVULET_INSITU_H
#define RIVULET_INSITU_H

#include "rivulet_insitu_data.h"

#include <mpi.h>

#if defined(__GNUC__)
#define RIVULET_INSITU_API __attribute__((visibility("default")))
#else
#define RIVULET_INSITU_API
#endif

#ifdef __cplusplus
extern "C"
{
#endif

  /** Codes. */
  enum
  {
    RIVULET_OK = 0,
    RIVULET_SKIPPED = 1,       /**< execute: all buffers were full, and this step was left out, as configured */
    RIVULET_ERROR_CONFIG = -1, /**< the configuration cannot be read, or ranks have different ones */
    RIVULET_ERROR_ORDER = -2,  /**< a call out of order, or from another thread */
    RIVULET_ERROR_DATA = -3,   /**< published data are not valid */
    RIVULET_ERROR_MEMORY = -4, /**< no memory for a copy: this step was left out */
    RIVULET_ERROR_MPI = -5,
    RIVULET_ERROR_HANGS = -6 /**< analytics did not end within a limit. After finalize: MPI_Finalize may hang */
  };

  typedef struct rivulet_insitu rivulet_insitu;

  /** Begins a session. Duplicates the communicator. `config`: path of the JSON file. */
  RIVULET_INSITU_API int rivulet_insitu_initialize(const char* config, MPI_Comm comm, rivulet_insitu** insitu);

  /** 1: some analytics want this step. 0: there is no need to publish anything. */
  RIVULET_INSITU_API int rivulet_insitu_wants(const rivulet_insitu* insitu, int64_t step);

  /** 1: some analytics want these values at this step. 0: there is no need to publish them; if they are published,
   * they are not copied. `name`: of a field, mesh or set of particles; `variable`: of one of its variables or arrays,
   * or null for any. */
  RIVULET_INSITU_API int rivulet_insitu_wants_data(
      const rivulet_insitu* insitu, int64_t step, const char* name, const char* variable);

  /** Shows particles, a field, a mesh or an object to the analytics of the next execute. */
  RIVULET_INSITU_API int rivulet_insitu_publish_particles(rivulet_insitu* insitu, const rivulet_particles* particles);
  RIVULET_INSITU_API int rivulet_insitu_publish_field(rivulet_insitu* insitu, const rivulet_field* field);
  RIVULET_INSITU_API int rivulet_insitu_publish_mesh(rivulet_insitu* insitu, const rivulet_mesh* mesh);
  RIVULET_INSITU_API int rivulet_insitu_publish_object(rivulet_insitu* insitu, const rivulet_object* object);

  /** Forgets data published since the last execute, and their errors: for a step that is given up, or begun anew.
   * All ranks that publish the step again publish all of it again. Not collective. */
  RIVULET_INSITU_API int rivulet_insitu_discard(rivulet_insitu* insitu);

  /** Hands over the data published since the last execute. `time` is finite, and the same on all ranks. */
  RIVULET_INSITU_API int rivulet_insitu_execute(rivulet_insitu* insitu, int64_t step, double time);

  /** Runs body(data) where the simulation's tasks belong: in its arena, with as many threads as the policy gives it
   * now. With a null session, body runs as it is. */
  RIVULET_INSITU_API int rivulet_insitu_run(rivulet_insitu* insitu, void (*body)(void* data), void* data);

  /** Marks of a parallel region of a simulation that does not use rivulet_insitu_run(). They only appear in the trace.
   */
  RIVULET_INSITU_API int rivulet_insitu_before_parallel(rivulet_insitu* insitu);
  RIVULET_INSITU_API int rivulet_insitu_after_parallel(rivulet_insitu* insitu);

  /** Ends a session: waits for analytics, within the configured limit, and writes trace and summary. Sets *insitu to
   * null. */
  RIVULET_INSITU_API int rivulet_insitu_finalize(rivulet_insitu** insitu);

  /** Text of the last error or warning, for a log; empty if there was none. Valid until the next call. Other
   * threads than that of initialize get a text that says so. A null session: the failure of the last initialize. */
  RIVULET_INSITU_API const char* rivulet_insitu_message(const rivulet_insitu* insitu);

  /** For Fortran: as initialize, with a Fortran communicator. */
  RIVULET_INSITU_API int rivulet_insitu_initialize_f(const char* config, MPI_Fint comm, rivulet_insitu** insitu);

#ifdef __cplusplus
}
#endif
#endif
