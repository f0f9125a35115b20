// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/MpiLink.h"

#include "vtkMultiProcessController.h"

#if VTK_MODULE_ENABLE_VTK_ParallelMPI
#include "Parallel/MpiLink.h"
#include "vtkMPI.h"
#include "vtkMPICommunicator.h"

#include <array>
#include <optional>
#endif

namespace rivulet
{

#if VTK_MODULE_ENABLE_VTK_ParallelMPI

namespace
{

/// nullptr if the ranks do not use MPI.
RankLink* make_link(vtkMultiProcessController& controller)
{
  auto* const communicator = vtkMPICommunicator::SafeDownCast(controller.GetCommunicator());
  // Lives until the process ends: MPI is shut down before objects at namespace scope are destroyed.
  return communicator != nullptr ? new MpiLink(*communicator->GetMPIComm()->GetHandle()) : nullptr;
}

} // namespace

RankLink* mpi_link(LinkUse use)
{
  vtkMultiProcessController* const controller = vtkMultiProcessController::GetGlobalController();
  if (controller == nullptr || controller->GetNumberOfProcesses() < 2)
  {
    return nullptr;
  }
  static std::array<std::optional<RankLink*>, 3> links;
  std::optional<RankLink*>& link = links.at(static_cast<std::size_t>(use));
  if (!link)
  {
    link = make_link(*controller);
  }
  return *link;
}

#else

RankLink* mpi_link(LinkUse)
{
  return nullptr;
}

#endif

} // namespace rivulet
