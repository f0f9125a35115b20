// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads the values of tasks to their places in arrays; those that lie next to each other on disk together.
///
///     TaskReader reader; // one per thread
///     reader.read_all(tasks, [&](const ReadTask& task, Result<void>&& good) { ... });
#pragma once

#include "Amr/ReadTask.h"

namespace rivulet
{

class TaskReader
{
public:
  using Done = std::function<void(const ReadTask&, Result<void>&&)>;

  /// The array must be there. `held`: bytes of the file that are here already, or nullptr. Errors name the dataset.
  [[nodiscard]] Result<void> read(const ReadTask& task, hdf5::BufferedFile* held);

  /// Tasks of one file, which are sorted by their place in it. `done` is called for each, in that order.
  void read_all(std::vector<ReadTask>& tasks, const Done& done);

  [[nodiscard]] std::int64_t bytes_read() const { return values_.bytes_read(); }

private:
  void read_together(std::span<const ReadTask> tasks, const Done& done);

  hdf5::ValueReader values_;
};

} // namespace rivulet
