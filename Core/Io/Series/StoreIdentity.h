// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Identity of a store and of its steps. A run that was restarted replaces the steps from its first time on: from there
/// steps have another identity, so that no cache confuses the values of two runs.
///
///     identity.restart(6, random_uuid());       // steps 0 to 5 stay as they are, later ones are new
///     file.uuid == identity.of_step(7)
///
/// Plain values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet
{

class StoreIdentity
{
public:
  /// Steps from `step` on are made of `uuid`.
  struct Restart
  {
    std::int64_t step = 0;
    std::string uuid;

    [[nodiscard]] bool operator==(const Restart&) const = default;
  };

  StoreIdentity() = default;
  explicit StoreIdentity(std::string uuid, std::vector<Restart> restarts = {})
    : uuid_(std::move(uuid))
    , restarts_(std::move(restarts))
  {
  }

  [[nodiscard]] const std::string& uuid() const { return uuid_; }                  ///< that the store began with
  [[nodiscard]] const std::vector<Restart>& restarts() const { return restarts_; } ///< their steps increase
  /// Of the store as it is: that of the last restart.
  [[nodiscard]] const std::string& current() const { return restarts_.empty() ? uuid_ : restarts_.back().uuid; }
  /// The uuid that a step is made of.
  [[nodiscard]] const std::string& uuid_at(std::int64_t step) const;
  /// Identity of the file of a step: a uuid of version 8, made of the XXH3-128 hash of uuid_at() and the number of the
  /// step, so that a file does not pass for another step or for one of another store.
  [[nodiscard]] std::string of_step(std::int64_t step) const;

  /// Forgets the restarts from `step` on, and adds this one. `step` is at least 1.
  void restart(std::int64_t step, std::string uuid);

private:
  std::string uuid_;
  std::vector<Restart> restarts_;
};

} // namespace rivulet
