// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Dedicated processes: the last rank of each node becomes a helper, and takes steps from a segment of shared memory.
///
///     rank of the simulation                     helper rank
///     give: waits for a free slot, copies   -->  takes, takes the digest, analyses with n_a threads, frees the slot
///     finish: waits until all slots are free
#include "Arena.h"
#include "Coupling.h"
#include "Need.h"
#include "Particles.h"
#include "SharedMemory.h"
#include "VirtualAnalysis.h"
#include "VirtualCores.h"

#include <algorithm>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <pthread.h>

namespace rivulet::bench
{

namespace
{

constexpr std::size_t kLongestPath = 1024;
constexpr int kMostSlots = 64;

/// At the beginning of the segment; slots follow.
struct Board
{
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  std::int64_t given;                         ///< steps so far, of all runs
  std::int64_t done;                          ///< of them
  std::array<std::int64_t, kMostSlots> steps; ///< by slot
  bool ends;                                  ///< the program
  bool run_ends;                              ///< reset by the helper
  std::array<char, kLongestPath> seen;        ///< file
};

class Locked
{
public:
  explicit Locked(Board& board)
    : board_(board)
  {
    pthread_mutex_lock(&board_.mutex);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { pthread_mutex_unlock(&board_.mutex); }

  template <class Condition>
  void wait(const Condition& condition)
  {
    while (!condition())
    {
      pthread_cond_wait(&board_.changed, &board_.mutex);
    }
  }
  void tell() { pthread_cond_broadcast(&board_.changed); }

private:
  Board& board_;
};

void prepare(Board& board)
{
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&board.mutex, &mutex);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&board.changed, &condition);
}

std::byte* slot_of(Board& board, std::int64_t step, const CouplingOptions& options)
{
  const auto slot = static_cast<std::size_t>(step % options.buffers);
  constexpr std::size_t kHead = (sizeof(Board) + 63) / 64 * 64;
  return reinterpret_cast<std::byte*>(&board) + kHead + slot * ((bytes_for(options.particles) + 63) / 64 * 64);
}

/// The loop of a helper: steps, and ends of runs, until the program ends.
void help(Board& board, const CouplingOptions& options)
{
  set_virtual_cores(options.helpers);
  Arena arena(options.helpers);
  Worker worker;
  const VirtualAnalysis analysis(analysis_options(options.analysis));
  SeenSteps seen;
  while (true)
  {
    std::int64_t number = 0;
    {
      Locked locked(board);
      locked.wait([&] { return board.given > board.done || board.run_ends || board.ends; });
      if (board.given == board.done && board.run_ends)
      {
        seen.write(board.seen.data());
        seen.clear();
        board.run_ends = false;
        locked.tell();
        continue;
      }
      if (board.given == board.done)
      {
        return;
      }
      number = board.done;
    }
    const std::int64_t step = board.steps[static_cast<std::size_t>(number % options.buffers)];
    seen.add(step, digest_of(particles_in(slot_of(board, number, options), options.particles)));
    arena.run([&] { analysis.run(step, worker); });
    Locked locked(board);
    ++board.done;
    locked.tell();
  }
}

class Dedicated final : public Coupling
{
public:
  Dedicated(const CouplingOptions& options, std::unique_ptr<SharedMemory> memory)
    : options_(options)
    , memory_(std::move(memory))
    , board_(*reinterpret_cast<Board*>(memory_->data()))
    , arena_(options.cores - options.helpers)
  {
  }

  ~Dedicated() override
  {
    Locked locked(board_);
    board_.ends = true;
    locked.tell();
  }

  void begin(const std::string& /*configuration*/, const std::string& seen) override
  {
    need(seen.size() < kLongestPath, seen + " is too long");
    std::copy_n(seen.c_str(), seen.size() + 1, board_.seen.begin());
  }

  void region(const std::function<void()>& body) override { arena_.run(body); }

  void hand_over(std::int64_t step, const rivulet_particles& particles) override
  {
    {
      Locked locked(board_);
      locked.wait([&] { return board_.given - board_.done < options_.buffers; });
    }
    std::byte* to = slot_of(board_, board_.given, options_);
    for (const auto& [address, bytes] : pieces_of(particles))
    {
      std::memcpy(to, address, bytes);
      to += bytes;
    }
    Locked locked(board_);
    board_.steps[static_cast<std::size_t>(board_.given % options_.buffers)] = step;
    ++board_.given;
    locked.tell();
  }

  void finish() override
  {
    Locked locked(board_);
    board_.run_ends = true;
    locked.tell();
    locked.wait([&] { return !board_.run_ends; });
  }

private:
  const CouplingOptions& options_;
  std::unique_ptr<SharedMemory> memory_;
  Board& board_;
  Arena arena_;
};

} // namespace

std::unique_ptr<Coupling> make_dedicated(const CouplingOptions& options)
{
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  need(ranks == 2 && options.helpers > 0 && options.helpers < options.cores && options.buffers <= kMostSlots,
      "dedicated needs two ranks, one of them a helper, and helpers between 1 and N - 1");
  std::int64_t number = getpid();
  MPI_Bcast(&number, 1, MPI_INT64_T, 0, node);
  const std::string name = "/rivulet-bench-" + std::to_string(number);
  const auto slots = static_cast<std::size_t>(options.buffers + 1);
  const std::size_t bytes = sizeof(Board) + slots * (bytes_for(options.particles) + 64);
  auto memory = rank == 0 ? std::make_unique<SharedMemory>(name, bytes, true) : nullptr;
  if (rank == 0)
  {
    prepare(*reinterpret_cast<Board*>(memory->data()));
  }
  MPI_Barrier(node);
  if (rank == 1)
  {
    const SharedMemory mine(name, bytes, false);
    MPI_Comm_free(&node);
    help(*reinterpret_cast<Board*>(mine.data()), options);
    MPI_Finalize();
    std::exit(0);
  }
  MPI_Comm_free(&node);
  return std::make_unique<Dedicated>(options, std::move(memory));
}

} // namespace rivulet::bench
