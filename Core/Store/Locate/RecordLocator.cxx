// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/RecordLocator.h"

#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/Fixed16.h"

#include <algorithm>

namespace rivulet
{

namespace
{

bool same_variable(const Variable& a, const Variable& b)
{
  return a.name == b.name && a.type == b.type && a.components == b.components && a.centering == b.centering;
}

bool same_bricks(const BrickLayout& a, const BrickLayout& b)
{
  return a.cells == b.cells && a.nodes == b.nodes && a.grid.count == b.grid.count && a.stride == b.stride &&
         a.encoding == b.encoding;
}

/// Reason why a file cannot be a step of the same series as the first; empty if it can.
std::string difference(const FieldFile& first, const FieldFile& other)
{
  if (first.info.grid != other.info.grid)
  {
    return "its grid is not that of " + first.path;
  }
  if (!std::equal(first.info.variables.begin(), first.info.variables.end(), other.info.variables.begin(),
          other.info.variables.end(), same_variable))
  {
    return "its variables are not those of " + first.path;
  }
  if (!std::equal(first.layouts.begin(), first.layouts.end(), other.layouts.begin(), other.layouts.end(), same_bricks))
  {
    return "its bricks are not cut like those of " + first.path;
  }
  return {};
}

std::array<double, 2> join(const std::array<double, 2>& a, const std::array<double, 2>& b)
{
  return { std::min(a[0], b[0]), std::max(a[1], b[1]) };
}

/// Extends `all` by another file's range; empty if either is unknown.
void join(ValueRanges& all, const ValueRanges& other)
{
  if (all.components.size() != other.components.size())
  {
    all.components.clear();
    return;
  }
  for (std::size_t i = 0; i < all.components.size(); ++i)
  {
    all.components[i] = join(all.components[i], other.components[i]);
  }
  all.magnitude = join(all.magnitude, other.magnitude);
}

} // namespace

Result<std::shared_ptr<RecordLocator>> RecordLocator::open(const std::vector<std::string>& paths, bool verify)
{
  std::shared_ptr<RecordLocator> records(new RecordLocator);
  if (paths.empty())
  {
    return fail(ErrorCode::BadArgument, "no file was named", "name a field file");
  }
  for (const std::string& path : paths)
  {
    if (Result<void> added = records->add_file(path); !added)
    {
      return forward_error(added);
    }
  }
  if (Result<void> joined = records->join_steps(); !joined)
  {
    return forward_error(joined);
  }
  records->number_records();
  if (verify)
  {
    records->checked_ = std::make_unique<BrickFlags>(records->count());
  }
  return records;
}

Result<void> RecordLocator::add_file(const std::string& path)
{
  Result<FieldFile> file = FieldFile::open(path);
  if (!file)
  {
    return forward_error(file);
  }
  files_.push_back(std::move(*file));
  const std::string defect = difference(files_.front(), files_.back());
  if (!defect.empty())
  {
    return fail(
        ErrorCode::BadArgument, "the file is not a step of the same series: " + defect, "open it on its own", path);
  }
  return {};
}

Result<void> RecordLocator::join_steps()
{
  info_ = files_.front().info;
  for (std::size_t file = 0; file < files_.size(); ++file)
  {
    const FieldInfo& info = files_[file].info;
    for (std::size_t step = 0; step < info.times.size(); ++step)
    {
      steps_.push_back({ info.times[step], static_cast<std::int32_t>(file), static_cast<std::int32_t>(step) });
    }
    for (std::size_t i = 0; i < info_.ranges.size() && i < info.ranges.size(); ++i)
    {
      join(info_.ranges[i], info.ranges[i]);
    }
  }
  std::stable_sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.time < b.time; });
  info_.times.clear();
  for (const Step& step : steps_)
  {
    if (!info_.times.empty() && step.time <= info_.times.back())
    {
      return fail(ErrorCode::BadArgument, "two files hold the time " + std::to_string(step.time),
          "name each step of a series once", files_[static_cast<std::size_t>(step.file)].path);
    }
    info_.times.push_back(step.time);
  }
  return {};
}

