// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/LazyValues.h"

#include "Base/WholeType.h"
#include "Pipeline/MissingRegion.h"
#include "Pipeline/Rows.h"
#include "vtkAbstractArray.h"

#include <numeric>

namespace rivulet
{

namespace
{

constexpr std::int64_t kRowTuples = 16;
constexpr std::size_t kRows = 16;
constexpr std::size_t kRowBytes = kRowTuples * 9 * sizeof(double);

struct Row
{
  std::uint64_t array = 0; ///< LazyValues' id; 0 = empty
  std::int64_t first = 0;  ///< number of its first tuple
  std::int64_t count = 0;
  alignas(8) std::array<std::byte, kRowBytes> values;
};

struct RowTable
{
  std::array<Row, kRows> rows;
  std::size_t latest = 0;
  std::size_t oldest = 0;
};

RowTable& rows_of_this_thread()
{
  static thread_local RowTable table;
  return table;
}

bool holds(const Row& row, std::uint64_t array, std::int64_t index)
{
  return row.array == array && index >= row.first && index - row.first < row.count;
}

const Row* find_row(RowTable& table, std::uint64_t array, std::int64_t index)
{
  if (holds(table.rows[table.latest], array, index))
  {
    return &table.rows[table.latest];
  }
  for (std::size_t at = 0; at < kRows; ++at)
  {
    if (holds(table.rows[at], array, index))
    {
      table.latest = at;
      return &table.rows[at];
    }
  }
  return nullptr;
}

std::uint64_t next_id()
{
  static std::atomic<std::uint64_t> last{ 0 };
  return ++last;
}

} // namespace

PagedArray::~PagedArray() = default;

const LazyValues* lazy_values(vtkAbstractArray* array)
{
  const auto* paged = dynamic_cast<const PagedArray*>(array);
  return paged != nullptr ? paged->of_field() : nullptr;
}

LazyValues::LazyValues(std::shared_ptr<LazyField> field, const ValueBlock& block)
  : field_(std::move(field))
  , block_(block)
  , variable_(field_->info().variables[static_cast<std::size_t>(block.variable)])
  , id_(next_id())
{
}

LazyValues::~LazyValues() = default;

const void* LazyValues::tuple(std::int64_t index) const
{
  const std::int64_t bytes = user_tuple_bytes(variable_);
  if (const MemoryCopy* copied = copied_.load(std::memory_order_acquire); copied != nullptr && !copied->written())
  {
    return static_cast<const std::byte*>(copied->values()) + index * bytes;
  }
  if (const Row* row = find_row(rows_of_this_thread(), id_, index))
  {
    return row->values.data() + (index - row->first) * bytes;
  }
  return load_row(index);
}

const std::byte* LazyValues::load_row(std::int64_t index) const
{
  const Int3 size = block_.box.size();
  Int3 at = from_row_major(index, size);
  const std::int32_t wanted = at[0];
  for (int axis = 0; axis < 3; ++axis)
  {
    at[axis] += block_.box.begin[axis];
  }
  const BrickGrid& grid = field_->source()->bricks(block_.variable);
  const std::int64_t brick = row_major(brick_holding(grid, at), grid.count);
  const Box owned = intersect(owned_values(grid, brick), block_.box);
  // Short rows of long bricks begin at multiples of their length, so that access in descending order hits the row, too.
  const auto length = static_cast<std::int32_t>(kRowTuples);
  const std::int32_t begin = at[0] - (at[0] - owned.begin[0]) % length;
  const std::int64_t count = std::min(owned.end[0] - begin, length);
  const BrickPin pin = field_->pin({ block_.variable, block_.step, brick });

  RowTable& table = rows_of_this_thread();
  Row& row = table.rows[table.oldest];
  table.latest = table.oldest;
  table.oldest = (table.oldest + 1) % kRows;
  row.array = id_;
  row.first = index - (at[0] - begin);
  row.count = count;
  at[0] = begin;
  copy_row_for_users(pin, variable_, at, count, row.values.data());
  const std::int64_t place = wanted + block_.box.begin[0] - begin;
  return row.values.data() + place * user_tuple_bytes(variable_);
}

Result<void> LazyValues::hand_out()
{
  const Box all{ { 0, 0, 0 }, field_->source()->bricks(block_.variable).lattice };
  if (block_.box == all && variable_.whole == WholeType::None)
  {
    if (auto mapped = field_->source()->whole_array(block_.variable, block_.step))
    {
      handed_out_.store(mapped.get(), std::memory_order_release);
      wholes_.push_back(std::move(mapped));
      return {};
    }
  }
  auto made = field_->copy(block_);
  if (!made)
  {
    return forward_error(made);
  }
  handed_out_.store(made->get(), std::memory_order_release);
  copied_.store(made->get(), std::memory_order_release);
  wholes_.push_back(std::move(*made));
  return {};
}

void* LazyValues::whole(std::shared_ptr<const Error>& problem)
{
  const std::lock_guard lock(mutex_);
  field_->note_use();
  field_->look_at_files();
  if (wholes_.empty() || wholes_.back()->written())
  {
    wrote_ = wrote_ || !wholes_.empty();
    if (Result<void> done = hand_out(); !done)
    {
      if (!missing_)
      {
        problem = std::make_shared<const Error>(std::move(done.error()));
        const bool whole = variable_.whole != WholeType::None;
        missing_ = std::make_unique<MissingRegion>(
            block_.box.count() * user_tuple_bytes(variable_), whole ? MissingRegion::Zero : MissingRegion::NaN);
      }
      return missing_->data();
    }
  }
  return wholes_.back()->values();
}

bool LazyValues::is_changed() const
{
  const WholeArray* out = handed_out_.load(std::memory_order_acquire);
  return wrote_.load() || (out != nullptr && out->written());
}

Error LazyValues::error_of_change() const
{
  return { .code = ErrorCode::Unsupported,
    .what = "a filter wrote to the array \"" + variable_.name +
            "\", whose values are paged in from the file and cannot be changed; nobody but that filter sees what "
            "it wrote",
    .remedy = "have it work on a copy, as numpy.array(values) makes one",
    .path = path() };
}

Result<void> LazyValues::check_unchanged() const
{
  return is_changed() ? Result<void>(tl::unexpected(error_of_change())) : Result<void>();
}

std::shared_ptr<const Error> LazyValues::take_error()
{
  if (was_written() && !told_.exchange(true))
  {
    return std::make_shared<const Error>(error_of_change());
  }
  return field_->take_error();
}

std::int64_t LazyValues::bytes_held() const
{
  const std::lock_guard lock(mutex_);
  return std::accumulate(wholes_.begin(), wholes_.end(), static_cast<std::int64_t>(sizeof(LazyValues)),
      [](std::int64_t bytes, const auto& whole) { return bytes + whole->bytes(); });
}

} // namespace rivulet
