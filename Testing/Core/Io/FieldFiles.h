// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Small field files for tests, whose values follow from their place.
///
///     const FieldInfo info = small_field();
///     write_field(folder.file("flow.rvf"), info, { .brick_cells = { 3, 3, 3 } });
///     value_at(info, 0, step, { i, j, k }, component);   // what must be read
#pragma once

#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/FieldFileWriter.h"

#include <cstddef>
#include <vector>

namespace rivulet::test
{

/// Velocity (3 floats, node) and pressure (1 double, cell) at two times on 11 x 8 x 6 nodes.
[[nodiscard]] FieldInfo small_field();

/// The same on a curvilinear grid that stays, at so many times. Its nodes lie at value_at(2, 0, node, axis).
[[nodiscard]] FieldInfo curvilinear_field(int steps);

/// Of one variable, component and lattice point; distinct for all of them within a small field.
[[nodiscard]] double value_at(int variable, int step, const Int3& point, int component);

/// Values of the lattice points of `box`, densely.
[[nodiscard]] std::vector<std::byte> values_of(const Variable& variable, int number, int step, const Box& box);

/// The values of one brick.
[[nodiscard]] std::vector<std::byte> payload_of(const FieldInfo& info, const BrickLayout& layout, const BrickKey& key);

/// Writes every brick; does not finish.
void write_bricks(FieldFileWriter& writer, const FieldInfo& info);

/// Throws std::runtime_error with the first error.
void write_field(const std::string& path, const FieldInfo& info, const FieldFileOptions& options = {});

/// A record as it lies in the file; throws std::runtime_error.
[[nodiscard]] std::vector<std::byte> read_record(const FieldFile& file, const RecordPlace& place);

/// The whole file, and back.
[[nodiscard]] std::vector<char> bytes_of(const std::string& path);
void write_bytes(const std::string& path, const std::vector<char>& bytes);

} // namespace rivulet::test
