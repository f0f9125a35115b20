// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/RecordLocator.h"

#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/Fixed16.h"

#include <algorithm>

namespace rivulet
{

Result<std::shared_ptr<RecordLocator>> RecordLocator::open(const std::vector<std::string>& paths, bool verify)
{
  Result<FieldSeries> series = FieldSeries::open(paths);
  if (!series)
  {
    return forward_error(series);
  }
  std::shared_ptr<RecordLocator> records(new RecordLocator(std::move(*series)));
  if (verify)
  {
    records->checked_ = std::make_unique<BrickFlags>(records->count());
  }
  return records;
}

RecordLocator::RecordLocator(FieldSeries series)
  : series_(std::move(series))
{
  for (const auto& [file, defect] : series_.defects)
  {
    defects_[file] = std::make_shared<const Error>(defect);
  }
  std::int64_t number = 0;
  for (std::size_t variable = 0; variable < info().variables.size(); ++variable)
  {
    const BrickLayout& cut = layout(static_cast<int>(variable));
    const auto alike = std::find_if(curves_.begin(), curves_.end(),
        [&](const std::shared_ptr<const HilbertMemo>& curve) { return curve->dims() == cut.grid.count; });
    curves_.push_back(alike != curves_.end() ? *alike : std::make_shared<const HilbertMemo>(cut.grid.count));
    for (std::int32_t step = 0; step < static_cast<std::int32_t>(series_.steps.size()); ++step)
    {
      if (!info().is_stored(static_cast<std::int32_t>(variable), step))
      {
        runs_.push_back(runs_.back()); // the records of the step before
        continue;
      }
      const FieldSeries::Step& at = series_.place(static_cast<std::int32_t>(variable), step);
      const BrickLayout& own = series_.file_of(at).layouts[variable];
      const std::int64_t end = number + cut.grid.size();
      runs_.push_back({ .file = at.file,
          .step = at.step,
          .offset = own.steps[static_cast<std::size_t>(at.step)].offset,
          .stride = cut.stride,
          .begin = number,
          .end = end });
      number = end;
    }
  }
}

bool RecordLocator::encoded() const
{
  const std::vector<BrickLayout>& layouts = files().front().layouts;
  return std::any_of(
      layouts.begin(), layouts.end(), [](const BrickLayout& layout) { return layout.encoding != Encoding::Plain; });
}

/// A store is the same while it grows.
std::uint64_t RecordLocator::identity() const
{
  if (series_.is_store())
  {
    return identity_of(series_.store_uuid);
  }
  std::string uuids;
  for (const FieldFile& file : files())
  {
    if (file.uuid.empty())
    {
      return 0;
    }
    uuids += file.uuid;
  }
  return identity_of(uuids);
}

std::shared_ptr<FileChangeGuard> RecordLocator::change_guard() const
{
  auto seen = std::make_shared<FileChangeGuard>();
  for (std::size_t number = 0; number < files().size(); ++number)
  {
    if (!series_.is_bad(static_cast<std::int32_t>(number)))
    {
      seen->expect(files()[number].path, files()[number].identity);
    }
  }
  return seen;
}

std::int64_t RecordLocator::slot_bytes() const
{
  std::int64_t largest = 0;
  for (const BrickLayout& layout : files().front().layouts)
  {
    largest = std::max(largest, layout.slot_bytes());
  }
  return largest;
}

LocatedFile RecordLocator::file(std::int64_t number) const
{
  const auto bad = defects_.find(number);
  const std::string& path = files()[static_cast<std::size_t>(number)].path;
  return { path, 0, bad == defects_.end() ? nullptr : bad->second }; // the length was checked when metadata was read
}

std::vector<Error> RecordLocator::defects() const
{
  std::vector<Error> all;
  for (const auto& [file, defect] : series_.defects)
  {
    all.push_back(defect);
  }
  return all;
}

Error RecordLocator::too_short(std::int64_t file, std::int64_t held) const
{
  return { ErrorCode::Truncated, "the file ends too early", "copy or convert it again",
    files()[static_cast<std::size_t>(file)].path, held };
}

StoredRecord RecordLocator::record(const BrickKey& key) const
{
  const Run& in = run(key.variable, key.step);
  const std::int64_t hilbert = curves_[static_cast<std::size_t>(key.variable)]->index(key.index);
  return { .file = in.file,
    .step = in.step,
    .offset = in.offset + hilbert * in.stride,
    .number = in.begin + hilbert,
    .hilbert = hilbert };
}

void RecordLocator::find_extents(const BrickKey& key, const SpanLimits&, std::vector<Extent>& extents) const
{
  const BrickLayout& bricks = layout(key.variable);
  const StoredRecord at = record(key);
  extents.push_back({ .file = at.file, .offset = at.offset, .bytes = bricks.stride, .to = bricks.record_in_slot() });
}

BrickInPlace RecordLocator::in_place(const BrickKey& key) const
{
  const StoredRecord at = record(key);
  return { .file = at.file, .offset = at.offset, .bytes = layout(key.variable).stride, .number = at.number };
}

BrickRange RecordLocator::range(std::int64_t first, std::int64_t count) const
{
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), first, [](std::int64_t number, const Run& r) { return number < r.begin; });
  const Run& in = *std::prev(after);
  return { .file = in.file,
    .offset = in.offset + (first - in.begin) * in.stride,
    .count = std::min(count, in.end - first),
    .stride = in.stride };
}

