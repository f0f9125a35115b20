// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/FlowInput.h"

#include "AmrMesh/MovingLevels.h"
#include "Filters/Input/FillValues.h"
#include "Filters/Input/ForeignRows.h"
#include "Filters/Input/InputCells.h"
#include "Filters/Input/MeshCache.h"
#include "Filters/Input/TiledArray.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/LazyValues.h"
#include "Store/Made/JoinedBricks.h"
#include "vtkBoundingBox.h"
#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkPointData.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace rivulet
{

namespace
{

/// Whether the values can be read from the field instead of the array: same lattice, flat along the same axes.
bool pages(vtkDataArray& array, const Grid& grid, Centering centering)
{
  const LazyValues* const lazy = lazy_values(&array);
  if (lazy == nullptr || lazy->block().box.size() != grid.lattice(centering))
  {
    return false;
  }
  const FieldInfo& info = lazy->field()->info();
  if (lazy->variable().centering != centering)
  {
    return false;
  }
  const auto flat = [&](std::size_t axis)
  {
    return (grid.nodes[axis] > 1) == (info.grid.nodes[axis] > 1);
  };
  return flat(0) && flat(1) && flat(2);
}

bool interpolates(vtkDataSetAttributes& attributes, vtkDataArray* array)
{
  return array != nullptr && array->GetName() != nullptr && array != attributes.GetGlobalIds() &&
         std::strcmp(array->GetName(), vtkDataSetAttributes::GhostArrayName()) != 0;
}

const Variable& variable_of(const JoinedPart& part)
{
  return part.source->info().variables[static_cast<std::size_t>(part.variable)];
}

/// Times of the steps that all parts have in files; empty unless all have the same, and are shown at the same one.
std::vector<double> common_times(const std::vector<JoinedPart>& parts)
{
  const JoinedPart& first = parts.front();
  const std::vector<double>& times = first.source->info().times;
  const bool same = std::all_of(parts.begin(), parts.end(),
      [&](const JoinedPart& part)
      {
        return dynamic_cast<FileBricks*>(part.source.get()) != nullptr && part.step == first.step &&
               part.source->info().times == times;
      });
  return same && times.size() > 1 ? times : std::vector<double>{};
}

} // namespace

FlowInput::FlowInput()
  : tiles_(std::make_shared<TileMemory>())
{
}

Result<FlowInput> FlowInput::open(vtkDataSet* dataset, const ChosenVectors& vectors)
{
  return open(dataset, vectors, false);
}

Result<FlowInput> FlowInput::joined() const
{
  Result<FlowInput> flow = open(dataset_, vectors_, true);
  Result<void> added = flow ? flow->add_point_arrays() : forward_error(flow);
  return added ? std::move(flow) : forward_error(added);
}

bool FlowInput::cut_like(const FlowInput& other) const
{
  const auto cells_of = [](const SourceArray& array)
  {
    return array.source->bricks(array.variable).cells;
  };
  const auto like = [&](const AttributeRequest& attribute)
  {
    const std::vector<AttributeRequest>& all = other.field_.attributes;
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const AttributeRequest& each) { return each.name == attribute.name; });
    return same == all.end() || cells_of(same->array) == cells_of(attribute.array);
  };
  return field_.lattice_offset == other.field_.lattice_offset &&
         cells_of(field_.velocity) == cells_of(other.field_.velocity) &&
         std::all_of(field_.attributes.begin(), field_.attributes.end(), like);
}

Result<FlowInput> FlowInput::open(vtkDataSet* dataset, const ChosenVectors& vectors, bool joined)
{
  Result<Grid> grid = grid_of(dataset);
  if (!grid)
  {
    return forward_error(grid);
  }
  FlowInput flow;
  flow.dataset_ = dataset;
  flow.vectors_ = vectors;
  flow.joined_ = joined;
  flow.centering_ = vectors.centering;
  flow.field_.grid = std::move(*grid);
  if (Result<void> good = flow.take_ghosts(); !good)
  {
    return forward_error(good);
  }
  if (!joined)
  {
    flow.choose_lattice_offset(vectors);
  }
  Result<void> good = flow.follow(vectors);
  return good ? Result<FlowInput>(std::move(flow)) : forward_error(good);
}

Result<FlowInput> FlowInput::open(AmrBlocks levels, const ChosenVectors& vectors, MeshCache& cache)
{
  FlowInput flow;
  flow.cache_ = &cache;
  flow.levels_ = std::move(levels);
  flow.dataset_ = flow.levels_.first();
  flow.field_.grid = flow.levels_.cut->level(0).grid;
  Result<void> good = flow.follow(vectors);
  return good ? Result<FlowInput>(std::move(flow)) : forward_error(good);
}

