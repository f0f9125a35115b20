// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Places in files of the values of a field of plain row-major blocks (BOV and raw files). No values are read.
///
/// A variable's lattice is cut into equal blocks, numbered with x fastest; block b of a step lies in file number b.
/// Within a block, i is fastest, then j, k. The components of a value lie side by side, or each component is a part of
/// its own, in another file or behind the one before.
///
/// Plain values, made by bov_field() and raw_field() and checked there: all sizes in bytes fit an int64.
#pragma once

#include "Base/Field.h"
#include "Io/Blocks/StoredScalar.h"
#include "Io/Files/FilePattern.h"

#include <initializer_list>
#include <optional>

namespace rivulet
{

/// All components of the values at one step, or one component.
struct BlockPart
{
  FilePattern files;       ///< one file per block
  std::int64_t offset = 0; ///< bytes before the first value in each file
};

struct BlockStep
{
  std::vector<BlockPart> parts; ///< one for all components, or one for each component
};

struct BlockVariable
{
  Variable variable; ///< its type is value_type(format.type)
  StoredFormat format;
  Int3 lattice{ 1, 1, 1 };
  Int3 block{ 1, 1, 1 }; ///< divides the lattice
  std::vector<BlockStep> steps;

  [[nodiscard]] Int3 blocks() const { return { lattice[0] / block[0], lattice[1] / block[1], lattice[2] / block[2] }; }
  /// Numbers that are adjacent for each value: all components, or one.
  [[nodiscard]] std::int64_t adjacent() const { return steps.front().parts.size() == 1 ? variable.components : 1; }
  /// Bytes that one file must hold after its offset.
  [[nodiscard]] std::int64_t part_bytes() const { return volume(block) * adjacent() * size_of(format.type); }
  [[nodiscard]] Box block_box(std::int64_t number) const;
};

struct BlockField
{
  FieldInfo info;
  std::vector<BlockVariable> variables; ///< parallel to info.variables
  std::vector<std::string> notes;       ///< a sentence on each thing that was ignored or assumed; worth showing once
  std::vector<std::string> warnings;    ///< notes that contradict the files
};

/// Product of non-negative factors; empty if it overflows.
[[nodiscard]] std::optional<std::int64_t> checked_product(std::initializer_list<std::int64_t> factors);

/// Bytes that each file must hold: offset + values; empty if that overflows.
[[nodiscard]] std::optional<std::int64_t> checked_bytes(
    const Int3& block, std::int64_t adjacent, StoredType type, std::int64_t offset);

} // namespace rivulet
