// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A call of the kernel for unstructured cells.
#pragma once

#include "Trace/Kernel/Kernel.h"
#include "Trace/Mesh/UnstructuredMesh.h"

namespace rivulet
{

struct UnstructuredCall
{
  const KernelCall& call;
  const UnstructuredMesh& mesh;
};

} // namespace rivulet
