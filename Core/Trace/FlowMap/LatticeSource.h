// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One particle per node of a lattice, all released at one time. Releases are made on demand, so that a lattice may
/// have any number of nodes; the id of a release is the row-major number of its node. Nodes are released box by box,
/// because neighbours share bricks. ChosenNodes releases some nodes only.
#pragma once

#include "Trace/Advect/ParticleSource.h"
#include "Trace/FlowMap/ReleaseLattice.h"

#include <atomic>
#include <span>

namespace rivulet
{

class LatticeSource final : public ParticleSource
{
public:
  /// Forward (`sign` 1) or backward (-1) from `time`.
  LatticeSource(const ReleaseLattice& lattice, double time, double sign);
  /// Only the nodes of a box, counted from the lattice's corner.
  LatticeSource(ReleaseLattice lattice, double time, double sign, const Box& nodes);

  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override;
  [[nodiscard]] std::int64_t expected() const override { return nodes_.count(); }
  [[nodiscard]] std::vector<Release> some(std::size_t most) const override
  {
    return spread_over(expected(), most, [&](std::int64_t i) { return release_of(from_row_major(i, nodes_.size())); });
  }

private:
  /// The place counts from the corner of the box.
  [[nodiscard]] Release release_of(const Int3& place) const;

  static constexpr std::int32_t kBlockNodes = 8; ///< nodes of a box along each axis

  ReleaseLattice lattice_;
  double time_;
  double sign_;
  Box nodes_;
  Int3 blocks_;
  std::atomic<std::int64_t> next_block_{ 0 };
};

class ChosenNodes final : public ParticleSource
{
public:
  /// `nodes`: row-major numbers of nodes of the lattice, in the order of release. The id of a release is the place of
  /// its node in there. Must outlive this object.
  ChosenNodes(ReleaseLattice lattice, std::span<const std::int64_t> nodes, double time, double sign);

  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override;
  [[nodiscard]] std::int64_t expected() const override { return static_cast<std::int64_t>(nodes_.size()); }
  [[nodiscard]] std::vector<Release> some(std::size_t most) const override
  {
    return spread_over(expected(), most, [&](std::int64_t i) { return release_of(i); });
  }

private:
  [[nodiscard]] Release release_of(std::int64_t number) const;

  ReleaseLattice lattice_;
  std::span<const std::int64_t> nodes_;
  double time_;
  double sign_;
  std::atomic<std::int64_t> next_{ 0 };
};

} // namespace rivulet
