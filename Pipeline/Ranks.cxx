// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/Ranks.h"

#include "vtkCommunicator.h"
#include "vtkMultiProcessController.h"
#include "vtkMultiProcessStream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace rivulet
{

Ranks::Ranks()
{
  vtkMultiProcessController* global = vtkMultiProcessController::GetGlobalController();
  if (global != nullptr && global->GetNumberOfProcesses() > 1)
  {
    controller_ = global;
    rank_ = global->GetLocalProcessId();
    size_ = global->GetNumberOfProcesses();
  }
}

namespace
{

template <class T>
void reduce(vtkMultiProcessController* controller, std::span<T> values, int operation)
{
  if (controller == nullptr)
  {
    return;
  }
  // A few values at a time, without heap memory: a rank that is out of memory must still answer the others.
  std::array<T, 16> mine;
  while (!values.empty())
  {
    const std::size_t count = std::min(values.size(), mine.size());
    std::copy_n(values.begin(), count, mine.begin());
    controller->AllReduce(mine.data(), values.data(), static_cast<vtkIdType>(count), operation);
    values = values.subspan(count);
  }
}

void broadcast_error(vtkMultiProcessController& controller, Error& error, int root)
{
  vtkMultiProcessStream stream;
  stream << static_cast<int>(error.code) << error.what << error.remedy << error.path
         << static_cast<vtkTypeInt64>(error.offset) << error.sys_errno;
  controller.Broadcast(stream, root);
  int code = 0;
  vtkTypeInt64 offset = -1;
  stream >> code >> error.what >> error.remedy >> error.path >> offset >> error.sys_errno;
  error.code = static_cast<ErrorCode>(code);
  error.offset = offset;
}

} // namespace

Result<void> Ranks::agree(Result<void> mine) const
{
  if (controller_ == nullptr)
  {
    return mine;
  }
  const int failed = mine ? size_ : rank_;
  int first = size_;
  controller_->AllReduce(&failed, &first, 1, vtkCommunicator::MIN_OP);
  if (first == size_)
  {
    return {};
  }
  Error error = mine ? Error{} : std::move(mine.error());
  broadcast_error(*controller_, error, first);
  return tl::unexpected(std::move(error));
}

void Ranks::sum(std::span<std::int64_t> values) const
{
  reduce(controller_, values, vtkCommunicator::SUM_OP);
}

void Ranks::sum(std::span<double> values) const
{
  reduce(controller_, values, vtkCommunicator::SUM_OP);
}

void Ranks::max(std::span<std::int64_t> values) const
{
  reduce(controller_, values, vtkCommunicator::MAX_OP);
}

void Ranks::max(std::span<double> values) const
{
  reduce(controller_, values, vtkCommunicator::MAX_OP);
}

/// Another collective call follows, so that all ranks have room for its values, or none.
Result<void> Ranks::agree_on_room(const std::function<void()>& take) const
{
  Result<void> mine;
  try
  {
    take();
  }
  catch (const std::bad_alloc&)
  {
    mine = fail(ErrorCode::BudgetTooSmall, "a rank has no memory for the values of the others",
        "run fewer ranks on a machine, or raise the limit of addresses (ulimit -v)");
  }
  return agree(std::move(mine));
}

Result<void> Ranks::broadcast(std::vector<std::byte>& bytes) const
{
  if (controller_ == nullptr)
  {
    return {};
  }
  auto count = static_cast<vtkIdType>(bytes.size());
  controller_->Broadcast(&count, 1, 0);
  if (Result<void> room = agree_on_room([&] { bytes.resize(static_cast<std::size_t>(count)); }); !room)
  {
    return room;
  }
  // The communicator counts in int.
  constexpr vtkIdType kAtOnce = vtkIdType{ 1 } << 30;
  for (vtkIdType begin = 0; begin < count; begin += kAtOnce)
  {
    controller_->Broadcast(reinterpret_cast<char*>(bytes.data()) + begin, std::min(kAtOnce, count - begin), 0);
  }
  return {};
}

Result<void> Ranks::gather_bytes(
    std::span<const std::byte> mine, const std::function<std::byte*(std::size_t)>& room) const
{
  if (controller_ == nullptr)
  {
    std::byte* to = nullptr;
    Result<void> given = agree_on_room([&] { to = room(mine.size()); });
    if (given && !mine.empty())
    {
      std::memcpy(to, mine.data(), mine.size());
    }
    return given;
  }
  std::byte* to = nullptr;
  std::vector<vtkIdType> counts(static_cast<std::size_t>(size_));
  std::vector<vtkIdType> offsets(counts.size(), 0);
  const auto count = static_cast<vtkIdType>(mine.size());
  controller_->AllGather(&count, counts.data(), 1);
  for (std::size_t i = 1; i < counts.size(); ++i)
  {
    offsets[i] = offsets[i - 1] + counts[i - 1];
  }
  const auto all = static_cast<std::size_t>(offsets.back() + counts.back());
  if (Result<void> given = agree_on_room([&] { to = room(all); }); !given)
  {
    return given;
  }
  controller_->AllGatherV(
      reinterpret_cast<const char*>(mine.data()), reinterpret_cast<char*>(to), count, counts.data(), offsets.data());
  return {};
}

} // namespace rivulet
