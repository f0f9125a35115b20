// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/MpiLink.h"

#include "vtkMultiProcessController.h"

#if VTK_MODULE_ENABLE_VTK_ParallelMPI
#include "vtkMPICommunicator.h"
#include "vtkNew.h"
#include "vtkProcessGroup.h"

#include <array>
#include <list>
#include <optional>
#endif

namespace rivulet
{

#if VTK_MODULE_ENABLE_VTK_ParallelMPI

namespace
{

constexpr int kTag = 7;

class MpiLink final : public RankLink
{
public:
  explicit MpiLink(vtkMPICommunicator& communicator)
    : communicator_(communicator)
  {
  }

  [[nodiscard]] int rank() const override { return communicator_.GetLocalProcessId(); }
  [[nodiscard]] int size() const override { return communicator_.GetNumberOfProcesses(); }

  void send(int to, std::vector<std::byte> bytes) override
  {
    forget_sent();
    Sending& sending = sending_.emplace_back();
    sending.bytes = std::move(bytes);
    communicator_.NoBlockSend(reinterpret_cast<const char*>(sending.bytes.data()),
        static_cast<int>(sending.bytes.size()), to, kTag, sending.request);
  }

  [[nodiscard]] std::optional<RankMessage> receive() override
  {
    forget_sent();
    int arrived = 0;
    int from = 0;
    int size = 0;
    const char* const bytes = nullptr; // says that the size is in bytes
    communicator_.Iprobe(vtkMultiProcessController::ANY_SOURCE, kTag, &arrived, &from, bytes, &size);
    if (arrived == 0)
    {
      return {};
    }
    RankMessage message{ from, std::vector<std::byte>(static_cast<std::size_t>(size)) };
    vtkMPICommunicator::Request request;
    communicator_.NoBlockReceive(reinterpret_cast<char*>(message.bytes.data()), size, from, kTag, request);
    request.Wait(); // it is on its way
    return message;
  }

private:
  struct Sending
  {
    std::vector<std::byte> bytes;
    vtkMPICommunicator::Request request;
  };

  void forget_sent()
  {
    sending_.remove_if([](Sending& sending) { return sending.request.Test() != 0; });
  }

  vtkMPICommunicator& communicator_;
  std::list<Sending> sending_;
};

/// nullptr if the ranks do not use MPI.
RankLink* make_link(vtkMultiProcessController& controller)
{
  if (vtkMPICommunicator::SafeDownCast(controller.GetCommunicator()) == nullptr)
  {
    return nullptr;
  }
  vtkNew<vtkProcessGroup> all;
  all->Initialize(&controller);
  // Both live until the process ends: MPI is shut down before objects at namespace scope are destroyed.
  auto* const own = vtkMPICommunicator::New();
  if (own->Initialize(all) == 0)
  {
    own->Delete();
    return nullptr;
  }
  return new MpiLink(*own);
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
