// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A part's values of cells, or of nodes, as a field of the runtime. Holds the structures; values stay where the
/// simulation has them. It must live until rivulet_insitu_execute() has returned.
#pragma once

#include "Extent.h"
#include "Outline.h"

namespace rivulet::catalyst2
{

class PublishedField
{
public:
  /// `centring`: RIVULET_CELLS or RIVULET_NODES. `points`: of each domain of a structured grid. `domains` of this rank
  /// may be empty; they, `extent` and `points` must outlive the object.
  PublishedField(std::string name, std::int32_t centring, const std::vector<VariableOutline>& variables,
      const std::vector<Domain>& domains, const Extent& extent, GridKind kind, const std::vector<Values>& points = {});
  PublishedField(const PublishedField&) = delete;
  PublishedField& operator=(const PublishedField&) = delete;

  [[nodiscard]] const rivulet_field& field() const { return field_; }

private:
  void set_variables(const std::vector<VariableOutline>& variables);
  void set_blocks(const Extent& extent, const std::vector<Values>& points);
  void set_grid(const Extent& extent, GridKind kind);
  void set_points(const std::vector<Values>& points);
  [[nodiscard]] const std::vector<Values>& values_of(const Domain& domain) const;

  std::string name_;
  std::int32_t centring_;
  const std::vector<Domain>& domains_;
  std::vector<std::string> names_;
  std::vector<rivulet_variable> variables_;
  std::vector<std::vector<const void*>> data_; ///< of each block
  std::vector<rivulet_block> blocks_;
  std::array<std::vector<double>, 3> coordinates_;
  rivulet_variable points_{};
  rivulet_field field_{};
};

} // namespace rivulet::catalyst2