Result<FlowInput> FlowInput::cut_into(std::shared_ptr<const AmrMesh> bricks) const
{
  Result<std::shared_ptr<const AmrMesh>> mesh = with_levels_of(levels_.mesh, *bricks);
  if (!mesh)
  {
    return forward_error(mesh);
  }
  AmrBlocks levels{ std::move(*mesh), levels_.blocks, std::move(bricks) };
  levels.blocks.resize(static_cast<std::size_t>(levels.mesh->levels()));
  Result<FlowInput> flow = open(std::move(levels), vectors_, *cache_);
  Result<void> added = flow ? flow->add_point_arrays() : forward_error(flow);
  return added ? std::move(flow) : forward_error(added);
}

Result<FlowInput> FlowInput::open(BlockLattice blocks, const ChosenVectors& vectors)
{
  FlowInput flow;
  flow.blocks_ = std::move(blocks);
  flow.dataset_ = flow.blocks_.blocks.front().block.dataset;
  flow.centering_ = vectors.centering;
  flow.field_.grid = flow.blocks_.grid;
  const auto marks = [](const std::vector<std::uint8_t>& ghosts)
  {
    return ghosts.empty() ? nullptr : ghosts.data();
  };
  flow.field_.point_ghosts = marks(flow.blocks_.point_ghosts);
  flow.field_.cell_ghosts = marks(flow.blocks_.cell_ghosts);
  Result<void> good = flow.follow(vectors);
  return good ? Result<FlowInput>(std::move(flow)) : forward_error(good);
}

namespace
{

/// The smallest box around some datasets, as a grid of one cell.
Grid bounding_grid(const std::vector<InputBlock>& blocks)
{
  vtkBoundingBox box;
  for (const InputBlock& block : blocks)
  {
    box.AddBounds(block.dataset->GetBounds());
  }
  Grid grid;
  box.GetMinPoint(grid.origin.data());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double side = box.GetLength(static_cast<int>(axis));
    grid.nodes[axis] = side > 0.0 ? 2 : 1;
    grid.spacing[axis] = side > 0.0 ? side : 1.0;
  }
  return grid;
}

} // namespace

Result<FlowInput> FlowInput::open(std::vector<InputBlock> foreign, const ChosenVectors& vectors, MeshCache& cache)
{
  Result<std::shared_ptr<const InputCells>> cells = cache.cells(foreign);
  if (!cells)
  {
    return forward_error(cells);
  }
  FlowInput flow;
  flow.dataset_ = foreign.front().dataset;
  flow.centering_ = vectors.centering;
  flow.field_.grid = bounding_grid(foreign);
  flow.field_.foreign = std::move(*cells);
  flow.foreign_ = std::move(foreign);
  Result<void> good = flow.follow(vectors);
  return good ? Result<FlowInput>(std::move(flow)) : forward_error(good);
}

/// Adds the velocity. Joined from scalars at nodes, it is an attribute, too: the output needs the array.
Result<void> FlowInput::follow(const ChosenVectors& vectors)
{
  vectors_ = vectors;
  if (!vectors.of_scalars && vectors.ignore_above == 0.0)
  {
    Result<SourceArray> added = add_values(vectors.first(), vectors.centering);
    if (!added)
    {
      return forward_error(added);
    }
    field_.velocity = *added;
    return {};
  }
  Result<SourceArray> joined = foreign_.empty() ? join_vectors(vectors) : take_row(row_of(foreign_, vectors));
  if (!joined)
  {
    return forward_error(joined);
  }
  field_.velocity = *joined;
  if (vectors.of_scalars && centering_ == Centering::Node)
  {
    const bool floats = field_.velocity.source->info().variables.front().type == ScalarType::Float32;
    like_joined_.TakeReference(vtkDataArray::CreateDataArray(floats ? VTK_FLOAT : VTK_DOUBLE));
    like_joined_->SetName(vectors.name.c_str());
    like_joined_->SetNumberOfComponents(3);
    field_.attributes.push_back({ vectors.name, field_.velocity });
    point_arrays_.push_back(like_joined_);
  }
  return {};
}

Result<SourceArray> FlowInput::join_vectors(const ChosenVectors& vectors)
{
  std::vector<JoinedPart> parts;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    vtkDataArray* array = vectors.arrays[axis];
    const auto component = static_cast<std::int32_t>(axis);
    Result<void> added = array != nullptr ? add_parts(*array, vectors.centering, component, parts) : Result<void>{};
    if (!added)
    {
      return forward_error(added);
    }
  }
  return join(vectors.name, 3, vectors.centering, std::move(parts));
}

