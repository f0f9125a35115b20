// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The runtime as an analytics in C++ sees it.
///
///     host.for_ranges(count, 4096, [&](std::int64_t begin, std::int64_t end, int slot) { sums[slot] += ...; });
///     host.warn("2 positions are not finite");
///
/// Valid as long as the rivulet_analytics_host. Threads: stopped() may be called in bodies of loops, all other
/// functions by the thread that calls the analytics.
#pragma once

#include "Base/Result.h"
#include "rivulet_analytics.h"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace rivulet
{

/// Treatment of results of an earlier run that lie at the place of new ones.
enum class Start : std::int32_t
{
  Restart = RIVULET_RESTART,   ///< results before the first step of this run stay, the others are replaced
  Continue = RIVULET_CONTINUE, ///< all stay; steps up to the last of them are left out
  New = RIVULET_NEW            ///< there must be none
};

class Host
{
public:
  explicit Host(const rivulet_analytics_host& host);

  [[nodiscard]] int slots() const { return host_->slots; }
  [[nodiscard]] MPI_Comm comm() const { return host_->comm; }
  [[nodiscard]] int rank() const { return host_->rank; }
  [[nodiscard]] int size() const { return host_->ranks; }
  [[nodiscard]] bool first() const { return host_->rank == 0; }
  [[nodiscard]] std::string name() const { return host_->name; }
  [[nodiscard]] const char* options() const { return host_->options; }
  [[nodiscard]] Start start() const { return static_cast<Start>(host_->start); }

  /// Path of a file in the folder for output; a path that is absolute stays as it is.
  [[nodiscard]] std::string path_of(const std::string& file) const;
  /// The folder for output.
  [[nodiscard]] std::string folder() const { return host_->output; }
  /// "NAME.0003"
  [[nodiscard]] std::string name_of_rank() const;

  void note(const std::string& text) const { host_->message(host_->runtime, RIVULET_NOTE, text.c_str()); }
  void warn(const std::string& text) const { host_->message(host_->runtime, RIVULET_WARNING, text.c_str()); }
  void error(const std::string& text) const { host_->message(host_->runtime, RIVULET_ERROR, text.c_str()); }

  [[nodiscard]] bool stopped() const { return host_->stopped(host_->runtime) != 0; }

  /// Calls body(begin, end, slot) for ranges that make up [0, count), on the threads of analytics; returns when all
  /// have returned. The body must not throw and must not begin a loop.
  template <class Body>
  void for_ranges(std::int64_t count, std::int64_t grain, const Body& body) const
  {
    static_assert(std::is_nothrow_invocable_v<const Body&, std::int64_t, std::int64_t, int>,
        "an exception cannot leave the body of a loop: make it noexcept");
    host_->parallel(
        host_->runtime, count, grain,
        [](void* data, std::int64_t begin, std::int64_t end, std::int32_t slot)
        { (*static_cast<const Body*>(data))(begin, end, slot); },
        const_cast<void*>(static_cast<const void*>(std::addressof(body))));
  }

private:
  const rivulet_analytics_host* host_;
};

/// Whether results are of all ranks together, or of each rank.
enum class FilesOf : std::uint8_t
{
  AllRanks,
  EachRank
};

/// Rank of a file's name without the ending and the step: "NAME" is of the first, "NAME.0003" of rank 3. -1: it is none
/// of this analytics.
[[nodiscard]] int rank_of_file(const Host& host, const std::string& name, FilesOf ranks);

/// Whether this rank takes care of the files of `rank`: each rank of its own files, the first rank also of the files of
/// ranks that only earlier runs had.
[[nodiscard]] bool is_care_of(const Host& host, int rank);

/// "00000120": names with it sort as the steps do.
[[nodiscard]] std::string digits_of_step(std::int64_t step);

/// Error for a result of an earlier run where Start::New wants none.
[[nodiscard]] tl::unexpected<Error> fail_as_not_new(const std::string& path);

} // namespace rivulet
