// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Sources of the arrays of a flow, each array once, and the origins of their values: lazily paged fields, stores of
/// AMR patches, joined bricks, converted tiles.
///
///     InputSources sources;
///     Result<SourceArray> velocity = sources.add_array(array, grid, centering, lattice_offset);
///
/// Threads: the one that called RequestData. Lifetime: arrays in memory must outlive it.
#pragma once

#include "Base/Box.h"
#include "Filters/Input/MeshCache.h"
#include "Store/Derived/JoinedBricks.h"
#include "Trace/Contract/TraceField.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

class vtkDataArray;

namespace rivulet
{

class LazyField;
class TileMemory;

/// Whether the values can be read from the field of a lazily paged array instead of the array: same lattice, flat along
/// the same axes.
[[nodiscard]] bool pages(vtkDataArray& array, const Grid& grid, Centering centering);

/// Lattice points of a field, counted as its sources do.
[[nodiscard]] Box lattice_of(const TraceField& field, Centering centering);

/// Layout of an array that is joined from parts on the grid of a field. The type of its values is that of the parts.
[[nodiscard]] JoinedLayout joined_layout(const TraceField& field, const Variable& variable);

class InputSources
{
public:
  InputSources();

  /// The source of an array on a grid of its own: the open field of a lazily paged array, a plain array in place, other
  /// arrays tile by tile. `lattice_offset`: lattice point from which it counts.
  [[nodiscard]] Result<SourceArray> add_array(
      vtkDataArray& array, const Grid& grid, Centering centering, const Int3& lattice_offset);
  [[nodiscard]] SourceArray add_levels(const MeshCache::Array& array);
  [[nodiscard]] SourceArray add(std::shared_ptr<BrickSource> source);
  /// The source that joins parts. Sets the layout's type and times from these.
  [[nodiscard]] SourceArray join(JoinedLayout layout, std::vector<JoinedPart> parts);
  /// A source as a part of another one. `from`: its lattice point at the beginning of `box`.
  [[nodiscard]] JoinedPart part_of(
      const SourceArray& array, std::int32_t component, const Box& box, const Int3& from) const;

  /// The source that was kept for an array, so that Core does not read its values twice; nullptr if there is none.
  [[nodiscard]] const SourceArray* kept(vtkDataArray& array, Centering centering) const;
  void keep(vtkDataArray& array, Centering centering, const SourceArray& source);

  [[nodiscard]] const std::vector<std::shared_ptr<LazyField>>& lazy_fields() const { return lazy_fields_; }
  [[nodiscard]] const std::vector<std::shared_ptr<BudgetedStore>>& stores() const { return stores_; }
  [[nodiscard]] const std::vector<std::shared_ptr<AmrBricks>>& amr_bricks() const { return amr_bricks_; }
  [[nodiscard]] const std::vector<std::shared_ptr<JoinedBricks>>& joined_bricks() const { return joined_bricks_; }
  [[nodiscard]] const std::shared_ptr<TileMemory>& tiles() const { return tiles_; }

private:
  std::map<std::pair<vtkDataArray*, Centering>, SourceArray> kept_;
  std::vector<std::shared_ptr<BrickSource>> all_;
  std::vector<std::shared_ptr<LazyField>> lazy_fields_;
  std::vector<std::shared_ptr<BudgetedStore>> stores_;
  std::vector<std::shared_ptr<AmrBricks>> amr_bricks_;
  std::vector<std::shared_ptr<JoinedBricks>> joined_bricks_;
  std::shared_ptr<TileMemory> tiles_;
};

} // namespace rivulet
