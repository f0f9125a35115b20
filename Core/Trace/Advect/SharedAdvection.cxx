// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/SharedAdvection.h"

#include "Trace/Advect/Advect.h"
#include "Trace/Contract/NoMemory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

namespace rivulet
{

namespace
{

/// Ids of borrowed particles have this bit; the others are the place in the list of borrowed particles.
constexpr std::int64_t kBorrowed = std::int64_t{ 1 } << 62;
/// Most bytes of a message with particles.
constexpr std::int64_t kMostBytes = 16 << 20;
constexpr std::chrono::microseconds kLook{ 200 };
constexpr std::chrono::milliseconds kProgress{ 100 };
/// Time that a stopped run waits for results from other ranks, which stop at nearly the same time.
constexpr std::chrono::seconds kPatience{ 1 };

/// A release on its way to another rank. A ParticleState follows if it is paused.
struct Gift
{
  std::int64_t batch = 0;
  std::int64_t place = 0;
  Release release;
  bool is_paused = false;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T* first, std::size_t count)
{
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* from = reinterpret_cast<const std::byte*>(first);
  bytes.insert(bytes.end(), from, from + count * sizeof(T));
}

template <class T>
[[nodiscard]] T take_one(std::span<const std::byte>& bytes)
{
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return value;
}

[[nodiscard]] std::span<const std::byte> take_bytes(std::span<const std::byte>& bytes, std::size_t count)
{
  const std::span<const std::byte> first = bytes.first(count);
  bytes = bytes.subspan(count);
  return first;
}

} // namespace

/// The end of a particle on its way to its lender. Records of its points and entries of the crossing log follow.
struct SharedAdvection::Result
{
  std::int64_t batch = 0;
  std::int64_t place = 0;
  std::int64_t steps = 0; ///< in this call
  std::int64_t points = 0;
  std::int64_t entries = 0;
  ParticleState state;
  Termination reason = Termination::None;
  bool is_paused = false;
};

SharedAdvection::SharedAdvection(ParticleSharing& sharing, const AdvectionContext& context, ParticleSource& source,
    Recorder& recorder, std::int64_t most_together)
  : sharing_(sharing)
  , context_(context)
  , own_(source)
  , told_(recorder)
  , most_together_(most_together)
{
  sharing_.begin_call(*this);
}

SharedAdvection::~SharedAdvection()
{
  sharing_.end_call();
}

// ------------------------------------------------------------------------------------------------------- particles

ParticleSource::Supply SharedAdvection::take(std::int64_t most, std::vector<Release>& to)
{
  const std::size_t before = to.size();
  if (!own_done_.load(std::memory_order_relaxed))
  {
    const Supply supply = own_.take(most, to);
    taken_.fetch_add(static_cast<std::int64_t>(to.size() - before), std::memory_order_relaxed);
    if (supply != Supply::None)
    {
      return supply == Supply::Wait && outstanding_.load() > 0 ? Supply::Later : supply;
    }
    own_done_.store(true, std::memory_order_relaxed);
  }
  const bool last = sharing_.nothing_to_borrow(); // before take_borrowed(): particles may arrive in between
  if (to.size() > before || take_borrowed(most, to))
  {
    return Supply::Later;
  }
  hungry_.store(!last);
  return last ? Supply::None : Supply::Later;
}

bool SharedAdvection::take_borrowed(std::int64_t most, std::vector<Release>& to)
{
  if (borrowed_left_.load(std::memory_order_acquire) == 0)
  {
    return false;
  }
  const std::lock_guard lock(borrowed_mutex_);
  const auto left = static_cast<std::int64_t>(borrowed_.size() - borrowed_taken_);
  const std::int64_t share = std::min(most_together_, left / (std::int64_t{ 2 } * workers_));
  const std::size_t last = borrowed_taken_ + static_cast<std::size_t>(std::min(left, std::max(most, share)));
  const bool any = borrowed_taken_ < last;
  for (std::size_t i = borrowed_taken_; i < last; ++i)
  {
    const Borrowed& borrowed = borrowed_[i];
    to.push_back(borrowed.release);
    to.back().id = kBorrowed | static_cast<std::int64_t>(i);
    if (borrowed.state != nullptr)
    {
      borrowed.state->task = to.back().id;
    }
  }
  borrowed_taken_ = last;
  borrowed_left_.store(static_cast<std::int64_t>(borrowed_.size() - last), std::memory_order_release);
  return any;
}

std::pair<std::vector<std::byte>, std::int64_t> SharedAdvection::lend()
{
  const std::int64_t most = kMostBytes / static_cast<std::int64_t>(sizeof(Gift) + sizeof(ParticleState));
  const std::int64_t half = std::min(most, (own_.expected() - taken_.load()) / 2);
  if (half < 1 || own_done_.load() || stopped_)
  {
    return {};
  }
  Batch& batch = batches_.emplace_back();
  if (own_.take(half, batch.releases) == Supply::None)
  {
    own_done_.store(true, std::memory_order_relaxed);
  }
  const auto count = static_cast<std::int64_t>(batch.releases.size());
  taken_.fetch_add(count);
  lent_.fetch_add(count);
  sharing_.lent_ += count;
  outstanding_.fetch_add(count);
  try
  {
    batch.back.resize(batch.releases.size(), 0);
    return { pack(batch), count };
  }
  catch (const std::bad_alloc&)
  {
    take_back(count, false);
    throw;
  }
}

/// The last batch as the content of a message.
std::vector<std::byte> SharedAdvection::pack(const Batch& batch) const
{
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < batch.releases.size(); ++i)
  {
    const Release& release = batch.releases[i];
    const Gift gift{ .batch = std::ssize(batches_) - 1,
      .place = static_cast<std::int64_t>(i),
      .release = release,
      .is_paused = release.paused != nullptr };
    append(bytes, &gift, 1);
    if (release.paused != nullptr)
    {
      append(bytes, release.paused, 1);
    }
  }
  return bytes;
}

