// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A part on its way to the runtime: its domains on this rank, the grid of all ranks, and the structures that refer to
/// both. It must live until rivulet_insitu_execute() has returned.
///
///     boxes of cells       one field, or "NAME/element" and "NAME/vertex" where there are values of both
///     cells of any shape   one mesh
#pragma once

#include "BoxPoints.h"
#include "PublishedField.h"
#include "PublishedMesh.h"

#include "rivulet_insitu.h"

#include <memory>

namespace rivulet::catalyst2
{

class Publication
{
public:
  /// Collective; an error of one rank is one of all ranks, as in Extent.h. `domains` of this rank may be empty.
  [[nodiscard]] static Result<std::unique_ptr<Publication>> make(
      MPI_Comm comm, const Outline& outline, std::vector<Domain> domains, const PublishedMesh::Wants& wants);

  /// A code of rivulet_insitu.h.
  int publish(rivulet_insitu* insitu) const;

private:
  [[nodiscard]] Result<void> add_fields(MPI_Comm comm, const Outline& outline);
  void add_field(const Outline& outline, std::int32_t centring, const BoxPoints& points);
  [[nodiscard]] Result<void> add_points(MPI_Comm comm, const Outline& outline);
  [[nodiscard]] Result<void> add_mesh(const Outline& outline, const PublishedMesh::Wants& wants);

  std::vector<Domain> domains_;
  Extent extent_;
  BoxPoints nodes_; ///< of a structured grid
  BoxPoints layer_; ///< for values of cells
  std::vector<std::unique_ptr<PublishedField>> fields_;
  std::unique_ptr<PublishedMesh> mesh_;
};

} // namespace rivulet::catalyst2
