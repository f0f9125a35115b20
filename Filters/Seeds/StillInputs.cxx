// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Seeds/StillInputs.h"

#include "vtkCell.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSet.h"
#include "vtkIdList.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <functional>
#include <sstream>

namespace rivulet
{

namespace
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

/// Times of all inputs of a port in a range, the last first.
std::vector<double> times_in(vtkInformationVector& inputs, const std::array<double, 2>& range)
{
  std::vector<double> times;
  for (int i = 0; i < inputs.GetNumberOfInformationObjects(); ++i)
  {
    vtkInformation& info = *inputs.GetInformationObject(i);
    const int count = info.Has(Pipeline::TIME_STEPS()) != 0 ? info.Length(Pipeline::TIME_STEPS()) : 0;
    const double* const all = count > 0 ? info.Get(Pipeline::TIME_STEPS()) : nullptr;
    std::copy_if(
        all, all + count, std::back_inserter(times), [&](double time) { return time >= range[0] && time <= range[1]; });
  }
  std::sort(times.begin(), times.end(), std::greater<>());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void add_shape(vtkDataSet& dataset, std::vector<Vec3>& points, std::vector<vtkIdType>& cells)
{
  for (vtkIdType i = 0; i < dataset.GetNumberOfPoints(); ++i)
  {
    dataset.GetPoint(i, points.emplace_back().data());
  }
  const vtkNew<vtkIdList> of_cell;
  for (vtkIdType i = 0; i < dataset.GetNumberOfCells(); ++i)
  {
    dataset.GetCellPoints(i, of_cell);
    cells.push_back(of_cell->GetNumberOfIds());
    cells.insert(cells.end(), of_cell->begin(), of_cell->end());
  }
}

} // namespace

StillInputs::Shape StillInputs::shape_of(vtkDataObject* object)
{
  Shape shape;
  if (auto* const dataset = vtkDataSet::SafeDownCast(object))
  {
    add_shape(*dataset, shape.points, shape.cells);
  }
  else if (auto* const blocks = vtkCompositeDataSet::SafeDownCast(object))
  {
    const auto each = vtkSmartPointer<vtkCompositeDataIterator>::Take(blocks->NewIterator());
    for (each->InitTraversal(); !each->IsDoneWithTraversal(); each->GoToNextItem())
    {
      if (auto* const block = vtkDataSet::SafeDownCast(each->GetCurrentDataObject()))
      {
        add_shape(*block, shape.points, shape.cells);
      }
    }
  }
  return shape;
}

Result<std::optional<double>> StillInputs::look(
    vtkInformationVector& inputs, double asked, const std::array<double, 2>& range, bool anew, const std::string& role)
{
  if (anew)
  {
    first_.clear();
    left_ = times_in(inputs, range);
    looking_ = !left_.empty();
  }
  if (!looking_)
  {
    return std::optional<double>();
  }
  std::vector<Shape> now;
  now.reserve(static_cast<std::size_t>(inputs.GetNumberOfInformationObjects()));
  for (int i = 0; i < inputs.GetNumberOfInformationObjects(); ++i)
  {
    now.push_back(shape_of(vtkDataObject::GetData(inputs.GetInformationObject(i))));
  }
  if (first_.empty())
  {
    first_ = now;
    first_time_ = asked;
  }
  const auto moved = std::mismatch(now.begin(), now.end(), first_.begin(), first_.end());
  if (moved.first != now.end())
  {
    std::ostringstream text;
    text << role << ' ' << moved.first - now.begin() << " moves: at time " << asked << " it is another than at time "
         << first_time_;
    return fail(ErrorCode::Unsupported, text.str(), "put Force Time behind it, which keeps it at one time");
  }
  std::erase(left_, asked);
  looking_ = !left_.empty();
  return looking_ ? std::optional<double>(left_.back()) : std::nullopt;
}

} // namespace rivulet
