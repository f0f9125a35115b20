// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// HDF5 file that is read through libhdf5: small tables of any style and type, and values that Rivulet's own parser
/// does not support.
///
///     Result<LibraryFile> file = LibraryFile::open("summary.samrai");
///     Result<std::vector<double>> dx = file->numbers("/BASIC_INFO/dx");
///
/// libhdf5 runs one thread at a time in the whole process, and in ParaView only the thread of the pipeline may call it.
/// Worker threads must not use this class. Names are paths from the root group. Errors name the file and the dataset.
#pragma once

#include "Base/Result.h"
#include "Io/Blocks/StoredScalar.h"

#include <memory>
#include <vector>

namespace rivulet::hdf5
{

/// Values in the byte order of this machine.
struct LibraryValues
{
  StoredType type = StoredType::Float64;
  std::vector<std::int64_t> dims; ///< slowest first; empty for a scalar
  std::vector<std::byte> bytes;   ///< of all values, dimension 0 slowest
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

  /// True if there is an object of this name.
  [[nodiscard]] bool has(const std::string& name) const;
  /// Names of the objects in a group, in the order of their bytes. Fails with NotFound.
  [[nodiscard]] Result<std::vector<std::string>> names(const std::string& group) const;

  /// All values of a dataset, converted from any numeric type. Fails with NotFound, or with Corrupt if they are not
  /// numbers or if the file is too small for so many.
  [[nodiscard]] Result<std::vector<double>> numbers(const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::int64_t>> integers(const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::string>> texts(const std::string& name) const;
  /// The same for an attribute of the object named `object`.
  [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
  [[nodiscard]] Result<std::vector<double>> attribute_numbers(const std::string& object, const std::string& name) const;
  [[nodiscard]] Result<std::vector<std::string>> attribute_texts(
      const std::string& object, const std::string& name) const;
  /// One member of a compound attribute. Fails with NotFound if the attribute is no compound or has no such member.
  [[nodiscard]] Result<std::vector<double>> attribute_member(
      const std::string& object, const std::string& name, const std::string& member) const;

  /// Values along each dimension of a dataset, slowest first; empty for a scalar. Fails with NotFound.
  [[nodiscard]] Result<std::vector<std::int64_t>> dimensions(const std::string& name) const;

  /// Numbers of one member of all elements of a compound dataset, element after element. An array member gives several
  /// numbers per element. The offset of the member does not matter. Fails with NotFound if there is no such member.
  [[nodiscard]] Result<std::vector<double>> member(const std::string& name, const std::string& member) const;

  /// All values of a numeric dataset, which must be `count`, with any layout and filters. Fails with Unsupported if a
  /// filter is not installed or the type is not numeric, and with Corrupt if the number of values is another one.
  [[nodiscard]] Result<LibraryValues> values(const std::string& name, std::int64_t count) const;
  /// `count` values from index `first` on of a dataset with one dimension. Also fails with Corrupt if the dataset ends
  /// before. The dataset and its decoded chunks stay in memory until the next call, so calls in ascending order are
  /// fast.
  [[nodiscard]] Result<LibraryValues> values(const std::string& name, std::int64_t first, std::int64_t count) const;

private:
  struct State;
  explicit LibraryFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

} // namespace rivulet::hdf5
