// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// BOV files with known values, for tests: value(c, i, j, k) = c + 1 + 3 i + 37 j + 1009 k (modulo 251 for bytes), so
/// that every misplaced number shows.
///
///     BovCase what{ .lattice = { 5, 4, 3 }, .format = "SHORT", .big = true };
///     const std::string header = write_bov_case(folder, what);
#pragma once

#include "Base/Field.h"
#include "Support/TemporaryFolder.h"

#include <string>
#include <string_view>
#include <vector>

namespace rivulet::test
{

struct BovCase
{
  Int3 lattice{ 5, 4, 3 };
  Int3 block{ 0, 0, 0 }; ///< of one file; 0 = all in one
  std::string format = "FLOAT";
  bool big = false;
  int components = 1;
  bool zonal = false;
  std::int64_t offset = 0;
  double time = 0;
  std::string name = "case";

  [[nodiscard]] double value(int component, const Int3& at) const;
  [[nodiscard]] bool many() const { return block[0] > 0; }
  [[nodiscard]] Int3 file_block() const { return many() ? block : lattice; }
};

/// Writes the header and its data files; answers the header's path.
[[nodiscard]] std::string write_bov_case(const TemporaryFolder& folder, const BovCase& what);
[[nodiscard]] std::string data_path(const TemporaryFolder& folder, const BovCase& what, int block = 0);

/// The values of a box, dense and as doubles.
[[nodiscard]] std::vector<double> expected_values(const BovCase& what, const Box& box);
/// What a reader delivered, as doubles.
[[nodiscard]] std::vector<double> as_doubles(const void* values, ScalarType type, std::int64_t count);

void write_text(const std::string& path, std::string_view text);
[[nodiscard]] std::string bytes_of(double value, std::string_view format, bool big);

/// Both byte orders, the five types, one file and many, both centerings, one component and three.
[[nodiscard]] std::vector<BovCase> all_bov_cases();
[[nodiscard]] std::string name_of(const BovCase& what);

} // namespace rivulet::test
