// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An HDF5 file, opened to be read without the library. What is not there fails the test.
///
///     Opened opened(folder.file("a.h5"));
///     EXPECT_EQ(opened.values("/patch.00000/density"), expected);
#pragma once

#include "Hdf5/OldStyleFile.h"
#include "Hdf5/ValueReader.h"

#include <string>
#include <vector>

namespace rivulet::test
{

struct Opened
{
  explicit Opened(const std::string& path);

  /// Fails with NotFound, or as OldStyleFile.
  [[nodiscard]] Result<hdf5::ObjectHeader> find(const std::string& path);
  [[nodiscard]] hdf5::DatasetIndex dataset(const std::string& path);
  /// Values as doubles, whatever their type.
  [[nodiscard]] std::vector<double> values(const std::string& path, bool from_held = true);

  File file;
  hdf5::BufferedFile bytes;
  Result<hdf5::OldStyleFile> parsed;
};

} // namespace rivulet::test
