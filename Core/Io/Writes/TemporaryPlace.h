// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A hidden file or folder beside a target, written there until it is complete: ".NAME.tmp-PID-HOST-RANDOM".
///
///     Result<TemporaryPlace> hidden = TemporaryPlace::file("flow.rvf");
///     write_to(hidden->path());
///     publish_file(hidden->path(), "flow.rvf", OnExisting::Keep);         // else the destructor removes it
///
/// A process that is killed leaves its hidden place behind. Each place is locked (flock) while its process lives. So
/// the next process that writes the same target on the same machine recognises abandoned places and removes them.
///
/// A hidden place is always newly made, never opened: a file that others put under that name in a shared folder is not
/// written to. Threads: one at a time.
#pragma once

#include "Io/Files/File.h"

#include <functional>
#include <vector>

namespace rivulet
{

/// Treatment of abandoned places of a target when a new one is made.
enum class Abandoned : std::uint8_t
{
  Remove,
  Leave ///< the caller has removed them: to look for them, the whole folder is listed
};

class TemporaryPlace
{
public:
  static constexpr std::size_t kMostOfName = 190; ///< of the target's, so that the rest keeps to the limit of 255

  /// An empty file. Fails with CannotWrite, naming the target.
  [[nodiscard]] static Result<TemporaryPlace> file(const std::string& target, Abandoned abandoned = Abandoned::Remove);
  /// An empty folder that no other user may enter.
  [[nodiscard]] static Result<TemporaryPlace> folder(
      const std::string& target, Abandoned abandoned = Abandoned::Remove);

  TemporaryPlace(TemporaryPlace&& other) noexcept;
  TemporaryPlace& operator=(TemporaryPlace&& other) noexcept;
  TemporaryPlace(const TemporaryPlace&) = delete;
  TemporaryPlace& operator=(const TemporaryPlace&) = delete;
  ~TemporaryPlace(); ///< removes the place with all its contents

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Called when the file has its final name: the destructor then removes nothing.
  void forget();

private:
  TemporaryPlace(std::string path, int lock)
    : path_(std::move(path))
    , lock_(lock)
  {
  }
  template <class Make>
  static Result<TemporaryPlace> create(const std::string& target, Abandoned abandoned, const Make& make);

  std::string path_; ///< empty after forget() or a move
  int lock_ = -1;    ///< descriptor that holds the lock
};

/// Hidden places of a target that no living process of this machine writes.
struct AbandonedPlaces
{
  std::vector<std::string> removed;
  std::vector<std::string> left; ///< places of another machine or another user, or on a file system without locks
};
/// Removes one, with all its contents; returns whether nothing is left of it.
using RemovePlace = std::function<bool(const std::string& path)>;
bool remove_place(const std::string& path);
AbandonedPlaces remove_abandoned_places(const std::string& target, const RemovePlace& remove = remove_place);

} // namespace rivulet
