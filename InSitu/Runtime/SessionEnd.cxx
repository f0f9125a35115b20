// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How a session ends: analytics are waited for, then ranks put their figures and traces together.
#include "Session.h"

#include "rivulet_insitu.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace rivulet::insitu
{

namespace
{

constexpr int kTraceTag = 1;
constexpr std::size_t kPiece = std::size_t{ 1 } << 24; // bytes of a message

std::filesystem::path in_folder(const std::string& folder, const std::string& file)
{
  return std::filesystem::path(folder.empty() ? "." : folder) / file;
}

/// Sends a text in pieces that MPI can count. The last one is shorter than the others.
void send_text(const std::string& text, MPI_Comm comm)
{
  std::size_t at = 0;
  std::size_t bytes = kPiece;
  while (bytes == kPiece)
  {
    bytes = std::min(kPiece, text.size() - at);
    MPI_Send(text.data() + at, static_cast<int>(bytes), MPI_CHAR, 0, kTraceTag, comm);
    at += bytes;
  }
}

/// Empty if MPI fails.
std::string received_text(int from, MPI_Comm comm)
{
  std::string text;
  int bytes = kPiece;
  while (bytes == static_cast<int>(kPiece))
  {
    const std::size_t at = text.size();
    text.resize(at + kPiece);
    MPI_Status status;
    if (MPI_Recv(text.data() + at, static_cast<int>(kPiece), MPI_CHAR, from, kTraceTag, comm, &status) != MPI_SUCCESS)
    {
      return {};
    }
    MPI_Get_count(&status, MPI_CHAR, &bytes);
    text.resize(at + static_cast<std::size_t>(bytes));
  }
  return text;
}

/// The text of each rank, one after the other, on rank 0. Collective.
template <class Take>
void collect(const std::string& mine, MPI_Comm comm, int rank, int ranks, const Take& take)
{
  if (rank != 0)
  {
    send_text(mine, comm);
    return;
  }
  take(mine);
  for (int other = 1; other < ranks; ++other)
  {
    take(received_text(other, comm));
  }
}

} // namespace

std::vector<Figure> Session::figures() const
{
  const double total = std::chrono::duration<double>(Trace::Clock::now() - start_).count();
  const HandOver::Use use = hand_over_ ? hand_over_->use() : HandOver::Use{};
  const double at_once = at_once_->active_seconds();
  std::vector<Figure> figures{
    { "", "session_s", total },
    { "", "simulation_active_s", total - use.wait_seconds - use.copy_seconds - at_once },
    { "", "simulation_waits_s", use.wait_seconds },
    { "", "simulation_copies_s", use.copy_seconds },
    { "", "simulation_in_analytics_s", at_once },
    { "", "analytics_active_s", beside_->active_seconds() + at_once },
    { "", "analytics_idle_s", hand_over_ ? hand_over_->idle_seconds() : 0 },
    { "", "copied_bytes", static_cast<double>(use.copied_bytes) },
    { "", "copied_steps", static_cast<double>(use.handed) },
    { "", "skipped_steps", static_cast<double>(use.skipped) },
    { "", "dropped_steps", static_cast<double>(use.dropped) },
    { "", "steps_left_out_for_memory_or_data", static_cast<double>(use.left_out) },
  };
  for (const auto& each : analytics_)
  {
    const Analytics::Use of_one = each->use();
    figures.push_back({ each->name(), "executions", static_cast<double>(of_one.executions) });
    figures.push_back({ each->name(), "failures", static_cast<double>(of_one.failures) });
    figures.push_back({ each->name(), "active_s", of_one.seconds });
  }
  return figures;
}

void Session::write_summary()
{
  const std::vector<Spread> figures = gather(this->figures(), comms_.simulation);
  if (rank_ != 0)
  {
    return;
  }
  const SummaryHead head{ name_of(plan_.policy), ranks_, plan_.cores, plan_.simulation, plan_.analytics,
    plan_.workers };
  const std::string table = table_of(head, figures);
  if (configuration_.output.empty())
  {
    std::fputs(("rivulet in situ: " + table).c_str(), stderr);
    return;
  }
  std::ofstream text(in_folder(configuration_.output, "summary.txt"));
  text << table << std::flush;
  std::ofstream json(in_folder(configuration_.output, "summary.json"));
  json << json_of(head, figures) << std::flush;
  if (!text || !json)
  {
    shared_.messages.add(RIVULET_WARNING, "the summary cannot be written to the folder " + configuration_.output);
  }
}

void Session::write_trace()
{
  if (!shared_.trace.on())
  {
    return;
  }
  std::ofstream file;
  if (rank_ == 0)
  {
    file.open(in_folder(configuration_.output, configuration_.trace));
    file << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  }
  bool first = true;
  collect(shared_.trace.events(rank_), comms_.simulation, rank_, ranks_,
      [&](const std::string& events)
      {
        file << (first ? "" : ",\n") << events;
        first = false;
      });
  if (rank_ == 0)
  {
    file << "\n]}\n" << std::flush;
    if (!file)
    {
      shared_.messages.add(RIVULET_WARNING, "the trace " + configuration_.trace + " cannot be written");
    }
  }
}

void Session::free_communicators()
{
  for (const auto& each : analytics_)
  {
    MPI_Comm comm = each->comm();
    if (comm != MPI_COMM_NULL)
    {
      each->give(MPI_COMM_NULL);
      MPI_Comm_free(&comm);
    }
  }
  if (comms_.analytics != MPI_COMM_NULL)
  {
    MPI_Comm_free(&comms_.analytics);
  }
  MPI_Comm_free(&comms_.simulation);
}

/// Waits until the other ranks have come to the end, too, or the limit has passed. After the limit, figures cannot be
/// shared.
bool Session::all_have_come(MPI_Request& others)
{
  static constexpr std::chrono::milliseconds kNap{ 1 };
  const auto begin = Trace::Clock::now();
  int come = 0;
  while (MPI_Test(&others, &come, MPI_STATUS_IGNORE) == MPI_SUCCESS && come == 0 &&
         std::chrono::duration<double>(Trace::Clock::now() - begin).count() < configuration_.finalize_limit)
  {
    std::this_thread::sleep_for(kNap);
  }
  if (come == 0)
  {
    shared_.messages.add(
        RIVULET_ERROR, "another rank has not ended its session within \"finalize_limit\": there is no summary");
  }
  return come != 0;
}

int Session::end()
{
  if (shared_.trace.on())
  {
    begin_region(); // ends the last sequential part
  }
  MPI_Request others = MPI_REQUEST_NULL;
  MPI_Ibarrier(comms_.simulation, &others);
  const auto look = [&others]
  {
    int come = 0;
    MPI_Test(&others, &come, MPI_STATUS_IGNORE); // messages move on while this rank waits for its analytics
  };
  const bool ended = !hand_over_ || hand_over_->finish(look);
  if (!all_have_come(others))
  {
    return RIVULET_ERROR_HANGS;
  }
  at_once_->destroy();
  arenas_.stop_observing();
  write_summary();
  write_trace();
  if (!all_agree(comms_.simulation, ended))
  {
    return RIVULET_ERROR_HANGS;
  }
  free_communicators();
  return RIVULET_OK;
}

int Session::close_forgotten(std::unique_ptr<Session> session)
{
  session->owner_ = std::this_thread::get_id();
  session->shared_.messages.add(RIVULET_WARNING,
      "the simulation ends without rivulet_insitu_finalize: the session ends "
      "with it, and what was published is analysed first");
  return close(std::move(session));
}

int Session::close(std::unique_ptr<Session> session)
{
  const int code = session->end();
  if (code == RIVULET_ERROR_HANGS)
  {
    // A thread may still use any part of it, on this rank or, by messages, on another.
    (void)session.release();
  }
  return code;
}

} // namespace rivulet::insitu
