// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A session of the runtime that calls of Catalyst begin, feed and end:
///
///     catalyst_initialize   rivulet_insitu_initialize
///     catalyst_execute      channels -> parts -> parts of all ranks -> fields and meshes; rivulet_insitu_execute
///     catalyst_finalize     rivulet_insitu_finalize
///
/// Functions return codes of rivulet_insitu.h. Like Catalyst's functions, they are called by one thread, and on all
/// ranks.
#pragma once

#include "Catalogue.h"
#include "Publication.h"
#include "State.h"

namespace rivulet::catalyst2
{

class Session
{
public:
  int initialize(const Place& params);
  int execute(const Place& params);
  int finalize();

  /// The message of the last call; if the translation had none, the runtime's last one. Without a session it says why
  /// there is none.
  [[nodiscard]] std::string message() const;
  [[nodiscard]] Teller& teller() { return teller_; }

private:
  /// Parts of this rank, without refused channels.
  struct Own
  {
    std::vector<Part> parts;
    std::vector<Outline> outlines;
    std::vector<std::string> refused;
  };
  int open(const std::string& configuration, MPI_Comm comm);
  void tell_of_unread(const Place& params);
  /// Collective. 1: all ranks want the step. 0: one does not, perhaps because it has waited for a buffer too long; it
  /// must not be waited for. -1: a rank does not know the step.
  [[nodiscard]] int wanted_by_all(const Result<State>& state) const;
  /// Collective.
  int hand_over(const Place& params, const State& state);
  [[nodiscard]] Own read_channels(const Place& params);
  [[nodiscard]] Result<void> add_channel(const Place& channel, Own& own);
  /// Collective. Null if a rank refuses it.
  [[nodiscard]] std::unique_ptr<Publication> translate(
      const Outline& outline, std::vector<Part>& parts, std::int64_t step);

  rivulet_insitu* insitu_ = nullptr;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Teller teller_;
  Catalogue catalogue_;
  std::string why_none_; ///< why there is no session any more, or why it did not begin
};

} // namespace rivulet::catalyst2
