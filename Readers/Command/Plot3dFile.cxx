// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/Command/Plot3dFile.h"

#ifndef RIVULET_HAVE_PLOT3D

namespace rivulet
{

Result<std::unique_ptr<VtkFileReader>> open_plot3d(const command::Plot3dGrid&, const std::string& solution)
{
  return fail(ErrorCode::Unsupported, "this ParaView has no reader of PLOT3D files (VTK's module IOParallel)",
      "open them in another one, and save as .rvf there (File > Save Data)", solution);
}

} // namespace rivulet

#else

#include "Pipeline/KeptArrays.h"
#include "Readers/Command/Plot3dShape.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkMultiBlockPLOT3DReader.h"
#include "vtkNew.h"
#include "vtkStructuredGrid.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr int kPressure = 110;
constexpr int kVelocity = 200;

class Plot3dFile final : public VtkFileReader
{
public:
  Plot3dFile(const command::Plot3dGrid& grid, std::string solution)
    : grid_(grid)
    , solution_(std::move(solution))
  {
    reader_->SetController(nullptr);
    reader_->SetXYZFileName(grid_.path.c_str());
    reader_->SetQFileName(solution_.c_str());
    reader_->SetAutoDetectFormat(1);
    reader_->AddFunction(kPressure);
    reader_->AddFunction(kVelocity);
  }

  Result<vtkDataSet*> outline() override
  {
    reader_->Update();
    auto* const zones = vtkMultiBlockDataSet::SafeDownCast(reader_->GetOutputDataObject(0));
    const auto number = static_cast<unsigned>(std::max(grid_.zone, 1) - 1);
    vtkDataSet* const dataset = zones != nullptr && number < zones->GetNumberOfBlocks()
                                    ? vtkStructuredGrid::SafeDownCast(zones->GetBlock(number))
                                    : nullptr;
    Result<vtkDataSet*> sound = checked(solution_, *reader_, dataset);
    if (sound)
    {
      add_time(**sound);
    }
    return sound;
  }
  Result<vtkDataSet*> sample(const Extent&) override { return outline(); }
  Result<vtkDataSet*> fetch(const std::string&, Centering, const Extent&) override { return outline(); }
  [[nodiscard]] std::vector<std::string> files() const override { return { grid_.path, solution_ }; }
  [[nodiscard]] VtkHolds holds() const override { return VtkHolds::File; }
  [[nodiscard]] bool has(const std::string& array, Centering centering) override
  {
    const Result<vtkDataSet*> dataset = outline();
    return dataset && attributes_of(**dataset, centering)->HasArray(array.c_str()) == 1;
  }

private:
  /// The fourth of the solution's properties, under the name that VTK's other files give times.
  static void add_time(vtkDataSet& dataset)
  {
    vtkDataArray* const properties = dataset.GetFieldData()->GetArray("Properties");
    if (properties == nullptr || properties->GetNumberOfTuples() < 4)
    {
      return;
    }
    vtkNew<vtkDoubleArray> time;
    time->SetName("TimeValue");
    time->InsertNextValue(properties->GetComponent(3, 0));
    dataset.GetFieldData()->AddArray(time);
  }

  command::Plot3dGrid grid_;
  std::string solution_;
  vtkNew<vtkMultiBlockPLOT3DReader> reader_;
};

Result<void> check_zone(const Plot3dShape& shape, const command::Plot3dGrid& grid)
{
  const std::size_t count = shape.zones.size();
  const std::string remedy = "choose one with --zone, from 1 to " + std::to_string(count);
  if (count > 1 && grid.zone == 0)
  {
    return fail(ErrorCode::Unsupported, "the grid has " + std::to_string(count) + " zones, and a field file holds one",
        remedy, grid.path);
  }
  return static_cast<std::size_t>(grid.zone) <= count
             ? Result<void>()
             : fail(ErrorCode::BadArgument,
                   "there is no zone " + std::to_string(grid.zone) + ": the grid has " + std::to_string(count), remedy,
                   grid.path);
}

} // namespace

Result<std::unique_ptr<VtkFileReader>> open_plot3d(const command::Plot3dGrid& grid, const std::string& solution)
{
  for (const std::string& path : { grid.path, solution })
  {
    if (Result<void> fits = check_room(path, "PLOT3D files"); !fits)
    {
      return forward_error(fits);
    }
  }
  const Result<Plot3dShape> shape = shape_of_grid(grid.path);
  Result<void> sound = shape ? check_zone(*shape, grid) : tl::unexpected(shape.error());
  sound = sound ? check_solution(*shape, solution) : std::move(sound);
  if (!sound)
  {
    return forward_error(sound);
  }
  return std::make_unique<Plot3dFile>(grid, solution);
}

} // namespace rivulet

#endif
