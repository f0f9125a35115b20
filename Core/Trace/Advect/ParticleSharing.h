// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles of a run shared out among ranks while it goes on: a rank without work borrows particles that another rank
/// has not begun yet, advances them through the same field, and returns their results. So all ranks end at nearly the
/// same time, although the cost of particles differs by orders of magnitude in unsteady flow. Results are the same to
/// the last bit for any number of ranks: the path of a particle depends on its release alone.
///
///     ParticleSharing sharing(link);               // on all ranks
///     sharing.attach(run);                         // run.sharing, run.poll
///     AdvectionSummary summary = advect(context, source, recorder, run);   // as often as this rank likes
///     sharing.close(idle);                         // on all ranks: returns when all have come here
///
/// Call n of advect() on a rank shares with call n of the others; their contexts must be the same. A rank that calls it
/// less often, fails before it or has no particles is no hindrance: it answers that it has nothing. Nor is one whose
/// points are recorded otherwise, because its velocities are of another type: neither lends to the other.
///
///     borrower                     lender
///       Ask           --------->   takes half of the releases that are left from its source
///                     <---------   Give; or Nothing; or NotYet, because it has not come to this call
///       advances them
///       Results       --------->   tells its recorder, as if an own worker had advanced them
///
/// Messages: a rank without work asks one other at a time, each until that has nothing. To close, two per rank.
///
/// Memory: a ParticleState (264 bytes) for each particle borrowed, and its points until they are sent; a Release for
/// each one lent. A rank without memory for them returns them, and the lender's run ends for lack of memory.
///
/// Threads: the one that calls advect(), which polls. From attach() to close() it must come to `run.poll` or to
/// advect() often, since other ranks wait for its answers.
#pragma once

#include "Parallel/RankLink.h"
#include "Trace/Contract/RunOptions.h"

#include <array>
#include <atomic>
#include <chrono>
#include <functional>

namespace rivulet
{

class SharedAdvection;

class ParticleSharing
{
public:
  /// Begins a session. The link must outlive this object. `also`: called whenever other ranks are answered, for other
  /// messages of the same thread.
  explicit ParticleSharing(RankLink& link, std::function<void()> also = {});
  /// Closes the session if it is open.
  ~ParticleSharing();
  ParticleSharing(const ParticleSharing&) = delete;
  ParticleSharing& operator=(const ParticleSharing&) = delete;

  /// Number of ranks.
  [[nodiscard]] int size() const { return link_.size(); }
  /// Number of particles of this rank that others have advanced, in all calls so far.
  [[nodiscard]] std::int64_t lent() const { return lent_; }

  /// Sets the options' `sharing`, and lets their `poll` answer other ranks. This object must outlive them.
  void attach(RunOptions& run);
  /// Answers the messages of other ranks, asks for particles and sends results. False if the present call of advect()
  /// has to stop, because the system has no memory for its results.
  [[nodiscard]] bool poll();

  /// Ends the session: returns when all ranks have come here. Meanwhile calls `idle` about every 100 ms.
  void close(const std::function<void()>& idle = {});
  /// close(), and begins the next session.
  void meet(const std::function<void()>& idle = {});

private:
  friend class SharedAdvection;

  enum class Kind : std::uint32_t
  {
    Ask,
    Give,
    Nothing,
    NotYet,
    Results,
    Unbegun, ///< particles that a borrower does not begin, because it was stopped
    Lost,    ///< particles for which a borrower has no memory
    Leave,   ///< to the first rank
    AllLeft  ///< from the first rank
  };
  struct Header
  {
    Kind kind = Kind::Nothing;
    std::uint32_t session = 0;
    std::int64_t call = 0;
    std::int64_t count = 0; ///< of particles; in an Ask SharedAdvection::kind_of_records()
  };

  void begin_session();
  void begin_call(SharedAdvection& advection);
  void end_call() { present_ = nullptr; }
  /// Whether no other rank lends anything in this call any more. Any thread.
  [[nodiscard]] bool nothing_to_borrow() const { return settled_.load(std::memory_order_acquire); }
  [[nodiscard]] bool is_present(const Header& of) const
  {
    return present_ != nullptr && of.session == session_ && of.call == call_;
  }
  [[nodiscard]] int rank() const { return link_.rank(); }
  [[nodiscard]] int& left() { return left_.at(session_ % 2); }

  void receive_all();
  void take(const Header& header, const RankMessage& message);
  void take_gift(const Header& header, const RankMessage& message);
  void take_refusal(const Header& header);
  void take_return(const Header& header, const RankMessage& message);
  void answer_asks();
  void answer(int rank, const Header& asked);
  void ask();
  void next_lender();
  void leave();
  void send(int to, Kind kind, std::int64_t call, std::int64_t count = 0, const std::vector<std::byte>& content = {});

  RankLink& link_;
  const std::function<void()> also_;
  std::uint32_t session_ = 0;
  bool open_ = false;
  std::int64_t call_ = 0;              ///< number of the present or last call of advect()
  SharedAdvection* present_ = nullptr; ///< the present call
  std::vector<Header> asked_;          ///< by rank: the last Ask without an answer; its call is 0 if there is none
  std::vector<Header> refused_;        ///< by rank: the last Give that cannot be used; its count is 0 if there is none
  int lender_ = 0;                     ///< the rank that is asked next; this rank: none is left
  bool waits_ = false;                 ///< for the answer of a rank
  std::chrono::steady_clock::time_point ask_again_{};
  std::atomic<bool> settled_{ false };
  bool told_ = false;               ///< whether the first rank knows that this one leaves
  std::array<int, 2> left_{ 0, 0 }; ///< first rank: how many of the others leave, by even and odd sessions
  bool all_left_ = false;
  std::int64_t lent_ = 0;
};

} // namespace rivulet