/// Adds the source of a row of values.
Result<SourceArray> FlowInput::take_row(Result<std::shared_ptr<BrickSource>> row)
{
  if (!row)
  {
    return forward_error(row);
  }
  sources_.push_back(std::move(*row));
  return SourceArray{ sources_.back().get(), 0, 0 };
}

Result<void> FlowInput::take_ghosts()
{
  Result<const std::uint8_t*> points = ghosts_of(*dataset_, field_.grid, Centering::Node);
  if (!points)
  {
    return forward_error(points);
  }
  Result<const std::uint8_t*> cells = ghosts_of(*dataset_, field_.grid, Centering::Cell);
  if (!cells)
  {
    return forward_error(cells);
  }
  field_.point_ghosts = *points;
  field_.cell_ghosts = *cells;
  return {};
}

double FlowInput::longest_side() const
{
  std::array<double, 6> bounds;
  dataset_->GetBounds(bounds.data());
  if (!blocks_.blocks.empty() || !foreign_.empty())
  {
    bounds = bounds_of(field_.grid);
  }
  double longest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const Grid& grid = field_.grid; // the whole domain; the dataset may be only one of the blocks
    const double side =
        levels_.mesh != nullptr ? (grid.nodes[axis] - 1) * grid.spacing[axis] : bounds[2 * axis + 1] - bounds[2 * axis];
    longest = std::max(longest, side);
  }
  return longest;
}

SourceArray FlowInput::add_levels(vtkDataArray& array, Centering centering)
{
  const MeshCache::Array known = cache_->array(levels_, common(array, centering), centering);
  const std::shared_ptr<BudgetedStore>& store = known.values->store();
  if (store && std::find(stores_.begin(), stores_.end(), store) == stores_.end())
  {
    stores_.push_back(store);
  }
  amr_bricks_.push_back(known.bricks);
  sources_.push_back(amr_bricks_.back());
  return { sources_.back().get(), 0, 0 };
}

/// All sources must count lattice points from the same origin: that of the first lazily paged array.
void FlowInput::choose_lattice_offset(const ChosenVectors& vectors)
{
  for (vtkDataArray* array : vectors.arrays)
  {
    if (array != nullptr && pages(*array, field_.grid, centering_))
    {
      field_.lattice_offset = lattice_offset_of(array);
      return;
    }
  }
  vtkPointData* data = dataset_->GetPointData();
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
  {
    if (vtkDataArray* array = data->GetArray(i); array != nullptr && pages(*array, field_.grid, Centering::Node))
    {
      field_.lattice_offset = lattice_offset_of(array);
      return;
    }
  }
}

std::vector<Error> FlowInput::suspects() const
{
  std::vector<Error> found;
  vtkDataSetAttributes& attributes = attributes_of(*dataset_, vectors_.centering);
  vtkDataArray* const ghosts = attributes.GetArray(vtkDataSetAttributes::GhostArrayName());
  for (vtkDataArray* array : vectors_.arrays)
  {
    if (array == nullptr)
    {
      continue;
    }
    if (std::optional<Error> suspect = suspect_fill_values(*array, vectors_.ignore_above, ghosts))
    {
      found.push_back(std::move(*suspect));
    }
  }
  return found;
}

/// Lattice points of the dataset or of all blocks, counted as sources do.
Box FlowInput::lattice(Centering centering) const
{
  Box box{ field_.lattice_offset, field_.grid.lattice(centering) };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.end[axis] += box.begin[axis];
  }
  return box;
}

/// Returns the same source for the same array, so that Core does not read its values twice.
Result<SourceArray> FlowInput::add_values(vtkDataArray& array, Centering centering)
{
  const auto known = known_.find({ &array, centering });
  if (known != known_.end())
  {
    return known->second;
  }
  Result<SourceArray> added = SourceArray{};
  if (!foreign_.empty())
  {
    added = take_row(row_of(foreign_, array, centering));
  }
  else if (!blocks_.blocks.empty() || joined_)
  {
    std::vector<JoinedPart> parts;
    if (Result<void> good = add_parts(array, centering, 0, parts); !good)
    {
      return forward_error(good);
    }
    added = join(array.GetName(), array.GetNumberOfComponents(), centering, std::move(parts));
  }
  else
  {
    added = levels_.mesh != nullptr ? add_levels(array, centering)
                                    : add_array(array, field_.grid, centering, field_.lattice_offset);
  }
  if (added)
  {
    known_[{ &array, centering }] = *added;
  }
  return added;
}

