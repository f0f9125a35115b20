// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/ParticleSharing.h"

#include "Trace/Advect/SharedAdvection.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

namespace rivulet
{

namespace
{

/// Time between two looks for messages while a rank waits.
constexpr std::chrono::microseconds kLook{ 200 };
constexpr std::chrono::milliseconds kIdle{ 100 };
/// Time after which a rank is asked again that had not come to the call.
constexpr std::chrono::milliseconds kAskAgain{ 2 };

} // namespace

ParticleSharing::ParticleSharing(RankLink& link, std::function<void()> also)
  : link_(link)
  , also_(std::move(also))
  , asked_(static_cast<std::size_t>(link.size()))
  , refused_(static_cast<std::size_t>(link.size()))
{
  begin_session();
}

ParticleSharing::~ParticleSharing()
{
  close();
}

void ParticleSharing::begin_session()
{
  session_ = link_.begin_session();
  open_ = true;
  call_ = 0;
  told_ = false;
  all_left_ = false;
}

void ParticleSharing::attach(RunOptions& run)
{
  run.sharing = this;
  run.poll = [this, before = std::move(run.poll)]
  {
    const bool goes_on = poll();
    return (!before || before()) && goes_on;
  };
}

void ParticleSharing::begin_call(SharedAdvection& advection)
{
  ++call_;
  present_ = &advection;
  lender_ = rank();
  next_lender();
}

/// Goes on to the next rank; to none after all others.
void ParticleSharing::next_lender()
{
  lender_ = (lender_ + 1) % link_.size();
  settled_.store(lender_ == rank(), std::memory_order_release);
}

bool ParticleSharing::poll()
{
  if (also_)
  {
    also_();
  }
  try
  {
    receive_all();
    answer_asks();
    if (present_ != nullptr)
    {
      ask();
      present_->send_results();
    }
  }
  catch (const std::bad_alloc&) // the rest at the next poll
  {
  }
  return present_ == nullptr || !present_->out_of_memory();
}

void ParticleSharing::receive_all()
{
  while (std::optional<RankMessage> message = link_.receive())
  {
    Header header;
    std::memcpy(&header, message->bytes.data(), sizeof(header));
    take(header, *message);
  }
}

void ParticleSharing::take(const Header& header, const RankMessage& message)
{
  switch (header.kind)
  {
  case Kind::Ask:
    asked_[static_cast<std::size_t>(message.from)] = header;
    break;
  case Kind::Give:
    take_gift(header, message);
    break;
  case Kind::Nothing:
  case Kind::NotYet:
    take_refusal(header);
    break;
  case Kind::Leave:
    ++left_.at(header.session % 2);
    break;
  case Kind::AllLeft:
    all_left_ = true;
    break;
  case Kind::Results:
  case Kind::Unbegun:
  case Kind::Lost:
    if (is_present(header))
    {
      take_return(header, message);
    }
    break;
  }
}

void ParticleSharing::take_refusal(const Header& header)
{
  waits_ = false;
  if (header.kind == Kind::NotYet)
  {
    ask_again_ = std::chrono::steady_clock::now() + kAskAgain;
  }
  else if (is_present(header))
  {
    next_lender();
  }
}

void ParticleSharing::take_return(const Header& header, const RankMessage& message)
{
  if (header.kind == Kind::Results)
  {
    present_->take_results(std::span(message.bytes).subspan(sizeof(Header)), header.count);
  }
  else
  {
    present_->take_back(header.count, header.kind == Kind::Unbegun);
  }
}

/// Particles that come when their call is over go back: this rank was stopped.
void ParticleSharing::take_gift(const Header& header, const RankMessage& message)
{
  waits_ = false;
  Header& refused = refused_[static_cast<std::size_t>(message.from)];
  refused = header;
  refused.kind = Kind::Unbegun;
  try
  {
    if (present_ != nullptr && header.call == call_)
    {
      present_->borrow(message.from, std::span(message.bytes).subspan(sizeof(Header)), header.count);
      refused.count = 0;
    }
  }
  catch (const std::bad_alloc&)
  {
    refused.kind = Kind::Lost;
  }
}

void ParticleSharing::answer_asks()
{
  for (int other = 0; other < link_.size(); ++other)
  {
    Header& refused = refused_[static_cast<std::size_t>(other)];
    if (refused.count > 0)
    {
      send(other, refused.kind, refused.call, refused.count);
      refused.count = 0;
    }
    Header& asked = asked_[static_cast<std::size_t>(other)];
    if (asked.call > 0 && asked.session == session_) // one of the next session waits
    {
      answer(other, asked);
      asked.call = 0;
    }
  }
}

/// Answers a rank that has asked. Throws std::bad_alloc; then there is no answer yet.
void ParticleSharing::answer(int rank, const Header& asked)
{
  const std::int64_t call = asked.call;
  if (present_ != nullptr && call == call_)
  {
    const bool understood = asked.count == present_->kind_of_records();
    const auto [content, count] = understood ? present_->lend() : std::pair<std::vector<std::byte>, std::int64_t>();
    try
    {
      send(rank, count > 0 ? Kind::Give : Kind::Nothing, call, count, content);
    }
    catch (const std::bad_alloc&)
    {
      present_->take_back(count, false);
      throw;
    }
    return;
  }
  send(rank, call > call_ && !told_ ? Kind::NotYet : Kind::Nothing, call);
}

void ParticleSharing::ask()
{
  if (waits_ || nothing_to_borrow() || !present_->is_hungry() || std::chrono::steady_clock::now() < ask_again_)
  {
    return;
  }
  send(lender_, Kind::Ask, call_, present_->kind_of_records());
  waits_ = true;
}

void ParticleSharing::meet(const std::function<void()>& idle)
{
  close(idle);
  begin_session();
}

void ParticleSharing::close(const std::function<void()>& idle)
{
  auto next_idle = std::chrono::steady_clock::now() + kIdle;
  while (open_)
  {
    (void)poll();
    leave();
    if (!all_left_)
    {
      std::this_thread::sleep_for(kLook);
    }
    if (idle && std::chrono::steady_clock::now() >= next_idle)
    {
      idle();
      next_idle = std::chrono::steady_clock::now() + kIdle;
    }
    open_ = !all_left_;
  }
}

/// Tells the first rank that this one leaves, once it waits for nothing. The first rank tells all when all leave.
void ParticleSharing::leave()
{
  try
  {
    if (!told_ && !waits_)
    {
      if (rank() != 0)
      {
        send(0, Kind::Leave, call_);
      }
      told_ = true;
    }
    const int others = link_.size() - 1;
    if (rank() == 0 && told_ && left() >= others)
    {
      for (; left() < 2 * others; ++left())
      {
        send(left() - others + 1, Kind::AllLeft, call_);
      }
      left() = 0;
      all_left_ = true;
    }
  }
  catch (const std::bad_alloc&) // tried again
  {
  }
}

void ParticleSharing::send(
    int to, Kind kind, std::int64_t call, std::int64_t count, const std::vector<std::byte>& content)
{
  const Header header{ kind, session_, call, count };
  std::vector<std::byte> bytes(sizeof(header) + content.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::copy(content.begin(), content.end(), bytes.begin() + sizeof(header));
  link_.send(to, std::move(bytes));
}

} // namespace rivulet
