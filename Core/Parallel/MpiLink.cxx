// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/MpiLink.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr int kTag = 7;

[[nodiscard]] bool is_complete(MPI_Request& request)
{
  int complete = 0;
  MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
  return complete != 0;
}

} // namespace

MpiLink::MpiLink(MPI_Comm comm)
{
  MPI_Comm_dup(comm, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

MpiLink::~MpiLink()
{
  for (Receiving& receiving : receiving_)
  {
    MPI_Wait(&receiving.request, MPI_STATUS_IGNORE);
  }
  for (Sending& sending : sending_)
  {
    MPI_Wait(&sending.request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&comm_);
}

void MpiLink::forget_sent()
{
  sending_.remove_if(
      [this](Sending& sending)
      {
        const bool sent = is_complete(sending.request);
        unsent_ -= sent ? static_cast<std::int64_t>(sending.bytes.size()) : 0;
        return sent;
      });
}

void MpiLink::send(int to, std::vector<std::byte> bytes)
{
  forget_sent();
  Sending& sending = sending_.emplace_back();
  sending.bytes = std::move(bytes);
  unsent_ += static_cast<std::int64_t>(sending.bytes.size());
  MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, kTag, comm_, &sending.request);
}

/// Posts a receive for each message that is announced. Memory is taken first, so that without it the message waits.
void MpiLink::post_receives()
{
  for (;;)
  {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_, &arrived, &status);
    if (arrived == 0)
    {
      return;
    }
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    RankMessage message{ status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(size)) };
    Receiving& receiving = receiving_.emplace_back();
    receiving.message = std::move(message);
    MPI_Irecv(receiving.message.bytes.data(), size, MPI_BYTE, receiving.message.from, kTag, comm_, &receiving.request);
  }
}

/// The first message that is complete and has none of the same rank before it.
std::list<MpiLink::Receiving>::iterator MpiLink::find_complete()
{
  for (auto found = receiving_.begin(); found != receiving_.end(); ++found)
  {
    const bool first = std::none_of(
        receiving_.begin(), found, [&](const Receiving& before) { return before.message.from == found->message.from; });
    if (first && is_complete(found->request))
    {
      return found;
    }
  }
  return receiving_.end();
}

std::optional<RankMessage> MpiLink::receive()
{
  forget_sent();
  auto found = find_complete();
  if (found == receiving_.end())
  {
    post_receives();
    found = find_complete();
  }
  if (found == receiving_.end())
  {
    return {};
  }
  RankMessage message = std::move(found->message);
  receiving_.erase(found);
  return message;
}

} // namespace rivulet
