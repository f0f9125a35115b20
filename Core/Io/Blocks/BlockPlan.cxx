// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BlockPlan.h"

#include <algorithm>
#include <utility>

namespace rivulet
{

namespace
{

using Visit = std::function<Result<void>(PlannedSpan&&)>;

// The intersection of the box with one part of one block.
class PartOfBox
{
public:
  PartOfBox(const BlockVariable& variable, int step, std::size_t part, std::int64_t block, const Box& box)
    : variable_(variable)
    , part_(variable.steps[static_cast<std::size_t>(step)].parts[part])
    , number_(block)
    , box_(box)
    , block_(variable.block_box(block))
    , here_(intersect(box, block_))
    , tuple_bytes_(variable.adjacent() * size_of(variable.format.type))
    , first_component_(static_cast<std::int64_t>(part))
  {
  }

  Result<void> plan(const SpanLimits& limits, const Visit& visit);

private:
  [[nodiscard]] BlockPiece run_at(std::int32_t j, std::int32_t k, std::int64_t tuples) const;
  Result<void> add(const BlockPiece& run, const SpanLimits& limits, const Visit& visit);
  Result<void> flush(const Visit& visit);

  const BlockVariable& variable_;
  const BlockPart& part_;
  std::int64_t number_;
  Box box_;
  Box block_;
  Box here_;
  std::int64_t tuple_bytes_;
  std::int64_t first_component_;
  std::vector<BlockPiece> pending_; // of one span
};

BlockPiece PartOfBox::run_at(std::int32_t j, std::int32_t k, std::int64_t tuples) const
{
  const Int3 from{ here_.begin[0] - block_.begin[0], j - block_.begin[1], k - block_.begin[2] };
  const Int3 to{ here_.begin[0] - box_.begin[0], j - box_.begin[1], k - box_.begin[2] };
  BlockPiece run;
  run.begin = part_.offset + row_major(from, variable_.block) * tuple_bytes_;
  run.end = run.begin + tuples * tuple_bytes_;
  run.out = row_major(to, box_.size()) * variable_.variable.components + first_component_;
  return run;
}

Result<void> PartOfBox::plan(const SpanLimits& limits, const Visit& visit)
{
  const Int3 size = here_.size();
  const bool rows = size[0] == variable_.block[0] && size[0] == box_.size()[0]; // whole in block and box
  const bool planes = rows && size[1] == variable_.block[1] && size[1] == box_.size()[1];
  const std::int64_t tuples = std::int64_t{ size[0] } * (rows ? size[1] : 1) * (planes ? size[2] : 1);
  for (std::int32_t k = here_.begin[2]; k < here_.end[2]; k = planes ? here_.end[2] : k + 1)
  {
    for (std::int32_t j = here_.begin[1]; j < here_.end[1]; j = rows ? here_.end[1] : j + 1)
    {
      if (Result<void> added = add(run_at(j, k, tuples), limits, visit); !added)
      {
        return added;
      }
    }
  }
  return flush(visit);
}

// Cuts consecutive bytes that are longer than a span, and gathers pieces that are close together.
Result<void> PartOfBox::add(const BlockPiece& run, const SpanLimits& limits, const Visit& visit)
{
  const std::int64_t most = std::max<std::int64_t>(1, limits.most / tuple_bytes_) * tuple_bytes_;
  const std::int64_t scalar = size_of(variable_.format.type);
  const std::int64_t spread = variable_.variable.components / variable_.adjacent(); // scalars of the box per one here
  for (std::int64_t begin = run.begin; begin < run.end; begin += most)
  {
    const BlockPiece piece{ begin, std::min(run.end, begin + most), run.out + (begin - run.begin) / scalar * spread };
    if (!pending_.empty() &&
        (piece.begin - pending_.back().end > limits.gap || piece.end - pending_.front().begin > most))
    {
      if (Result<void> done = flush(visit); !done)
      {
        return done;
      }
    }
    pending_.push_back(piece);
  }
  return {};
}

Result<void> PartOfBox::flush(const Visit& visit)
{
  if (pending_.empty())
  {
    return {};
  }
  const std::int64_t begin = pending_.front().begin;
  const BlockSpan span{ &variable_, &part_, number_, begin, pending_.back().end - begin };
  return visit({ span, std::exchange(pending_, {}) });
}

} // namespace

Result<void> for_each_span(
    const BlockVariable& variable, int step, const Box& box, const SpanLimits& limits, const Visit& visit)
{
  const Int3& block = variable.block;
  const Int3 count = variable.blocks();
  const Int3 first{ box.begin[0] / block[0], box.begin[1] / block[1], box.begin[2] / block[2] };
  const Int3 last{ (box.end[0] - 1) / block[0], (box.end[1] - 1) / block[1], (box.end[2] - 1) / block[2] };
  const std::size_t parts = variable.steps[static_cast<std::size_t>(step)].parts.size();
  const Int3 sides{ last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1 };
  for (std::int64_t number = 0; number < volume(sides) * static_cast<std::int64_t>(parts); ++number)
  {
    const Int3 at = from_row_major(number % volume(sides), sides);
    const std::int64_t at_block = row_major({ first[0] + at[0], first[1] + at[1], first[2] + at[2] }, count);
    const auto part = static_cast<std::size_t>(number / volume(sides));
    if (Result<void> done = PartOfBox(variable, step, part, at_block, box).plan(limits, visit); !done)
    {
      return done;
    }
  }
  return {};
}

bool is_plain_copy(const PlannedSpan& planned)
{
  const BlockVariable& variable = *planned.span.variable;
  return planned.runs.size() == 1 && variable.format.native() && variable.adjacent() == variable.variable.components;
}

void place(const BlockVariable& variable, const std::vector<BlockPiece>& runs, std::int64_t offset,
    const std::byte* bytes, void* out)
{
  const std::int64_t stride = variable.variable.components / variable.adjacent();
  const auto scalar = static_cast<std::int64_t>(size_of(variable.variable.type));
  for (const BlockPiece& run : runs)
  {
    const std::int64_t count = (run.end - run.begin) / size_of(variable.format.type);
    convert(
        variable.format, bytes + (run.begin - offset), count, stride, static_cast<std::byte*>(out) + run.out * scalar);
  }
}

} // namespace rivulet
