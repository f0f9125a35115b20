// SPDX-License-Identifier: BSD-3-Clause
#include "Session.h"

#include "Channel.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>

namespace rivulet::catalyst2
{

namespace
{

/// The path of the configuration. The user's (environment variable) has priority over the program's.
Result<std::string> configuration_of(const Place& params)
{
  const char* const chosen = std::getenv("RIVULET_INSITU_CONFIG");
  if (chosen != nullptr && *chosen != '\0')
  {
    return std::string(chosen);
  }
  const std::optional<Place> place = params.find("catalyst/rivulet/configuration");
  if (!place)
  {
    return fail(ErrorCode::BadArgument, "there is no configuration",
        "set the environment variable RIVULET_INSITU_CONFIG to the path of the JSON file, or "
        "catalyst/rivulet/configuration in the simulation");
  }
  return place->text();
}

/// MPI_COMM_WORLD, if the simulation names none.
Result<MPI_Comm> communicator_of(const Place& params)
{
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun == 0 || ended != 0)
  {
    return fail(ErrorCode::BadArgument, "MPI is not there", "call MPI_Init_thread before catalyst_initialize");
  }
  const std::optional<Place> place = params.find("catalyst/mpi_comm");
  if (!place)
  {
    return MPI_COMM_WORLD;
  }
  Result<std::int64_t> number = place->integer();
  if (!number)
  {
    return forward_error(number);
  }
  const MPI_Comm comm = MPI_Comm_f2c(static_cast<MPI_Fint>(*number));
  if (comm == MPI_COMM_NULL)
  {
    return place->refuse("it is no communicator", "set the result of MPI_Comm_c2f");
  }
  return comm;
}

/// The end of a call of catalyst_execute, also by an exception: nothing stays published whose memory ends with it.
class EndOfCall
{
public:
  explicit EndOfCall(rivulet_insitu* insitu)
    : insitu_(insitu)
  {
  }
  EndOfCall(const EndOfCall&) = delete;
  EndOfCall& operator=(const EndOfCall&) = delete;
  ~EndOfCall() { (void)rivulet_insitu_discard(insitu_); }

private:
  rivulet_insitu* insitu_;
};

} // namespace

std::string Session::message() const
{
  return teller_.last().empty() && insitu_ != nullptr ? rivulet_insitu_message(insitu_) : teller_.last();
}

int Session::open(const std::string& configuration, MPI_Comm comm)
{
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  teller_.set_rank(rank);
  const int code = rivulet_insitu_initialize(configuration.c_str(), comm, &insitu_);
  if (insitu_ != nullptr && MPI_Comm_dup(comm, &comm_) != MPI_SUCCESS)
  {
    teller_.error(Error{ ErrorCode::BudgetTooSmall, "MPI has no more communicators",
        "free those that the simulation does not need", "catalyst/mpi_comm" });
    rivulet_insitu_finalize(&insitu_);
    return RIVULET_ERROR_MPI;
  }
  return code;
}

/// A rank without a configuration takes part in the runtime's agreement, since others may have one: all ranks refuse.
int Session::initialize(const Place& params)
{
  if (insitu_ != nullptr)
  {
    teller_.error(
        Error{ ErrorCode::BadArgument, "catalyst_initialize was called before", "call catalyst_finalize first", "" });
    return RIVULET_ERROR_ORDER;
  }
  Result<MPI_Comm> comm = communicator_of(params);
  Result<std::string> configuration = configuration_of(params);
  if (!comm || !configuration)
  {
    teller_.error(!comm ? comm.error() : configuration.error());
  }
  tell_of_unread(params);
  const int code = comm ? open(configuration.value_or(""), *comm) : RIVULET_ERROR_CONFIG;
  if (insitu_ == nullptr)
  {
    teller_.keep(rivulet_insitu_message(nullptr));
    why_none_ = teller_.last();
  }
  return code;
}

void Session::tell_of_unread(const Place& params)
{
  constexpr const char* kInFile = "name analytics and scripts in the configuration";
  constexpr std::array<std::array<const char*, 3>, 7> kUnread{ {
      { "catalyst/scripts", "it is not read", kInFile },
      { "catalyst/pipelines", "it is not read", kInFile },
      { "catalyst/proxies", "it is not read", kInFile },
      { "catalyst/state/pipelines", "it is not read: all scripts of the configuration run", kInFile },
      { "catalyst/state/parameters", "scripts do not get it", "give options to scripts in the configuration" },
      { "catalyst/state/multiblock", "it is not read", "name the meshes that analytics need" },
      { "catalyst/state/fields", "it is not read", "publish fields in channels" },
  } };
  for (const auto& [path, what, remedy] : kUnread)
  {
    if (const auto found = params.find(path))
    {
      teller_.warn_once(found->refuse(what, remedy).value());
    }
  }
}

