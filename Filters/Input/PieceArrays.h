// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the pieces of an input on the ranks must have in common, of any kind of dataset.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Base/Result.h"
#include "Pipeline/Ranks.h"
#include "vtkDataSet.h"
#include "vtkSmartPointer.h"

#include <array>

class vtkDataSetAttributes;

namespace rivulet
{

/// The arrays of points, then the arrays of cells.
[[nodiscard]] std::array<vtkDataSetAttributes*, 2> attributes_of(vtkDataSet& dataset);

/// Replaces a piece without points by one with the arrays of the others, without values. Collective. Fails with
/// Unsupported if ranks with points have other arrays.
[[nodiscard]] Result<void> make_arrays_alike(vtkSmartPointer<vtkDataSet>& mine, const Ranks& ranks);

/// The error for a whole of so many bytes.
[[nodiscard]] tl::unexpected<Error> whole_above(std::int64_t bytes, std::int64_t limit, const Ranks& ranks);

/// Replaces a rank's piece by the whole, within `limit` bytes. `pieces` has check(limit) and join(), which are
/// collective.
template <class Pieces>
[[nodiscard]] Result<void> put_together(
    Pieces& pieces, vtkSmartPointer<vtkDataObject>& input, const Ranks& ranks, std::int64_t limit)
{
  if (Result<void> good = ranks.agree(pieces.check(limit)); !good)
  {
    return good;
  }
  Result<vtkSmartPointer<vtkDataObject>> whole = pieces.join();
  if (!whole)
  {
    return forward_error(whole);
  }
  input = *whole;
  return {};
}

} // namespace rivulet
