// SPDX-License-Identifier: BSD-3-Clause
#include "Store/FieldRecords.h"

#include "Io/BrickRecord.h"
#include "Io/Fixed16.h"

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

/// Why a file cannot be a step of the same series as the first; empty if it can.
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

/// Widens `all` by another file's range; unknown where either is.
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

Result<FieldRecords> FieldRecords::open(const std::vector<std::string>& paths)
{
  FieldRecords records;
  if (paths.empty())
  {
    return fail(ErrorCode::BadArgument, "no file was named", "name a field file");
  }
  for (const std::string& path : paths)
  {
    Result<FieldFile> file = FieldFile::open(path);
    if (!file)
    {
      return forward_error(file);
    }
    records.files_.push_back(std::move(*file));
    const std::string defect = difference(records.files_.front(), records.files_.back());
    if (!defect.empty())
    {
      return fail(
          ErrorCode::BadArgument, "the file is not a step of the same series: " + defect, "open it on its own", path);
    }
  }
  if (Result<void> joined = records.join_steps(); !joined)
  {
    return forward_error(joined);
  }
  records.number_records();
  return records;
}

Result<void> FieldRecords::join_steps()
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

void FieldRecords::number_records()
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

bool FieldRecords::page_aligned() const
{
  return std::all_of(files_.begin(), files_.end(), [](const FieldFile& file) { return file.page_aligned; });
}

bool FieldRecords::encoded() const
{
  const std::vector<BrickLayout>& layouts = files_.front().layouts;
  return std::any_of(
      layouts.begin(), layouts.end(), [](const BrickLayout& layout) { return layout.encoding != Encoding::Plain; });
}

std::int64_t FieldRecords::largest_slot() const
{
  std::int64_t largest = 0;
  for (const BrickLayout& layout : files_.front().layouts)
  {
    largest = std::max(largest, layout.slot_bytes());
  }
  return largest;
}

bool FieldRecords::exists(const BrickKey& key) const
{
  return key.variable >= 0 && static_cast<std::size_t>(key.variable) < info_.variables.size() && key.step >= 0 &&
         static_cast<std::size_t>(key.step) < steps_.size() && key.index >= 0 &&
         key.index < layout(key.variable).grid.size();
}

StoredRecord FieldRecords::place(const BrickKey& key) const
{
  const Run& in = run(key.variable, key.step);
  const std::int64_t hilbert = hilbert_index(key);
  return { .file = in.file,
    .step = in.step,
    .offset = in.offset + hilbert * in.stride,
    .number = in.begin + hilbert,
    .hilbert = hilbert };
}

RecordRange FieldRecords::range(std::int64_t first, std::int64_t count) const
{
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), first, [](std::int64_t number, const Run& r) { return number < r.begin; });
  const Run& in = *std::prev(after);
  return { .file = in.file,
    .offset = in.offset + (first - in.begin) * in.stride,
    .count = std::min(count, in.end - first),
    .stride = in.stride };
}

BrickView FieldRecords::view(const BrickKey& key, const std::byte* values) const
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

void FieldRecords::unpack(const BrickKey& key, std::byte* slot) const
{
  const BrickLayout& bricks = layout(key.variable);
  if (bricks.encoding == Encoding::Fixed16)
  {
    const Variable& variable = info_.variables[static_cast<std::size_t>(key.variable)];
    decode_fixed16(slot + bricks.record_in_slot(), variable.type, variable.components, volume(bricks.nodes), slot);
  }
}

Result<void> FieldRecords::check(const BrickKey& key, const StoredRecord& place, const std::byte* record) const
{
  const FieldFile& file = files_[static_cast<std::size_t>(place.file)];
  const BrickLayout& own = file.layouts[static_cast<std::size_t>(key.variable)]; // it knows which file it is of
  const RecordState state = check_record(record, own, { key.variable, place.step, place.hilbert });
  if (state == RecordState::Sound)
  {
    return {};
  }
  return fail(ErrorCode::Corrupt, describe(state),
      "run `rivulet verify` to learn what else is damaged, and convert the field again", file.path, place.offset);
}

Result<std::vector<std::array<float, 2>>> FieldRecords::brick_ranges(int variable, int step) const
{
  if (!exists({ variable, step, 0 }))
  {
    return fail(ErrorCode::BadArgument, "there is no such variable or step", {}, files_.front().path);
  }
  const Step& at = steps_[static_cast<std::size_t>(step)];
  return files_[static_cast<std::size_t>(at.file)].brick_ranges(variable, at.step);
}

bool FieldRecords::hides(Centering centering, int step) const
{
  const Step& at = steps_[static_cast<std::size_t>(step)];
  return files_[static_cast<std::size_t>(at.file)].hides(centering, at.step);
}

Result<void> FieldRecords::read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) const
{
  const Step& at = steps_[static_cast<std::size_t>(step)];
  return files_[static_cast<std::size_t>(at.file)].read_hidden(centering, at.step, box, out);
}

} // namespace rivulet
