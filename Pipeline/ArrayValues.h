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
  [[nodiscard]] virtual std::string path() const = 0; ///< of the file

  /// Tuple number `index`, in native byte order; valid until the thread's next call. NaN if it cannot be read.
  [[nodiscard]] virtual const void* tuple(std::int64_t index) const = 0;

  /// All values in one piece, as long as this lives; NaN and `problem` if they cannot be had. Never nullptr unless the
  /// address space is exhausted.
  [[nodiscard]] virtual void* whole(std::shared_ptr<const Error>& problem) = 0;

  /// All values in one piece as long as what is returned lives, if they come in one; an empty pointer if not.
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> hold() { return std::shared_ptr<const void>(); }

  /// What reads for hold(); nullptr if it has nothing to hold.
  [[nodiscard]] virtual std::shared_ptr<BudgetedStore> store() const { return nullptr; }

  /// Bytes that this object keeps in memory.
  [[nodiscard]] virtual std::int64_t bytes_held() const = 0;

  /// No components if they are not known.
  [[nodiscard]] virtual ValueRanges ranges() = 0;

  /// Whether take_error() has one: the first that was met and not shown yet.
  [[nodiscard]] virtual bool has_error() const = 0;
  [[nodiscard]] virtual std::shared_ptr<const Error> take_error() = 0;
};

} // namespace rivulet
