// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/FieldFileLattice.h"

#include "Curve/Hilbert.h"
#include "Io/FieldFile/Fixed16.h"

namespace rivulet
{

namespace
{

// Bricks that own the points of `box`. The last brick along an axis also owns the last layer of the lattice.
Box bricks_of(const BrickLayout& layout, const Box& box)
{
  Box bricks;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t last = layout.grid.count[axis] - 1;
    bricks.begin[axis] = std::min(last, box.begin[axis] / layout.cells[axis]);
    bricks.end[axis] = std::min(last, (box.end[axis] - 1) / layout.cells[axis]) + 1;
  }
  return bricks;
}

} // namespace

FieldFileLattice::FieldFileLattice(FieldSeries series)
  : series_(std::move(series))
  , records_(series_.files.size())
  , was_read_(series_.files.size())
{
}

Result<std::unique_ptr<FieldFileLattice>> FieldFileLattice::open(const std::vector<std::string>& paths)
{
  Result<FieldSeries> series = FieldSeries::open(paths);
  if (!series)
  {
    return forward_error(series);
  }
  if (!series->defects.empty()) // all values are wanted
  {
    return tl::unexpected(series->defects.begin()->second);
  }
  std::unique_ptr<FieldFileLattice> lattice(new FieldFileLattice(std::move(*series)));
  if (const auto first = lattice->records_of(0); !first)
  {
    return tl::unexpected(first.error());
  }
  return lattice;
}

/// The records of a file, open. At most kMostOpen files stay open.
Result<std::shared_ptr<const Records>> FieldFileLattice::records_of(std::int32_t number)
{
  const auto file = static_cast<std::size_t>(number);
  const std::lock_guard lock(mutex_);
  if (records_[file])
  {
    return records_[file];
  }
  Result<Records> records = Records::open(series_.files[file]);
  if (Result<void> same = records ? records->check_unchanged() : forward_error(records); !same)
  {
    return forward_error(same);
  }
  if (opened_.size() == kMostOpen)
  {
    records_[opened_.front()].reset();
    opened_.erase(opened_.begin());
  }
  opened_.push_back(file);
  was_read_[file] = true;
  records_[file] = std::make_shared<const Records>(std::move(*records));
  return records_[file];
}

std::vector<std::string> FieldFileLattice::files() const
{
  std::vector<std::string> paths;
  for (const FieldFile& file : series_.files)
  {
    paths.push_back(file.path);
  }
  return paths;
}

Result<void> FieldFileLattice::check_unchanged()
{
  std::vector<std::shared_ptr<const Records>> open;
  std::vector<bool> was_read;
  {
    const std::lock_guard lock(mutex_);
    open = records_;
    was_read = was_read_;
  }
  for (std::size_t file = 0; file < open.size(); ++file)
  {
    const FieldFile& described = series_.files[file];
    Result<void> same = open[file]       ? open[file]->check_unchanged()
                        : was_read[file] ? described.identity.check(described.path)
                                         : Result<void>();
    if (!same)
    {
      return same;
    }
  }
  return {};
}

Result<void> FieldFileLattice::read(int variable, int step, const Box& box, void* out)
{
  const FieldSeries::Step& place = series_.place(variable, step);
  const Result<std::shared_ptr<const Records>> records = records_of(place.file);
  if (!records)
  {
    return tl::unexpected(records.error());
  }
  const FieldFile& file = (*records)->file();
  const BrickLayout& layout = file.layouts[static_cast<std::size_t>(variable)];
  const HilbertCurve curve(layout.grid.count);
  const Variable& described = file.info.variables[static_cast<std::size_t>(variable)];
  const auto tuple_bytes = static_cast<std::int64_t>(described.tuple_bytes());
  const MutableStridedBox target{ box, static_cast<std::byte*>(out), dense_strides(box, tuple_bytes) };
  const Box bricks = bricks_of(layout, box);
  std::vector<std::byte> slot(static_cast<std::size_t>(layout.slot_bytes()));
  std::byte* record = slot.data() + layout.record_in_slot();
  for (std::int64_t number = 0; number < bricks.count(); ++number)
  {
    const Int3 at = from_row_major(number, bricks.size());
    const Int3 brick{ at[0] + bricks.begin[0], at[1] + bricks.begin[1], at[2] + bricks.begin[2] };
    const RecordPlace id{ variable, place.step, curve.index(brick) };
    if (Result<void> got = (*records)->read(id, 1, record); !got)
    {
      return got;
    }
    if (const RecordState state = check_record(record, layout, id); state != RecordState::Sound)
    {
      return fail(ErrorCode::Corrupt, describe(state), "convert the field again from its source", file.path,
          (*records)->offset(id));
    }
    if (layout.encoding == Encoding::Fixed16)
    {
      decode_fixed16(record, described.type, described.components, volume(layout.nodes), slot.data());
    }
    copy_record_to_box(layout, slot.data(), brick, target);
  }
  return {};
}

} // namespace rivulet
