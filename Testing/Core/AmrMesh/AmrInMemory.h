// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// AMR meshes, and functions of the place as the values of their boxes.
///
///     auto grid = std::make_shared<const AmrMesh>(three_levels());
///     auto patches = std::make_shared<FunctionPatches>(*grid, Centering::Cell, 3, function);
#pragma once

#include "AmrMesh/AmrMesh.h"
#include "AmrMesh/PatchValues.h"

#include <functional>
#include <map>
#include <mutex>
#include <set>

namespace rivulet::test
{

/// Levels over [-1, 1]^3 with `cells` cells along each axis on the coarsest; `boxes` of the finer ones in their cells.
[[nodiscard]] std::vector<AmrMeshLevel> levels_of(
    int cells, const std::vector<Int3>& ratios, const std::vector<std::vector<Box>>& boxes);

/// Two boxes on the coarsest level, two that touch on the next (ratio 2), one inside those (ratio 4), off centre.
[[nodiscard]] AmrMesh three_levels();
/// The same in the plane, at z = 0.5.
[[nodiscard]] AmrMesh flat_levels();

/// Up to three levels of random boxes in 2 or 3 dimensions: ratios of 2, 3 and 4 that may differ between the axes,
/// patches one cell thick, patches at the domain's faces, edges and corners, patches that end within coarser cells, and
/// holes in the domain.
[[nodiscard]] AmrMesh random_levels(unsigned int seed, int axes);

/// The world position of a cell's centre or of a node.
[[nodiscard]] Vec3 position_of(const Grid& grid, Centering centering, const Int3& at);

using Components = std::function<std::vector<double>(const Vec3&)>;

class FunctionPatches final : public PatchValues
{
public:
  FunctionPatches(
      const AmrMesh& grid, Centering centering, int components, Components function, std::string name = "velocity");

  [[nodiscard]] const Variable& variable() const override { return variable_; }
  [[nodiscard]] Result<HeldPatch> hold(int level, std::int32_t box) override;
  [[nodiscard]] int at_once() const override { return 0; }

  /// That box cannot be had. Before it was asked for.
  void break_box(int level, std::int32_t box) { broken_.insert({ level, box }); }

private:
  const AmrMesh& grid_;
  Variable variable_;
  Components function_;
  std::set<std::pair<int, std::int32_t>> broken_;
  std::mutex mutex_; ///< guards held_
  std::map<std::pair<int, std::int32_t>, HeldPatch> held_;
};

} // namespace rivulet::test
