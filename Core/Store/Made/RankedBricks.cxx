// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Made/RankedBricks.h"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <thread>
#include <unordered_map>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kPause{ 200 }; // between looks for messages
constexpr std::chrono::milliseconds kIdle{ 100 };  // between calls of `idle`
constexpr int kTimesMedian = 4;

enum class Kind : std::uint32_t
{
  Ask,
  Brick,
  Refuse,
  Leave,  ///< to the first rank
  AllLeft ///< from the first rank
};

/// Begin of every message; the values of a Brick follow it densely, components fastest, then i, j, k.
struct Header
{
  Kind kind = Kind::Ask;
  std::uint32_t session = 0;
  BrickKey key;
  std::int64_t particles = 0; ///< of an Ask: number of waiting particles
  Box lattice;                ///< of a Brick
  ScalarType type = ScalarType::Float32;
  std::int32_t components = 0;
};

std::int64_t bytes_of(const Header& header)
{
  return header.lattice.count() * header.components * static_cast<std::int64_t>(size_of(header.type));
}

/// Copies the values of a brick to dense memory.
void copy_densely(const BrickView& view, std::byte* out)
{
  const auto scalar = static_cast<std::int64_t>(size_of(view.type));
  const auto* data = static_cast<const std::byte*>(view.data);
  const Int3 size = view.lattice.size();
  const bool rows = view.component_stride == 1 && view.stride[0] == view.components;
  const std::int64_t row = std::int64_t{ size[0] } * view.components * scalar;
  for (std::int32_t k = 0; k < size[2]; ++k)
  {
    for (std::int32_t j = 0; j < size[1]; ++j, out += row)
    {
      const std::byte* from = data + (j * view.stride[1] + k * view.stride[2]) * scalar;
      for (std::int64_t i = 0; i < size[0] && !rows; ++i)
      {
        for (std::int32_t c = 0; c < view.components; ++c)
        {
          std::memcpy(out + (i * view.components + c) * scalar,
              from + (i * view.stride[0] + c * view.component_stride) * scalar, static_cast<std::size_t>(scalar));
        }
      }
      if (rows)
      {
        std::memcpy(out, from, static_cast<std::size_t>(row));
      }
    }
  }
}

/// View of values that lie densely.
BrickView dense_view(const Header& header, const std::byte* values)
{
  const Int3 size = header.lattice.size();
  const std::int64_t row = std::int64_t{ header.components } * size[0];
  return { .data = values,
    .type = header.type,
    .components = header.components,
    .lattice = header.lattice,
    .stride = { header.components, row, row * size[1] } };
}

Header header_of(const BrickKey& key, const BrickView& view)
{
  Header header;
  header.kind = Kind::Brick;
  header.key = key;
  header.lattice = view.lattice;
  header.type = view.type;
  header.components = view.components;
  return header;
}

/// The answers of a source, from its threads to the one that polls.
class Answers final : public BrickWaiter
{
public:
  explicit Answers(BrickSource& source)
    : source_(source)
  {
  }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;
  ~Answers()
  {
    source_.withdraw(*this);
    std::unique_lock lock(mutex_);
    answered_.wait(lock, [&] { return open_ == 0; });
  }

  void ask(const BrickKey& key, std::int64_t particles)
  {
    {
      const std::lock_guard lock(mutex_);
      ++open_;
    }
    source_.request_for(key, *this, particles);
  }
  void brick_arrived(const BrickKey& key, Lookup&& found) override
  {
    const std::lock_guard lock(mutex_);
    there_.emplace_back(key, std::move(found));
    --open_;
    answered_.notify_all();
  }
  [[nodiscard]] std::deque<std::pair<BrickKey, Lookup>> take()
  {
    const std::lock_guard lock(mutex_);
    return std::exchange(there_, {});
  }

private:
  BrickSource& source_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::int64_t open_ = 0; ///< requests without an answer
  std::deque<std::pair<BrickKey, Lookup>> there_;
};

} // namespace

