// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A small field file whose every value is known: three variables of different types, sizes and centrings, in bricks
/// that do not divide the grid.
#pragma once

#include "Io/FieldFile/FieldFileWriter.h"
#include "Store/Field/OpenField.h"
#include "Store/Source/ArrayBricks.h"

namespace rivulet::test
{

/// Every way to read a field file.
inline constexpr AccessStrategy kStrategies[]{ AccessStrategy::MemoryMap, AccessStrategy::BufferedCache,
  AccessStrategy::DirectCache, AccessStrategy::Asynchronous };

/// "velocity" (3 floats per node), "pressure" (1 double per node), "stress" (9 floats per cell).
[[nodiscard]] FieldInfo small_field(const std::vector<double>& times = { 0.0 });

/// The value of one component at a lattice point: a whole number, exact as a float.
[[nodiscard]] double value_at(const BrickKey& key, std::int32_t component, const Int3& point);

/// Writes the field; `first_step` shifts what value_at() calls a step, for files that are parts of a series.
void write_field(
    const std::string& path, const FieldInfo& info, std::int32_t first_step = 0, Encoding encoding = Encoding::Plain);

/// All values of one variable at step 0, row by row.
[[nodiscard]] std::vector<double> all_values(const FieldInfo& info, std::int32_t variable);

/// Values in the view that are not what value_at() says, and points that the brick's cells need but the view lacks.
[[nodiscard]] std::int64_t wrong_values(const BrickView& view, const BrickKey& key, const BrickGrid& grid);

/// Every brick of every variable and step, in no useful order.
[[nodiscard]] std::vector<BrickKey> all_keys(const BrickSource& source);

/// Overwrites one byte of the file.
void damage_byte(const std::string& path, std::int64_t offset);

/// Where the record of a brick begins.
[[nodiscard]] std::int64_t offset_of(const std::string& path, const BrickKey& key);

} // namespace rivulet::test
