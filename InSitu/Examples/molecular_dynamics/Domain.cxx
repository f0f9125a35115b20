// SPDX-License-Identifier: BSD-3-Clause
#include "Domain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace molecular_dynamics
{

namespace
{

constexpr std::int32_t kMostCells = 1 << 20; ///< along an axis

std::string text(const Int3& numbers)
{
  return std::to_string(numbers[0]) + " x " + std::to_string(numbers[1]) + " x " + std::to_string(numbers[2]);
}

bool fits(const Int3& ranks, const Int3& cells)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (ranks[axis] < 1 || cells[axis] / ranks[axis] < kLayers)
    {
      return false;
    }
  }
  return true;
}

/// Cells of the largest part, ghosts included: they stand for its work and for its messages.
double cost(const Int3& ranks, const Int3& cells)
{
  double product = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t part = (cells[axis] + ranks[axis] - 1) / ranks[axis];
    product *= part + 2 * kLayers;
  }
  return product;
}

/// All zero where no split fits.
Int3 best_split(std::int32_t size, const Int3& cells)
{
  Int3 best{ 0, 0, 0 };
  double least = std::numeric_limits<double>::infinity();
  for (std::int32_t x = 1; x <= size; ++x)
  {
    for (std::int32_t y = 1; size % x == 0 && y <= size / x; ++y)
    {
      const Int3 ranks{ x, y, size / x / y };
      if (size / x % y == 0 && fits(ranks, cells) && cost(ranks, cells) < least)
      {
        best = ranks;
        least = cost(ranks, cells);
      }
    }
  }
  return best;
}

} // namespace

Result<Domain> Domain::create(const DomainOptions& options, MPI_Comm comm)
{
  Domain domain;
  domain.comm_ = comm;
  domain.length_ = options.length;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double length = options.length[axis];
    const double cells = 2 * length / options.reach;
    if (!(length >= 2 * options.cutoff && length >= options.reach))
    {
      return tl::unexpected("the box is " + std::to_string(length) + " long, but must be two cut-offs (" +
                            std::to_string(2 * options.cutoff) + ") or more along each axis");
    }
    if (!(cells < kMostCells))
    {
      return tl::unexpected(std::string("the box has too many cells"));
    }
    domain.cells_[axis] = static_cast<std::int32_t>(cells);
    domain.cells_per_length_[axis] = domain.cells_[axis] / length;
  }
  int size = 0;
  int rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  const bool chosen = options.ranks != Int3{ 0, 0, 0 };
  domain.ranks_ = chosen ? options.ranks : best_split(size, domain.cells_);
  const double product = double(domain.ranks_[0]) * domain.ranks_[1] * domain.ranks_[2];
  if (!fits(domain.ranks_, domain.cells_) || product != size)
  {
    return tl::unexpected(std::to_string(size) + " ranks" + (chosen ? " as " + text(options.ranks) : std::string()) +
                          " do not fit: the box has " + text(domain.cells_) +
                          " cells, and each rank needs two along each axis");
  }
  domain.place_rank(rank);
  return domain;
}

void Domain::place_rank(int rank)
{
  place_ = { rank % ranks_[0], rank / ranks_[0] % ranks_[1], rank / ranks_[0] / ranks_[1] };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const auto first = [&](std::int64_t place)
    {
      return static_cast<std::int32_t>(place * cells_[axis] / ranks_[axis]);
    };
    begin_[axis] = first(place_[axis]);
    own_[axis] = first(place_[axis] + 1) - begin_[axis];
    const int stride = axis == 0 ? 1 : (axis == 1 ? ranks_[0] : ranks_[0] * ranks_[1]);
    const int lower = (place_[axis] + ranks_[axis] - 1) % ranks_[axis];
    const int higher = (place_[axis] + 1) % ranks_[axis];
    neighbours_[axis] = { rank + (lower - place_[axis]) * stride, rank + (higher - place_[axis]) * stride };
  }
}

double Domain::shortest_side() const
{
  return 1 / *std::max_element(cells_per_length_.begin(), cells_per_length_.end());
}

double Domain::shift(std::size_t axis, std::size_t side) const
{
  if (side == 0)
  {
    return place_[axis] == 0 ? length_[axis] : 0;
  }
  return place_[axis] == ranks_[axis] - 1 ? -length_[axis] : 0;
}

std::int32_t Domain::cell(std::size_t axis, double position) const
{
  const auto cell = static_cast<std::int32_t>(std::floor(position * cells_per_length_[axis]));
  // The product may round up to the number of cells.
  return position < length_[axis] ? std::min(cell, cells_[axis] - 1) : std::max(cell, cells_[axis]);
}

double Domain::wrapped(std::size_t axis, double position) const
{
  const double length = length_[axis];
  if (position < 0)
  {
    // The sum may round up to the length, which is outside.
    return std::min(position + length, std::nextafter(length, 0.0));
  }
  return position < length ? position : position - length;
}

} // namespace molecular_dynamics
