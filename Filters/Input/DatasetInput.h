// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Image data or a rectilinear grid as the input of a flow.
#pragma once

#include "Filters/Input/InputKind.h"

namespace rivulet
{

class DatasetInput : public InputKind
{
public:
  /// `joined`: all arrays are in bricks of one cut, which does not depend on the source of their values.
  explicit DatasetInput(vtkDataSet& dataset, bool joined = false)
    : dataset_(dataset)
    , joined_(joined)
  {
  }

  [[nodiscard]] vtkDataSet& first() const override { return dataset_; }
  /// Fails with Unsupported for any other dataset.
  [[nodiscard]] Result<void> describe(TraceField& field, const ChosenVectors& vectors) override;
  [[nodiscard]] double longest_side(const TraceField& field) const override;
  [[nodiscard]] Result<SourceArray> add(
      InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering) override;
  [[nodiscard]] Result<SourceArray> add_joined(
      InputSources& sources, const TraceField& field, const ChosenVectors& vectors) override;
  [[nodiscard]] Result<std::unique_ptr<InputKind>> joined() const override;

protected:
  [[nodiscard]] Result<void> take_ghosts(TraceField& field) const;

private:
  void choose_lattice_offset(TraceField& field, const ChosenVectors& vectors) const;
  [[nodiscard]] Result<JoinedPart> part(
      InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering, std::int32_t component);

  vtkDataSet& dataset_;
  bool joined_;
};

} // namespace rivulet