/// The filler of the cache of bricks of other ranks, and the server of own ones. One thread, which polls; notify() any.
class RankedBricks::Exchange final : public BrickFiller
{
public:
  Exchange(const BrickPlaces& places, RankedBricks& bricks, RankLink& link, const RankedOptions& options)
    : BrickFiller(places)
    , bricks_(bricks)
    , link_(link)
    , options_(options)
    , session_(link.begin_session())
    , to_serve_(*bricks.own_)
    , to_keep_(*bricks.own_)
  {
  }
  ~Exchange() override
  {
    for (auto& [number, asked] : asked_)
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
    read_what_is_late();
  }

  void close(const std::function<void()>& idle)
  {
    auto told = Clock::now();
    leave();
    while (!all_left_)
    {
      poll();
      if (Clock::now() - told > kIdle)
      {
        told = Clock::now();
        if (idle)
        {
          idle();
        }
      }
      std::this_thread::sleep_for(kPause);
    }
    open_ = false;
  }

  [[nodiscard]] bool open() const { return open_; }
  [[nodiscard]] const RankedStatistics& statistics() const { return counts_; }

private:
  struct Asked
  {
    WantedBrick brick;
    Slot* slot = nullptr;
    Clock::time_point when{};
    bool reading_here = false;
  };

  void send(int to, Header header, const BrickView* view = nullptr)
  {
    header.session = session_;
    const std::int64_t values = view != nullptr ? bytes_of(header) : 0;
    std::vector<std::byte> message(sizeof(Header) + static_cast<std::size_t>(values));
    std::memcpy(message.data(), &header, sizeof(Header));
    if (view != nullptr)
    {
      copy_densely(*view, message.data() + sizeof(Header));
    }
    ++counts_.messages;
    counts_.bytes += static_cast<std::int64_t>(message.size());
    link_.send(to, std::move(message));
  }

  void receive_all()
  {
    while (std::optional<RankMessage> message = link_.receive())
    {
      Header header;
      if (message->bytes.size() < sizeof(Header))
      {
        continue;
      }
      std::memcpy(&header, message->bytes.data(), sizeof(Header));
      // One of an earlier session comes too late; one of the next is asked again, or read by who asks.
      if (header.session == session_)
      {
        take(header, *message);
      }
    }
  }

