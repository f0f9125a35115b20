// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Service/ServiceReads.h"

#include "Base/SyncPoint.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

constexpr int kEnough = 16;            // answers of the service before its mean time says something
constexpr int kFewReads = 4;           // the same for reads of the file
constexpr std::int64_t kEvery = 64;    // of so many reads, one goes to the file, to know how long that takes
constexpr std::size_t kMostKeys = 256; // of one question; measured with so many (note 0026)
constexpr std::chrono::milliseconds kLastWords{ 500 }; // for values that are left when a run ends
constexpr std::size_t kSeal = sizeof(XXH64_hash_t);

XXH64_hash_t seal_of(const std::string& key, std::span<const std::byte> bytes)
{
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), XXH3_64bits(key.data(), key.size()));
}

/// The bytes of a value with its hash behind them; empty if it is not the value of that key and length.
std::span<const std::byte> unsealed(const std::string& key, std::span<const std::byte> value, std::size_t bytes)
{
  XXH64_hash_t seal = 0;
  if (value.size() != bytes + kSeal)
  {
    return {};
  }
  std::memcpy(&seal, value.data() + bytes, kSeal);
  const std::span<const std::byte> content = value.first(bytes);
  return seal == seal_of(key, content) ? content : std::span<const std::byte>{};
}

double seconds_since(ServiceReads::Clock::time_point then)
{
  return std::chrono::duration<double>(ServiceReads::Clock::now() - then).count();
}

} // namespace

std::string ServiceCounts::trouble() const
{
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void ServiceCounts::set_trouble(std::string text)
{
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(text);
}

void ServiceReads::Mean::add(double seconds)
{
  ++count;
  value += (seconds - value) / std::min(count, kEnough);
}

ServiceReads::ServiceReads(
    std::unique_ptr<ReadEngine> file, Connect connect, std::int64_t memory, std::shared_ptr<ServiceCounts> counts)
  : file_(std::move(file))
  , connect_(std::move(connect))
  , counts_(std::move(counts))
{
  set_memory(memory);
  thread_ = std::thread([this] { serve(); });
}

void ServiceReads::set_memory(std::int64_t memory)
{
  memory_.store(static_cast<std::size_t>(std::max<std::int64_t>(0, memory / 2)));
}

ServiceReads::~ServiceReads()
{
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    work_.notify_all();
    if (!ended_.wait_for(lock, kLastWords + ByteService::kPatience, [this] { return has_ended_; }) &&
        service_ != nullptr)
    {
      service_->interrupt();
    }
  }
  thread_.join();
}

/// None if a piece is too small to have a value of its own.
std::vector<ServiceReads::Part> ServiceReads::parts_of(const FileRead& read)
{
  std::vector<Part> parts;
  std::size_t begin = 0;
  for (const iovec& part : read.parts)
  {
    if (part.iov_base != nullptr)
    {
      if (part.iov_len < kLeastPart)
      {
        return {};
      }
      const std::int64_t offset = read.offset + static_cast<std::int64_t>(begin);
      parts.push_back({ "rivulet:" + std::to_string(read.contents) + ":" + std::to_string(offset) + ":" +
                            std::to_string(part.iov_len),
          static_cast<std::byte*>(part.iov_base), begin, part.iov_len });
    }
    begin += part.iov_len;
  }
  return parts;
}

/// Whether the next read is one for the service. Locked.
bool ServiceReads::may_ask()
{
  const std::int64_t turn = turns_++;
  wanted_ = true;
  if (service_ == nullptr || resting() || turn % kEvery == kEvery - 1)
  {
    work_.notify_one(); // to connect
    return false;
  }
  // A mean of few reads says little, and a millisecond is less than what anybody would notice.
  if (service_time_.count >= kEnough && file_time_.count >= kFewReads &&
      service_time_.value > 4 * file_time_.value + 0.001)
  {
    service_time_ = {};
    rest_until_ = Clock::now() + kRest;
    counts_->set_trouble("the service is slower than the file");
    return false;
  }
  return true;
}