void SharedAdvection::borrow(int lender, std::span<const std::byte> content, std::int64_t count)
{
  std::vector<Borrowed> arrived;
  arrived.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
  {
    const Gift gift = take_one<Gift>(content);
    Borrowed& borrowed = arrived.emplace_back(Borrowed{ lender, gift.batch, gift.place, gift.release, nullptr, 0 });
    if (gift.is_paused)
    {
      borrowed.state = std::make_unique<ParticleState>(take_one<ParticleState>(content));
      borrowed.release.paused = borrowed.state.get();
      borrowed.steps_before = borrowed.state->steps;
    }
  }
  for (const std::unique_ptr<Outbox>& outbox : outboxes_)
  {
    const std::lock_guard lock(outbox->mutex);
    (void)outbox->packed[lender];
  }
  const std::lock_guard lock(borrowed_mutex_);
  const std::size_t before = borrowed_.size();
  try
  {
    std::move(arrived.begin(), arrived.end(), std::back_inserter(borrowed_));
  }
  catch (const std::bad_alloc&)
  {
    borrowed_.resize(before); // they go back
    throw;
  }
  hungry_.store(false);
  borrowed_count_.fetch_add(count);
  borrowed_left_.fetch_add(count, std::memory_order_release);
}

// --------------------------------------------------------------------------------------------- results of the borrowed

void SharedAdvection::prepare(const AdvectionContext& context, int workers)
{
  told_.prepare(context, workers + 1);
  workers_ = workers;
  for (int i = 0; i < workers; ++i)
  {
    outboxes_.push_back(std::make_unique<Outbox>());
  }
}

void SharedAdvection::ended(int worker, const Particle& particle)
{
  if ((particle.task & kBorrowed) == 0)
  {
    told_.ended(worker, particle);
    return;
  }
  pack(worker, particle, false);
}

void SharedAdvection::paused(int worker, const Particle& particle)
{
  if ((particle.task & kBorrowed) == 0)
  {
    told_.paused(worker, particle);
    return;
  }
  pack(worker, particle, true);
}

/// Packs the result of a borrowed particle, and frees its state and its points.
void SharedAdvection::pack(int worker, const Particle& particle, bool paused)
{
  Outbox& outbox = *outboxes_[static_cast<std::size_t>(worker)];
  Borrowed borrowed;
  {
    const std::lock_guard lock(borrowed_mutex_);
    borrowed = std::move(borrowed_[static_cast<std::size_t>(particle.task & ~kBorrowed)]);
  }
  Result result{ .batch = borrowed.batch,
    .place = borrowed.place,
    .steps = particle.steps - borrowed.steps_before,
    .points = particle.path.chain.points,
    .state = particle,
    .reason = particle.reason,
    .is_paused = paused };
  result.state.path.chain = {};
  LineStore* const store = told_.store_of(worker);
  const std::lock_guard lock(outbox.mutex);
  Packed& packed = outbox.packed.at(borrowed.lender);
  const std::size_t size = packed.bytes.size();
  try
  {
    const std::vector<Crossing> entries = entries_of(outbox, worker, particle.task);
    result.entries = static_cast<std::int64_t>(entries.size());
    append(packed.bytes, &result, 1);
    for (const PointBlock* block = particle.path.chain.head; block != nullptr; block = block->next)
    {
      const std::size_t first = packed.bytes.size();
      packed.bytes.resize(first + static_cast<std::size_t>(block->used) * record_bytes());
      for (std::int32_t row = 0; row < block->used; ++row)
      {
        store->read(*block, row, packed.bytes.data() + first + static_cast<std::size_t>(row) * record_bytes());
      }
    }
    append(packed.bytes, entries.data(), entries.size());
    ++packed.count;
  }
  catch (const std::bad_alloc&)
  {
    packed.bytes.resize(size);
    ++packed.lost;
  }
  outbox.steps += result.steps;
  if (store != nullptr)
  {
    PointChain chain = particle.path.chain;
    store->clear(chain);
  }
}

