// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Derived/DistributedBricks.h"

#include "Store/Derived/BrickMessage.h"
#include "Store/Source/BrickAnswers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <thread>
#include <unordered_map>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;
using Kind = BrickMessage::Kind;

constexpr std::chrono::microseconds kPause{ 200 }; // between looks for messages
constexpr std::chrono::milliseconds kIdle{ 100 };  // between calls of `idle`
constexpr int kTimesMedian = 4;

} // namespace

DistributedStatistics& DistributedStatistics::operator+=(const DistributedStatistics& more)
{
  asked += more.asked;
  received += more.received;
  late += more.late;
  refused += more.refused;
  served += more.served;
  messages += more.messages;
  bytes += more.bytes;
  std::transform(latency.begin(), latency.end(), more.latency.begin(), latency.begin(), std::plus<>());
  return *this;
}

/// The filler of the cache of bricks of other ranks, and the server of own ones. One thread, which polls; notify() any.
///
/// Without memory a question or an answer is lost. Then the rank that asked reads the brick itself, as it does when the
/// owner is late. Nothing else is ever lost: work that cannot be done now is tried at the next poll.
class DistributedBricks::Exchange final : public BrickFiller
{
public:
  Exchange(
      const BrickPlaces& places, DistributedBricks& bricks, const RankSession& session, const RankedOptions& options)
    : BrickFiller(places)
    , bricks_(bricks)
    , link_(*session.link)
    , options_(options)
    , session_(session.number)
    , to_serve_(*bricks.own_)
    , to_keep_(*bricks.own_)
  {
    asked_.reserve(static_cast<std::size_t>(options.most_asked));
  }
  ~Exchange() override
  {
    for (const Asked& asked : asked_)
    {
      deliver(asked.brick, *asked.slot, fail(ErrorCode::Cancelled, "the run has ended"));
    }
    answer_all();
  }

  void notify() override {}

  void poll()
  {
    receive_all();
    serve();
    ask();
    keep();
    read_overdue();
    leave();
  }

  void close(const std::function<void()>& idle)
  {
    auto told = Clock::now();
    leaves_ = true;
    poll();
    while (!all_left_)
    {
      std::this_thread::sleep_for(kPause);
      poll();
      if (Clock::now() - told > kIdle)
      {
        told = Clock::now();
        if (idle)
        {
          idle();
        }
      }
    }
    open_ = false;
  }

  [[nodiscard]] bool open() const { return open_; }
  [[nodiscard]] const DistributedStatistics& statistics() const { return counts_; }

private:
  struct Asked
  {
    enum class State : std::uint8_t
    {
      OfOwner, ///< the owner was asked
      Late,    ///< this rank has to read it
      Reading  ///< this rank reads it
    };
    WantedBrick brick;
    Slot* slot = nullptr;
    Clock::time_point when{};
    State state = State::OfOwner;
  };

  /// False: there is no memory, and nothing was sent.
  bool send(int to, BrickMessage header, const BrickView* view = nullptr)
  {
    try
    {
      header.session = session_;
      std::vector<std::byte> message = header.packed(view);
      const auto bytes = static_cast<std::int64_t>(message.size());
      link_.send(to, std::move(message));
      ++counts_.messages;
      counts_.bytes += bytes;
      return true;
    }
    catch (const std::bad_alloc&)
    {
      return false;
    }
  }

  [[nodiscard]] std::optional<RankMessage> receive()
  {
    try
    {
      return link_.receive();
    }
    catch (const std::bad_alloc&) // the message waits
    {
      return std::nullopt;
    }
  }

  void receive_all()
  {
    while (const std::optional<RankMessage> message = receive())
    {
      const std::optional<BrickMessage> header = BrickMessage::from(*message);
      // A message of an earlier session is too late. For one of the next, its sender asks again or reads the brick.
      if (header && header->session == session_)
      {
        take(*header, *message);
      }
    }
  }

  void take(const BrickMessage& header, const RankMessage& message)
  {
    switch (header.kind)
    {
    case Kind::Ask:
      take_question(header, message.from);
      break;
    case Kind::Brick:
      take_brick(header, message);
      break;
    case Kind::Refuse:
      if (const auto asked = find(header.key); asked != asked_.end() && asked->state == Asked::State::OfOwner)
      {
        ++counts_.refused;
        asked->state = Asked::State::Late;
      }
      break;
    case Kind::Leave:
      ++left_;
      break;
    case Kind::AllLeft:
      all_left_ = true;
      break;
    }
  }