void RecordLocator::number_records()
{
  std::int64_t number = 0;
  for (std::size_t variable = 0; variable < info_.variables.size(); ++variable)
  {
    const BrickLayout& layout = files_.front().layouts[variable];
    const auto alike = std::find_if(curves_.begin(), curves_.end(),
        [&](const std::shared_ptr<const HilbertMemo>& curve) { return curve->dims() == layout.grid.count; });
    curves_.push_back(alike != curves_.end() ? *alike : std::make_shared<const HilbertMemo>(layout.grid.count));
    for (const Step& step : steps_)
    {
      const BrickLayout& own = files_[static_cast<std::size_t>(step.file)].layouts[variable];
      const std::int64_t end = number + layout.grid.size();
      runs_.push_back({ .file = step.file,
          .step = step.step,
          .offset = own.steps[static_cast<std::size_t>(step.step)].offset,
          .stride = layout.stride,
          .begin = number,
          .end = end });
      number = end;
    }
  }
}

bool RecordLocator::encoded() const
{
  const std::vector<BrickLayout>& layouts = files_.front().layouts;
  return std::any_of(
      layouts.begin(), layouts.end(), [](const BrickLayout& layout) { return layout.encoding != Encoding::Plain; });
}

std::uint64_t RecordLocator::identity() const
{
  std::string uuids;
  for (const FieldFile& file : files_)
  {
    if (file.uuid.empty())
    {
      return 0;
    }
    uuids += file.uuid;
  }
  return identity_of(uuids);
}

std::shared_ptr<SeenFiles> RecordLocator::seen_files() const
{
  auto seen = std::make_shared<SeenFiles>();
  for (const FieldFile& file : files_)
  {
    seen->expect(file.path, file.identity);
  }
  return seen;
}

std::int64_t RecordLocator::slot_bytes() const
{
  std::int64_t largest = 0;
  for (const BrickLayout& layout : files_.front().layouts)
  {
    largest = std::max(largest, layout.slot_bytes());
  }
  return largest;
}

std::vector<std::int64_t> RecordLocator::read_places() const
{
  std::vector<std::int64_t> places;
  for (const BrickLayout& layout : files_.front().layouts)
  {
    if (std::find(places.begin(), places.end(), layout.record_in_slot()) == places.end())
    {
      places.push_back(layout.record_in_slot());
    }
  }
  return places;
}

LocatedFile RecordLocator::file(std::int64_t number) const
{
  return { files_[static_cast<std::size_t>(number)].path, 0 }; // its length was checked when its metadata was read
}

Error RecordLocator::too_short(std::int64_t file, std::int64_t held) const
{
  return { ErrorCode::Truncated, "the file ends too early", "copy or convert it again",
    files_[static_cast<std::size_t>(file)].path, held };
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
  const Variable& variable = info_.variables[static_cast<std::size_t>(key.variable)];
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
  const FieldFile& file = files_[static_cast<std::size_t>(at.file)];
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
    const Variable& variable = info_.variables[static_cast<std::size_t>(key.variable)];
    decode_fixed16(bytes, variable.type, variable.components, volume(bricks.nodes), slot);
  }
  return view(key, slot);
}

Result<std::vector<std::array<float, 2>>> RecordLocator::brick_ranges(int variable, int number) const
{
  if (!exists({ variable, number, 0 }))
  {
    return fail(ErrorCode::BadArgument, "there is no such variable or step", {}, files_.front().path);
  }
  return file_of(step(number)).brick_ranges(variable, step(number).step);
}

bool RecordLocator::hides(Centering centering, int number) const
{
  return file_of(step(number)).hides(centering, step(number).step);
}

Result<void> RecordLocator::read_hidden(Centering centering, int number, const Box& box, std::uint8_t* out) const
{
  return file_of(step(number)).read_hidden(centering, step(number).step, box, out);
}

} // namespace rivulet
