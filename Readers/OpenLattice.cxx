// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/OpenLattice.h"

#include "Base/Bytes.h"
#include "Base/WholeType.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/Ranks.h"
#include "Store/Hints/HintFile.h"
#include "vtkAlgorithm.h"
#include "vtkImageData.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkRivuletArray.h"
#include "vtkRivuletPoints.h"
#include "vtkStructuredGrid.h"
#include "vtkUnsignedCharArray.h"

#include <new>
#include <type_traits>

namespace rivulet
{

namespace
{

vtkDataSetAttributes* attributes_of(vtkDataSet& output, Centering centering)
{
  return output.GetAttributes(centering == Centering::Node ? vtkDataObject::POINT : vtkDataObject::CELL);
}

/// Marks (vtkGhostType) of the hidden points or cells in a box.
Result<vtkSmartPointer<vtkUnsignedCharArray>> ghosts_of(
    const FileBricks& source, Centering centering, int step, const Box& box)
{
  auto ghosts = vtkSmartPointer<vtkUnsignedCharArray>::New();
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  try
  {
    ghosts->SetNumberOfValues(box.count());
    if (auto read = source.read_hidden(centering, step, box, ghosts->GetPointer(0)); !read)
    {
      return forward_error(read);
    }
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::CannotRead, "there is not enough memory for which points are hidden",
        "read a part of the grid, or give the program more memory", source.path());
  }
  const unsigned char hidden = centering == Centering::Node
                                   ? static_cast<unsigned char>(vtkDataSetAttributes::HIDDENPOINT)
                                   : static_cast<unsigned char>(vtkDataSetAttributes::HIDDENCELL);
  for (vtkIdType at = 0; at < ghosts->GetNumberOfValues(); ++at)
  {
    ghosts->SetValue(at, ghosts->GetValue(at) != 0 ? hidden : static_cast<unsigned char>(0));
  }
  return ghosts;
}

/// T, or VTK's own type of as many bits: its whole numbers of 64 bits are other types than the standard library's.
template <class T>
using VtkNumber = std::conditional_t<std::is_same_v<T, std::int64_t>, vtkTypeInt64,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, vtkTypeUInt64, T>>;

template <class T>
void add_lazy_array(vtkDataSetAttributes& attributes, const std::shared_ptr<LazyField>& field, const ValueBlock& block)
{
  vtkNew<vtkRivuletArray<T>> array;
  array->SetBlock(field, block);
  attributes.AddArray(array);
}

void add_array(vtkDataSet& output, const std::shared_ptr<LazyField>& field, const ValueBlock& block)
{
  const Variable& variable = field->info().variables[static_cast<std::size_t>(block.variable)];
  vtkDataSetAttributes& attributes = *attributes_of(output, variable.centering);
  if (variable.whole == WholeType::None && variable.type == ScalarType::Float32)
  {
    add_lazy_array<float>(attributes, field, block);
    return;
  }
  use_whole_type(
      variable.whole, [&](auto number) { add_lazy_array<VtkNumber<decltype(number)>>(attributes, field, block); });
}

} // namespace

void OpenLattice::forget()
{
  paths_.clear();
  shown_.clear();
}

bool OpenLattice::is_open(const std::vector<std::string>& paths, const OpenOptions& options) const
{
  return field_ && paths_ == paths && options_.strategy == options.strategy && options_.verify == options.verify &&
         options_.local_cache.folder == options.local_cache.folder &&
         options_.local_cache.limit == options.local_cache.limit;
}

bool OpenLattice::open(const std::vector<std::string>& paths, OpenOptions options, bool exact_ranges)
{
  if (is_open(paths, options))
  {
    return true;
  }
  field_.reset();
  const HintFolders hints = hint_folders(paths.front());
  options.hints = hints.kept;
  options.more_hints = hints.more;
  auto opened = open_field(paths, options);
  if (!opened)
  {
    show_failure(paths, opened.error());
    return false;
  }
  for (const std::string& notice : (*opened)->notices())
  {
    if (Ranks().rank() == 0)
    {
      vtkWarningWithObjectMacro(&reader_, << notice);
    }
  }
  field_ = std::make_shared<LazyField>(std::move(*opened));
  field_->want_exact_ranges(exact_ranges);
  paths_ = paths;
  options_ = options;
  shown_.clear();
  return true;
}

