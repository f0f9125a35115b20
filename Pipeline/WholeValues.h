// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of a field's variable of whole numbers, as these: a field holds floats or doubles (Base/WholeType.h).
///
/// A value that cannot be read is 0, and the field's error says so. whole() gives a copy that is freed with this object
/// and that a user may write to: tuple() does not see that.
///
/// Threads: every const function may be called from any thread. The result of tuple() is valid until the thread's next
/// call.
#pragma once

#include "Base/Buffer.h"
#include "Pipeline/LazyValues.h"

#include <mutex>

namespace rivulet
{

class WholeValues final : public ArrayValues
{
public:
  /// `values`: of a variable with whole numbers.
  explicit WholeValues(std::shared_ptr<LazyValues> values);

  [[nodiscard]] const std::string& name() const override { return values_->name(); }
  [[nodiscard]] std::int32_t components() const override { return values_->components(); }
  [[nodiscard]] std::int64_t tuples() const override { return values_->tuples(); }
  [[nodiscard]] std::string path() const override { return values_->path(); }
  [[nodiscard]] const void* tuple(std::int64_t index) const override;
  [[nodiscard]] void* whole(std::shared_ptr<const Error>& problem) override;
  [[nodiscard]] std::int64_t bytes_held() const override;
  [[nodiscard]] ValueRanges ranges() override { return values_->ranges(); }
  [[nodiscard]] bool has_error() const override { return values_->has_error(); }
  [[nodiscard]] std::shared_ptr<const Error> take_error() override { return values_->take_error(); }

private:
  /// Writes one tuple there.
  using Convert = void (*)(const void* scalars, std::int32_t components, std::byte* out);

  std::shared_ptr<LazyValues> values_;
  Convert convert_;
  std::int64_t tuple_bytes_;
  mutable std::mutex mutex_; ///< guards copy_
  Buffer<std::byte> copy_;   ///< of all values, once they were asked for
};

} // namespace rivulet
