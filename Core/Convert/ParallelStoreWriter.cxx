// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/ParallelStoreWriter.h"

#include "Io/FieldFile/SharedWriting.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

namespace rivulet
{

namespace
{

constexpr std::chrono::milliseconds kPause{ 1 };

using Bytes = std::vector<std::byte>;

/// Begin of every message.
struct Header
{
  std::uint32_t session = 0;
  std::uint8_t phase = 0;
  std::uint8_t sound = 0; ///< 0: an Error follows
  std::uint16_t unused = 0;
};
static_assert(sizeof(Header) == 8);

/// Cut of the owner's bricks, before its invitation.
struct Cut
{
  Int3 cells{ 1, 1, 1 };
  std::int32_t encoding = 0;
};
static_assert(sizeof(Cut) == 16);

template <class T>
void append(Bytes& bytes, const T& value)
{
  bytes.resize(bytes.size() + sizeof(T));
  std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
}

void append_text(Bytes& bytes, const std::string& text)
{
  const std::size_t length = text.size() + 1; // with the zero at its end
  bytes.resize(bytes.size() + length);
  std::memcpy(bytes.data() + bytes.size() - length, text.c_str(), length);
}

/// The value at the front of `bytes`, which it leaves; zeros if they are too few.
template <class T>
T take(std::span<const std::byte>& bytes)
{
  T value{};
  const std::size_t there = std::min(bytes.size(), sizeof(T));
  std::memcpy(&value, bytes.data(), there);
  bytes = bytes.subspan(there);
  return value;
}

std::string take_text(std::span<const std::byte>& bytes)
{
  const auto end = std::find(bytes.begin(), bytes.end(), std::byte{ 0 });
  std::string text(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.begin()));
  bytes = bytes.subspan(std::min(bytes.size(), text.size() + 1));
  return text;
}

Bytes bytes_of(const Error& error)
{
  Bytes bytes;
  append(bytes, error.code);
  append(bytes, error.sys_errno);
  append_text(bytes, error.what);
  append_text(bytes, error.remedy);
  append_text(bytes, error.path);
  return bytes;
}

Error error_of(std::span<const std::byte> bytes)
{
  Error error;
  error.code = take<ErrorCode>(bytes);
  error.sys_errno = take<int>(bytes);
  error.what = take_text(bytes);
  error.remedy = take_text(bytes);
  error.path = take_text(bytes);
  return error;
}

/// The result of some work, which is an error where the system has no memory for it: other ranks wait for an answer.
template <class Work>
auto within_memory(const std::string& path, const Work& work) -> decltype(work())
{
  try
  {
    return work();
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::CannotWrite, "the system has no memory for a part of the step",
        "write smaller bricks or with more ranks, and write the step again", path);
  }
}

Header header_of(const RankMessage& message)
{
  std::span<const std::byte> bytes(message.bytes);
  return take<Header>(bytes);
}

} // namespace

Result<std::unique_ptr<ParallelStoreWriter>> ParallelStoreWriter::open(
    RankLink* link, const std::string& path, const StoreOptions& options, const RankWaiting& waiting)
{
  std::unique_ptr<ParallelStoreWriter> store(new ParallelStoreWriter(link, path, options, waiting));
  if (Result<void> taken = store->take_up(); !taken)
  {
    return forward_error(taken);
  }
  return store;
}

void ParallelStoreWriter::begin_session()
{
  session_ = link_ != nullptr ? link_->begin_session() : session_ + 1;
}

/// The first rank opens the store and tells the others which times it has.
Result<void> ParallelStoreWriter::take_up()
{
  begin_session();
  Result<void> opened;
  if (rank() == 0)
  {
    auto store = StoreWriter::open(path_, options_);
    opened = store ? Result<void>() : forward_error(store);
    store_ = store ? std::move(*store) : nullptr;
  }
  return learn_of(opened);
}

Result<void> ParallelStoreWriter::restart(double time)
{
  begin_session();
  return learn_of(rank() == 0 ? store_->restart(time) : Result<void>());
}

