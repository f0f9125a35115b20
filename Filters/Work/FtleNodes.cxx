// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/FtleNodes.h"

#include "Base/Bytes.h"
#include "Filters/Input/FlowInput.h"
#include "Filters/Output/OutputLattice.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/Ranks.h"
#include "Trace/FlowMap/MeshNodes.h"
#include "Trace/FlowMap/NodeCells.h"
#include "Trace/Mesh/MakeMesh.h"
#include "Trace/Mesh/SteppedMesh.h"
#include "Trace/Mesh/UnstructuredMesh.h"
#include "vtkImageData.h"
#include "vtkStructuredGrid.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rivulet
{

namespace
{

/// Bytes for each corner of a cell: the cell, in the list of its point.
constexpr std::int64_t kBytesOfCorner = sizeof(std::int32_t);

const Vec3 kUnknown{ std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
  std::numeric_limits<double>::quiet_NaN() };

bool is_unknown(const Vec3& place)
{
  return std::isnan(place[0]);
}

/// The cells at the moment; none where two meshes have a share in it.
std::optional<SteppedMesh::CellsAt> cells_of(const Mesh& mesh, const Moment& moment)
{
  if (const auto* const fixed = dynamic_cast<const UnstructuredMesh*>(&mesh))
  {
    return SteppedMesh::CellsAt{ fixed->own() };
  }
  const auto* const stepped = dynamic_cast<const SteppedMesh*>(&mesh);
  return stepped != nullptr ? stepped->cells_at(moment) : std::nullopt;
}

/// Index of a node in a row-major list of a box's.
std::size_t index_in(const Box& box, const Int3& node)
{
  return static_cast<std::size_t>(
      row_major({ node[0] - box.begin[0], node[1] - box.begin[1], node[2] - box.begin[2] }, box.size()));
}

} // namespace

std::int64_t FtleNodes::bytes() const
{
  const std::int64_t of_place = sizeof(Vec3);
  const std::int64_t of_cells = sizeof(Vec3) + sizeof(std::int64_t); // a second place, and where its list begins
  return kind_ == Kind::Lattice ? 0 : kind_ == Kind::OfGrid ? of_place : of_place + of_cells;
}

void FtleNodes::choose(Kind kind, Grid lattice, const Box& wanted)
{
  kind_ = kind;
  lattice_ = std::move(lattice);
  wanted_ = wanted;
}

void FtleNodes::begin()
{
  clear();
  if (kind_ == Kind::OfGrid)
  {
    places_.assign(static_cast<std::size_t>(wanted_.count()), kUnknown);
  }
}

void FtleNodes::keep_cells(const FlowInput& flow)
{
  cells_ = vtkSmartPointer<vtkUnstructuredGrid>::New();
  set_cells(*cells_, *vtkUnstructuredGrid::SafeDownCast(&flow.first()));
}

Result<void> FtleNodes::take_cells(const FlowInput& flow, std::int64_t of_particle, std::int64_t bytes)
{
  const auto cells = std::dynamic_pointer_cast<const UnstructuredCells>(flow.field().foreign);
  if (cells == nullptr || cells->others() != nullptr)
  {
    return fail(ErrorCode::Unsupported,
        "some cells are " + (cells == nullptr ? flow.field().foreign : cells->others())->kinds() +
            ", at whose points derivatives are not known",
        "set Lattice to Box, with its Bounds and Dimensions");
  }
  const std::int64_t needed =
      cells->nodes() * (of_particle + this->bytes()) + cells->table().connectivity().count * kBytesOfCorner;
  if (needed > bytes)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "the flow map of all points of the cells takes " + format_bytes(needed) +
            ", and one half of the memory budget is " + format_bytes(bytes),
        "raise Memory Budget; or set Lattice to Box, with its Bounds and Dimensions");
  }
  if (Ranks().rank() == 0)
  {
    keep_cells(flow);
  }
  return {};
}