void ServiceReads::submit(FileRead& read)
{
  UnderWay one{ &read, {}, 0, 0, Clock::now() };
  if (read.contents != 0)
  {
    one.parts = parts_of(read);
  }
  if (one.parts.empty())
  {
    file_->submit(read);
    return;
  }
  one.bytes = one.parts.back().begin + one.parts.back().bytes;
  for (const Part& part : one.parts)
  {
    one.wanted += part.bytes;
  }
  if (one.parts.size() <= kMostKeys && one.wanted <= memory_)
  {
    const std::lock_guard lock(mutex_);
    if (may_ask())
    {
      asked_.push_back(std::move(one));
      work_.notify_one();
      return;
    }
  }
  read_file(std::move(one));
}

void ServiceReads::read_file(UnderWay&& one)
{
  FileRead& read = *one.read;
  one.since = Clock::now();
  in_file_.insert_or_assign(&read, std::move(one));
  file_->submit(read);
}

void ServiceReads::wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers)
{
  {
    const std::lock_guard lock(mutex_);
    most = asked_.empty() && batch_.empty() ? most : std::min(most, kMostWait / 2);
  }
  std::vector<ReadAnswer> from_file;
  file_->wait(most, from_file);
  for (const ReadAnswer& answer : from_file)
  {
    take_from_file(answer);
    answers.push_back(answer);
  }
  std::vector<UnderWay> back;
  {
    const std::lock_guard lock(mutex_);
    back.swap(back_);
    interrupt_late();
  }
  for (UnderWay& one : back)
  {
    if (one.missed)
    {
      read_file(std::move(one));
    }
    else
    {
      answers.push_back({ one.read, static_cast<std::int64_t>(one.bytes) });
    }
  }
}

/// Reads that wait for the service then come back as missed. Locked.
void ServiceReads::interrupt_late()
{
  const auto late = [now = Clock::now()](const auto& reads)
  {
    return !reads.empty() && now - reads.front().since > kMostWait;
  };
  if (service_ != nullptr && (late(batch_) || late(asked_)))
  {
    service_->interrupt();
  }
}

void ServiceReads::take_from_file(const ReadAnswer& answer)
{
  const auto known = in_file_.find(answer.read);
  if (known == in_file_.end())
  {
    return;
  }
  file_time_.add(seconds_since(known->second.since));
  keep(known->second, answer.result);
  in_file_.erase(known);
}

/// The bytes of a piece with their hash behind them.
ByteService::Value ServiceReads::sealed(const Part& part)
{
  ByteService::Value value{ part.key, std::vector<std::byte>(part.bytes + kSeal) };
  std::memcpy(value.bytes.data(), part.memory, part.bytes);
  const XXH64_hash_t seal = seal_of(part.key, { value.bytes.data(), part.bytes });
  std::memcpy(value.bytes.data() + part.bytes, &seal, kSeal);
  return value;
}

/// Whether the service takes so many bytes more. Locked.
bool ServiceReads::has_room(std::size_t bytes) const
{
  return service_ != nullptr && !resting() && Clock::now() >= full_until_ && kept_bytes_ + bytes <= memory_;
}

/// Copies what was read, for the service, which may fail meanwhile.
void ServiceReads::keep(const UnderWay& one, std::int64_t result)
{
  for (const Part& part : one.parts)
  {
    if (result < static_cast<std::int64_t>(part.begin + part.bytes))
    {
      continue; // an error, or the end of the file
    }
    const std::size_t bytes = part.bytes + kSeal;
    std::unique_lock lock(mutex_);
    bool room = has_room(bytes);
    if (room)
    {
      lock.unlock();
      ByteService::Value value = sealed(part);
      RIVULET_SYNC_POINT("ServiceReads::keep: has copied");
      lock.lock();
      room = has_room(bytes);
      if (room)
      {
        kept_bytes_ += bytes;
        kept_.push_back(std::move(value));
        work_.notify_one();
      }
    }
    counts_->dropped.fetch_add(room ? 0 : 1);
  }
}

