// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An HDF5 file read by the library: small tables of any style and type, and values that only the library can read.
///
///     Result<LibraryFile> file = LibraryFile::open("summary.samrai");
///     Result<std::vector<double>> dx = file->numbers("/BASIC_INFO/dx");
///
/// The library runs one thread at a time in the whole process, and in ParaView only the pipeline's own: call this from
/// the thread that runs the pipeline, never from a worker. Names are paths from the root; errors name file and dataset.
#pragma once

#include "Base/Result.h"
#include "Io/StoredScalar.h"

#include <memory>
#include <vector>

namespace rivulet::hdf5
{

/// Values that the library has read, in this machine's byte order.
struct LibraryValues
{
  StoredType type = StoredType::Float64;
  std::vector<std::int64_t> dims;
  std::vector<std::byte> bytes;
};

class LibraryFile
{
public:
  /// Fails with NotFound, CannotRead, NotThisFormat.
  [[nodiscard]] static Result<LibraryFile> open(const std::string& path);
  LibraryFile(LibraryFile&&) noexcept;
  LibraryFile& operator=(LibraryFile&&) noexcept;
  ~LibraryFile();

  [[nodiscard]] const std::string& path() const;

  /// Whether there is an object of this name.
  [[nodiscard]] bool has(const std::string& name) const;
  /// Names in a group, in the order of their bytes. Fails with NotFound.
  [[nodiscard]] Result<std::vector<std::string>> names(const std::string& group) const;

  /// Any numbers, converted. Fails with NotFound, or Corrupt if they are not numbers, or there cannot be so many in the
  /// file.
  [[nodiscard]] Result<std::vector<double>> numbers(const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::int64_t>> integers(const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::string>> texts(const std::string& name) const;
  /// The same for an attribute of an object.
  [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
  [[nodiscard]] Result<std::vector<double>> attribute_numbers(const std::string& object, const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::string>> attribute_texts(
      const std::string& object, const std::string& name) const;
  /// One member of an attribute that is a compound. Fails with NotFound if it is none, or has no such member.
  [[nodiscard]] Result<std::vector<double>> attribute_member(
      const std::string& object, const std::string& name, const std::string& member) const;

  /// Sizes of a dataset, slowest dimension first; empty for a scalar. Fails with NotFound.
  [[nodiscard]] Result<std::vector<std::int64_t>> dimensions(const std::string& name) const;

  /// The numbers of one member of all elements of compounds, element after element; a member that is an array gives
  /// several for each. Wherever the member lies in them. Fails with NotFound if there is no such member.
  [[nodiscard]] Result<std::vector<double>> member(const std::string& name, const std::string& member) const;

  /// So many values of plain numbers, whatever their layout and filters. Fails with Unsupported if a filter is not
  /// there, or if they are not numbers; with Corrupt if there are more or fewer of them.
  [[nodiscard]] Result<LibraryValues> values(const std::string& name, std::int64_t count) const;
  /// The same for `count` values from number `first` of a dataset of one dimension; also fails with Corrupt if there
  /// are not so many. The dataset stays open for the next call, with its chunks: read in order.
  [[nodiscard]] Result<LibraryValues> values(const std::string& name, std::int64_t first, std::int64_t count) const;

private:
  struct State;
  explicit LibraryFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

} // namespace rivulet::hdf5
