// SPDX-License-Identifier: BSD-3-Clause
#include "Fields/MpiLink.h"

namespace rivulet
{

namespace
{

constexpr int kTag = 7;

} // namespace

MpiLink::MpiLink(MPI_Comm comm)
{
  MPI_Comm_dup(comm, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

MpiLink::~MpiLink()
{
  for (Sending& sending : sending_)
  {
    MPI_Wait(&sending.request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&comm_);
}

void MpiLink::forget_sent()
{
  sending_.remove_if(
      [](Sending& sending)
      {
        int sent = 0;
        MPI_Test(&sending.request, &sent, MPI_STATUS_IGNORE);
        return sent != 0;
      });
}

void MpiLink::send(int to, std::vector<std::byte> bytes)
{
  forget_sent();
  Sending& sending = sending_.emplace_back();
  sending.bytes = std::move(bytes);
  MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, kTag, comm_, &sending.request);
}

std::optional<RankMessage> MpiLink::receive()
{
  forget_sent();
  int arrived = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_, &arrived, &status);
  if (arrived == 0)
  {
    return {};
  }
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  RankMessage message{ status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(size)) };
  MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, kTag, comm_, MPI_STATUS_IGNORE);
  return message;
}

} // namespace rivulet
