// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Helper cores for a code that calls legacy Catalyst (vtkCPProcessor) already. Its adaptor stays; the processor goes:
///
///     before                                               now
///     processor->Initialize();                             rivulet_insitu_initialize("insitu.json", comm, &insitu);
///     processor->AddPipeline(pipeline);                    (the configuration names the scripts)
///     if (processor->RequestDataDescription(description))  if (rivulet_insitu_wants(insitu, step))
///       ... SetGrid(grid) ...                                ... SetGrid(grid) ...
///       processor->CoProcess(description);                   rivulet::insitu::coprocess(insitu, *description);
///     processor->Finalize();                               rivulet_insitu_finalize(&insitu);
///
/// Any dataset will do, unstructured grids, too. Where analytics run beside the simulation it is copied deeply, so that
/// the simulation may change its arrays when coprocess() has returned. The analytics "catalyst" shows it to its
/// scripts.
///
/// Needs C++17 and ParaView's Catalyst. No library of its own: the code is linked with rivulet_insitu.
#pragma once

#include "rivulet_insitu.h"
#include "vtkCPDataDescription.h"
#include "vtkCPInputDataDescription.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <vector>

namespace rivulet::insitu
{

/// A dataset on its way to scripts.
struct VtkInput
{
  static constexpr const char* kType = "rivulet::insitu::VtkInput 1";

  vtkSmartPointer<vtkDataObject> grid;
  std::array<int, 6> whole{ 0, -1, 0, -1, 0, -1 }; ///< points of all ranks along each axis; structured datasets only

  /// The input that an object is; nullptr: it is of another type.
  [[nodiscard]] static const VtkInput* from(const rivulet_object& object)
  {
    return std::strcmp(object.type, kType) == 0 ? static_cast<const VtkInput*>(object.data) : nullptr;
  }
  /// The object that an input is, while it lives.
  [[nodiscard]] rivulet_object as_object(const char* name) { return { name, kType, this, clone, release }; }

private:
  static void* clone(const void* data)
  {
    const auto* from = static_cast<const VtkInput*>(data);
    try
    {
      auto* const to = new VtkInput{ {}, from->whole };
      to->grid.TakeReference(from->grid->NewInstance());
      to->grid->DeepCopy(from->grid);
      return to;
    }
    catch (const std::bad_alloc&)
    {
      return nullptr;
    }
  }
  static void release(void* copy) { delete static_cast<VtkInput*>(copy); }
};

/// Hands the grids of a description over, with its step and time. Collective. Returns a code of rivulet_insitu.h.
inline int coprocess(rivulet_insitu* insitu, vtkCPDataDescription& description)
{
  const unsigned int count = description.GetNumberOfInputDescriptions();
  std::vector<VtkInput> inputs(count);
  int code = RIVULET_OK;
  for (unsigned int i = 0; i < count; ++i)
  {
    vtkCPInputDataDescription& input = *description.GetInputDescription(i);
    inputs[i].grid = input.GetGrid();
    std::copy_n(input.GetWholeExtent(), 6, inputs[i].whole.begin());
    if (inputs[i].grid != nullptr)
    {
      const rivulet_object object = inputs[i].as_object(description.GetInputDescriptionName(i));
      const int published = rivulet_insitu_publish_object(insitu, &object);
      code = code == RIVULET_OK ? published : code;
    }
  }
  const int executed = rivulet_insitu_execute(insitu, description.GetTimeStep(), description.GetTime());
  return code == RIVULET_OK ? executed : code;
}

} // namespace rivulet::insitu
