// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages between the ranks of a communicator as a RankLink. (Pipeline/MpiLink.h is the same for ParaView's ranks,
/// and needs VTK.)
///
/// Threads: the one that may call MPI.
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
  /// Collective, and waits for what was sent.
  ~MpiLink() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void send(int to, std::vector<std::byte> bytes) override;
  [[nodiscard]] std::optional<RankMessage> receive() override;

private:
  struct Sending
  {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::list<Sending> sending_;
};

} // namespace rivulet
