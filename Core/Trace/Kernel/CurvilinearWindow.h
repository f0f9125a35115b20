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

struct CurvilinearCall
{
  const KernelCall& call;
  const CurvilinearMesh& mesh;
  TypedWindow places{};
  TypedWindow now{};
  TypedWindow later{};
  TypedWindow before{};
  TypedWindow after{};

  [[nodiscard]] static CurvilinearCall make(const KernelCall& call, const CurvilinearMesh& mesh);
};

} // namespace rivulet
