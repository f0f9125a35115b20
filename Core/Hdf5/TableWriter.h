// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes HDF5 files in the old style, which OldStyleFile reads: groups, small tables, and room for values that come
/// later, without the library.
///
///     std::int64_t place = 0;
///     Result<void> written = write_tables("summary.samrai", [&](TableWriter& to)
///     {
///       to.group("BASIC_INFO");
///       to.integers("BASIC_INFO/number_levels", std::array{ 3 });
///       place = to.room("density", ScalarType::Float64, 4096);           // byte of the file
///     });
///
/// Names are paths from the root group; the groups on the way must be there. Numbers are little-endian, datasets have
/// no times and lie in one piece: the same tables give the same bytes.
///
/// Threads: any; libhdf5 runs one of them at a time (LibraryFile.h).
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"

#include <functional>
#include <memory>
#include <span>

namespace rivulet::hdf5
{

/// A member of the records of a table, each of its numbers after the other.
struct RecordMember
{
  enum class Type : std::uint8_t
  {
    Int8,
    Int32,
    Float64
  };
  const char* name;
  std::size_t offset; ///< bytes from the beginning of the record
  Type type;
  std::size_t count = 1;
};

/// Functions may be called within write_tables() only, which gives their errors.
class TableWriter
{
public:
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  void group(const std::string& name);
  /// A table of one dimension, or of rows of `columns` numbers.
  void integers(const std::string& name, std::span<const std::int32_t> values, std::size_t columns = 0);
  void numbers(const std::string& name, std::span<const double> values, std::size_t columns = 0);
  void floats(const std::string& name, std::span<const float> values);
  /// Of one length in the file, with a zero at the end of each.
  void texts(const std::string& name, std::span<const std::string> values);
  /// `bytes`: of `count` records.
  void records(const std::string& name, std::span<const RecordMember> members, std::span<const std::byte> bytes,
      std::size_t count);
  /// Room for values of one dimension, without values. Returns its first byte in the file.
  [[nodiscard]] std::int64_t room(const std::string& name, ScalarType type, std::int64_t count);

private:
  friend Result<void> write_tables(const std::string&, const std::function<void(TableWriter&)>&);
  struct State;
  explicit TableWriter(std::unique_ptr<State> state);
  ~TableWriter();

  std::unique_ptr<State> state_;
};

/// A file with the tables of `fill`, in the place of any other. Fails with CannotWrite, also if a name comes twice.
/// libhdf5 is not at its best on a full disk: see that there is room (File::reserve()).
[[nodiscard]] Result<void> write_tables(const std::string& path, const std::function<void(TableWriter&)>& fill);

} // namespace rivulet::hdf5