/// The state of the first rank's store, on all ranks, if that rank says that it is `done`.
Result<void> ParallelStoreWriter::learn_of(const Result<void>& done)
{
  if (rank() == 0)
  {
    Result<Bytes> answer = done ? Result<Bytes>(Bytes{}) : tl::unexpected(done.error());
    if (done)
    {
      times_ = store_->times();
      brick_cells_ = store_->brick_cells();
      replacing_ = store_->is_replacing();
      append(*answer, brick_cells_);
      append(*answer, std::int32_t{ replacing_ ? 1 : 0 });
      for (const double time : times_)
      {
        append(*answer, time);
      }
    }
    send_to_all(Phase::Begin, answer);
    return done;
  }
  const Result<Bytes> answer = receive(0, Phase::Begin);
  if (!answer)
  {
    return tl::unexpected(answer.error());
  }
  std::span<const std::byte> bytes(*answer);
  brick_cells_ = take<Int3>(bytes);
  replacing_ = take<std::int32_t>(bytes) != 0;
  times_.clear();
  while (bytes.size() >= sizeof(double))
  {
    times_.push_back(take<double>(bytes));
  }
  return {};
}

Result<void> ParallelStoreWriter::publish()
{
  if (!std::exchange(replacing_, false))
  {
    return {};
  }
  begin_session();
  if (rank() == 0)
  {
    Result<void> done = store_->publish();
    send_to_all(Phase::End, done ? Result<Bytes>(Bytes{}) : tl::unexpected(done.error()));
    return done;
  }
  const Result<Bytes> end = receive(0, Phase::End);
  return end ? Result<void>() : tl::unexpected(end.error());
}

Result<void> ParallelStoreWriter::write_step(const Result<FieldInfo>& field, const WriteBricks& write)
{
  begin_session();
  return rank() == 0 ? write_as_owner(field, write) : write_as_guest(field, write);
}

Result<void> ParallelStoreWriter::write_as_owner(const Result<FieldInfo>& field, const WriteBricks& write)
{
  auto writer =
      within_memory(path_, [&] { return field ? store_->begin_step(*field) : tl::unexpected(field.error()); });
  if (!writer)
  {
    send_to_all(Phase::Begin, tl::unexpected(writer.error()));
    return forward_error(writer);
  }
  if (size() > 1)
  {
    const BrickLayout& bricks = (*writer)->layout(0);
    Bytes begin;
    append(begin, Cut{ bricks.cells, static_cast<std::int32_t>(bricks.encoding) });
    const Bytes invitation = (*writer)->invitation();
    begin.insert(begin.end(), invitation.begin(), invitation.end());
    send_to_all(Phase::Begin, begin);
  }
  Result<void> done = within_memory(path_, [&] { return write(**writer); });
  const Result<void> others = gather(writer->get()); // in any case: they wait for an answer
  done = done ? others : done;
  done = done ? within_memory(path_, [&] { return (*writer)->finish(); }) : done;
  if (!done)
  {
    send_to_all(Phase::End, tl::unexpected(done.error()));
    return done;
  }
  times_.push_back(field->times.front());
  Bytes time;
  append(time, times_.back());
  send_to_all(Phase::End, time);
  return done;
}

/// Takes the others' contributions; the error of the first of them that failed.
Result<void> ParallelStoreWriter::gather(FieldFileWriter* writer)
{
  Result<void> all;
  for (int other = 1; other < size(); ++other)
  {
    const Result<Bytes> contribution = receive(other, Phase::Written);
    const Result<void> added = contribution ? within_memory(path_, [&] { return writer->add(*contribution); })
                                            : Result<void>(tl::unexpected(contribution.error()));
    all = all ? added : all;
  }
  return all;
}

