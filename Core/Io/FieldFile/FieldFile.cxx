// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/FieldFile.h"

#include "Base/Bytes.h"
#include "Curve/Hilbert.h"
#include "Io/FieldFile/BlankingPlanes.h"
#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/FieldFileStructure.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/PlacesTable.h"
#include "Io/Files/File.h"
#include "Io/Files/FileHash.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rivulet
{

namespace
{

constexpr const char* kConvertAgain = "convert the field again from its source";
constexpr const char* kCopyAgain = "copy the file again, or convert the field again";
constexpr std::array<unsigned char, 8> kSignature{ 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n' };

tl::unexpected<Error> corrupt(const std::string& path, std::string what, std::int64_t offset = -1)
{
  return fail(ErrorCode::Corrupt, std::move(what), kConvertAgain, path, offset);
}

using Superblock = std::array<unsigned char, 64>;

/// The start of the file, with zeros after its end.
Superblock read_superblock(const File& file, std::int64_t file_bytes)
{
  Superblock block{};
  const auto bytes = std::min<std::int64_t>(file_bytes, static_cast<std::int64_t>(block.size()));
  if (!file.pread_full(block.data(), bytes, 0))
  {
    block = {};
  }
  return block;
}

bool has_signature(const Superblock& block)
{
  return std::equal(kSignature.begin(), kSignature.end(), block.begin());
}

/// Length of the file when HDF5 closed it, from the superblock; 0 if that has an unusual form.
std::uint64_t recorded_length(const Superblock& block)
{
  const unsigned version = block[8];
  const bool wide = version >= 2 ? block[9] == 8 : block[13] == 8; // bytes of an offset
  if (version > 3 || !wide)
  {
    return 0;
  }
  const std::size_t at = version >= 2 ? 28 : version == 1 ? 44 : 40;
  std::uint64_t length = 0;
  std::memcpy(&length, block.data() + at, sizeof(length));
  return length;
}

Result<void> check_start(const File& file, std::int64_t file_bytes)
{
  const Superblock block = read_superblock(file, file_bytes);
  if (!has_signature(block))
  {
    return fail(ErrorCode::NotThisFormat, file_bytes == 0 ? "the file is empty" : "this is not a Rivulet field file",
        "convert it to a field file first", file.path());
  }
  if (const std::uint64_t length = recorded_length(block); length > static_cast<std::uint64_t>(file_bytes))
  {
    return fail(ErrorCode::Truncated,
        "the file ends early: it has " + std::to_string(file_bytes) + " of " + std::to_string(length) + " bytes",
        kCopyAgain, file.path(), file_bytes);
  }
  return {};
}

/// Range of bytes of bricks, to check that no two overlap.
struct Extent
{
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

class Checker
{
public:
  explicit Checker(FieldFile& file)
    : file_(file)
  {
  }

  Result<void> run(hdf5::StoredField& stored)
  {
    file_.uuid = stored.uuid;
    if (stored.version == hdf5::kSealedVersion)
    {
      identity_ = identity_of(stored.uuid);
    }
    file_.info.grid = std::move(stored.grid);
    file_.info.times = std::move(stored.times);
    for (const hdf5::StoredVariable& variable : stored.variables)
    {
      file_.info.variables.push_back(variable.variable);
    }
    file_.info.points = stored.points;
    file_.info.points_steps = std::move(stored.points_steps);
    file_.points_in = std::move(stored.points_in);
    if (std::string defect = defect_of(file_.info); !defect.empty())
    {
      return corrupt(file_.path, std::move(defect));
    }
    if (file_.info.grid.kind == Grid::Kind::Curvilinear && file_.info.points < 0 && file_.info.times.size() > 1)
    {
      return corrupt(file_.path, "a file of several steps has no places of the nodes");
    }
    for (const hdf5::StoredVariable& variable : stored.variables)
    {
      if (Result<void> sound = add_variable(variable); !sound)
      {
        return sound;
      }
    }
    for (const Centering centering : { Centering::Node, Centering::Cell })
    {
      if (Result<void> sound = add_hidden(centering, stored.hidden[static_cast<std::size_t>(centering)]); !sound)
      {
        return sound;
      }
    }
    return check_overlaps();
  }

private:
  Result<void> add_variable(const hdf5::StoredVariable& stored)
  {
    const std::string& name = stored.variable.name;
    const Encoding encoding = stored.fixed16 ? Encoding::Fixed16 : Encoding::Plain;
    Result<BrickLayout> layout = make_layout(file_.info.grid, stored.variable, stored.brick_cells, encoding);
    if (!layout || layout->cells != stored.brick_cells || layout->nodes != stored.brick_nodes ||
        layout->payload != stored.payload)
    {
      return corrupt(file_.path, "the sizes of the bricks of variable \"" + name + "\" contradict each other");
    }
    if (std::string defect = defect_of_records(stored, *layout); !defect.empty())
    {
      return corrupt(file_.path, std::move(defect));
    }
    const auto number = static_cast<std::int32_t>(file_.layouts.size());
    layout->identity = identity_;
    layout->stride = stored.stride;
    layout->largest_error = stored.largest_error;
    for (std::size_t step = 0; step < stored.bricks.size(); ++step)
    {
      Result<void> sound = file_.info.is_stored(number, static_cast<std::int32_t>(step))
                               ? add_step(*layout, stored.bricks[step])
                               : Result<void>();
      if (!sound)
      {
        return sound;
      }
      layout->steps.push_back({ stored.bricks[step].offset });
    }
    file_.layouts.push_back(std::move(*layout));
    return add_ranges(stored);
  }

  /// Reason why records cannot be such; empty if they can.
  [[nodiscard]] std::string defect_of_records(const hdf5::StoredVariable& stored, const BrickLayout& layout) const
  {
    const std::string name = "variable \"" + stored.variable.name + "\"";
    if (stored.stride < layout.stride || stored.stride % kPage != 0 || stored.stride > 2 * kMostBrickBytes ||
        checked_product(layout.grid.size(), stored.stride) < 0)
    {
      return "the records of " + name + " have an impossible length";
    }
    if (!(stored.largest_error >= 0.0) || (!stored.fixed16 && stored.largest_error > 0.0))
    {
      return "the error of " + name + " is no bound";
    }
    const bool places = static_cast<std::int32_t>(file_.layouts.size()) == file_.info.points;
    return places && stored.fixed16 ? "the places of the nodes are not plain numbers" : "";
  }

  Result<void> add_step(const BrickLayout& layout, const hdf5::StoredRows& rows)
  {
    const std::string which = "the bricks of step " + std::to_string(layout.steps.size());
    file_.page_aligned = file_.page_aligned && rows.offset % kPage == 0;
    return add_rows(which, rows, layout.grid.size(), layout.stride);
  }

  Result<void> add_hidden(Centering centering, const std::vector<hdf5::StoredRows>& tables)
  {
    const Int3 lattice = file_.info.grid.lattice(centering);
    std::vector<std::int64_t>& offsets = file_.hidden[static_cast<std::size_t>(centering)];
    for (const hdf5::StoredRows& rows : tables)
    {
      const std::string which = std::string("the hidden ") + (centering == Centering::Node ? "points" : "cells") +
                                " of step " + std::to_string(offsets.size());
      if (Result<void> sound =
              rows.rows == 0 ? Result<void>{} : add_rows(which, rows, lattice[2], hidden_row_bytes(lattice));
          !sound)
      {
        return sound;
      }
      offsets.push_back(rows.rows == 0 ? -1 : rows.offset);
    }
    return {};
  }

  /// Checks that rows of bytes lie in the file, and notes their range for check_overlaps().
  Result<void> add_rows(
      const std::string& which, const hdf5::StoredRows& rows, std::int64_t count, std::int64_t row_bytes)
  {
    if (rows.rows != count || rows.row_bytes != row_bytes)
    {
      return corrupt(file_.path, which + " are " + std::to_string(rows.rows) + " records of " +
                                     std::to_string(rows.row_bytes) + " bytes, not " + std::to_string(count) + " of " +
                                     std::to_string(row_bytes));
    }
    const std::int64_t bytes = checked_product(rows.rows, rows.row_bytes);
    if (rows.offset < static_cast<std::int64_t>(kSignature.size()) || rows.offset > file_.file_bytes)
    {
      return corrupt(file_.path, which + " lie outside the file", rows.offset);
    }
    if (bytes < 0 || bytes > file_.file_bytes - rows.offset)
    {
      return fail(ErrorCode::Truncated, which + " do not fit into the file", kCopyAgain, file_.path, file_.file_bytes);
    }
    extents_.push_back({ rows.offset, rows.offset + bytes });
    return {};
  }

  Result<void> add_ranges(const hdf5::StoredVariable& stored)
  {
    ValueRanges ranges = stored.ranges;
    const auto known = [](const std::array<double, 2>& range)
    {
      return std::isfinite(range[0]) && std::isfinite(range[1]) && range[0] <= range[1];
    };
    if (!known(ranges.magnitude) || !std::all_of(ranges.components.begin(), ranges.components.end(), known))
    {
      ranges = {};
    }
    file_.info.ranges.push_back(std::move(ranges));
    return {};
  }

  Result<void> check_overlaps()
  {
    const auto before = [](const Extent& a, const Extent& b)
    {
      return a.begin < b.begin;
    };
    std::sort(extents_.begin(), extents_.end(), before);
    for (std::size_t i = 1; i < extents_.size(); ++i)
    {
      if (extents_[i].begin < extents_[i - 1].end)
      {
        return corrupt(file_.path, "two steps or variables claim the same bytes", extents_[i].begin);
      }
    }
    return {};
  }

  FieldFile& file_;
  std::optional<std::uint64_t> identity_; ///< only if checksums cover it
  std::vector<Extent> extents_;
};

Result<File> open_same(const FieldFile& described)
{
  Result<File> file = File::open(described.path, File::Mode::Read);
  if (file)
  {
    // The file must be the one whose metadata was read.
    if (Result<void> same = described.identity.check(*file); !same)
    {
      return forward_error(same);
    }
  }
  return file;
}

} // namespace

Result<FieldFile> FieldFile::open(const std::string& path)
{
  Result<File> opened = File::open(path, File::Mode::Read);
  if (!opened)
  {
    return forward_error(opened);
  }
  Result<FileIdentity> identity = FileIdentity::of(*opened);
  if (!identity)
  {
    return forward_error(identity);
  }
  if (Result<void> sound = check_start(*opened, identity->size()); !sound)
  {
    return forward_error(sound);
  }
  if (Result<void> sane = hdf5::check_structure(*opened, identity->size()); !sane)
  {
    return forward_error(sane);
  }
  Result<hdf5::StoredField> stored = hdf5::read_file(path);
  if (!stored)
  {
    return forward_error(stored);
  }
  FieldFile file;
  file.path = path;
  file.file_bytes = identity->size();
  file.identity = *identity;
  if (Result<void> sound = Checker(file).run(*stored); !sound)
  {
    return forward_error(sound);
  }
  return file;
}

bool FieldFile::can_read(const std::string& path)
{
  const Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return false;
  }
  const Result<std::int64_t> bytes = file->size();
  return bytes && has_signature(read_superblock(*file, *bytes)) && hdf5::check_structure(*file, *bytes) &&
         hdf5::has_our_format(path);
}

Result<RangeTable> FieldFile::range_table(int variable, int step) const
{
  if (variable < 0 || static_cast<std::size_t>(variable) >= layouts.size() || step < 0 ||
      static_cast<std::size_t>(step) >= info.times.size())
  {
    return fail(ErrorCode::BadArgument, "there is no such variable or step", {}, path);
  }
  const std::string& name = info.variables[static_cast<std::size_t>(variable)].name;
  const std::int64_t bricks = layouts[static_cast<std::size_t>(variable)].grid.size();
  return hdf5::find_brick_ranges(path, name, info.stored_step(variable, step), { bricks, file_bytes });
}

Result<RangeTable> FieldFile::places_table(int step) const
{
  if (info.points < 0 || step < 0 || static_cast<std::size_t>(step) >= info.times.size())
  {
    return fail(ErrorCode::BadArgument, "there are no places of nodes at this step", {}, path);
  }
  return hdf5::find_brick_places(path, info.variables.back().name, info.stored_step(info.points, step),
      { layouts.back().grid.size(), file_bytes });
}

namespace
{

/// Reads a table of one row for each brick, in the order of the curve, into that of the grid of bricks.
template <class Row>
Result<std::vector<Row>> read_table(const FieldFile& file, const Result<RangeTable>& table, const BrickGrid& grid)
{
  if (!table)
  {
    return tl::unexpected(table.error());
  }
  const Result<File> opened = open_same(file);
  if (!opened)
  {
    return tl::unexpected(opened.error());
  }
  const auto bytes = grid.size() * static_cast<std::int64_t>(sizeof(Row));
  // The hash comes first: it fails before memory is taken if the table is not there.
  if (const Result<std::uint64_t> hash = hash_of(*opened, table->offset, bytes); !hash || *hash != table->checksum)
  {
    return hash ? corrupt(file.path, "the checksum of a table of the bricks does not match", table->offset)
                : tl::unexpected(hash.error());
  }
  std::vector<Row> along_curve(static_cast<std::size_t>(grid.size()));
  if (Result<void> read = opened->pread_full(along_curve.data(), bytes, table->offset); !read)
  {
    return forward_error(read);
  }
  const HilbertCurve curve(grid.count);
  std::vector<Row> rows(along_curve.size());
  for (std::size_t hilbert = 0; hilbert < rows.size(); ++hilbert)
  {
    const Int3 brick = curve.at(static_cast<std::int64_t>(hilbert));
    rows[static_cast<std::size_t>(row_major(brick, grid.count))] = along_curve[hilbert];
  }
  return rows;
}

} // namespace

Result<std::vector<std::array<float, 2>>> FieldFile::brick_ranges(int variable, int step) const
{
  const Result<RangeTable> table = range_table(variable, step);
  return table ? read_table<std::array<float, 2>>(*this, table, layouts[static_cast<std::size_t>(variable)].grid)
               : tl::unexpected(table.error());
}

Result<std::vector<PlacesMeasure>> FieldFile::brick_places(int step) const
{
  const Result<RangeTable> table = places_table(step);
  const Result<std::vector<PlacesRow>> rows =
      table ? read_table<PlacesRow>(*this, table, layouts.back().grid) : tl::unexpected(table.error());
  if (!rows)
  {
    return tl::unexpected(rows.error());
  }
  std::vector<PlacesMeasure> places;
  places.reserve(rows->size());
  for (const PlacesRow& row : *rows)
  {
    places.push_back(places_of(row));
    if (!places.back().finite)
    {
      return corrupt(path, "the bounds of the nodes of a brick are no box", table->offset);
    }
  }
  return places;
}

Result<void> FieldFile::read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) const
{
  const Result<File> file = open_same(*this);
  if (!file)
  {
    return tl::unexpected(file.error());
  }
  const Int3 lattice = info.grid.lattice(centering);
  std::vector<std::byte> row(static_cast<std::size_t>(hidden_row_bytes(lattice)));
  const auto bytes = static_cast<std::int64_t>(row.size());
  const std::int64_t plane = std::int64_t{ box.size()[0] } * box.size()[1];
  for (std::int32_t k = box.begin[2]; k < box.end[2]; ++k, out += plane)
  {
    const std::int64_t offset = hidden_at(centering, step) + k * bytes;
    if (Result<void> read = file->pread_full(row.data(), bytes, offset); !read)
    {
      return read;
    }
    if (!hidden_row_sound(row.data(), lattice, *layouts.front().identity, { centering, step, k }))
    {
      return corrupt(path, "the checksum of what is hidden does not match", offset);
    }
    unpack_hidden(row.data(), lattice, box, out);
  }
  return {};
}

} // namespace rivulet