void FtleNodes::use_cells()
{
  const auto points = cells_ != nullptr ? static_cast<std::int32_t>(cells_->GetNumberOfPoints()) : 0;
  lattice_ = Grid{};
  lattice_.nodes = { points, 1, 1 };
  wanted_ = points > 0 ? Box{ { 0, 0, 0 }, lattice_.nodes } : Box{};
}

Result<std::shared_ptr<const NodeCells>> FtleNodes::cells_at(
    const AdvectionContext& context, const Moment& moment, const FlowInput& flow)
{
  const std::optional<SteppedMesh::CellsAt> at = cells_of(context.mesh(), moment);
  if (!at || at->cells->nodes() != lattice_.nodes[0])
  {
    return fail(ErrorCode::Unsupported, "the cells change between two steps, and there are no points of both",
        "go to the time of a step; or set Lattice to Box, with its Bounds and Dimensions");
  }
  keep_cells(flow);
  const auto cells = std::make_shared<const NodeCells>(at->cells, at->share);
  places_.resize(at->cells->points().move() ? static_cast<std::size_t>(cells->nodes()) : 0);
  for (std::size_t node = 0; node < places_.size(); ++node)
  {
    places_[node] = cells->place(static_cast<std::int64_t>(node));
  }
  return cells;
}

Result<NodePlaces> FtleNodes::places_at(
    const AdvectionContext& context, const Moment& moment, int refinement, const Box& nodes)
{
  if (kind_ != Kind::OfGrid)
  {
    return NodePlaces();
  }
  const auto* const mesh = dynamic_cast<const CurvilinearMesh*>(&context.mesh());
  if (mesh == nullptr)
  {
    return fail(ErrorCode::Unsupported,
        "the input has no cells with a volume between its points, so that the output cannot have these points",
        "set Lattice to Box, with its Bounds and Dimensions");
  }
  Result<std::vector<Vec3>> places = mesh_nodes(*mesh, moment, refinement, nodes);
  if (!places)
  {
    return forward_error(places);
  }
  const Box both = intersect(nodes, wanted_);
  for (std::int64_t i = 0; i < both.count(); ++i)
  {
    const Int3 local = from_row_major(i, both.size());
    const Int3 node{ both.begin[0] + local[0], both.begin[1] + local[1], both.begin[2] + local[2] };
    places_[index_in(wanted_, node)] = (*places)[index_in(nodes, node)];
  }
  return std::make_shared<const std::vector<Vec3>>(std::move(*places));
}

Result<void> FtleNodes::find_places_left(const TraceField& field, int refinement)
{
  if (std::none_of(places_.begin(), places_.end(), is_unknown))
  {
    return {};
  }
  const Result<std::shared_ptr<const Mesh>> mesh = make_mesh(field);
  const auto* const curvilinear = mesh ? dynamic_cast<const CurvilinearMesh*>(mesh->get()) : nullptr;
  if (curvilinear == nullptr)
  {
    return {};
  }
  Result<std::vector<Vec3>> places = mesh_nodes(*curvilinear, {}, refinement, wanted_);
  if (!places)
  {
    return forward_error(places);
  }
  for (std::size_t i = 0; i < places_.size(); ++i)
  {
    places_[i] = is_unknown(places_[i]) ? (*places)[i] : places_[i];
  }
  return {};
}

void FtleNodes::shape(vtkDataSet& output) const
{
  if (auto* const grid = vtkStructuredGrid::SafeDownCast(&output))
  {
    set_nodes(*grid, lattice_, wanted_, places_);
  }
  else if (auto* const cells = vtkUnstructuredGrid::SafeDownCast(&output))
  {
    if (cells_ != nullptr)
    {
      cells->ShallowCopy(cells_);
      set_places(*cells, places_);
    }
  }
  else
  {
    set_geometry(*vtkImageData::SafeDownCast(&output), lattice_, wanted_);
  }
}

void FtleNodes::clear()
{
  cells_ = nullptr;
  places_ = {};
}

} // namespace rivulet