  void take(const Header& header, const RankMessage& message)
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
      if (const auto found = asked_.find(bricks_.wanted(header.key).number); found != asked_.end())
      {
        ++counts_.refused;
        read_here(found->second);
      }
      break;
    case Kind::Leave:
      ++left_;
      tell_if_all_left();
      break;
    case Kind::AllLeft:
      all_left_ = true;
      break;
    }
  }

  // ---------------------------------------------------------------------------------------- as the owner

  void take_question(const Header& header, int from)
  {
    if (!bricks_.exists(header.key))
    {
      return;
    }
    std::vector<int>& ranks = waiting_[bricks_.wanted(header.key).number];
    ranks.push_back(from);
    if (ranks.size() == 1)
    {
      to_serve_.ask(header.key, header.particles);
    }
  }

  void serve()
  {
    for (auto& [key, found] : to_serve_.take())
    {
      if (found.state == Lookup::State::Miss)
      {
        to_serve_.ask(key, 1);
        continue;
      }
      for (const int rank : std::exchange(waiting_[bricks_.wanted(key).number], {}))
      {
        answer(rank, key, found);
      }
      waiting_.erase(bricks_.wanted(key).number);
    }
  }

  void answer(int rank, const BrickKey& key, const Lookup& found)
  {
    if (found.state == Lookup::State::Ready)
    {
      ++counts_.served;
      send(rank, header_of(key, found.pin.view()), &found.pin.view());
      return;
    }
    Header refusal;
    refusal.kind = Kind::Refuse;
    refusal.key = key;
    send(rank, refusal);
  }

  // ---------------------------------------------------------------------------------------- as the one that asks

  void ask()
  {
    while (static_cast<int>(asked_.size()) < options_.most_asked)
    {
      const std::optional<WantedBrick> brick = table().take_best();
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
      asked_[brick->number] = { *brick, slot, Clock::now() };
      ++counts_.asked;
      Header question;
      question.key = brick->key;
      question.particles = 1;
      send(bricks_.owner_of(brick->key), question);
    }
  }

  void take_brick(const Header& header, const RankMessage& message)
  {
    const auto found = asked_.find(bricks_.wanted(header.key).number);
    if (found == asked_.end() || found->second.reading_here)
    {
      return; // too late: it is there, or on its way from the file
    }
    const std::int64_t bytes = bytes_of(header);
    if (bytes > options_.slot_bytes || static_cast<std::int64_t>(message.bytes.size() - sizeof(Header)) != bytes)
    {
      ++counts_.refused;
      read_here(found->second);
      return;
    }
    Asked asked = found->second;
    asked_.erase(found);
    std::memcpy(asked.slot->data, message.bytes.data() + sizeof(Header), static_cast<std::size_t>(bytes));
    count_latency(Clock::now() - asked.when);
    ++counts_.received;
    deliver(asked.brick, *asked.slot, LoadedBrick{ dense_view(header, asked.slot->data), bytes });
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

  void read_what_is_late()
  {
    const auto long_ago = Clock::now() - patience();
    for (auto& [number, asked] : asked_)
    {
      if (!asked.reading_here && asked.when < long_ago)
      {
        ++counts_.late;
        read_here(asked);
      }
    }
  }

  void read_here(Asked& asked)
  {
    if (!std::exchange(asked.reading_here, true))
    {
      to_keep_.ask(asked.brick.key, 1);
    }
  }

  /// Takes the bricks that were read here in place of their owners.
  void keep()
  {
    for (auto& [key, found] : to_keep_.take())
    {
      const auto at = asked_.find(bricks_.wanted(key).number);
      if (at == asked_.end())
      {
        continue;
      }
      if (found.state == Lookup::State::Miss)
      {
        to_keep_.ask(key, 1);
        continue;
      }
      const Asked asked = at->second;
      asked_.erase(at);
      deliver(asked.brick, *asked.slot, copied(key, found, *asked.slot));
    }
  }

  [[nodiscard]] Result<LoadedBrick> copied(const BrickKey& key, const Lookup& found, const Slot& slot) const
  {
    if (found.state == Lookup::State::Failed)
    {
      return tl::unexpected(Error(*found.error));
    }
    const Header header = header_of(key, found.pin.view());
    if (bytes_of(header) > options_.slot_bytes)
    {
      return fail(ErrorCode::BudgetTooSmall, "a brick is larger than the bricks of other ranks may be");
    }
    copy_densely(found.pin.view(), slot.data);
    return LoadedBrick{ dense_view(header, slot.data), bytes_of(header) };
  }

  // ---------------------------------------------------------------------------------------- the end

  void leave()
  {
    if (link_.rank() == 0)
    {
      ++left_;
      tell_if_all_left();
      return;
    }
    Header header;
    header.kind = Kind::Leave;
    send(0, header);
  }

  void tell_if_all_left()
  {
    if (left_ < link_.size())
    {
      return;
    }
    Header header;
    header.kind = Kind::AllLeft;
    for (int rank = 1; rank < link_.size(); ++rank)
    {
      send(rank, header);
    }
    all_left_ = true;
  }

  RankedBricks& bricks_;
  RankLink& link_;
  const RankedOptions options_;
  const std::uint32_t session_;
  std::unordered_map<std::int64_t, std::vector<int>> waiting_; ///< ranks that wait for own bricks, by number
  std::map<std::int64_t, Asked> asked_;                        ///< by number
  RankedStatistics counts_;
  int left_ = 0; ///< first rank: how many are done
  bool all_left_ = false;
  bool open_ = true;
  Answers to_serve_;
  Answers to_keep_; ///< last members: let go of the source first
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

} // namespace