/// Retries do not repeat an error.
void OpenLattice::show_failure(const std::vector<std::string>& paths, const Error& error)
{
  const std::string text = error.describe();
  if (text != shown_ || paths != shown_paths_)
  {
    shown_ = text;
    shown_paths_ = paths;
    report_error(&reader_, error);
  }
}

void OpenLattice::set_memory_budget(std::int64_t bytes)
{
  if (!field_ || options_.memory_budget == bytes)
  {
    return;
  }
  const std::int64_t minimum = field_->source()->working_minimum(1);
  if (bytes > 0 && bytes < minimum)
  {
    vtkErrorWithObjectMacro(&reader_, << field_->source()->path() << ": the memory budget of " << format_bytes(bytes)
                                      << " is below the working minimum of " << format_bytes(minimum)
                                      << ", and is not used. Set Memory Budget to " << round_up(minimum, kMiB) / kMiB
                                      << " or more.");
    return;
  }
  options_.memory_budget = bytes;
  field_->set_memory_budget(bytes);
}

void OpenLattice::set_strategy(AccessStrategy strategy)
{
  if (!field_ || options_.strategy == strategy)
  {
    return;
  }
  if (Result<void> changed = field_->source()->set_strategy(strategy); !changed)
  {
    report_error(&reader_, changed.error());
    return;
  }
  options_.strategy = strategy;
}

void OpenLattice::show_changes()
{
  if (!field_ || std::this_thread::get_id() != home_)
  {
    return;
  }
  field_->look_at_files();
  if (const auto error = field_->take_error())
  {
    report_error(&reader_, *error);
  }
}

bool OpenLattice::show(const LatticePart& part, vtkDataSet& output)
{
  const FieldInfo& info = field_->info();
  if (auto* image = vtkImageData::SafeDownCast(&output))
  {
    set_geometry(*image, info.grid, part.nodes);
  }
  else if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(&output))
  {
    set_geometry(*rectilinear, info.grid, part.nodes);
  }
  else if (auto* curvilinear = vtkStructuredGrid::SafeDownCast(&output))
  {
    vtkNew<vtkRivuletPoints> points;
    points->SetBlock(field_, { info.points, info.stored_step(info.points, part.step), part.nodes });
    curvilinear->SetExtent(extent_of(info.grid, part.nodes).data());
    curvilinear->SetPoints(points);
  }
  if (!add_hidden(part, output))
  {
    output.Initialize();
    return false;
  }
  for (std::size_t number = 0; number < info.variables.size(); ++number)
  {
    const Variable& variable = info.variables[number];
    if (static_cast<std::int32_t>(number) != info.points && part.enabled(variable))
    {
      const Box box = lattice_of(info.grid, part.nodes, variable.centering);
      add_array(output, field_, { static_cast<std::int32_t>(number), part.step, box });
    }
  }
  return true;
}

bool OpenLattice::add_hidden(const LatticePart& part, vtkDataSet& output)
{
  const FileBricks& source = *field_->source();
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    if (!source.hides(centering, part.step))
    {
      continue;
    }
    const Box box = lattice_of(source.info().grid, part.nodes, centering);
    auto ghosts = ghosts_of(source, centering, part.step, box);
    if (!ghosts)
    {
      report_error(&reader_, ghosts.error());
      return false;
    }
    attributes_of(output, centering)->AddArray(*ghosts);
  }
  return true;
}

SourceStatistics OpenLattice::statistics() const
{
  return field_ ? field_->source()->statistics() : SourceStatistics{};
}

} // namespace rivulet
