// SPDX-License-Identifier: BSD-3-Clause
#include "Publication.h"

#include <algorithm>
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
  const bool both = !outline.cells.empty() && !outline.nodes.empty();
  if (!outline.cells.empty())
  {
    fields_.push_back(std::make_unique<PublishedField>(both ? outline.name + "/element" : outline.name, RIVULET_CELLS,
        outline.cells, domains_, extent_, outline.kind));
  }
  if (!outline.nodes.empty())
  {
    fields_.push_back(std::make_unique<PublishedField>(
        both ? outline.name + "/vertex" : outline.name, RIVULET_NODES, outline.nodes, domains_, extent_, outline.kind));
  }
  return {};
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
