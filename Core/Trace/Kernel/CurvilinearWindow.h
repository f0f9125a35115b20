// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A call of the kernel for a curvilinear grid, with its bricks.
#pragma once

#include "Trace/Kernel/GridWindow.h"
#include "Trace/Mesh/CurvilinearMesh.h"

namespace rivulet
{

/// A brick, and the type of its values.
struct TypedWindow
{
  BrickWindow window{};
  ScalarType type = ScalarType::Float32;
};

/// Parts of the leaf that was searched last.
class SearchedLeaf
{
public:
  [[nodiscard]] const LeafParts& parts_of(const CurvilinearGrid& grid, std::int32_t leaf, const BrickCorners& corners)
  {
    if (!parts_ || leaf_ != leaf)
    {
      parts_.emplace(grid.parts_of(leaf, corners));
      leaf_ = leaf;
    }
    return *parts_;
  }

private:
  std::optional<LeafParts> parts_;
  std::int32_t leaf_ = -1;
};

struct CurvilinearCall
{
  const KernelCall& call;
  const CurvilinearMesh& mesh;
  TypedWindow places{};       ///< at the begin of the interval
  TypedWindow places_later{}; ///< nodes that move only, as the next two
  TypedWindow places_before{};
  TypedWindow places_after{};
  TypedWindow now{};
  TypedWindow later{};
  TypedWindow before{};
  TypedWindow after{};

  mutable SearchedLeaf searched{}; ///< by particles of any lanes

  /// Whether the nodes move within the interval.
  [[nodiscard]] bool moves() const { return call.window.places.later != nullptr; }
  [[nodiscard]] static CurvilinearCall make(const KernelCall& call, const CurvilinearMesh& mesh);
};

} // namespace rivulet
