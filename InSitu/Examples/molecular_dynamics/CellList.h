// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles by cells. Own particles are sorted: by cell, x fastest, then by id. Particles of cells that follow one
/// another are then often one contiguous run.
///
///     cells.sort(particles, parallel);
///     const CellList::Span span = cells.span({ 0, 0, 0 }); // indices of particles in the rank's first own cell
///
/// Cells are counted from the rank's first own cell; ghost cells are at -2, -1 and at own, own + 1.
#pragma once

#include "Domain.h"
#include "Parallel.h"
#include "Particles.h"

namespace molecular_dynamics
{

class CellList
{
public:
  /// Indices begin ... end - 1 of particles.
  struct Span
  {
    std::int32_t begin, end;
  };

  explicit CellList(const Domain& domain);

  /// Sorts the own particles, which are in own cells, and leaves ghost cells empty. Forces and `listed` are not moved.
  void sort(Particles& particles, const Domain& domain, examples::Parallel& parallel);

  [[nodiscard]] const Int3& own() const { return own_; }
  [[nodiscard]] Span span(const Int3& cell) const { return spans_[index(cell)]; }
  void set_span(const Int3& cell, const Span& span) { spans_[index(cell)] = span; }

  /// Own particles of all cells of a row along x.
  [[nodiscard]] Span row(std::int32_t y, std::int32_t z) const
  {
    return { span({ 0, y, z }).begin, span({ own_[0] - 1, y, z }).end };
  }

private:
  [[nodiscard]] std::size_t index(const Int3& cell) const
  {
    const std::int64_t row = std::int64_t{ cell[2] + kLayers } * (own_[1] + 2 * kLayers) + cell[1] + kLayers;
    return static_cast<std::size_t>(row * (own_[0] + 2 * kLayers) + cell[0] + kLayers);
  }
  void find_places(const Particles& particles, const Domain& domain, examples::Parallel& parallel);
  void find_spans();
  void find_order(const Particles& particles, examples::Parallel& parallel);
  void apply_order(Particles& particles, examples::Parallel& parallel);

  Int3 own_;
  std::vector<Span> spans_; ///< of all cells, ghost cells included
  std::vector<std::int32_t> sizes_;
  std::vector<std::int32_t> cell_of_;  ///< for each particle: its cell, as an index of spans_
  std::vector<std::int32_t> place_of_; ///< and its place in the cell
  std::vector<std::int32_t> order_;    ///< former index of each particle
  std::vector<double> values_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int32_t> types_;
};

} // namespace molecular_dynamics
