// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Interface to the tables of a summary, from an HDF5 file or from a test. Names are paths from the root group. One
/// thread at a time.
#pragma once

#include "Base/Result.h"

#include <string>
#include <vector>

namespace rivulet
{

class TableSource
{
public:
  virtual ~TableSource() = default;

  /// Path of the file, for errors.
  [[nodiscard]] virtual const std::string& path() const = 0;
  [[nodiscard]] virtual bool has(const std::string& name) const = 0;

  /// All values of a table. Each function fails with NotFound if there is no such table, with Corrupt if its type is
  /// another one.
  [[nodiscard]] virtual Result<std::vector<double>> numbers(const std::string& name) const = 0;
  [[nodiscard]] virtual Result<std::vector<std::int64_t>> integers(const std::string& name) const = 0;
  [[nodiscard]] virtual Result<std::vector<std::string>> texts(const std::string& name) const = 0;
  /// Numbers of one member of all elements of a compound table.
  [[nodiscard]] virtual Result<std::vector<double>> member(
      const std::string& name, const std::string& member) const = 0;

protected:
  TableSource() = default;
  TableSource(const TableSource&) = default;
  TableSource(TableSource&&) = default;
  TableSource& operator=(const TableSource&) = default;
  TableSource& operator=(TableSource&&) = default;
};

} // namespace rivulet