Result<SourceArray> FlowInput::add_array(
    vtkDataArray& array, const Grid& grid, Centering centering, const Int3& lattice_offset)
{
  const bool paged = pages(array, grid, centering) && lattice_offset_of(&array) == lattice_offset;
  if (paged || (is_plain(array) && array.GetNumberOfComponents() <= 9))
  {
    Result<PipelineArray> made = make_source(&array, grid, centering, lattice_offset);
    if (!made)
    {
      return forward_error(made);
    }
    sources_.push_back(made->source);
    if (made->field && std::find(lazy_fields_.begin(), lazy_fields_.end(), made->field) == lazy_fields_.end())
    {
      lazy_fields_.push_back(made->field);
    }
    return made->array;
  }
  if (Result<void> good = check_length(array, grid, centering); !good)
  {
    return forward_error(good);
  }
  sources_.push_back(std::make_shared<TiledArray>(array, grid, centering, lattice_offset, tiles_));
  return SourceArray{ sources_.back().get(), 0, 0 };
}

JoinedPart FlowInput::part_of(const SourceArray& array, std::int32_t component, const Box& box, const Int3& from)
{
  const auto source = std::find_if(sources_.begin(), sources_.end(),
      [&](const std::shared_ptr<BrickSource>& other) { return other.get() == array.source; });
  return { *source, array.variable, array.step, component, box, from };
}

/// Adds the sources of an array: one of the dataset or the levels, or one per block.
Result<void> FlowInput::add_parts(
    vtkDataArray& array, Centering centering, std::int32_t component, std::vector<JoinedPart>& parts)
{
  if (joined_)
  {
    const Int3 offset = pages(array, field_.grid, centering) ? lattice_offset_of(&array) : Int3{ 0, 0, 0 };
    Result<SourceArray> added = add_array(array, field_.grid, centering, offset);
    if (added)
    {
      parts.push_back(part_of(*added, component, lattice(centering), offset));
    }
    return added ? Result<void>{} : forward_error(added);
  }
  if (blocks_.blocks.empty())
  {
    Result<SourceArray> added = add_values(array, centering);
    if (added)
    {
      const Box all = lattice(centering);
      parts.push_back(part_of(*added, component, all, all.begin));
    }
    return added ? Result<void>{} : forward_error(added);
  }
  for (const LatticeBlock& each : blocks_.blocks)
  {
    vtkDataArray* values = array_of(*each.block.dataset, array.GetName(), centering);
    if (Result<void> same = check_same_array(values, array, centering, each.block.name); !same)
    {
      return same;
    }
    const Int3 offset = pages(*values, each.grid, centering) ? lattice_offset_of(values) : Int3{ 0, 0, 0 };
    Result<SourceArray> added = add_array(*values, each.grid, centering, offset);
    if (!added)
    {
      return forward_error(added);
    }
    const Box own = each.own(centering);
    Box box;
    Int3 from;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = own.begin[axis] + each.begin[axis];
      box.end[axis] = own.end[axis] + each.begin[axis];
      from[axis] = own.begin[axis] + offset[axis];
    }
    parts.push_back(part_of(*added, component, box, from));
  }
  return {};
}

SourceArray FlowInput::join(
    const std::string& name, std::int32_t components, Centering centering, std::vector<JoinedPart> parts)
{
  JoinedLayout layout;
  layout.grid = field_.grid;
  layout.variable.name = name;
  layout.variable.components = components;
  layout.variable.centering = centering;
  layout.ignore_above = vectors_.ignore_above;
  layout.held = lattice(centering);
  layout.cut_by_grid = joined_;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    layout.grid.nodes[axis] += field_.lattice_offset[axis];
  }
  for (const JoinedPart& part : parts)
  {
    layout.variable.type = variable_of(part).type == ScalarType::Float64 ? ScalarType::Float64 : layout.variable.type;
    layout.may_wait = layout.may_wait || dynamic_cast<FileBricks*>(part.source.get()) != nullptr;
  }
  if (levels_.mesh != nullptr)
  {
    layout.variable.centering = Centering::Node;
    layout.may_wait = !stores_.empty();
  }
  layout.times = common_times(parts);
  const std::int32_t step = layout.times.empty() ? 0 : parts.front().step;
  joined_bricks_.push_back(std::make_shared<JoinedBricks>(std::move(layout), std::move(parts)));
  sources_.push_back(joined_bricks_.back());
  return { sources_.back().get(), 0, step };
}