BrickView RecordLocator::view(const BrickKey& key, const std::byte* values) const
{
  const BrickLayout& bricks = layout(key.variable);
  const Variable& variable = info().variables[static_cast<std::size_t>(key.variable)];
  const std::int64_t row = std::int64_t{ variable.components } * bricks.nodes[0];
  return { .data = values,
    .type = variable.type,
    .components = variable.components,
    .lattice = lattice_box(bricks, from_row_major(key.index, bricks.grid.count)),
    .stride = { variable.components, row, row * bricks.nodes[1] } };
}

Result<void> RecordLocator::check(const BrickKey& key, const std::byte* bytes)
{
  const StoredRecord at = record(key);
  if (checked_ == nullptr || checked_->get(at.number) != 0)
  {
    return {};
  }
  const FieldFile& file = files()[static_cast<std::size_t>(at.file)];
  // Not layout(): the layout of this file has its identity.
  const BrickLayout& own = file.layouts[static_cast<std::size_t>(key.variable)];
  const RecordState state = check_record(bytes, own, { key.variable, at.step, at.hilbert });
  if (state == RecordState::Sound)
  {
    checked_->set(at.number, BrickFlags::kChecked);
    return {};
  }
  return fail(ErrorCode::Corrupt, describe(state),
      "run `rivulet verify` to learn what else is damaged, and convert the field again", file.path, at.offset);
}

/// The record is decoded in ascending order, before values overwrite it.
Result<BrickView> RecordLocator::finish(const BrickKey& key, std::byte* slot)
{
  const BrickLayout& bricks = layout(key.variable);
  const std::byte* bytes = slot + bricks.record_in_slot();
  if (Result<void> sound = check(key, bytes); !sound)
  {
    return forward_error(sound);
  }
  if (bricks.encoding == Encoding::Fixed16)
  {
    const Variable& variable = info().variables[static_cast<std::size_t>(key.variable)];
    decode_fixed16(bytes, variable.type, variable.components, volume(bricks.nodes), slot);
  }
  return view(key, slot);
}

Result<std::vector<std::array<float, 2>>> RecordLocator::brick_ranges(int variable, int number) const
{
  if (!exists({ variable, number, 0 }))
  {
    return fail(ErrorCode::BadArgument, "there is no such variable or step", {}, path());
  }
  const FieldSeries::Step& at = series_.place(variable, number);
  const auto bad = defects_.find(at.file);
  return bad == defects_.end() ? series_.file_of(at).brick_ranges(variable, at.step) : tl::unexpected(*bad->second);
}

Result<std::vector<PlacesMeasure>> RecordLocator::brick_places(int number) const
{
  if (info().points < 0 || !exists({ info().points, number, 0 }))
  {
    return fail(ErrorCode::BadArgument, "there are no places of nodes at such a step", {}, path());
  }
  const FieldSeries::Step& at = series_.place(info().points, number);
  const auto bad = defects_.find(at.file);
  return bad == defects_.end() ? series_.file_of(at).brick_places(at.step) : tl::unexpected(*bad->second);
}

bool RecordLocator::hides(Centering centering, int number) const
{
  return series_.file_of(number).hides(centering, step(number).step);
}

Result<void> RecordLocator::read_hidden(Centering centering, int number, const Box& box, std::uint8_t* out) const
{
  return series_.file_of(number).read_hidden(centering, step(number).step, box, out);
}

} // namespace rivulet
