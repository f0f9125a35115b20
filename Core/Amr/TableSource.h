// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The tables of a summary by their names: an HDF5 file's, or those that a test makes up. Names are paths from the
/// root. One thread at a time.
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

  /// Of the file that they are in, for errors.
  [[nodiscard]] virtual const std::string& path() const = 0;
  [[nodiscard]] virtual bool has(const std::string& name) const = 0;

  /// Each fails with NotFound if there is no such table, or Corrupt if it holds something else.
  [[nodiscard]] virtual Result<std::vector<double>> numbers(const std::string& name) const = 0;
  [[nodiscard]] virtual Result<std::vector<std::int64_t>> integers(const std::string& name) const = 0;
  [[nodiscard]] virtual Result<std::vector<std::string>> texts(const std::string& name) const = 0;
  /// One member of compounds: its numbers for each of them.
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
