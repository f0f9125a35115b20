// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A part with cells of any shape as a mesh of the runtime. Holds the structures, and the arrays that had to be made or
/// joined. It must live until rivulet_insitu_execute() has returned.
#pragma once

#include "JoinedCells.h"
#include "JoinedValues.h"
#include "Outline.h"

#include <functional>

namespace rivulet::catalyst2
{

class PublishedMesh
{
public:
  /// Says of a variable if some analytics want it. Others are left out.
  using Wants = std::function<bool(const std::string& variable)>;

  /// `domains` of this rank may be empty. They must outlive the object. Throws std::bad_alloc.
  PublishedMesh(Outline outline, const std::vector<Domain>& domains, JoinedCells cells, const Wants& wants);
  PublishedMesh(const PublishedMesh&) = delete;
  PublishedMesh& operator=(const PublishedMesh&) = delete;

  [[nodiscard]] const rivulet_mesh& mesh() const { return mesh_; }

private:
  void set_points(const std::vector<Domain>& domains);
  [[nodiscard]] std::vector<rivulet_array> arrays_of(const std::vector<VariableOutline>& variables,
      const std::vector<Domain>& domains, std::vector<Values> Domain::*values, const Wants& wants);

  Outline outline_; ///< has the names
  JoinedCells cells_;
  JoinedValues points_;
  std::vector<JoinedValues> joined_; ///< of all arrays
  std::vector<rivulet_array> at_points_;
  std::vector<rivulet_array> at_cells_;
  rivulet_mesh mesh_{};
};

} // namespace rivulet::catalyst2
