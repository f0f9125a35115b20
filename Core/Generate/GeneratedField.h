// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytic field on a uniform or twisted grid of any size and any number of steps. It is a source for the converter:
/// read() computes the values of a box, and nothing is stored.
///
///     auto made = GeneratedField::create(std::move(field), { .nodes = { 512, 512, 768 } });
///     (*made)->read(0, 0, { { 0, 0, 0 }, { 512, 64, 8 } }, buffer);
///
/// The bits of a lattice point's values do not depend on the box. Threads: any number may call read().
#pragma once

#include "Generate/AnalyticField.h"
#include "Generate/TwistedLattice.h"
#include "Io/Blocks/LatticeReader.h"

#include <optional>

namespace rivulet
{

struct GeneratedFieldOptions
{
  Int3 nodes{ 64, 64, 64 };
  std::int32_t steps = 1;
  double start_time = 0;
  double time_step = 1; ///< in the field's time unit; positive
  ScalarType type = ScalarType::Float32;
  Centering centering = Centering::Node;
  bool with_speed = false;                          ///< adds the variable "speed", the magnitude of "velocity"
  std::optional<FieldDomain> domain = std::nullopt; ///< by default the field's own
  TwistedLattice mesh{};                            ///< with a twist the grid is curvilinear
};

class GeneratedField final : public LatticeReader
{
public:
  /// The grid's corner nodes lie on the corners of the domain. An axis of one node lies in the middle. Fails with
  /// BadArgument on grids without nodes, no steps, time steps that are not positive, empty domains, and twists
  /// that fold cells.
  [[nodiscard]] static Result<std::unique_ptr<GeneratedField>> create(
      std::unique_ptr<AnalyticField> field, const GeneratedFieldOptions& options);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] Int3 preferred_box() const override;

  [[nodiscard]] const AnalyticField& field() const { return *field_; }

private:
  GeneratedField(std::unique_ptr<AnalyticField> field, FieldInfo info, const GeneratedFieldOptions& options,
      const FieldDomain& domain);
  [[nodiscard]] Vec3 place(const Int3& node, double time) const;
  template <class T>
  void fill_twisted(const Variable& variable, bool places, const Box& box, double time, T* out) const;

  std::unique_ptr<AnalyticField> field_;
  FieldInfo info_;
  Grid lattice_; ///< before the twist
  TwistedLattice mesh_;
};

/// Position of lattice index `index` along `axis`: a node, or a cell's centre.
[[nodiscard]] double lattice_coordinate(const Grid& grid, Centering centering, int axis, std::int32_t index);

} // namespace rivulet
