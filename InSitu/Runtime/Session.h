// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A session: all that rivulet_insitu.h promises, as a class. Each function is the one of that name there.
///
///     simulation's thread                                         analytics master thread
///     Session --+-- run() ------> Arenas (simulation)
///               +-- execute() --> HandOver -- Ring, buffers ----> AnalyticsGroup -- Analytics -- plugin
///               +-- execute() --> AnalyticsGroup of analytics that run at once (synchronous policy; or MPI without
///               threads)
#pragma once

#include "HandOver.h"
#include "KeptStructures.h"
#include "Plan.h"
#include "Summary.h"

#include <memory>
#include <set>
#include <string>
#include <thread>

namespace rivulet::insitu
{

class Session
{
public:
  /// Collective. Returns a code; `session` is null unless that is RIVULET_OK. `failure` is the text of an error.
  static int open(const char* path, MPI_Comm comm, std::unique_ptr<Session>& session, std::string& failure);
  /// Collective. The session may stay behind where its analytics hang.
  static int close(std::unique_ptr<Session> session);
  /// The same with a message, for a simulation that ends without it; by any thread.
  static int close_forgotten(std::unique_ptr<Session> session);

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() = default;

  [[nodiscard]] int wants(std::int64_t step) const;
  [[nodiscard]] int wants_data(std::int64_t step, const char* name, const char* variable) const;
  int publish(const rivulet_particles& particles);
  int publish(const rivulet_field& field);
  int publish(const rivulet_mesh& mesh);
  int publish(const rivulet_object& object);
  /// A null pointer instead of something to publish.
  int publish_nothing(const char* function);
  int execute(std::int64_t step, double time);
  void forget_published();
  int run(void (*body)(void*), void* data);
  int before_parallel();
  int after_parallel();
  const char* message();

  /// RIVULET_OK, or RIVULET_ERROR_ORDER and a message: the caller is another thread than the one that called open().
  int check_thread(const char* function);
  /// The same, also within run().
  int check_order(const char* function);

private:
  /// The session's own communicators.
  struct Communicators
  {
    MPI_Comm simulation = MPI_COMM_NULL; ///< agreements of the simulation's threads
    MPI_Comm analytics = MPI_COMM_NULL;  ///< agreements of the analytics' threads
  };

  Session(Configuration configuration, Plan plan, MPI_Comm comm, int rank, int ranks);

  int begin();
  void make_analytics();
  void agree_on_analytics(const std::vector<int>& kinds);
  void give_communicator(Analytics& analytics);
  void give_communicator_to(std::vector<Analytics*>& beside);
  void make_groups();
  [[nodiscard]] bool runs_at_once(bool with_mpi) const;
  [[nodiscard]] int start_beside();
  [[nodiscard]] bool hidden(const Analytics& analytics) const;
  [[nodiscard]] bool wants_of(const AnalyticsGroup& group, std::int64_t step) const;
  [[nodiscard]] rivulet_snapshot published(std::int64_t step, double time) const;
  int keep(const Result<void>& checked);
  template <class T>
  int keep(const T& given, const char* kind, Result<void> (*check)(const T&), std::vector<T>& kept);
  void execute_at_once(const rivulet_snapshot& published);
  void begin_region();
  void end_region();
  [[nodiscard]] std::vector<Figure> figures() const;
  void write_summary();
  void write_trace();
  void free_communicators();
  [[nodiscard]] bool all_have_come(MPI_Request& others);
  int end();

  Configuration configuration_;
  Plan plan_;
  int rank_;
  int ranks_;
  std::thread::id owner_ = std::this_thread::get_id();
  Trace::Clock::time_point start_ = Trace::Clock::now();
  Communicators comms_;
  bool mpi_has_threads_ = false; ///< MPI_THREAD_MULTIPLE
  Shared shared_;
  Arenas arenas_;
  ParallelLoop at_once_loop_;
  ParallelLoop beside_loop_;
  std::vector<std::unique_ptr<Analytics>> analytics_;
  std::vector<const Analytics*> failed_everywhere_; ///< at initialize
  std::unique_ptr<AnalyticsGroup> at_once_;         ///< analytics within execute()
  std::unique_ptr<AnalyticsGroup> beside_;          ///< analytics beside the simulation
  std::unique_ptr<HandOver> hand_over_;             ///< nullptr: nothing runs beside

  KeptStructures structures_;                ///< of data published since the last execute()
  std::vector<rivulet_particles> particles_; ///< published since then
  std::vector<rivulet_field> fields_;
  std::vector<rivulet_mesh> meshes_;
  std::vector<rivulet_object> objects_;
  std::set<std::string> names_;                          ///< of all of them
  std::optional<std::pair<std::int64_t, double>> first_; ///< step and time of the first execute()
  SnapshotBuffer packed_; ///< for analytics within execute(), of arrays that are not packed
  bool good_ = true;      ///< all that was published is whole
  int depth_ = 0;         ///< run() within run()
  bool marked_ = false;
  Trace::Clock::time_point region_ = start_; ///< begin of a parallel region, or end of the last one
  std::string shown_;                        ///< by message()
};

} // namespace rivulet::insitu
