// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages between the ranks of a communicator of MPI as a RankLink, on a communicator of their own.
///
/// A message is received while the thread does other work: receive() posts a receive for each message that is
/// announced, and returns complete messages. Large messages of MPI need both sides, so waiting for one would last
/// until the sender looks again.
///
/// Memory: messages that were announced and are not complete, and messages that MPI has not sent yet (unsent()).
///
/// A library of its own (rivulet_mpi): librivulet does without MPI. Threads: the one that may call MPI.
#pragma once

#include "Parallel/RankLink.h"

#include <list>
#include <mpi.h>

namespace rivulet
{

class MpiLink final : public RankLink
{
public:
  /// Collective: duplicates the communicator, so that messages meet no others.
  explicit MpiLink(MPI_Comm comm);
  /// Collective. Waits for all messages sent, and for all posted receives.
  ~MpiLink() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void send(int to, std::vector<std::byte> bytes) override;
  [[nodiscard]] std::int64_t unsent() const override { return unsent_; }
  [[nodiscard]] std::optional<RankMessage> receive() override;

private:
  struct Sending
  {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Receiving
  {
    RankMessage message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent();
  void post_receives();
  [[nodiscard]] std::list<Receiving>::iterator find_complete();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::list<Sending> sending_;
  std::int64_t unsent_ = 0;        ///< bytes of sending_
  std::list<Receiving> receiving_; ///< in the order in which they were announced
};

} // namespace rivulet
