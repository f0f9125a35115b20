// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An analytic field on a uniform grid of any size and any number of steps, computed box by box when read: a source for
/// the converter that takes no memory.
///
///     auto made = GeneratedField::create(std::move(field), { .nodes = { 512, 512, 768 } });
///     (*made)->read(0, 0, { { 0, 0, 0 }, { 512, 64, 8 } }, buffer);
///
/// The values of a lattice point are the same bits whatever box they are read in. Threads: read() from any number.
#pragma once

#include "Generate/AnalyticField.h"
#include "Io/LatticeReader.h"

#include <optional>

namespace rivulet
{

struct GeneratedFieldOptions
{
  Int3 nodes{ 64, 64, 64 };
  std::int32_t steps = 1;
  double start_time = 0;
  double time_step = 1; ///< positive; the field's time unit
  ScalarType type = ScalarType::Float32;
  Centering centering = Centering::Node;
  bool with_speed = false;                          ///< adds a second variable, "speed": the magnitude of "velocity"
  std::optional<FieldDomain> domain = std::nullopt; ///< the field's own where not given
};

class GeneratedField final : public LatticeReader
{
public:
  /// The grid's corner nodes lie on the corners of the domain; an axis of one node lies in its middle. Refuses grids
  /// without nodes, no steps, time steps that are not positive, and empty domains (BadArgument).
  [[nodiscard]] static Result<std::unique_ptr<GeneratedField>> create(
      std::unique_ptr<AnalyticField> field, const GeneratedFieldOptions& options);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] Int3 preferred_box() const override;

  [[nodiscard]] const AnalyticField& field() const { return *field_; }

private:
  GeneratedField(std::unique_ptr<AnalyticField> field, FieldInfo info);

  std::unique_ptr<AnalyticField> field_;
  FieldInfo info_;
};

/// The position of lattice index `index` along `axis`: of a node, or of a cell's centre.
[[nodiscard]] double lattice_coordinate(const Grid& grid, Centering centering, int axis, std::int32_t index);

} // namespace rivulet
