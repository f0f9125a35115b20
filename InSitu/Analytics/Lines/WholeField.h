// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field of all ranks, in the memory of each rank that traces in it, because a line may lead anywhere.
///
///     const Result<WholeField> field = gather_whole(host, snapshot, wish, { limit, needs });
///     ArrayBricks source(field->info.grid, field->arrays());            // of a field without levels; or
///     const FlowSources sources(*field);                                // of either
///     trace_streamlines(sources.field(), ...);
#pragma once

#include "Fields/DistributedField.h"
#include "Levels/LevelField.h"
#include "Store/Source/ArrayBricks.h"
#include "Trace/Contract/TraceField.h"

#include <functional>

namespace rivulet
{

struct WholeField
{
  FieldInfo info;                               ///< of the domain, on the coarsest level; without times
  std::vector<DistributedField::Values> values; ///< of each variable one box, or none where the rank does not need them
  std::shared_ptr<const LevelField> levels;     ///< then `values` is empty; nullptr: the field has none

  /// As arrays of a source. Only where the values are, and without levels.
  [[nodiscard]] std::vector<MemoryArray> arrays() const;
};

struct WholeFieldNeeds
{
  std::int64_t limit = 0;               ///< bytes on each rank
  int steps = 1;                        ///< of which the values are kept at once
  std::function<bool(int rank)> traces; ///< whether a rank needs the values: the same answer on all ranks
};

/// All variables of a field in memory as sources of the tracer. Only where the values are. The first variable is
/// the velocity, and all are attributes. Values of cells of a field with levels become values of nodes of all levels
/// (AmrMesh/NodeValues.h), as *Rivulet Stream Tracer* makes them.
class FlowSources
{
public:
  /// `whole` must outlive the object.
  explicit FlowSources(const WholeField& whole);

  [[nodiscard]] const TraceField& field() const { return field_; }

private:
  std::vector<std::unique_ptr<BrickSource>> sources_;
  TraceField field_;
};

/// Collective; an error of one rank is one of all. The first variable of the wish is a velocity, of three components.
/// Refuses fields above the limit. Levels: one step of them only.
[[nodiscard]] Result<WholeField> gather_whole(
    const Host& host, const rivulet_snapshot& snapshot, const FieldSelection& wish, const WholeFieldNeeds& needs);

} // namespace rivulet
