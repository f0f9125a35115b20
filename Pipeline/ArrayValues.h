// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of one lazily paged array (vtkRivuletArray), from any source, read at the first access.
///
/// Threads: every const function may be called from any thread.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "Store/Source/BudgetedStore.h"

#include <memory>

namespace rivulet
{

class ArrayValues
{
public:
  ArrayValues() = default;
  ArrayValues(const ArrayValues&) = delete;
  ArrayValues& operator=(const ArrayValues&) = delete;
  virtual ~ArrayValues() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual std::int32_t components() const = 0;
  [[nodiscard]] virtual std::int64_t tuples() const = 0;
  [[nodiscard]] virtual std::string path() const = 0; ///< path of the file

  /// Tuple number `index`, in native byte order; valid until the thread's next call. NaN, or 0 for whole
  /// numbers, if it cannot be read.
  [[nodiscard]] virtual const void* tuple(std::int64_t index) const = 0;

  /// All values in one piece, valid as long as this object lives. If they cannot be had: NaN or 0, and the error in
  /// `problem`. nullptr only if the address space is exhausted.
  [[nodiscard]] virtual void* whole(std::shared_ptr<const Error>& problem) = 0;

  /// All values in one piece, valid as long as the returned pointer lives; an empty pointer if they are not in one
  /// piece.
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> hold() { return std::shared_ptr<const void>(); }

  /// The store that hold() reads with; nullptr if hold() never has values.
  [[nodiscard]] virtual std::shared_ptr<BudgetedStore> store() const { return nullptr; }

  /// Bytes of memory that this object holds.
  [[nodiscard]] virtual std::int64_t bytes_held() const = 0;

  /// Ranges of the finite values; no components if they are not known.
  [[nodiscard]] virtual ValueRanges ranges() = 0;

  /// Whether take_error() has an error: the first one, until it was taken.
  [[nodiscard]] virtual bool has_error() const = 0;
  [[nodiscard]] virtual std::shared_ptr<const Error> take_error() = 0;
};

} // namespace rivulet
