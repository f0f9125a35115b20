// SPDX-License-Identifier: BSD-3-Clause
#include "Halo.h"

namespace molecular_dynamics
{

namespace
{

constexpr std::int64_t kGrain = 1 << 13;

/// Cells begin ... end - 1 along each axis.
struct CellBox
{
  Int3 begin, end;
};

/// Layers at a side: the rank's own ones, or the ghosts beyond them. Ghosts from axes before `axis` belong to them.
CellBox layers(const Int3& own, std::size_t axis, std::size_t side, bool ghosts)
{
  CellBox box{ { 0, 0, 0 }, own };
  for (std::size_t before = 0; before < axis; ++before)
  {
    box.begin[before] = -kLayers;
    box.end[before] = own[before] + kLayers;
  }
  const std::int32_t inside = side == 0 ? 0 : own[axis] - kLayers;
  const std::int32_t outside = side == 0 ? -kLayers : own[axis];
  box.begin[axis] = ghosts ? outside : inside;
  box.end[axis] = box.begin[axis] + kLayers;
  return box;
}

template <class Visit>
void for_each_cell(const CellBox& box, const Visit& visit)
{
  for (std::int32_t z = box.begin[2]; z < box.end[2]; ++z)
  {
    for (std::int32_t y = box.begin[1]; y < box.end[1]; ++y)
    {
      for (std::int32_t x = box.begin[0]; x < box.end[0]; ++x)
      {
        visit(Int3{ x, y, z });
      }
    }
  }
}

/// Copies the positions of the particles sent[begin] ... sent[end - 1].
void pack(const Particles& particles, const std::vector<std::int32_t>& sent, const Vec3& shift,
    const std::array<double*, 3>& to, std::int64_t begin, std::int64_t end)
{
  for (std::size_t along = 0; along < 3; ++along)
  {
    const double* const position = particles.position[along].data();
    for (std::int64_t i = begin; i < end; ++i)
    {
      to[along][i] = position[sent[static_cast<std::size_t>(i)]] + shift[along];
    }
  }
}

int tag_of(std::size_t axis, std::size_t side)
{
  return static_cast<int>(2 * axis + side);
}

} // namespace

void Halo::build(Particles& particles, CellList& cells, const Domain& domain, examples::Parallel& parallel)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    exchange_cells(particles, cells, domain, axis);
    exchange_positions(particles, domain, axis, parallel);
  }
}

void Halo::update(Particles& particles, const Domain& domain, examples::Parallel& parallel)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    exchange_positions(particles, domain, axis, parallel);
  }
}

/// Tells the neighbours how many particles are in each cell, and makes room for theirs.
void Halo::exchange_cells(Particles& particles, CellList& cells, const Domain& domain, std::size_t axis)
{
  std::int64_t next = particles.spare();
  for (std::size_t side = 0; side < 2; ++side)
  {
    // Particles that enter at this side have left the neighbour there through its opposite side.
    Side& leaving = sides_[axis][1 - side];
    Side& entering = sides_[axis][side];
    std::vector<std::int32_t> sizes;
    leaving.sent.clear();
    for_each_cell(layers(cells.own(), axis, 1 - side, false),
        [&](const Int3& cell)
        {
          const CellList::Span span = cells.span(cell);
          sizes.push_back(span.end - span.begin);
          for (std::int32_t i = span.begin; i < span.end; ++i)
          {
            leaving.sent.push_back(i);
          }
        });
    MPI_Sendrecv_replace(sizes.data(), static_cast<int>(sizes.size()), MPI_INT32_T, domain.neighbour(axis, 1 - side),
        tag_of(axis, side), domain.neighbour(axis, side), tag_of(axis, side), domain.comm(), MPI_STATUS_IGNORE);
    entering.first = next;
    auto size = sizes.begin();
    for_each_cell(layers(cells.own(), axis, side, true),
        [&](const Int3& cell)
        {
          const auto begin = static_cast<std::int32_t>(next);
          next += *size;
          cells.set_span(cell, { begin, begin + *size++ });
        });
    entering.received = next - entering.first;
  }
  particles.resize_ghosts(next - particles.count);
}

/// Alone on an axis, a rank writes its own ghosts. Otherwise a message for each component goes to their place.
void Halo::exchange_positions(
    Particles& particles, const Domain& domain, std::size_t axis, examples::Parallel& parallel)
{
  std::vector<MPI_Request> requests;
  for (std::size_t side = 0; side < 2; ++side)
  {
    Side& leaving = sides_[axis][side];
    const Side& entering = sides_[axis][1 - side];
    const auto count = static_cast<std::int64_t>(leaving.sent.size());
    std::array<double*, 3> to{};
    for (std::size_t along = 0; along < 3; ++along)
    {
      double* const ghosts = particles.position[along].data() + entering.first;
      to[along] = ghosts;
      if (!domain.alone(axis))
      {
        MPI_Irecv(ghosts, static_cast<int>(entering.received), MPI_DOUBLE, domain.neighbour(axis, 1 - side),
            tag_of(along, side), domain.comm(), &requests.emplace_back());
        leaving.packed[along].resize(leaving.sent.size());
        to[along] = leaving.packed[along].data();
      }
    }
    Vec3 shift{ 0, 0, 0 };
    shift[axis] = domain.shift(axis, side);
    parallel.for_each(count, kGrain,
        [&](std::int64_t begin, std::int64_t end) { pack(particles, leaving.sent, shift, to, begin, end); });
    for (std::size_t along = 0; along < 3 && !domain.alone(axis); ++along)
    {
      MPI_Isend(to[along], static_cast<int>(count), MPI_DOUBLE, domain.neighbour(axis, side), tag_of(along, side),
          domain.comm(), &requests.emplace_back());
    }
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

} // namespace molecular_dynamics