/// Takes the entries of a borrowed particle out of its worker's log.
std::vector<Crossing> SharedAdvection::entries_of(Outbox& outbox, int worker, std::int64_t task)
{
  CrossingLog* const log = told_.crossings_of(worker);
  if (log == nullptr)
  {
    return {};
  }
  std::vector<Crossing>& all = log->crossings();
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(outbox.entries_seen);
  const auto last =
      std::stable_partition(first, all.end(), [](const Crossing& entry) { return (entry.id & kBorrowed) == 0; });
  std::for_each(last, all.end(), [&](const Crossing& entry) { outbox.entries[entry.id].push_back(entry); });
  all.erase(last, all.end());
  outbox.entries_seen = all.size();
  auto found = outbox.entries.extract(task);
  return found.empty() ? std::vector<Crossing>{} : std::move(found.mapped());
}

std::size_t SharedAdvection::record_bytes() const
{
  return static_cast<std::size_t>(context_.layout().bytes);
}

std::int64_t SharedAdvection::kind_of_records() const
{
  const RecordLayout& layout = context_.layout(); // a consequence of these
  return static_cast<std::int64_t>(layout.velocity_as) * 4 + (layout.rotation >= 0 ? 2 : 0) +
         (layout.mesh_position >= 0 ? 1 : 0);
}

void SharedAdvection::send_results()
{
  for (const std::unique_ptr<Outbox>& outbox : outboxes_)
  {
    const std::lock_guard lock(outbox->mutex);
    for (auto& [lender, packed] : outbox->packed)
    {
      if (packed.count > 0)
      {
        sharing_.send(lender, ParticleSharing::Kind::Results, sharing_.call_, packed.count, packed.bytes);
        packed.bytes.clear();
        packed.count = 0;
      }
      if (packed.lost > 0)
      {
        sharing_.send(lender, ParticleSharing::Kind::Lost, sharing_.call_, packed.lost);
        packed.lost = 0;
      }
      if (packed.unbegun > 0)
      {
        sharing_.send(lender, ParticleSharing::Kind::Unbegun, sharing_.call_, packed.unbegun);
        packed.unbegun = 0;
      }
    }
  }
}

/// Returns the particles that were not begun, because the run was stopped.
void SharedAdvection::return_unbegun()
{
  const std::lock_guard lock(borrowed_mutex_);
  Outbox& outbox = *outboxes_.front();
  const std::lock_guard lock_outbox(outbox.mutex);
  for (; borrowed_taken_ < borrowed_.size(); ++borrowed_taken_)
  {
    ++outbox.packed.at(borrowed_[borrowed_taken_].lender).unbegun;
  }
}

// ------------------------------------------------------------------------------------------------ results of the lent

void SharedAdvection::take_results(std::span<const std::byte> content, std::int64_t count)
{
  for (std::int64_t i = 0; i < count; ++i)
  {
    const auto result = take_one<Result>(content);
    const std::size_t points = static_cast<std::size_t>(result.points) * record_bytes();
    const std::size_t entries = static_cast<std::size_t>(result.entries) * sizeof(Crossing);
    const std::span<const std::byte> records = take_bytes(content, points);
    tell(result, records, take_bytes(content, entries));
  }
}