void ServiceReads::serve()
{
  std::unique_lock lock(mutex_);
  std::optional<Clock::time_point> last;
  for (;;)
  {
    work_.wait(lock, [this]
        { return stopping_ || !asked_.empty() || !kept_.empty() || (service_ == nullptr && wanted_ && !resting()); });
    if (stopping_)
    {
      last = last.value_or(Clock::now() + kLastWords);
      if (kept_.empty() || service_ == nullptr || Clock::now() >= *last)
      {
        has_ended_ = true;
        ended_.notify_all();
        return;
      }
    }
    if (service_ == nullptr && !resting())
    {
      connect(lock);
    }
    else if (!asked_.empty())
    {
      ask(lock);
    }
    else
    {
      give(lock);
    }
  }
}

/// Reads go to the file meanwhile.
void ServiceReads::connect(std::unique_lock<std::mutex>& lock)
{
  wanted_ = false;
  lock.unlock();
  Result<std::unique_ptr<ByteService>> made = connect_();
  lock.lock();
  if (made)
  {
    service_ = std::move(*made);
    return;
  }
  settle(made.error());
}

/// Notes a failure: the service rests, and all that waits for it goes back. Locked.
void ServiceReads::settle(const Error& failure)
{
  counts_->set_trouble(failure.describe());
  counts_->dropped.fetch_add(static_cast<std::int64_t>(kept_.size()));
  service_.reset();
  service_time_ = {};
  rest_until_ = Clock::now() + kRest;
  kept_.clear();
  kept_bytes_ = 0;
  for (UnderWay& one : asked_)
  {
    one.missed = true;
    counts_->missing.fetch_add(1);
    back_.push_back(std::move(one));
  }
  asked_.clear();
  file_->wake();
}

void ServiceReads::ask(std::unique_lock<std::mutex>& lock)
{
  std::vector<std::string> keys;
  std::size_t bytes = 0;
  while (!asked_.empty() && (batch_.empty() || (keys.size() + asked_.front().parts.size() <= kMostKeys &&
                                                   bytes + asked_.front().wanted <= memory_)))
  {
    for (const Part& part : asked_.front().parts)
    {
      keys.push_back(part.key);
    }
    bytes += asked_.front().wanted;
    batch_.push_back(std::move(asked_.front()));
    asked_.pop_front();
  }
  lock.unlock();

  std::vector<const Part*> parts;
  for (const UnderWay& one : batch_)
  {
    std::transform(
        one.parts.begin(), one.parts.end(), std::back_inserter(parts), [](const Part& part) { return &part; });
  }
  std::vector<bool> there(parts.size());
  const Result<void> done = service_->get(keys,
      [&](std::size_t i, std::span<const std::byte> value)
      {
        const std::span<const std::byte> content = unsealed(parts[i]->key, value, parts[i]->bytes);
        std::copy(content.begin(), content.end(), parts[i]->memory);
        there[i] = !content.empty();
      });

  lock.lock();
  auto next = there.begin();
  for (UnderWay& one : batch_)
  {
    const auto end = next + static_cast<std::ptrdiff_t>(one.parts.size());
    one.missed = !done || std::find(next, end, false) != end;
    next = end;
    service_time_.add(seconds_since(one.since));
    (one.missed ? counts_->missing : counts_->found).fetch_add(1);
    counts_->bytes.fetch_add(one.missed ? 0 : static_cast<std::int64_t>(one.wanted));
    back_.push_back(std::move(one));
  }
  batch_.clear();
  if (!done)
  {
    settle(done.error());
  }
  file_->wake();
}

void ServiceReads::give(std::unique_lock<std::mutex>& lock)
{
  std::vector<ByteService::Value> values;
  std::size_t bytes = 0;
  while (!kept_.empty() && values.size() < kMostKeys / 8) // few, for a read may come
  {
    bytes += kept_.front().bytes.size();
    values.push_back(std::move(kept_.front()));
    kept_.pop_front();
  }
  lock.unlock();
  const Result<ByteService::Refused> done = service_->put(values);
  lock.lock();
  kept_bytes_ -= std::min(kept_bytes_, bytes);
  const auto refused = done ? done->values : static_cast<std::int64_t>(values.size());
  counts_->kept.fetch_add(static_cast<std::int64_t>(values.size()) - refused);
  counts_->dropped.fetch_add(refused);
  if (!done)
  {
    settle(done.error());
  }
  else if (refused > 0)
  {
    counts_->set_trouble(done->why);
    full_until_ = Clock::now() + kRest;
  }
}

} // namespace rivulet
