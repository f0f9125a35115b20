// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// VisIt's BOV headers ("brick of values"): text files that describe a raw file, or one raw file per block.
/// Documentation/bov.md lists the keys and where this reading of them differs from VisIt's.
///
///     Result<BovHeader> header = BovHeader::read("flow.bov");
///
/// Facts are from VisIt's manual ("The BOV file format") and from its reader's behaviour. Plain values; any thread.
/// Errors name the header, the byte where the offending line starts, and the key.
#pragma once

#include "Base/Field.h"
#include "Io/Blocks/StoredScalar.h"
#include "Io/Files/FilePattern.h"

#include <optional>
#include <string_view>

namespace rivulet
{

struct BovHeader
{
  std::string path;           ///< path of the header
  FilePattern data;           ///< resolved against the header's folder
  std::optional<double> time; ///< TIME
  Int3 size{ 0, 0, 0 };       ///< DATA_SIZE: values along each axis, nodes or cells according to centering
  Int3 block{ 0, 0, 0 };      ///< values along each axis in one file; divides size
  StoredFormat format{ StoredType::UInt8, false, std::nullopt };
  std::int32_t components = 1;
  std::string variable = "var";
  Centering centering = Centering::Node;
  Vec3 origin{ 0, 0, 0 };
  Vec3 extent{ 1, 1, 1 };       ///< BRICK_SIZE: the lengths of the whole grid's sides
  std::int64_t byte_offset = 0; ///< bytes before the first value in each file
  std::vector<std::string> notes;

  /// `path` is used in messages, and data files are relative to its folder. Fails with NotThisFormat if DATA_FILE or
  /// DATA_SIZE is missing, with Corrupt or Unsupported for wrong values of keys.
  [[nodiscard]] static Result<BovHeader> parse(std::string_view text, const std::string& path);
  [[nodiscard]] static Result<BovHeader> read(const std::string& path);

  /// Cheap test: whether the file is a text with the keys DATA_FILE and DATA_SIZE. Never reports an error.
  [[nodiscard]] static bool can_read(const std::string& path);

  /// The grid with VisIt's positions: nodes are extent / (nodes - 1) apart. A size of 1 along z is a flat grid.
  [[nodiscard]] Grid grid() const;
};

} // namespace rivulet