/// Tells the recorder of a lent particle.
void SharedAdvection::tell(const Result& result, std::span<const std::byte> records, std::span<const std::byte> entries)
{
  Batch& batch = batches_[static_cast<std::size_t>(result.batch)];
  const auto place = static_cast<std::size_t>(result.place);
  batch.back[place] = 1;
  steps_of_lent_ += result.steps;
  borrower_stopped_ = borrower_stopped_ || result.reason == Termination::Cancelled;
  Particle particle;
  static_cast<ParticleState&>(particle) = result.state;
  particle.task = batch.releases[place].id;
  particle.reason = result.reason;
  try
  {
    if (!keep_points(records, result.points, particle.path.chain))
    {
      out_of_memory_ = true;
    }
    for (; !entries.empty(); entries = entries.subspan(sizeof(Crossing)))
    {
      Crossing entry;
      std::memcpy(&entry, entries.data(), sizeof(entry));
      entry.id = particle.task;
      told_.crossings_of(workers_)->crossings().push_back(entry);
    }
  }
  catch (const std::bad_alloc&)
  {
    out_of_memory_ = true;
  }
  result.is_paused ? told_.paused(workers_, particle) : told_.ended(workers_, particle);
  outstanding_.fetch_sub(1); // last, since the source may release more because of this end
}

/// Adds records to a chain. False if the system has no memory for all of them.
bool SharedAdvection::keep_points(std::span<const std::byte> records, std::int64_t points, PointChain& chain)
{
  if (points == 0)
  {
    return true;
  }
  LineStore& store = *told_.store_of(workers_);
  if (store.last_points_only())
  {
    if (!store.make_room(1))
    {
      return false;
    }
    store.add_record(chain);
    store.write(LineStore::record_of(chain), records.data());
    return true;
  }
  LineCursor cursor = store.open(chain);
  bool room = true;
  for (; points > 0 && room; --points)
  {
    room = cursor.left > 0 || store.make_room(1);
    if (room)
    {
      store.write(store.append(chain, cursor), records.data());
      records = records.subspan(record_bytes());
    }
  }
  store.close(chain, cursor);
  return room;
}

// ----------------------------------------------------------------------------------------------------------- the end

void SharedAdvection::finish(const RunOptions& run, AdvectionSummary& summary)
{
  stopped_ = true;
  if (summary.stopped)
  {
    return_unbegun();
  }
  wait_for_lent(run, summary);
  summary.stopped = summary.stopped || borrower_stopped_;
  out_of_memory_ = out_of_memory_ || (outstanding_ > 0 && !summary.stopped);
  end_rest(summary.stopped ? summary.cut : Termination::Cancelled);
  for (const std::unique_ptr<Outbox>& outbox : outboxes_)
  {
    summary.steps -= outbox->steps;
  }
  summary.steps += steps_of_lent_;
  if (out_of_memory_)
  {
    summary.stopped = true;
    summary.data_error = no_memory_for("keep all lines");
  }
}

/// Waits until all results have come, and all that this rank owes are sent.
void SharedAdvection::wait_for_lent(const RunOptions& run, AdvectionSummary& summary)
{
  using Clock = std::chrono::steady_clock;
  Clock::time_point next_progress = Clock::now() + kProgress;
  std::optional<Clock::time_point> end;
  const auto owes = [](const std::unique_ptr<Outbox>& outbox)
  {
    return !std::all_of(
        outbox->packed.begin(), outbox->packed.end(), [](const auto& of_lender) { return of_lender.second.empty(); });
  };
  while (outstanding_ > came_back_ || std::any_of(outboxes_.begin(), outboxes_.end(), owes))
  {
    const Clock::time_point now = Clock::now();
    if (run.progress && now >= next_progress)
    {
      summary.stopped = !run.progress(1.0) || summary.stopped;
      next_progress = now + kProgress;
    }
    (void)sharing_.poll();
    if ((summary.stopped || out_of_memory_) && now >= end.value_or(now + kPatience))
    {
      break;
    }
    end = (summary.stopped || out_of_memory_) && !end ? std::optional(now + kPatience) : end;
    std::this_thread::sleep_for(kLook);
  }
}

/// Ends lent particles without results where they began.
void SharedAdvection::end_rest(Termination reason)
{
  for (const Batch& batch : batches_)
  {
    for (std::size_t i = 0; i < batch.releases.size(); ++i)
    {
      if (i < batch.back.size() && batch.back[i] != 0)
      {
        continue;
      }
      const Release& release = batch.releases[i];
      Particle particle;
      if (release.paused != nullptr)
      {
        static_cast<ParticleState&>(particle) = *release.paused;
        particle.path.chain = {};
      }
      else
      {
        particle.trial_time = release.time;
        particle.sign = release.sign;
        particle.release = release.point;
      }
      particle.task = release.id;
      particle.reason = reason;
      told_.ended(workers_, particle);
    }
  }
}

} // namespace rivulet
