// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// TBB with so many threads, the caller among them, as a simulation without the in situ runtime has it.
///
///     Arena arena(27);
///     arena.run(body);
///
/// The limit holds for the whole process while an Arena lives.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <functional>

namespace rivulet::bench
{

class Arena
{
public:
  explicit Arena(int threads)
    : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads))
    , arena_(threads)
  {
  }

  void run(const std::function<void()>& body)
  {
    arena_.execute([&] { body(); });
  }

private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

} // namespace rivulet::bench