  // ---------------------------------------------------------------------------------------- as the owner

  void take_question(const BrickMessage& header, int from)
  {
    if (!bricks_.exists(header.key))
    {
      return;
    }
    const std::int64_t number = bricks_.wanted(header.key).number;
    try
    {
      std::vector<int>& ranks = waiting_[number];
      ranks.push_back(from);
      if (ranks.size() > 1 || to_serve_.ask(header.key))
      {
        return;
      }
    }
    catch (const std::bad_alloc&)
    {
    }
    forget_if_alone(number);
  }

  /// Drops the questions about a brick that the source was not asked for.
  void forget_if_alone(std::int64_t number)
  {
    if (const auto found = waiting_.find(number); found != waiting_.end() && found->second.size() <= 1)
    {
      waiting_.erase(found);
    }
  }

  /// Answers to questions that are asked again here are for the next poll.
  void serve()
  {
    for (std::size_t left = to_serve_.count(); left > 0; --left)
    {
      const auto answer = to_serve_.take();
      const auto& [key, found] = *answer;
      const auto waiting = waiting_.find(bricks_.wanted(key).number);
      if (waiting == waiting_.end() || (found.state == Lookup::State::Miss && to_serve_.ask(key)))
      {
        continue;
      }
      for (const int rank : waiting->second)
      {
        reply(rank, key, found);
      }
      waiting_.erase(waiting);
    }
  }

  void reply(int rank, const BrickKey& key, const Lookup& found)
  {
    if (found.state == Lookup::State::Ready && link_.unsent() <= options_.most_unsent)
    {
      counts_.served += send(rank, BrickMessage::of(key, found.pin.view()), &found.pin.view()) ? 1 : 0;
      return;
    }
    BrickMessage refusal;
    refusal.kind = Kind::Refuse;
    refusal.key = key;
    send(rank, refusal);
  }

  // ---------------------------------------------------------------------------------------- as the one that asks

  [[nodiscard]] std::vector<Asked>::iterator find(const BrickKey& key)
  {
    const std::int64_t number = bricks_.wanted(key).number;
    return std::find_if(asked_.begin(), asked_.end(), [&](const Asked& asked) { return asked.brick.number == number; });
  }
  Asked remove(std::vector<Asked>::iterator asked)
  {
    const Asked removed = *asked;
    *asked = asked_.back();
    asked_.pop_back();
    return removed;
  }

  /// At most half of the outstanding requests are prefetches.
  void ask()
  {
    const auto most = static_cast<std::size_t>(options_.most_asked);
    auto ahead = std::count_if(asked_.begin(), asked_.end(), [](const Asked& asked) { return asked.brick.ahead; });
    while (asked_.size() < most)
    {
      const std::optional<WantedBrick> brick = table().take_best(2 * ahead < options_.most_asked);
      if (!brick)
      {
        return;
      }
      Slot* slot = take_slot(*brick);
      if (slot == nullptr)
      {
        ask_for_slot(*brick);
        return;
      }
      ahead += brick->ahead ? 1 : 0;
      asked_.push_back({ *brick, slot, Clock::now() }); // never allocates
      BrickMessage question;
      question.key = brick->key;
      const bool sent = send(bricks_.owner_of(brick->key), question);
      counts_.asked += sent ? 1 : 0;
      asked_.back().state = sent ? Asked::State::OfOwner : Asked::State::Late;
    }
  }

  void take_brick(const BrickMessage& header, const RankMessage& message)
  {
    const auto found = find(header.key);
    if (found == asked_.end() || found->state != Asked::State::OfOwner)
    {
      return; // too late: it is there, or on its way from the file
    }
    const std::int64_t bytes = header.bytes();
    const std::span<const std::byte> values = BrickMessage::values_of(message);
    if (bytes > bricks_.cache_.slot_bytes() || static_cast<std::int64_t>(values.size()) != bytes)
    {
      ++counts_.refused;
      found->state = Asked::State::Late;
      return;
    }
    const Asked asked = remove(found);
    std::memcpy(asked.slot->data, values.data(), values.size());
    count_latency(Clock::now() - asked.when);
    ++counts_.received;
    deliver(asked.brick, *asked.slot, LoadedBrick{ header.dense_view(asked.slot->data), bytes });
  }

