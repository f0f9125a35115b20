// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The hints of an open field: hints from its file, and hints learnt since.
///
///     HintStore book(path, identity);
///     const std::shared_ptr<const HintGraph> known = book.known();   // for one run
///     book.learn(learnt);                                            // after it; the destructor merges into the file
///
/// A file that cannot be read or written costs speed only. notice() describes the error of a read.
///
/// Threads: any, one mutex.
#pragma once

#include "Store/Hints/HintGraph.h"

#include <memory>
#include <mutex>
#include <string>

namespace rivulet
{

class HintStore
{
public:
  /// `more`: a file whose hints are used and never changed; empty: none.
  HintStore(std::string path, std::uint64_t identity, const std::string& more = {});
  HintStore(const HintStore&) = delete;
  HintStore& operator=(const HintStore&) = delete;
  ~HintStore();

  [[nodiscard]] std::shared_ptr<const HintGraph> known() const;
  void learn(const HintGraph& learnt);
  /// A sentence if a file could not be read; else empty.
  [[nodiscard]] const std::string& notice() const { return notice_; }

private:
  void read(const std::string& path, HintGraph& to);

  const std::string path_;
  const std::uint64_t identity_;
  std::string notice_;
  mutable std::mutex mutex_;               ///< guards the members below
  std::shared_ptr<const HintGraph> known_; ///< replaced, never changed
  HintGraph learnt_;
};

} // namespace rivulet
