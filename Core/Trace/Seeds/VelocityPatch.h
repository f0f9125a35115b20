// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The vorticity in a box of cells, from the velocities and, on curvilinear grids, the places of a box of lattice
/// points (LatticePatch.h). For searches through a whole field, where one brick is not enough.
///
///     VelocityPatch patch(context);
///     patch.begin(cells);
///     const Lookup::State loaded = patch.load(error); // after a Miss: call again when patch.wait() has returned
///     if (loaded == Lookup::State::Ready) use(patch.vorticity({ 4, 5, 6 }));
///
/// Derivatives are computed for a whole box in loops without branches, over one array per component: a few nanoseconds
/// per cell.
///
/// One thread at a time. Pins one brick at a time.
#pragma once

#include "Trace/Kernel/AdvectionContext.h"
#include "Trace/Seeds/LatticePatch.h"

#include <optional>

namespace rivulet
{

class VelocityPatch
{
public:
  explicit VelocityPatch(const AdvectionContext& context);

  /// Sets the cells of the dataset for the next load().
  void begin(const Box& cells);
  /// Fetches the values for these cells and computes their vorticity. Never waits: returns Miss if a brick is on its
  /// way, and Failed, with the error, if a brick cannot be read.
  [[nodiscard]] Lookup::State load(std::shared_ptr<const Error>& error);
  /// Waits until load() can go on, 50 ms at most.
  void wait() { velocity_loaded_&& places_ ? places_->wait() : velocity_.wait(); }
  /// Whether a requested brick has not arrived. Then this object must not be destroyed.
  [[nodiscard]] bool brick_missing() { return velocity_.brick_missing() || (places_ && places_->brick_missing()); }

  /// Magnitude of the curl of the velocity at the centre of one of the cells loaded.
  [[nodiscard]] double vorticity(const Int3& cell) const { return vorticity_[velocity_.number(cell)]; }
  /// The centre of one of the cells loaded.
  [[nodiscard]] Vec3 centre(const Int3& cell) const;

private:
  /// Changes of three components along each axis, [axis][component]: one per lattice point, some without meaning.
  using Changes = std::array<LatticePatch::Values, 3>;

  [[nodiscard]] bool flat(std::size_t axis) const { return context_.field().grid.nodes[axis] == 1; }
  void set_apart();
  void differ(const LatticePatch::Values& values, Changes& change) const;
  void weigh();
  [[nodiscard]] double weight(std::size_t axis, std::int32_t cell) const;
  void take_curl();
  void take_curl_between_places();
  void find_centres();

  const AdvectionContext& context_;
  const GridGeometry* grid_; ///< nullptr: the grid is curvilinear
  bool nodes_;               ///< the velocities lie at nodes
  LatticePatch velocity_;
  std::optional<LatticePatch> places_; ///< of nodes, of a curvilinear grid
  bool velocity_loaded_ = false;
  std::array<std::size_t, 3> apart_{ 1, 1,
    1 };                         ///< in the arrays, between neighbours along each axis; 0 along flat ones
  Changes change_;               ///< of velocities
  LatticePatch::Values centres_; ///< of cells, of a curvilinear grid with velocities there, as velocity_ has these
  Changes change_of_place_;      ///< of a curvilinear grid
  std::vector<double> vorticity_;
};

} // namespace rivulet