RankedBricks::RankedBricks(std::shared_ptr<BrickSource> own, RankLink& link, const RankedOptions& options)
  : own_(std::move(own))
  , rank_(link.rank())
  , ranks_(link.size())
  , most_bricks_(most_bricks_of(*own_))
  , cache_(*this, { .slot_bytes = options.slot_bytes, .memory_budget = options.budget })
{
  cache_.start_filler(
      [&](const BrickPlaces& places)
      {
        auto exchange = std::make_unique<Exchange>(places, *this, link, options);
        exchange_ = exchange.get();
        return exchange;
      });
}

RankedBricks::~RankedBricks()
{
  close();
}

bool RankedBricks::exists(const BrickKey& key) const
{
  return key.variable >= 0 && static_cast<std::size_t>(key.variable) < info().variables.size() && key.step >= 0 &&
         static_cast<std::size_t>(key.step) < info().times.size() && key.index >= 0 &&
         key.index < bricks(key.variable).size();
}

int RankedBricks::owner_of(const BrickKey& key) const
{
  auto run = static_cast<std::uint64_t>(own_->storage_order(key) / kRun);
  run = (run ^ run >> 31U) * 0x7fb5d329728ea185U; // any mix of bits, the same on all ranks
  run = (run ^ run >> 27U) * 0x81dadef4bc2dd44dU;
  return static_cast<int>((run ^ run >> 33U) % static_cast<std::uint64_t>(ranks_));
}

/// Bricks that do not exist are the own source's to refuse.
bool RankedBricks::is_own(const BrickKey& key) const
{
  return !exists(key) || owner_of(key) == rank_;
}

WantedBrick RankedBricks::wanted(const BrickKey& key) const
{
  const auto steps = static_cast<std::int64_t>(info().times.size());
  return { key, (key.variable * steps + key.step) * most_bricks_ + key.index };
}

Lookup RankedBricks::try_get(const BrickKey& key)
{
  return is_own(key) ? own_->try_get(key) : cache_.find(wanted(key));
}

void RankedBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  is_own(key) ? own_->request_for(key, waiter, particles) : cache_.request(wanted(key), waiter, particles);
}

void RankedBricks::withdraw(BrickWaiter& waiter)
{
  own_->withdraw(waiter);
  cache_.withdraw(waiter);
}

void RankedBricks::cancel(const BrickKey& key, BrickWaiter& waiter)
{
  is_own(key) ? own_->cancel(key, waiter) : cache_.cancel(wanted(key).number, waiter);
}

void RankedBricks::prefetch(std::span<const BrickKey> keys, std::int64_t priority)
{
  for (const BrickKey& key : keys)
  {
    is_own(key) ? own_->prefetch({ &key, 1 }, priority) : cache_.prefetch(wanted(key), priority);
  }
}

std::int64_t RankedBricks::bricks_at_once() const
{
  return own_->bricks_at_once() + std::max<std::int64_t>(1, cache_.memory_budget() / cache_.slot_bytes());
}

std::int64_t RankedBricks::working_minimum(int workers) const
{
  return own_->working_minimum(workers) + workers * cache_.slot_bytes();
}

SourceStatistics RankedBricks::statistics() const
{
  SourceStatistics all = own_->statistics();
  const SourceStatistics others = cache_.statistics();
  all.cache_hits += others.cache_hits;
  all.cache_misses += others.cache_misses;
  all.peak_bytes += others.peak_bytes;
  return all;
}

void RankedBricks::poll()
{
  exchange_->poll();
}

void RankedBricks::close(const std::function<void()>& idle)
{
  if (exchange_->open())
  {
    exchange_->close(idle);
  }
}

const RankedStatistics& RankedBricks::ranked() const
{
  return exchange_->statistics();
}

} // namespace rivulet
