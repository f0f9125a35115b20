// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Points of the boxes of a structured grid as the runtime wants them: three coordinates of each node. They stay where
/// the simulation has them if it has three. Else they are copied, and a missing y or z is 0.
///
/// Values of cells of a flat grid belong to one layer of cells. So its nodes are doubled: the second layer is as far
/// above the first one as the nearest nodes are apart.
#pragma once

#include "Domain.h"

#include <mpi.h>

namespace rivulet::catalyst2
{

class BoxPoints
{
public:
  /// Nodes as they are. Throws std::bad_alloc.
  [[nodiscard]] static BoxPoints of_nodes(const std::vector<Domain>& domains);
  /// Nodes in two layers, where domains are flat along the third axis. Throws std::bad_alloc.
  [[nodiscard]] static BoxPoints of_layer(const std::vector<Domain>& domains, double thickness);

  /// Of each domain.
  [[nodiscard]] const std::vector<Values>& all() const { return all_; }

private:
  void add(const Values& points, const std::vector<const Values*>& layers);

  std::vector<Values> all_;
  std::vector<std::vector<std::byte>> copies_;
};

/// The least distance between nodes that are neighbours, in domains with x and y alone; infinite where there is none.
[[nodiscard]] double least_edge(const std::vector<Domain>& domains);

} // namespace rivulet::catalyst2
