// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How a session begins. Each step that may fail on one rank alone is followed by an agreement of all ranks, so that
/// none waits for another for ever.
#include "KeptHost.h"
#include "PluginLoader.h"
#include "Session.h"

#include "rivulet_insitu.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace rivulet::insitu
{

namespace
{

/// Of a plugin on one rank.
enum Kind : int
{
  kFailed = 0,
  kLocal = 1,
  kWithMpi = 2
};

/// Errors on a communicator of the simulation are returned within the lifetime of this object; else they would end it.
class ReturnedErrors
{
public:
  explicit ReturnedErrors(MPI_Comm comm)
    : comm_(comm)
  {
    MPI_Comm_get_errhandler(comm_, &before_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ReturnedErrors()
  {
    MPI_Comm_set_errhandler(comm_, before_);
    MPI_Errhandler_free(&before_);
  }
  ReturnedErrors(const ReturnedErrors&) = delete;
  ReturnedErrors& operator=(const ReturnedErrors&) = delete;

private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

/// MPI_COMM_NULL on all ranks if one of them has nothing to duplicate, or no memory. A rank that had got its copy
/// leaves it to MPI: others could not take part in freeing it.
MPI_Comm duplicate(MPI_Comm comm)
{
  if (comm == MPI_COMM_NULL)
  {
    return MPI_COMM_NULL;
  }
  const ReturnedErrors errors(comm);
  MPI_Comm copy = MPI_COMM_NULL;
  const bool done = MPI_Comm_dup(comm, &copy) == MPI_SUCCESS;
  if (!all_agree(comm, done))
  {
    return MPI_COMM_NULL;
  }
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  return copy;
}

/// A communicator for a session. Fails with a reason.
MPI_Comm session_communicator(MPI_Comm given, std::string& failure)
{
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0 || given == MPI_COMM_NULL)
  {
    failure = "there is no communicator. Call MPI_Init_thread before";
    return MPI_COMM_NULL;
  }
  const MPI_Comm own = duplicate(given);
  failure = own == MPI_COMM_NULL
                ? "MPI has no more communicators on one of the ranks. Free those that the simulation does not need"
                : "";
  return own;
}

/// Ranks agree on their configurations. Returns a failure, or nothing.
std::string disagreement(MPI_Comm comm, int rank, const Result<Configuration>& read, const Result<Plan>& plan)
{
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  int first_failed = read && plan ? ranks : rank;
  const std::uint64_t fingerprint = read ? read->fingerprint : 0;
  std::array<std::uint64_t, 2> most{ fingerprint, ~fingerprint };
  const bool good = MPI_Allreduce(MPI_IN_PLACE, &first_failed, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS &&
                    MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_UINT64_T, MPI_MAX, comm) == MPI_SUCCESS;
  if (!good)
  {
    return "MPI fails while ranks compare their configurations";
  }
  if (!read || !plan)
  {
    return read ? plan.error().describe() : read.error().describe();
  }
  if (first_failed < ranks)
  {
    return "the configuration of rank " + std::to_string(first_failed) + " has an error, which that rank reports";
  }
  return most[0] == ~most[1] ? "" : "ranks have different configurations. Give all of them the same file";
}

/// Rank 0 makes the folder; all learn of its failure.
std::string make_folder(const std::string& folder, MPI_Comm comm, int rank)
{
  std::error_code error;
  if (rank == 0)
  {
    std::filesystem::create_directories(folder, error);
  }
  int code = error.value();
  MPI_Bcast(&code, 1, MPI_INT, 0, comm);
  return code == 0 ? ""
                   : folder + ": the folder for \"output\" cannot be made (" + std::generic_category().message(code) +
                         "). Name a folder that rank 0 can write to.";
}

} // namespace

Session::Session(Configuration configuration, Plan plan, MPI_Comm comm, int rank, int ranks)
  : configuration_(std::move(configuration))
  , plan_(std::move(plan))
  , rank_(rank)
  , ranks_(ranks)
  , comms_{ comm, MPI_COMM_NULL }
  , shared_(rank, !configuration_.trace.empty())
  , arenas_(plan_, shared_.trace)
  , at_once_loop_(arenas_.simulation(), plan_.simulation, shared_.trace)
  , beside_loop_(arenas_.analytics(), plan_.analytics, shared_.trace)
{
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  mpi_has_threads_ = provided == MPI_THREAD_MULTIPLE;
  shared_.trace.name_this_thread("simulation master");
}

int Session::open(const char* path, MPI_Comm comm, std::unique_ptr<Session>& session, std::string& failure)
{
  MPI_Comm own = session_communicator(comm, failure);
  if (own == MPI_COMM_NULL)
  {
    return RIVULET_ERROR_MPI;
  }
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(own, &rank);
  MPI_Comm_size(own, &ranks);
  const Cores cores = allowed_cores();
  const int sharing = ranks_that_share(cores, own);
  const Result<Configuration> read = read_configuration(path == nullptr ? "" : path);
  const Result<Plan> plan = make_plan(read ? *read : Configuration{}, cores, sharing);
  failure = disagreement(own, rank, read, plan);
  if (failure.empty())
  {
    failure = make_folder(read->output.empty() ? "." : read->output, own, rank);
  }
  int code = failure.empty() ? RIVULET_OK : RIVULET_ERROR_CONFIG;
  if (code == RIVULET_OK)
  {
    try
    {
      session.reset(new Session(*read, *plan, own, rank, ranks));
    }
    catch (const std::exception& exception) // std::bad_alloc; TBB has no other
    {
      failure = exception.what();
    }
    code = !all_agree(own, session != nullptr) ? static_cast<int>(RIVULET_ERROR_MEMORY) : session->begin();
    failure = code == RIVULET_OK ? "" : "a rank has no memory, or may start no thread. " + failure;
  }
  if (code != RIVULET_OK && session != nullptr)
  {
    if (session->at_once_)
    {
      session->at_once_->destroy();
    }
    session->free_communicators();
    session.reset();
  }
  else if (code != RIVULET_OK)
  {
    MPI_Comm_free(&own);
  }
  return code;
}

int Session::begin()
{
  if (rank_ == 0)
  {
    for (const std::string& note : plan_.notes)
    {
      shared_.messages.add(RIVULET_NOTE, note);
    }
    if (!plan_.warning.empty())
    {
      shared_.messages.add(RIVULET_WARNING, plan_.warning);
    }
  }
  make_analytics();
  make_groups();
  at_once_->create();
  return beside_->members().empty() ? static_cast<int>(RIVULET_OK) : start_beside();
}

bool Session::runs_at_once(bool with_mpi) const
{
  return plan_.policy == Policy::Synchronous || (with_mpi && !mpi_has_threads_);
}

/// Loads the plugins, and switches off analytics that all ranks cannot run together.
void Session::make_analytics()
{
  const std::string output = configuration_.output.empty() ? "." : configuration_.output;
  std::vector<std::string> folders = configuration_.plugins;
  folders.push_back(own_folder());
  std::vector<int> kinds;
  const KeptHost kept(KeptHost::Simulation::Waits);
  for (const AnalyticsConfiguration& each : configuration_.analytics)
  {
    const auto loaded = load_plugin(folders, each.plugin, configuration_.check_plugins);
    if (!loaded)
    {
      shared_.messages.add(RIVULET_ERROR, each.name + ": " + loaded.error().describe());
    }
    const rivulet_analytics* const functions = loaded ? *loaded : nullptr;
    const bool with_mpi = functions != nullptr && Analytics::asks_mpi(*functions, each.options);
    analytics_.push_back(
        std::make_unique<Analytics>(each, Analytics::Results{ output, configuration_.start }, functions,
            runs_at_once(with_mpi) ? at_once_loop_ : beside_loop_, shared_.messages, shared_.trace, shared_.stopped));
    analytics_.back()->set_rank(rank_, ranks_);
    kinds.push_back(!loaded ? kFailed : with_mpi ? kWithMpi : kLocal);
  }
  agree_on_analytics(kinds);
}

void Session::agree_on_analytics(const std::vector<int>& kinds)
{
  std::vector<int> least = kinds;
  std::vector<int> most = kinds;
  const int count = static_cast<int>(kinds.size());
  const bool told =
      MPI_Allreduce(MPI_IN_PLACE, least.data(), count, MPI_INT, MPI_MIN, comms_.simulation) == MPI_SUCCESS &&
      MPI_Allreduce(MPI_IN_PLACE, most.data(), count, MPI_INT, MPI_MAX, comms_.simulation) == MPI_SUCCESS;
  if (!told)
  {
    shared_.messages.add(RIVULET_ERROR, "MPI fails while ranks compare their plugins: all analytics are off");
    most.assign(kinds.size(), kFailed);
  }
  for (std::size_t i = 0; i < kinds.size(); ++i)
  {
    Analytics& each = *analytics_[i];
    if (most[i] == kWithMpi && least[i] != kWithMpi && kinds[i] != kFailed)
    {
      shared_.messages.add(RIVULET_ERROR, each.name() + ": other ranks cannot run it with MPI: it is off on all ranks");
    }
    if (most[i] == kFailed || (most[i] == kWithMpi && least[i] != kWithMpi))
    {
      each.switch_off(-1);
      failed_everywhere_.push_back(&each);
    }
    if (each.is_on() && each.uses_mpi())
    {
      give_communicator(each);
    }
  }
}

void Session::give_communicator(Analytics& analytics)
{
  const MPI_Comm own = duplicate(comms_.simulation);
  analytics.give(own);
  if (own == MPI_COMM_NULL)
  {
    shared_.messages.add(RIVULET_ERROR, analytics.name() + ": MPI has no more communicators: it is off on all ranks");
    analytics.switch_off(-1);
    failed_everywhere_.push_back(&analytics);
  }
}

void Session::make_groups()
{
  std::vector<Analytics*> at_once;
  std::vector<Analytics*> beside;
  std::string moved;
  for (const auto& each : analytics_)
  {
    if (std::find(failed_everywhere_.begin(), failed_everywhere_.end(), each.get()) == failed_everywhere_.end())
    {
      const bool now = runs_at_once(each->uses_mpi());
      (now ? at_once : beside).push_back(each.get());
      moved += now ? (moved.empty() ? "" : ", ") + each->name() : "";
    }
  }
  if (rank_ == 0 && !moved.empty() && plan_.policy != Policy::Synchronous)
  {
    shared_.messages.add(RIVULET_WARNING,
        "MPI was not initialised with MPI_THREAD_MULTIPLE: analytics that use it run within execute(), while the "
        "simulation waits: " +
            moved);
  }
  at_once_ = std::make_unique<AnalyticsGroup>(std::move(at_once), comms_.simulation, shared_.stopped);
  give_communicator_to(beside);
  beside_ = std::make_unique<AnalyticsGroup>(std::move(beside), comms_.analytics, shared_.stopped);
}

/// A communicator for analytics beside the simulation, if they need one.
void Session::give_communicator_to(std::vector<Analytics*>& beside)
{
  const auto with_mpi = [](const Analytics* each)
  {
    return each->uses_mpi();
  };
  if (std::none_of(beside.begin(), beside.end(), with_mpi))
  {
    return;
  }
  comms_.analytics = duplicate(comms_.simulation);
  if (comms_.analytics != MPI_COMM_NULL)
  {
    return;
  }
  shared_.messages.add(RIVULET_ERROR, "MPI has no more communicators: analytics that use it are off on all ranks");
  for (Analytics* const each : beside)
  {
    if (each->uses_mpi())
    {
      each->switch_off(-1);
    }
  }
  std::erase_if(beside, with_mpi);
}

int Session::start_beside()
{
  bool started = true;
  try
  {
    hand_over_ = std::make_unique<HandOver>(configuration_, plan_, arenas_, *beside_, comms_.simulation, shared_);
    hand_over_->start();
  }
  catch (const std::exception&) // std::system_error, std::bad_alloc
  {
    started = false;
    hand_over_.reset();
  }
  if (!all_agree(comms_.simulation, started))
  {
    if (hand_over_)
    {
      (void)hand_over_->finish([] {}); // the thread has nothing to do, and ends at once
    }
    return RIVULET_ERROR_MEMORY;
  }
  hand_over_->create();
  return RIVULET_OK;
}

} // namespace rivulet::insitu
