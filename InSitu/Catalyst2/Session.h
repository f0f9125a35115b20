// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A session of the runtime that calls of Catalyst begin, feed and end:
///
///     catalyst_initialize   rivulet_insitu_initialize
///     catalyst_execute      channels -> parts -> what all ranks have -> fields; rivulet_insitu_execute
///     catalyst_finalize     rivulet_insitu_finalize
///
/// Functions return codes of rivulet_insitu.h. They are called by one thread, as those of Catalyst are, and on all
/// ranks.
#pragma once

#include "PublishedField.h"
#include "State.h"

#include "rivulet_insitu.h"

#include <memory>

namespace rivulet::catalyst2
{

class Session
{
public:
  int initialize(const Place& params);
  int execute(const Place& params);
  int finalize();

  /// The message of the last call; if the translation had none, the runtime's last one.
  [[nodiscard]] std::string message() const;
  [[nodiscard]] Teller& teller() { return teller_; }

private:
  /// Parts of this rank, those of refused channels left out.
  struct Own
  {
    std::vector<Part> parts;
    std::vector<Outline> outlines;
    std::vector<std::string> refused;
  };
  /// A part on its way: fields refer to the extent and the domains.
  struct Published
  {
    Part part;
    Extent extent;
    std::vector<std::unique_ptr<PublishedField>> fields;
  };

  int open(const std::string& configuration, MPI_Comm comm);
  void tell_of_unread(const Place& params);
  /// Collective: a rank that has waited for a buffer too long wants nothing any more, and must not be waited for.
  [[nodiscard]] bool all_want(std::int64_t step) const;
  [[nodiscard]] Own read_channels(const Place& params);
  void add_channel(const Place& channel, Own& own);
  [[nodiscard]] std::unique_ptr<Published> translate(const Outline& outline, std::vector<Part>& parts);
  int publish(const Published& published);

  rivulet_insitu* insitu_ = nullptr;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Teller teller_;
};

} // namespace rivulet::catalyst2
