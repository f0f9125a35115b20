// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The table of a curvilinear grid's bricks in a field file: bounds of the nodes, and facts about the cells.
///
/// Plain values; any thread.
#pragma once

#include "Base/PlacesMeasure.h"
#include "Io/FieldFile/BrickRecord.h"

namespace rivulet
{

/// A row: x, y and z of the lower corner and of the upper one; PlacesMeasure::shortest; PlacesMeasure::handed.
using PlacesRow = std::array<double, 8>;

[[nodiscard]] PlacesRow row_of(const PlacesMeasure& places);
/// Not finite unless the bounds are in order: no writer makes such a row.
[[nodiscard]] PlacesMeasure places_of(const PlacesRow& row);

/// Facts about the nodes of a brick. `values`: as a record has them; `type`: of its numbers.
[[nodiscard]] PlacesMeasure measure_places(
    const BrickLayout& layout, ScalarType type, const Int3& brick, const void* values);

/// The first node of the brick, i fastest, with a coordinate that is not finite. There must be one.
[[nodiscard]] Int3 first_nowhere(const BrickLayout& layout, ScalarType type, const Int3& brick, const void* values);

} // namespace rivulet