  void count_latency(Clock::duration took)
  {
    const auto microseconds =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
    const auto place = std::min<std::size_t>(std::bit_width(microseconds), counts_.latency.size() - 1);
    ++counts_.latency[place];
  }

  /// Time after which an owner is not waited for.
  [[nodiscard]] Clock::duration patience() const
  {
    std::int64_t below = 0;
    for (std::size_t place = 0; place < counts_.latency.size(); ++place)
    {
      below += counts_.latency[place];
      if (counts_.received >= 8 && 2 * below >= counts_.received)
      {
        const std::chrono::microseconds median(std::int64_t{ 1 } << place);
        return std::max<Clock::duration>(options_.least_patience, kTimesMedian * median);
      }
    }
    return options_.first_patience;
  }

  void read_overdue()
  {
    const auto long_ago = Clock::now() - patience();
    for (Asked& asked : asked_)
    {
      if (asked.state == Asked::State::OfOwner && asked.when < long_ago)
      {
        ++counts_.late;
        asked.state = Asked::State::Late;
      }
      if (asked.state == Asked::State::Late && to_keep_.ask(asked.brick.key))
      {
        asked.state = Asked::State::Reading;
      }
    }
  }

  /// Takes the bricks that were read here in place of their owners.
  void keep()
  {
    while (const auto answer = to_keep_.take())
    {
      const auto& [key, found] = *answer;
      const auto at = find(key);
      if (at == asked_.end())
      {
        continue;
      }
      if (found.state == Lookup::State::Miss)
      {
        at->state = Asked::State::Late;
        continue;
      }
      const Asked asked = remove(at);
      deliver(asked.brick, *asked.slot, copied(key, found, *asked.slot));
    }
  }

  [[nodiscard]] Result<LoadedBrick> copied(const BrickKey& key, const Lookup& found, const Slot& slot) const
  {
    if (found.state == Lookup::State::Failed)
    {
      return tl::unexpected(Error(*found.error));
    }
    const BrickMessage header = BrickMessage::of(key, found.pin.view());
    if (header.bytes() > bricks_.cache_.slot_bytes())
    {
      return fail(ErrorCode::BudgetTooSmall, "a brick is larger than the bricks of other ranks may be");
    }
    copy_densely(found.pin.view(), slot.data);
    return LoadedBrick{ header.dense_view(slot.data), header.bytes() };
  }

  // ---------------------------------------------------------------------------------------- the end

  /// Tells the first rank that this one leaves, and as the first rank tells all that all do.
  void leave()
  {
    BrickMessage message;
    if (leaves_ && !told_)
    {
      message.kind = Kind::Leave;
      told_ = link_.rank() == 0 || send(0, message);
    }
    if (link_.rank() != 0 || !told_ || left_ < link_.size() - 1)
    {
      return;
    }
    message.kind = Kind::AllLeft;
    while (knows_ < link_.size() && send(knows_, message))
    {
      ++knows_;
    }
    all_left_ = knows_ == link_.size();
  }

  DistributedBricks& bricks_;
  RankLink& link_;
  const RankedOptions options_;
  const std::uint32_t session_;
  std::unordered_map<std::int64_t, std::vector<int>> waiting_; ///< ranks that wait for own bricks, by number
  std::vector<Asked> asked_;                                   ///< at most `most_asked`
  DistributedStatistics counts_;
  bool leaves_ = false; ///< this rank is done
  bool told_ = false;   ///< and the first one knows it
  int left_ = 0;        ///< first rank: how many of the others are done
  int knows_ = 1;       ///< first rank: the next one to be told that all are
  bool all_left_ = false;
  bool open_ = true;
  BrickAnswers to_serve_;
  BrickAnswers to_keep_; ///< last members: let go of the source first
};

