// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/FieldFileLattice.h"

#include "Convert/RegionPlan.h"
#include "Curve/Hilbert.h"

#include <cstring>

namespace rivulet
{

namespace
{

struct Target
{
  Box box;
  std::byte* values;
  std::size_t tuple_bytes;
};

// Copies the points that `record` shares with `to`.
void copy_shared(const BrickLayout& layout, const Box& held, const std::byte* record, const Target& to)
{
  const Box both = intersect(held, to.box);
  const std::size_t row_bytes = static_cast<std::size_t>(std::max(0, both.size()[0])) * to.tuple_bytes;
  for (std::int32_t k = both.begin[2]; k < both.end[2]; ++k)
  {
    for (std::int32_t j = both.begin[1]; j < both.end[1]; ++j)
    {
      const Int3 there{ both.begin[0] - held.begin[0], j - held.begin[1], k - held.begin[2] };
      const Int3 here{ both.begin[0] - to.box.begin[0], j - to.box.begin[1], k - to.box.begin[2] };
      std::memcpy(to.values + static_cast<std::size_t>(row_major(here, to.box.size())) * to.tuple_bytes,
          record + static_cast<std::size_t>(row_major(there, layout.nodes)) * to.tuple_bytes, row_bytes);
    }
  }
}

// Bricks that own the points of `box`; the last brick along an axis also owns the lattice's last layer.
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
  return lattice;
}

Result<void> FieldFileLattice::read(int variable, int step, const Box& box, void* out)
{
  const BrickLayout& layout = file_.layouts[static_cast<std::size_t>(variable)];
  const HilbertCurve curve(layout.grid.count);
  const Target target{ box, static_cast<std::byte*>(out),
    file_.info.variables[static_cast<std::size_t>(variable)].tuple_bytes() };
  const Box bricks = bricks_of(layout, box);
  std::vector<std::byte> record(static_cast<std::size_t>(layout.stride));
  for (std::int64_t number = 0; number < bricks.count(); ++number)
  {
    const Int3 at = from_row_major(number, bricks.size());
    const Int3 brick{ at[0] + bricks.begin[0], at[1] + bricks.begin[1], at[2] + bricks.begin[2] };
    const RecordId id{ variable, step, curve.index(brick) };
    if (Result<void> got = records_->read(id, 1, record.data()); !got)
    {
      return got;
    }
    if (const std::string defect = records_->defect(id, record.data()); !defect.empty())
    {
      return fail(
          ErrorCode::Corrupt, defect, "convert the field again from its source", file_.path, records_->offset(id));
    }
    const Box held = lattice_of(layout, Box{ brick, { brick[0] + 1, brick[1] + 1, brick[2] + 1 } });
    copy_shared(layout, held, record.data(), target);
  }
  return {};
}

std::int64_t FieldFileLattice::source_bytes() const
{
  return file_.file_bytes;
}

} // namespace rivulet
