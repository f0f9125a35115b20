// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowMap/LatticeSource.h"

#include <algorithm>

namespace rivulet
{

LatticeSource::LatticeSource(const ReleaseLattice& lattice, double time, double sign)
  : LatticeSource(lattice, time, sign, { { 0, 0, 0 }, lattice.nodes() })
{
}

LatticeSource::LatticeSource(ReleaseLattice lattice, double time, double sign, const Box& nodes)
  : lattice_(std::move(lattice))
  , time_(time)
  , sign_(sign)
  , nodes_(nodes)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    blocks_[axis] = (nodes_.size()[axis] + kBlockNodes - 1) / kBlockNodes;
  }
}

Release LatticeSource::release_of(const Int3& place) const
{
  const Int3 node{ place[0] + nodes_.begin[0], place[1] + nodes_.begin[1], place[2] + nodes_.begin[2] };
  return { .id = row_major(node, lattice_.nodes()), .point = lattice_.place(node), .time = time_, .sign = sign_ };
}

ParticleSource::Supply LatticeSource::take(std::int64_t most, std::vector<Release>& to)
{
  constexpr std::int64_t kInBlock = std::int64_t{ kBlockNodes } * kBlockNodes * kBlockNodes;
  const std::int64_t wanted = std::max<std::int64_t>(1, most / kInBlock);
  const std::int64_t first = next_block_.fetch_add(wanted, std::memory_order_relaxed);
  const std::int64_t last = std::min(volume(blocks_), first + wanted);
  if (first >= last)
  {
    next_block_.store(volume(blocks_), std::memory_order_relaxed);
    return Supply::None;
  }
  for (std::int64_t block = first; block < last; ++block)
  {
    const Int3 number = from_row_major(block, blocks_);
    const Int3 begin{ number[0] * kBlockNodes, number[1] * kBlockNodes, number[2] * kBlockNodes };
    const Box nodes = intersect(
        { begin, { begin[0] + kBlockNodes, begin[1] + kBlockNodes, begin[2] + kBlockNodes } }, { {}, nodes_.size() });
    for (std::int64_t i = 0; i < nodes.count(); ++i)
    {
      const Int3 local = from_row_major(i, nodes.size());
      to.push_back(release_of({ local[0] + begin[0], local[1] + begin[1], local[2] + begin[2] }));
    }
  }
  return Supply::More;
}

ChosenNodes::ChosenNodes(ReleaseLattice lattice, std::span<const std::int64_t> nodes, double time, double sign)
  : lattice_(std::move(lattice))
  , nodes_(nodes)
  , time_(time)
  , sign_(sign)
{
}

Release ChosenNodes::release_of(std::int64_t number) const
{
  const Int3 node = from_row_major(nodes_[static_cast<std::size_t>(number)], lattice_.nodes());
  return { .id = number, .point = lattice_.place(node), .time = time_, .sign = sign_ };
}

ParticleSource::Supply ChosenNodes::take(std::int64_t most, std::vector<Release>& to)
{
  const std::int64_t count = expected();
  const std::int64_t first = std::min(count, next_.fetch_add(most, std::memory_order_relaxed));
  const std::int64_t last = std::min(count, first + most);
  for (std::int64_t i = first; i < last; ++i)
  {
    to.push_back(release_of(i));
  }
  return last < count ? Supply::More : Supply::None;
}

} // namespace rivulet