Result<void> Session::add_channel(const Place& channel, Own& own)
{
  Result<std::vector<Part>> parts = parts_of(channel, teller_);
  if (!parts)
  {
    return forward_error(parts);
  }
  for (Part& part : *parts)
  {
    Result<Outline> outline = outline_of(channel.name(), part, teller_);
    if (!outline)
    {
      return forward_error(outline);
    }
    own.outlines.push_back(std::move(*outline));
    own.parts.push_back(std::move(part));
  }
  return {};
}

Session::Own Session::read_channels(const Place& params)
{
  Own own;
  const std::optional<Place> channels = params.find("catalyst/channels");
  for (const Place& channel : channels ? channels->children() : std::vector<Place>())
  {
    Result<void> added;
    try
    {
      added = add_channel(channel, own);
    }
    catch (const std::exception& failure)
    {
      added = channel.refuse(std::string("it cannot be read: ") + failure.what(), "correct the sizes of its arrays");
    }
    if (!added)
    {
      teller_.error(added.error());
      own.refused.push_back(channel.name());
    }
  }
  return own;
}

std::unique_ptr<Publication> Session::translate(const Outline& outline, std::vector<Part>& parts, std::int64_t step)
{
  std::vector<Domain> domains;
  for (Part& each : parts)
  {
    if (each.mesh == outline.mesh && each.topology == outline.topology)
    {
      domains = std::move(each.domains);
    }
  }
  select(outline, domains);
  const auto wants = [&](const std::string& variable)
  {
    return rivulet_insitu_wants_data(insitu_, step, outline.name.c_str(), variable.c_str()) != 0;
  };
  Result<std::unique_ptr<Publication>> made = Publication::make(comm_, outline, std::move(domains), wants);
  if (!made && made.error().code != ErrorCode::Cancelled)
  {
    teller_.error(made.error());
  }
  return made ? std::move(*made) : nullptr;
}

int Session::wanted_by_all(const Result<State>& state) const
{
  int wanted = state ? rivulet_insitu_wants(insitu_, state->step) : -1;
  MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MIN, comm_);
  return wanted;
}

int Session::execute(const Place& params)
{
  if (insitu_ == nullptr)
  {
    teller_.keep(why_none_.empty() ? "catalyst_initialize was not called" : why_none_);
    return RIVULET_ERROR_ORDER;
  }
  Result<State> state = state_of(params);
  const int wanted = wanted_by_all(state);
  if (wanted > 0)
  {
    return hand_over(params, *state);
  }
  if (wanted < 0)
  {
    teller_.error(state ? Error{ ErrorCode::Cancelled, "another rank has no step or no time", "set them on all ranks",
                              "catalyst/state" }
                        : state.error());
  }
  return wanted < 0 ? RIVULET_ERROR_DATA : RIVULET_OK;
}

/// Nothing is published before all is translated: an exception leaves no structures behind in the runtime.
int Session::hand_over(const Place& params, const State& state)
{
  tell_of_unread(params);
  Own own = read_channels(params);
  Result<std::vector<Outline>> outlines = catalogue_.agree(comm_, own.outlines, own.refused, teller_);
  if (!outlines)
  {
    teller_.error(outlines.error());
  }
  int code = own.refused.empty() && outlines ? RIVULET_OK : RIVULET_ERROR_DATA;
  std::vector<std::unique_ptr<Publication>> all;
  const EndOfCall end(insitu_);
  for (const Outline& outline : outlines.value_or(std::vector<Outline>()))
  {
    if (outline.kind != GridKind::Mesh && outline.cells.empty() && outline.nodes.empty())
    {
      teller_.warn_once(Error{ ErrorCode::Unsupported, "it has no fields, and analytics get no grid without values",
          "publish a field on it", "catalyst/channels/" + outline.name });
      continue;
    }
    all.push_back(translate(outline, own.parts, state.step));
    code = all.back() ? code : RIVULET_ERROR_DATA;
  }
  for (const auto& each : all)
  {
    const int one = each ? each->publish(insitu_) : RIVULET_OK;
    code = one != RIVULET_OK ? one : code;
  }
  const int done = rivulet_insitu_execute(insitu_, state.step, state.time);
  return done != RIVULET_OK ? done : code;
}

int Session::finalize()
{
  const int code = rivulet_insitu_finalize(&insitu_);
  int ended = 0;
  MPI_Finalized(&ended);
  if (comm_ != MPI_COMM_NULL && ended == 0)
  {
    MPI_Comm_free(&comm_);
    why_none_ = "catalyst_finalize has ended the session. Call catalyst_initialize again.";
  }
  comm_ = MPI_COMM_NULL;
  return code;
}

} // namespace rivulet::catalyst2
