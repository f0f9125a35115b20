// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Meshes of a field whose levels have other boxes from time step to time step. Between two steps both are sampled at
/// the same place, so that both need the same bricks: bricks of the common refinement, the coarsest mesh with every
/// cell of both. A place there is on the finest level that it has at either step.
///
///     MovingLevels moving;
///     Result<std::shared_ptr<const AmrMesh>> common = moving.common(before, after);
///     Result<std::shared_ptr<const AmrMesh>> of_before = with_levels_of(before, **common);
///     AmrBricks bricks(*common, *of_before, patches, budget);        // values of the step before
///
/// Grids of levels equal the first mesh's, bit by bit. A level never disappears; it may become empty. So the
/// position of a particle in one common refinement counts in the next one, too.
///
/// Threads: one.
#pragma once

#include "AmrMesh/AmrMesh.h"

#include <memory>

namespace rivulet
{

class MovingLevels
{
public:
  /// Common refinement of the meshes of two steps. It is one of the two, or the one of the last call, if it has the
  /// same levels and boxes. Fails with Unsupported if a level has another grid or ratio than in the meshes before, or
  /// if the coarsest level does not cover the same cells in both.
  [[nodiscard]] Result<std::shared_ptr<const AmrMesh>> common(
      const std::shared_ptr<const AmrMesh>& a, const std::shared_ptr<const AmrMesh>& b);

private:
  [[nodiscard]] Result<void> take_shape(const AmrMesh& mesh);

  std::vector<AmrMeshLevel> shape_; ///< all levels so far, without boxes
  std::shared_ptr<const AmrMesh> last_;
};

/// The mesh with at least as many levels as another one; levels that it lacks are added without boxes.
[[nodiscard]] Result<std::shared_ptr<const AmrMesh>> with_levels_of(
    const std::shared_ptr<const AmrMesh>& mesh, const AmrMesh& other);

} // namespace rivulet
