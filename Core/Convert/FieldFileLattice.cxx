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

Result<std::unique_ptr<FieldFileLattice>> FieldFileLattice::open(const std::string& path)
{
  Result<FieldFile> file = FieldFile::open(path);
  if (!file)
  {
    return forward_error(file);
  }
  std::unique_ptr<FieldFileLattice> lattice(new FieldFileLattice(std::move(*file)));
  Result<Records> records = Records::open(lattice->file_);
  if (!records)
  {
    return forward_error(records);
  }
  lattice->records_ = std::make_unique<Records>(std::move(*records));
  if (Result<void> same = lattice->check_unchanged(); !same) // FieldFile::open() has closed the file
  {
    return forward_error(same);
  }
  return lattice;
}

Result<void> FieldFileLattice::read(int variable, int step, const Box& box, void* out)
{
  const BrickLayout& layout = file_.layouts[static_cast<std::size_t>(variable)];
  const HilbertCurve curve(layout.grid.count);
  const Variable& described = file_.info.variables[static_cast<std::size_t>(variable)];
  const auto tuple_bytes = static_cast<std::int64_t>(described.tuple_bytes());
  const MutableStridedBox target{ box, static_cast<std::byte*>(out), dense_strides(box, tuple_bytes) };
  const Box bricks = bricks_of(layout, box);
  std::vector<std::byte> slot(static_cast<std::size_t>(layout.slot_bytes()));
  std::byte* record = slot.data() + layout.record_in_slot();
  for (std::int64_t number = 0; number < bricks.count(); ++number)
  {
    const Int3 at = from_row_major(number, bricks.size());
    const Int3 brick{ at[0] + bricks.begin[0], at[1] + bricks.begin[1], at[2] + bricks.begin[2] };
    const RecordPlace id{ variable, step, curve.index(brick) };
    if (Result<void> got = records_->read(id, 1, record); !got)
    {
      return got;
    }
    if (const RecordState state = check_record(record, layout, id); state != RecordState::Sound)
    {
      return fail(ErrorCode::Corrupt, describe(state), "convert the field again from its source", file_.path,
          records_->offset(id));
    }
    if (layout.encoding == Encoding::Fixed16)
    {
      decode_fixed16(record, described.type, described.components, volume(layout.nodes), slot.data());
    }
    copy_record_to_box(layout, slot.data(), brick, target);
  }
  return {};
}

std::int64_t FieldFileLattice::source_bytes() const
{
  return file_.file_bytes;
}

} // namespace rivulet
