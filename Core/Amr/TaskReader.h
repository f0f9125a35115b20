// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads the values of tasks into their arrays. Values that are neighbours in the file are read together.
///
///     TaskReader reader; // one per thread
///     reader.read_all(tasks, [&](const ReadTask& task, Result<void>&& good) { ... });
///
/// One thread at a time for each reader; readers of several threads may share files. Errors name file and dataset.
#pragma once

#include "Amr/ReadTask.h"

namespace rivulet
{

class TaskReader
{
public:
  using Done = std::function<void(const ReadTask&, Result<void>&&)>;

  /// Reads one task, whose array must be allocated. `held` has bytes of the file that were read before; it may be
  /// nullptr.
  [[nodiscard]] Result<void> read(const ReadTask& task, hdf5::BufferedFile* held);

  /// Reads tasks of one file. Sorts them by their position in the file, and calls `done` for each in that order.
  void read_all(std::vector<ReadTask>& tasks, const Done& done);

  [[nodiscard]] std::int64_t bytes_read() const { return values_.bytes_read(); }

private:
  void read_together(std::span<const ReadTask> tasks, const Done& done);

  hdf5::ValueReader values_;
};

} // namespace rivulet