namespace
{

std::int64_t most_bricks_of(const BrickSource& source)
{
  std::int64_t most = 1;
  for (std::size_t variable = 0; variable < source.info().variables.size(); ++variable)
  {
    most = std::max(most, source.bricks(static_cast<int>(variable)).size());
  }
  return most;
}

/// Bytes that the values of no brick exceed: it holds its cells and one more layer.
std::int64_t largest_brick_of(const BrickSource& source)
{
  std::int64_t most = 1;
  for (std::size_t number = 0; number < source.info().variables.size(); ++number)
  {
    const Variable& variable = source.info().variables[number];
    const BrickGrid& grid = source.bricks(static_cast<int>(number));
    const Int3 points{ grid.cells[0] + 1, grid.cells[1] + 1, grid.cells[2] + 1 };
    most = std::max(most, volume(points) * static_cast<std::int64_t>(variable.tuple_bytes()));
  }
  return most;
}

} // namespace

DistributedBricks::DistributedBricks(
    std::shared_ptr<BrickSource> own, const RankSession& session, const RankedOptions& options)
  : ForwardingSource(*own)
  , own_(std::move(own))
  , rank_(session.link->rank())
  , owners_(session.link->size())
  , most_bricks_(most_bricks_of(*own_))
  , cache_(*this, { .slot_bytes = largest_brick_of(*own_), .memory_budget = options.budget })
{
  cache_.start_filler(
      [&](const BrickPlaces& places)
      {
        auto exchange = std::make_unique<Exchange>(places, *this, session, options);
        exchange_ = exchange.get();
        return exchange;
      });
}

bool DistributedBricks::exists(const BrickKey& key) const
{
  return key.variable >= 0 && static_cast<std::size_t>(key.variable) < info().variables.size() && key.step >= 0 &&
         static_cast<std::size_t>(key.step) < info().times.size() && key.index >= 0 &&
         key.index < bricks(key.variable).size();
}

int DistributedBricks::owner_of(const BrickKey& key) const
{
  auto run = static_cast<std::uint64_t>(own_->storage_order(key) / kRun);
  run = (run ^ run >> 31U) * 0x7fb5d329728ea185U; // any mix of bits, the same on all ranks
  run = (run ^ run >> 27U) * 0x81dadef4bc2dd44dU;
  return static_cast<int>((run ^ run >> 33U) % static_cast<std::uint64_t>(owners_));
}

/// Bricks that do not exist are the own source's to refuse.
bool DistributedBricks::is_own(const BrickKey& key) const
{
  return alone_ || !exists(key) || owner_of(key) == rank_;
}

WantedBrick DistributedBricks::wanted(const BrickKey& key) const
{
  const auto steps = static_cast<std::int64_t>(info().times.size());
  return { key, (key.variable * steps + key.step) * most_bricks_ + key.index };
}

Lookup DistributedBricks::try_get(const BrickKey& key)
{
  return is_own(key) ? own_->try_get(key) : cache_.find(wanted(key));
}

void DistributedBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  is_own(key) ? own_->request_for(key, waiter, particles) : cache_.request(wanted(key), waiter, particles);
}

void DistributedBricks::withdraw(BrickWaiter& waiter)
{
  own_->withdraw(waiter);
  cache_.withdraw(waiter);
}

void DistributedBricks::prefetch(std::span<const BrickKey> keys, std::int64_t priority)
{
  for (const BrickKey& key : keys)
  {
    is_own(key) ? own_->prefetch({ &key, 1 }, priority) : cache_.prefetch(wanted(key), priority);
  }
}

std::int64_t DistributedBricks::bricks_at_once() const
{
  return own_->bricks_at_once() +
         (alone_ ? 0 : std::max<std::int64_t>(1, cache_.memory_budget() / cache_.slot_bytes()));
}

SourceStatistics DistributedBricks::statistics() const
{
  SourceStatistics others = cache_.statistics();
  others.bytes_read = 0; // they came from other ranks, or count as reads of the own source
  others.bricks_read = 0;
  return others;
}

void DistributedBricks::poll()
{
  exchange_->poll();
}

void DistributedBricks::close(const std::function<void()>& idle)
{
  if (exchange_->open())
  {
    exchange_->close(idle);
  }
}

const DistributedStatistics& DistributedBricks::ranked() const
{
  return exchange_->statistics();
}

} // namespace rivulet