void FlowInput::read_from(const BrickSource& before, BrickSource& now)
{
  const auto change = [&](SourceArray& array)
  {
    array.source = array.source == &before ? &now : array.source;
  };
  change(field_.velocity);
  for (AttributeRequest& attribute : field_.attributes)
  {
    change(attribute.array);
  }
}

Result<void> FlowInput::add_point_arrays()
{
  Result<void> added = add_arrays(*dataset_->GetPointData(), Centering::Node);
  find_others(Centering::Node);
  if (added && levels_.mesh != nullptr)
  {
    added = add_arrays(*dataset_->GetCellData(), Centering::Cell);
    find_others(Centering::Cell);
  }
  return added;
}

Result<void> FlowInput::add_arrays(vtkDataSetAttributes& attributes, Centering centering)
{
  for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
  {
    vtkDataArray* array = attributes.GetArray(i);
    const auto same_name = [&](const AttributeRequest& other)
    {
      return other.name == array->GetName();
    };
    if (!interpolates(attributes, array) || std::any_of(field_.attributes.begin(), field_.attributes.end(), same_name))
    {
      continue;
    }
    if (!all_have(*array, centering))
    {
      continue;
    }
    Result<SourceArray> added = add_values(*array, centering);
    if (!added)
    {
      return forward_error(added);
    }
    field_.attributes.push_back({ array->GetName(), *added });
    point_arrays_.push_back(&common(*array, centering));
  }
  return {};
}

/// Blocks in this process, if the input is levels or blocks that tile a box; else empty.
std::vector<InputBlock> FlowInput::parts() const
{
  std::vector<InputBlock> all = foreign_;
  for (const LatticeBlock& each : blocks_.blocks)
  {
    all.push_back(each.block);
  }
  for (std::size_t level = 0; level < levels_.blocks.size(); ++level)
  {
    for (std::size_t box = 0; box < levels_.blocks[level].size(); ++box)
    {
      if (vtkDataSet* image = levels_.blocks[level][box]; image != nullptr)
      {
        all.push_back({ image, "box " + std::to_string(box) + " of level " + std::to_string(level) });
      }
    }
  }
  return all;
}

/// Whether all blocks have the array. If not, left_out_ gets a message that names a block without it.
bool FlowInput::all_have(vtkDataArray& array, Centering centering)
{
  for (const InputBlock& each : parts())
  {
    vtkDataArray* values = array_of(*each.dataset, array.GetName(), centering);
    if (Result<void> same = check_same_array(values, array, centering, each.name); !same)
    {
      left_out_.push_back(same.error().what);
      return false;
    }
  }
  return true;
}

/// Adds a message to left_out_ for each array of other blocks that the first block does not have.
void FlowInput::find_others(Centering centering)
{
  std::set<std::string> seen;
  for (const InputBlock& each : parts())
  {
    auto& attributes = attributes_of(*each.dataset, centering);
    for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
    {
      vtkDataArray* array = attributes.GetArray(i);
      if (interpolates(attributes, array) && array_of(*dataset_, array->GetName(), centering) == nullptr &&
          seen.insert(array->GetName()).second)
      {
        left_out_.push_back("the first block of the input has no array \"" + std::string(array->GetName()) + '"');
      }
    }
  }
}

/// The array; if its type differs between blocks, an empty array of doubles with its name and components.
vtkDataArray& FlowInput::common(vtkDataArray& array, Centering centering)
{
  const std::vector<InputBlock> all = parts();
  const bool same = std::all_of(all.begin(), all.end(),
      [&](const InputBlock& each)
      {
        const vtkDataArray* other = array_of(*each.dataset, array.GetName(), centering);
        return other == nullptr || other->GetDataType() == array.GetDataType();
      });
  if (same)
  {
    return array;
  }
  vtkDataArray& like = *likes_.emplace_back(vtkSmartPointer<vtkDoubleArray>::New());
  like.SetName(array.GetName());
  like.SetNumberOfComponents(array.GetNumberOfComponents());
  like.CopyComponentNames(&array);
  return like;
}

int FlowInput::attribute_type(vtkDataArray& array) const
{
  const auto is_used = [&](vtkDataSetAttributes& attributes, int type)
  {
    const vtkAbstractArray* used = attributes.GetAbstractAttribute(type);
    return used != nullptr && used == attributes.GetAbstractArray(array.GetName());
  };
  for (int type = 0; type < vtkDataSetAttributes::NUM_ATTRIBUTES; ++type)
  {
    if ((levels_.mesh != nullptr && is_used(*dataset_->GetCellData(), type)) ||
        is_used(*dataset_->GetPointData(), type))
    {
      return type;
    }
  }
  return -1;
}

} // namespace rivulet
