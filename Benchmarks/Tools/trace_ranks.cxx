// SPDX-License-Identifier: BSD-3-Clause
// Traces pathlines in several processes, each its share of the seeds, with and without bricks that they read for each
// other, and prints a line of JSON for each process.
//
//   trace_ranks FILE --seeds SEEDS --ranks 4 --budget 64 [--share] [--store-ranks 1]
//   trace_ranks FILE --seeds SEEDS --budget 512 --owners 4,64,1024
//
// The second form traces in one process, whose budget must hold all bricks that it reads, and prints for each number of
// ranks how evenly the hash would share out all bricks, and the bricks that were read.
//
// The processes are forked, and talk through sockets, as ranks of MPI would. Each opens the field itself.
#include "CommandLine/CommandLine.h"
#include "Store/Derived/BrickMessage.h"
#include "Store/Derived/DistributedBricks.h"
#include "Store/Field/OpenField.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Pathlines.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace
{

using namespace rivulet;

constexpr int kSocketBytes = 4 << 20;

struct Arguments
{
  std::string path;
  std::string seeds;
  int ranks = 1;
  std::int64_t budget_mib = 64;
  int threads = 1;
  bool share = false;
  std::vector<int> owners;
};

/// Sockets to all other ranks.
class SocketLink final : public RankLink
{
public:
  SocketLink(int rank, std::vector<int> sockets)
    : rank_(rank)
    , sockets_(std::move(sockets))
    , waiting_(sockets_.size())
    , buffer_(kSocketBytes)
  {
  }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(sockets_.size()); }
  void send(int to, std::vector<std::byte> bytes) override
  {
    unsent_ += static_cast<std::int64_t>(bytes.size());
    waiting_[static_cast<std::size_t>(to)].push_back(std::move(bytes));
    flush();
  }
  [[nodiscard]] std::int64_t unsent() const override { return unsent_; }
  [[nodiscard]] std::optional<RankMessage> receive() override
  {
    flush();
    for (std::size_t turn = 0; turn < sockets_.size(); ++turn)
    {
      const std::size_t from = (next_ + turn) % sockets_.size();
      const ssize_t bytes =
          sockets_[from] < 0 ? -1 : ::recv(sockets_[from], buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (bytes > 0)
      {
        next_ = from + 1;
        RankMessage message{ static_cast<int>(from), { buffer_.begin(), buffer_.begin() + bytes } };
        const std::optional<BrickMessage> header = BrickMessage::from(message);
        questions_ += header && header->kind == BrickMessage::Kind::Ask ? 1 : 0;
        return message;
      }
    }
    return {};
  }
  /// Bricks that other ranks have asked this one for.
  [[nodiscard]] std::int64_t questions() const { return questions_; }
  /// Sends what is left, for a while.
  void drain()
  {
    for (int tries = 0; tries < 1000 && !flush(); ++tries)
    {
      ::usleep(1000);
    }
  }

private:
  bool flush()
  {
    bool all = true;
    for (std::size_t to = 0; to < sockets_.size(); ++to)
    {
      std::deque<std::vector<std::byte>>& waiting = waiting_[to];
      while (!waiting.empty() &&
             ::send(sockets_[to], waiting.front().data(), waiting.front().size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
      {
        unsent_ -= static_cast<std::int64_t>(waiting.front().size());
        waiting.pop_front();
      }
      all = all && waiting.empty();
    }
    return all;
  }

  int rank_;
  std::vector<int> sockets_; ///< by rank; -1: this one
  std::vector<std::deque<std::vector<std::byte>>> waiting_;
  std::int64_t unsent_ = 0; ///< bytes in waiting_
  std::vector<std::byte> buffer_;
  std::size_t next_ = 0;
  std::int64_t questions_ = 0;
};

/// So many ranks of which there is only the first.
class NumberOfRanks final : public RankLink
{
public:
  explicit NumberOfRanks(int size)
    : size_(size)
  {
  }
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return size_; }
  void send(int, std::vector<std::byte>) override {}
  [[nodiscard]] std::int64_t unsent() const override { return 0; }
  [[nodiscard]] std::optional<RankMessage> receive() override { return {}; }

private:
  int size_;
};

/// Polls, and their cost.
struct Polls
{
  std::int64_t count = 0;
  double processor_seconds = 0.0;

  void poll(DistributedBricks& bricks)
  {
    const double start = processor_time();
    bricks.poll();
    processor_seconds += processor_time() - start;
    ++count;
  }

private:
  static double processor_time()
  {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
};

/// Calls `visit` with each brick of the velocity.
template <class Visit>
void for_each_brick(const BrickSource& source, const Visit& visit)
{
  for (int step = 0; step < static_cast<int>(source.info().times.size()); ++step)
  {
    for (std::int64_t index = 0; index < source.bricks(0).size(); ++index)
    {
      visit(BrickKey{ 0, step, index });
    }
  }
}

int complain(const Error& error)
{
  std::fprintf(stderr, "trace_ranks: %s\n", error.describe().c_str());
  return 1;
}

/// This rank's share of the seeds, in their order.
std::vector<PathSeed> seeds_of(const Arguments& arguments, int rank)
{
  std::ifstream file(arguments.seeds, std::ios::binary);
  std::vector<PathSeed> all;
  Vec3 point;
  while (file.read(reinterpret_cast<char*>(point.data()), sizeof point))
  {
    all.push_back({ point, 0.0 });
  }
  const auto part = static_cast<std::size_t>(rank);
  const auto parts = static_cast<std::size_t>(arguments.ranks);
  const std::size_t first = all.size() * part / parts;
  const std::size_t last = all.size() * (part + 1) / parts;
  return { all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last) };
}

nlohmann::json json_of(const DistributedStatistics& ranked)
{
  return { { "asked", ranked.asked }, { "received", ranked.received }, { "late", ranked.late },
    { "refused", ranked.refused }, { "served", ranked.served }, { "messages", ranked.messages },
    { "message_bytes", ranked.bytes }, { "latency", ranked.latency } };
}

/// How evenly the hash shares out bricks over numbers of ranks: all of the field, and those that a run has left in the
/// cache.
void print_owners(const Arguments& arguments, const std::shared_ptr<FileBricks>& file)
{
  for (const int size : arguments.owners)
  {
    NumberOfRanks link(size);
    const DistributedBricks ranked(file, { &link, link.begin_session() }, RankedOptions{});
    std::vector<std::int64_t> all(static_cast<std::size_t>(size));
    std::vector<std::int64_t> read(all.size());
    for_each_brick(*file,
        [&](const BrickKey& key)
        {
          const auto owner = static_cast<std::size_t>(ranked.owner_of(key));
          ++all[owner];
          read[owner] += file->try_get(key).state == Lookup::State::Ready ? 1 : 0;
        });
    const auto largest = [](const std::vector<std::int64_t>& bricks)
    {
      return *std::max_element(bricks.begin(), bricks.end());
    };
    const auto sum = [](const std::vector<std::int64_t>& bricks)
    {
      return std::accumulate(bricks.begin(), bricks.end(), std::int64_t{ 0 });
    };
    const nlohmann::json line{ { "ranks", size }, { "bricks", sum(all) }, { "most_bricks", largest(all) },
      { "bricks_used", sum(read) }, { "most_bricks_used", largest(read) } };
    std::printf("%s\n", line.dump().c_str());
  }
  std::fflush(stdout);
}

/// One half of the budget is for own bricks, the other one for those of others.
std::unique_ptr<DistributedBricks> share_bricks(
    const Arguments& arguments, const std::shared_ptr<FileBricks>& file, SocketLink& link)
{
  const std::int64_t all = arguments.budget_mib << 20;
  const std::int64_t others = all / 2;
  file->set_memory_budget(all - others);
  const RankSession session{ &link, link.begin_session() };
  return std::make_unique<DistributedBricks>(file, session, RankedOptions{ .budget = others });
}

/// The sum over all lines of a hash of the points: the same however the lines are shared out among ranks.
XXH64_hash_t sum_of_hashes(const TracedLines& lines)
{
  XXH64_hash_t sum = 0;
  for (const TracedLine& line : lines.lines)
  {
    sum += XXH3_64bits(lines.points.data() + 3 * line.first_point, 3 * line.points * sizeof(float));
  }
  return sum;
}

int run_rank(const Arguments& arguments, SocketLink& link)
{
  const auto opened = open_field(
      { arguments.path }, { .strategy = AccessStrategy::Asynchronous, .memory_budget = arguments.budget_mib << 20 });
  if (!opened)
  {
    return complain(opened.error());
  }
  const std::shared_ptr<FileBricks>& file = *opened;
  std::unique_ptr<DistributedBricks> shared;
  if (arguments.share && link.size() > 1)
  {
    shared = share_bricks(arguments, file, link);
  }
  TraceField field;
  field.velocity = { shared ? static_cast<BrickSource*>(shared.get()) : file.get(), 0, 0 };
  field.grid = file->info().grid;
  PathlineOptions options;
  options.compute_vorticity = false;
  options.terminal_speed = 0.0;
  options.last_time = file->info().times.back();
  RunOptions run;
  run.threads = arguments.threads;
  Polls polls;
  if (shared)
  {
    run.poll = [&]
    {
      polls.poll(*shared);
      return true;
    };
  }
  const std::vector<PathSeed> seeds = seeds_of(arguments, link.rank());
  const auto start = std::chrono::steady_clock::now();
  const Result<TracedLines> lines = trace_pathlines(field, {}, seeds, options, run);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (shared)
  {
    shared->close();
  }
  const double until_all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!lines || lines->data_error)
  {
    return complain(lines ? *lines->data_error : lines.error());
  }
  char hash[20];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(sum_of_hashes(*lines)));
  nlohmann::json answer{ { "rank", link.rank() }, { "paths", lines->lines.size() },
    { "steps", lines->statistics.integration_steps }, { "seconds", seconds }, { "seconds_until_all", until_all },
    { "hash", hash }, { "bricks_read", file->statistics().bricks_read },
    { "bytes_read", file->statistics().bytes_read } };
  answer.update(json_of(shared ? shared->ranked() : DistributedStatistics()));
  std::int64_t owned = 0;
  if (shared)
  {
    for_each_brick(*shared, [&](const BrickKey& key) { owned += shared->owner_of(key) == link.rank() ? 1 : 0; });
  }
  answer.update({ { "owned", owned }, { "questions", link.questions() }, { "polls", polls.count },
      { "poll_processor_seconds", polls.processor_seconds } });
  if (!arguments.owners.empty())
  {
    print_owners(arguments, file);
    return 0;
  }
  shared.reset();
  link.drain();
  std::printf("%s\n", answer.dump().c_str());
  std::fflush(stdout);
  return 0;
}

