// SPDX-License-Identifier: BSD-3-Clause
#include "Publication.h"

#include <algorithm>
#include <cmath>
#include <exception>

namespace rivulet::catalyst2
{

Result<std::unique_ptr<Publication>> Publication::make(
    MPI_Comm comm, const Outline& outline, std::vector<Domain> domains, const PublishedMesh::Wants& wants)
{
  auto made = std::make_unique<Publication>();
  made->domains_ = std::move(domains);
  Result<void> added =
      outline.kind == GridKind::Mesh ? agreed(comm, made->add_mesh(outline, wants)) : made->add_fields(comm, outline);
  return added ? Result<std::unique_ptr<Publication>>(std::move(made)) : forward_error(added);
}

Result<void> Publication::add_fields(MPI_Comm comm, const Outline& outline)
{
  Result<Extent> extent = extent_of(comm, outline.kind, domains_);
  if (!extent)
  {
    return forward_error(extent);
  }
  extent_ = std::move(*extent);
  const bool flat = std::find(extent_.cells.begin(), extent_.cells.end(), 0) != extent_.cells.end();
  if (flat && !extent_.ratio.empty() && !outline.nodes.empty()) // the same on all ranks
  {
    return fail(ErrorCode::Unsupported, "values of nodes of flat levels are not translated", "publish values of cells",
        "catalyst/channels/" + outline.channel);
  }
  Result<void> added = outline.kind == GridKind::Structured ? add_points(comm, outline) : Result<void>();
  if (!added)
  {
    return added;
  }
  if (!outline.cells.empty())
  {
    add_field(outline, RIVULET_CELLS, layer_);
  }
  if (!outline.nodes.empty())
  {
    add_field(outline, RIVULET_NODES, nodes_);
  }
  return {};
}

void Publication::add_field(const Outline& outline, std::int32_t centring, const BoxPoints& points)
{
  const bool both = !outline.cells.empty() && !outline.nodes.empty();
  const bool of_cells = centring == RIVULET_CELLS;
  const char* const behind = !both ? "" : of_cells ? "/element" : "/vertex";
  fields_.push_back(std::make_unique<PublishedField>(outline.name + behind, centring,
      of_cells ? outline.cells : outline.nodes, domains_, extent_, outline.kind, points.all()));
}

/// Collective. A rank without memory for points refuses the part on all.
Result<void> Publication::add_points(MPI_Comm comm, const Outline& outline)
{
  const auto tried = [&](const auto& copy)
  {
    Result<void> done;
    try
    {
      copy();
    }
    catch (const std::exception& failure)
    {
      done = fail(ErrorCode::BudgetTooSmall, std::string("there is no memory for its points: ") + failure.what(),
          "publish x, y and z", outline.name);
    }
    return agreed(comm, std::move(done));
  };
  const bool flat = extent_.cells[2] == 0 && !outline.cells.empty(); // the same on all ranks
  double thickness = 1;
  Result<void> added = tried(
      [&]
      {
        nodes_ = BoxPoints::of_nodes(domains_);
        thickness = flat ? least_edge(domains_) : 1;
      });
  if (!added)
  {
    return added;
  }
  MPI_Allreduce(MPI_IN_PLACE, &thickness, 1, MPI_DOUBLE, MPI_MIN, comm);
  thickness = std::isfinite(thickness) ? thickness : 1;
  return tried([&] { layer_ = flat ? BoxPoints::of_layer(domains_, thickness) : BoxPoints::of_nodes(domains_); });
}

/// Not collective: this rank's exceptions must not keep others waiting.
Result<void> Publication::add_mesh(const Outline& outline, const PublishedMesh::Wants& wants)
{
  try
  {
    Result<JoinedCells> cells = JoinedCells::of(domains_);
    if (!cells)
    {
      return forward_error(cells);
    }
    mesh_ = std::make_unique<PublishedMesh>(outline, domains_, std::move(*cells), wants);
    return {};
  }
  catch (const std::exception& failure)
  {
    return fail(ErrorCode::BudgetTooSmall,
        std::string("there is no memory for its cells and points: ") + failure.what(),
        "describe them packed, in one domain on each rank", outline.name);
  }
}

int Publication::publish(rivulet_insitu* insitu) const
{
  int code = mesh_ ? rivulet_insitu_publish_mesh(insitu, &mesh_->mesh()) : RIVULET_OK;
  for (const auto& each : fields_)
  {
    const int own = rivulet_insitu_publish_field(insitu, &each->field());
    code = own != RIVULET_OK ? own : code;
  }
  return code;
}

} // namespace rivulet::catalyst2
