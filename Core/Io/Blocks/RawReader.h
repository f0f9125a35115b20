// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Raw binary files, described by the caller, as a source for the converter.
///
///     RawField raw{ .grid = grid };
///     raw.variables.push_back({ .name = "velocity", .type = StoredType::Float32, .components = 3 });
///     raw.variables[0].steps = { { "u_0.raw" }, { "u_1.raw" } };
///     Result<std::unique_ptr<BlockReader>> reader = open_raw_reader(raw);
///
/// Values are row-major, x fastest. Several variables may lie in files of their own, or at different offsets of one.
#pragma once

#include "Io/Blocks/BlockReader.h"

namespace rivulet
{

enum class RawLayout : std::uint8_t
{
  Interleaved, ///< one file; the components of a value lie side by side
  Planar,      ///< one file; all values of the first component, then all of the second ...
  Files        ///< a file for each component
};

struct RawVariable
{
  std::string name = "values";
  StoredType type = StoredType::Float32;
  std::int32_t components = 1; ///< 1 to 9
  Centering centering = Centering::Node;
  bool big_endian = false;
  std::int64_t offset = 0; ///< bytes before the first value in every file
  RawLayout layout = RawLayout::Interleaved;
  std::vector<std::vector<std::string>> steps; ///< one file for each step, or one for each component
};

struct RawField
{
  Grid grid; ///< uniform or rectilinear
  std::vector<RawVariable> variables;
  std::vector<double> times; ///< time of each step; empty: 0, 1, 2 ...
};

/// Reads no file. Fails with BadArgument, naming the value that makes no sense.
[[nodiscard]] Result<BlockField> raw_field(const RawField& raw);

/// Checks every file, too. Fails as raw_field() and BlockReader::open() do.
[[nodiscard]] inline Result<std::unique_ptr<BlockReader>> open_raw_reader(const RawField& raw)
{
  Result<BlockField> field = raw_field(raw);
  return field ? BlockReader::open(std::move(*field)) : forward_error(field);
}

} // namespace rivulet