int run_all(const Arguments& arguments)
{
  const auto size = static_cast<std::size_t>(arguments.ranks);
  std::vector<std::vector<int>> sockets(size, std::vector<int>(size, -1));
  for (std::size_t a = 0; a < size; ++a)
  {
    for (std::size_t b = a + 1; b < size; ++b)
    {
      std::array<int, 2> pair{};
      if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair.data()) != 0)
      {
        return complain({ ErrorCode::CannotRead, "the system gives no sockets", {}, {}, -1, errno });
      }
      for (const int socket : pair)
      {
        ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kSocketBytes, sizeof kSocketBytes);
      }
      sockets[a][b] = pair[0];
      sockets[b][a] = pair[1];
    }
  }
  for (std::size_t rank = 0; rank < size; ++rank)
  {
    if (::fork() == 0)
    {
      SocketLink link(static_cast<int>(rank), sockets[rank]);
      ::_exit(run_rank(arguments, link));
    }
  }
  int worst = 0;
  int status = 0;
  while (::wait(&status) > 0)
  {
    worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 2);
  }
  return worst;
}

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  cli::Program program("Traces pathlines in several processes.");
  program.option("file", arguments.path, "a field with several time steps").required();
  program.option("--seeds", arguments.seeds, "file of positions").required();
  program.option("--ranks", arguments.ranks, "processes").positive();
  program.option("--budget", arguments.budget_mib, "MiB of each process").positive();
  program.option("--threads", arguments.threads, "of each process").positive();
  program.option("--owners", arguments.owners, "numbers of ranks: how evenly bricks would be shared out")
      .delimiter(',');
  program.flag("--share", arguments.share, "bricks are read by their owners for all");
  if (const std::optional<int> done = program.parse_or_report(argc, argv))
  {
    return *done;
  }
  return run_all(arguments);
}