/// Writes the bricks of this rank, and returns its contribution.
Result<Bytes> ParallelStoreWriter::contribute(
    const Result<FieldInfo>& field, const WriteBricks& write, std::span<const std::byte> begin) const
{
  if (!field)
  {
    return tl::unexpected(field.error());
  }
  if (field->variables.empty())
  {
    return FileContribution().to_bytes();
  }
  const Cut cut = take<Cut>(begin);
  FieldFileOptions options;
  options.brick_cells = cut.cells;
  options.encoding = static_cast<Encoding>(cut.encoding);
  options.sync = options_.sync;
  options.direct_from = options_.direct_from;
  Result<std::unique_ptr<FieldFileWriter>> writer = FieldFileWriter::join(begin, *field, options);
  Result<void> done = writer ? write(**writer) : forward_error(writer);
  done = done ? (*writer)->finish() : done;
  return done ? Result<Bytes>((*writer)->contribution()) : tl::unexpected(done.error());
}

Result<void> ParallelStoreWriter::write_as_guest(const Result<FieldInfo>& field, const WriteBricks& write)
{
  const Result<Bytes> begin = receive(0, Phase::Begin);
  if (!begin)
  {
    return tl::unexpected(begin.error()); // no rank writes
  }
  send(0, Phase::Written, within_memory(path_, [&] { return contribute(field, write, *begin); }));
  const Result<Bytes> end = receive(0, Phase::End);
  if (!end)
  {
    return tl::unexpected(end.error());
  }
  std::span<const std::byte> time(*end);
  times_.push_back(take<double>(time));
  return {};
}

/// Tried until there is memory for it, since the other rank waits. After the patience it gives up, as that one does.
void ParallelStoreWriter::send(int to, Phase phase, const Result<Bytes>& answer)
{
  const auto until = std::chrono::steady_clock::now() + waiting_.patience;
  while (!try_send(to, phase, answer) && std::chrono::steady_clock::now() < until)
  {
    std::this_thread::sleep_for(kPause);
  }
}

bool ParallelStoreWriter::try_send(int to, Phase phase, const Result<Bytes>& answer)
{
  try
  {
    Bytes message;
    append(message, Header{ session_, static_cast<std::uint8_t>(phase), static_cast<std::uint8_t>(answer ? 1 : 0) });
    const Bytes body = answer ? *answer : bytes_of(answer.error());
    message.insert(message.end(), body.begin(), body.end());
    link_->send(to, std::move(message));
    return true;
  }
  catch (const std::bad_alloc&)
  {
    return false;
  }
}

/// Whether there was a message.
bool ParallelStoreWriter::take_message()
{
  try
  {
    early_.reserve(early_.size() + 1); // before the message is taken
    std::optional<RankMessage> message = link_->receive();
    if (message)
    {
      early_.push_back(std::move(*message));
    }
    return message.has_value();
  }
  catch (const std::bad_alloc&) // the message waits
  {
    return false;
  }
}

void ParallelStoreWriter::send_to_all(Phase phase, const Result<Bytes>& answer)
{
  for (int other = 1; other < size(); ++other)
  {
    send(other, phase, answer);
  }
}

Result<Bytes> ParallelStoreWriter::receive(int from, Phase phase)
{
  const auto wanted = [&](const RankMessage& message)
  {
    const Header header = header_of(message);
    return message.from == from && header.session == session_ && header.phase == static_cast<std::uint8_t>(phase);
  };
  // A rank that was given up may still answer.
  std::erase_if(early_, [&](const RankMessage& message) { return header_of(message).session < session_; });
  const auto until = std::chrono::steady_clock::now() + waiting_.patience;
  auto found = early_.end();
  while ((found = std::find_if(early_.begin(), early_.end(), wanted)) == early_.end())
  {
    if (take_message())
    {
      continue;
    }
    if (std::chrono::steady_clock::now() > until)
    {
      return fail(ErrorCode::CannotWrite, "rank " + std::to_string(from) + " does not answer",
          "look for its own message, and write the step again", path_);
    }
    if (waiting_.idle)
    {
      waiting_.idle();
    }
    std::this_thread::sleep_for(kPause);
  }
  std::span<const std::byte> bytes(found->bytes);
  const Header header = take<Header>(bytes);
  Result<Bytes> answer = header.sound != 0 ? Result<Bytes>(Bytes(bytes.begin(), bytes.end()))
                                           : Result<Bytes>(tl::unexpected(error_of(bytes)));
  early_.erase(found);
  return answer;
}

} // namespace rivulet
