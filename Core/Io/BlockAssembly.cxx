// SPDX-License-Identifier: BSD-3-Clause
#include "Io/BlockAssembly.h"

#include <algorithm>
#include <cstring>

namespace rivulet
{

namespace
{

// Beyond this, two reads are cheaper than one that copies what nobody wants out of the page cache.
constexpr std::int64_t kGap = 8 * kKiB;

// Bytes that lie together in a file and whose values lie together in the box.
struct Run
{
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t out = 0; // scalars from the start of the box
};

// One part of one block, as far as it lies in the box.
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

  Result<void> read(BlockAccess& access, void* out);

private:
  [[nodiscard]] Run run_at(std::int32_t j, std::int32_t k, std::int64_t tuples) const;
  Result<void> add(const Run& run, BlockAccess& access, void* out);
  Result<void> flush(BlockAccess& access, void* out);
  void place(const Run& run, const std::byte* bytes, void* out) const;
  [[nodiscard]] bool is_plain_copy() const
  {
    return variable_.format.native() && variable_.adjacent() == variable_.variable.components;
  }

  const BlockVariable& variable_;
  const BlockPart& part_;
  std::int64_t number_;
  Box box_;
  Box block_;
  Box here_;
  std::int64_t tuple_bytes_;
  std::int64_t first_component_;
  std::vector<Run> pending_; // one span's
};

Run PartOfBox::run_at(std::int32_t j, std::int32_t k, std::int64_t tuples) const
{
  const Int3 from{ here_.begin[0] - block_.begin[0], j - block_.begin[1], k - block_.begin[2] };
  const Int3 to{ here_.begin[0] - box_.begin[0], j - box_.begin[1], k - box_.begin[2] };
  Run run;
  run.begin = part_.offset + row_major(from, variable_.block) * tuple_bytes_;
  run.end = run.begin + tuples * tuple_bytes_;
  run.out = row_major(to, box_.size()) * variable_.variable.components + first_component_;
  return run;
}

Result<void> PartOfBox::read(BlockAccess& access, void* out)
{
  const Int3 size = here_.size();
  const bool rows = size[0] == variable_.block[0] && size[0] == box_.size()[0]; // are whole, here and there
  const bool planes = rows && size[1] == variable_.block[1] && size[1] == box_.size()[1];
  const std::int64_t tuples = std::int64_t{ size[0] } * (rows ? size[1] : 1) * (planes ? size[2] : 1);
  for (std::int32_t k = here_.begin[2]; k < here_.end[2]; k = planes ? here_.end[2] : k + 1)
  {
    for (std::int32_t j = here_.begin[1]; j < here_.end[1]; j = rows ? here_.end[1] : j + 1)
    {
      if (Result<void> added = add(run_at(j, k, tuples), access, out); !added)
      {
        return added;
      }
    }
  }
  return flush(access, out);
}

// Cuts what is longer than a span; gathers what is close together.
Result<void> PartOfBox::add(const Run& run, BlockAccess& access, void* out)
{
  const std::int64_t most = std::max<std::int64_t>(1, access.most() / tuple_bytes_) * tuple_bytes_;
  const std::int64_t scalar = size_of(variable_.format.type);
  const std::int64_t spread = variable_.variable.components / variable_.adjacent(); // scalars there for one here
  for (std::int64_t begin = run.begin; begin < run.end; begin += most)
  {
    const Run piece{ begin, std::min(run.end, begin + most), run.out + (begin - run.begin) / scalar * spread };
    if (!pending_.empty() &&
        (piece.begin - pending_.back().end > access.gap() || piece.end - pending_.front().begin > most))
    {
      if (Result<void> done = flush(access, out); !done)
      {
        return done;
      }
    }
    pending_.push_back(piece);
  }
  return {};
}

Result<void> PartOfBox::flush(BlockAccess& access, void* out)
{
  if (pending_.empty())
  {
    return {};
  }
  const std::int64_t begin = pending_.front().begin;
  const BlockSpan span{ &variable_, &part_, number_, begin, pending_.back().end - begin };
  if (pending_.size() == 1 && is_plain_copy())
  {
    const std::int64_t at = pending_.front().out * size_of(variable_.format.type);
    pending_.clear();
    return access.fetch_into(span, static_cast<std::byte*>(out) + at);
  }
  Result<const std::byte*> bytes = access.fetch(span);
  if (!bytes)
  {
    return forward_error(bytes);
  }
  for (const Run& run : pending_)
  {
    place(run, *bytes + (run.begin - begin), out);
  }
  pending_.clear();
  return {};
}

void PartOfBox::place(const Run& run, const std::byte* bytes, void* out) const
{
  const std::int64_t stride = variable_.variable.components / variable_.adjacent();
  const std::int64_t count = (run.end - run.begin) / size_of(variable_.format.type);
  const auto scalar = static_cast<std::int64_t>(size_of(variable_.variable.type));
  convert(variable_.format, bytes, count, stride, static_cast<std::byte*>(out) + run.out * scalar);
}

Result<void> assemble_blocks(const BlockVariable& variable, int step, const Box& box, BlockAccess& access, void* out)
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
    if (Result<void> done = PartOfBox(variable, step, part, at_block, box).read(access, out); !done)
    {
      return done;
    }
  }
  return {};
}

} // namespace

Result<void> BlockAccess::fetch_into(const BlockSpan& span, void* out)
{
  Result<const std::byte*> bytes = fetch(span);
  if (!bytes)
  {
    return forward_error(bytes);
  }
  std::memcpy(out, *bytes, static_cast<std::size_t>(span.bytes));
  return {};
}

PositionedAccess::PositionedAccess(BlockFiles& files, std::int64_t most)
  : BlockAccess(kGap, most)
  , files_(files)
{
}

Result<const std::byte*> PositionedAccess::fetch(const BlockSpan& span)
{
  if (span.bytes > scratch_bytes_)
  {
    scratch_bytes_ = std::max(span.bytes, std::min(2 * scratch_bytes_, most()));
    scratch_.reset(new std::byte[static_cast<std::size_t>(scratch_bytes_)]);
  }
  if (Result<void> done = fetch_into(span, scratch_.get()); !done)
  {
    return forward_error(done);
  }
  return scratch_.get();
}

Result<void> PositionedAccess::fetch_into(const BlockSpan& span, void* out)
{
  Result<std::shared_ptr<const BlockFile>> file = files_.open(span.path(), span.needed());
  if (!file)
  {
    return forward_error(file);
  }
  count(span.bytes);
  return (*file)->read(span.offset, span.bytes, out);
}

Result<void> assemble(const BlockVariable& variable, int step, const Box& box, BlockAccess& access, void* out)
{
  Result<void> done = assemble_blocks(variable, step, box, access, out);
  Result<void> sound = access.finish(); // whatever happened: what follows begins anew
  return done ? sound : done;
}

} // namespace rivulet
