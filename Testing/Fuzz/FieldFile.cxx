// SPDX-License-Identifier: BSD-3-Clause
// The input describes the header of a field file, sound or not, and damage to what lies behind it: the file is written
// by the HDF5 library, so that the library reads it, and then opened, described, read and verified. Every fourth input
// is the file itself. Metadata with forged checksums is left out: the library itself crashes on some of it.
#include "Io/FieldFile/FieldFile.h"
#include "Convert/FieldFileLattice.h"
#include "Convert/Verifier.h"
#include "Fuzz/Support.h"
#include "Io/FieldFile/BlankingPlanes.h"
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/FieldRules.h"
#include "Store/Field/OpenField.h"

#include <array>
#include <filesystem>
#include <fstream>

namespace
{

using namespace rivulet;

constexpr std::int64_t kMostBytes = std::int64_t{ 1 } << 24; // of a file, and of what is read of it

/// The HDF5 library asks for the real name of a file, which one in memory has not. It goes when the process does.
class FileOnDisk
{
public:
  FileOnDisk()
    : path_(std::filesystem::temp_directory_path() / ("rivulet-fuzz-" + std::to_string(::getpid()) + ".rvf"))
  {
  }
  FileOnDisk(const FileOnDisk&) = delete;
  FileOnDisk& operator=(const FileOnDisk&) = delete;
  ~FileOnDisk() { ::unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }
  void fill(std::span<const std::byte> bytes) const
  {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

private:
  std::string path_;
};

/// Mostly what it was.
template <class T>
void disturb(fuzz::Input& input, T& value)
{
  if (input.below(8) == 0)
  {
    value = input.take<T>();
  }
}

void disturb(fuzz::Input& input, Int3& values)
{
  for (std::int32_t& value : values)
  {
    disturb(input, value);
  }
}

hdf5::StoredVariable variable_from(fuzz::Input& input, const Grid& grid, int number)
{
  hdf5::StoredVariable stored;
  stored.variable.name = std::string(1, static_cast<char>('a' + number));
  stored.variable.components = 1 + input.below(9);
  stored.variable.type = input.below(2) == 0 ? ScalarType::Float32 : ScalarType::Float64;
  stored.variable.centering = input.below(2) == 0 ? Centering::Node : Centering::Cell;
  stored.fixed16 = input.below(3) == 0;
  stored.ranges.components.assign(static_cast<std::size_t>(stored.variable.components), { 0.0, 1.0 });
  stored.brick_cells = { 1 + input.below(9), 1 + input.below(9), 1 + input.below(9) };
  const Encoding encoding = stored.fixed16 ? Encoding::Fixed16 : Encoding::Plain;
  if (const Result<BrickLayout> layout = defect_of(grid).empty()
                                             ? make_layout(grid, stored.variable, stored.brick_cells, encoding)
                                             : Result<BrickLayout>(BrickLayout{}))
  {
    stored.brick_cells = layout->cells;
    stored.brick_nodes = layout->nodes;
    stored.brick_count = layout->grid.size();
    stored.payload = layout->payload;
    stored.stride = layout->stride;
  }
  disturb(input, stored.brick_cells);
  disturb(input, stored.brick_nodes);
  disturb(input, stored.payload);
  disturb(input, stored.stride);
  disturb(input, stored.brick_count);
  disturb(input, stored.largest_error);
  disturb(input, stored.ranges.magnitude);
  return stored;
}

/// Makes the last variable the places of the nodes, or says that another file has them.
void make_curvilinear(fuzz::Input& input, hdf5::StoredField& field)
{
  field.grid.kind = Grid::Kind::Curvilinear;
  if (input.below(8) == 0)
  {
    field.points_in = std::string(36, 'e');
    return;
  }
  hdf5::StoredVariable& places = field.variables.back();
  if (input.below(8) != 0 && defect_of(field.grid).empty() && !places.fixed16 &&
      places.variable.centering == Centering::Node)
  {
    places.variable.components = 3;
    places.ranges.components.resize(3);
    const Result<BrickLayout> layout = make_layout(field.grid, places.variable, places.brick_cells);
    places.payload = layout ? layout->payload : places.payload;
    places.stride = layout ? layout->stride : places.stride;
  }
  field.points = static_cast<std::int32_t>(field.variables.size()) - 1;
  for (std::int32_t step = 0; step < static_cast<std::int32_t>(field.times.size()); ++step)
  {
    const bool own = step == 0 || input.below(2) == 0;
    field.points_steps.push_back(own ? step : field.points_steps.back());
  }
}

hdf5::StoredField field_from(fuzz::Input& input)
{
  hdf5::StoredField field;
  field.version = 1 + input.below(3);
  field.uuid = std::string(36, 'f');
  Grid& grid = field.grid;
  grid.nodes = { 1 + input.below(20), 1 + input.below(20), 1 + input.below(20) };
  disturb(input, grid.nodes);
  disturb(input, grid.first);
  disturb(input, grid.spacing);
  disturb(input, grid.direction);
  if (input.below(3) == 0)
  {
    grid.kind = Grid::Kind::Rectilinear;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const int count = input.below(8) == 0 ? 1 + input.below(40) : std::clamp(grid.nodes[axis], 1, 40);
      for (int i = 0; i < count; ++i)
      {
        grid.axes[axis].push_back(i);
      }
      disturb(input, grid.axes[axis].back());
    }
  }
  for (int step = 1 + input.below(12); step > 0; --step)
  {
    field.times.push_back(static_cast<double>(field.times.size()));
  }
  disturb(input, field.times.back());
  for (int number = 1 + input.below(3); number > 0; --number)
  {
    field.variables.push_back(variable_from(input, grid, number));
  }
  if (input.below(4) == 0)
  {
    make_curvilinear(input, field);
  }
  return field;
}

/// Whether the rows of all variables are few enough to be written.
bool is_small(const hdf5::StoredField& field)
{
  std::int64_t bytes = 0;
  for (const hdf5::StoredVariable& stored : field.variables)
  {
    const std::int64_t rows = checked_product(stored.brick_count, stored.stride);
    if (rows <= 0 || rows > kMostBytes || stored.variable.components > 9)
    {
      return false;
    }
    bytes += rows * static_cast<std::int64_t>(field.times.size());
  }
  return bytes <= kMostBytes;
}

void add_hidden(fuzz::Input& input, const std::string& path, const hdf5::StoredField& field)
{
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    if (input.below(3) == 0 && defect_of(field.grid).empty())
    {
      const Int3 lattice = field.grid.lattice(centering);
      std::int64_t rows = lattice[2];
      std::int64_t bytes = hidden_row_bytes(lattice);
      disturb(input, rows);
      disturb(input, bytes);
      if (rows > 0 && bytes > 0 && checked_product(rows, bytes) > 0 && checked_product(rows, bytes) <= kMostBytes)
      {
        static_cast<void>(hdf5::add_hidden(path, centering, input.below(14), rows, bytes));
      }
    }
  }
}

/// Puts sound trailers, and then bytes of the input, where the rest of the file is.
void write_rest(fuzz::Input& input, const std::string& path)
{
  const Result<FieldFile> file = FieldFile::open(path);
  const Result<File> bytes = File::open(path, File::Mode::ReadWrite);
  if (!file || !bytes)
  {
    return;
  }
  for (std::size_t variable = 0; variable < file->layouts.size(); ++variable)
  {
    const BrickLayout& layout = file->layouts[variable];
    std::vector<std::byte> record(static_cast<std::size_t>(layout.stride), std::byte{ input.take<std::uint8_t>() });
    write_trailer(record.data(), layout, { static_cast<std::int32_t>(variable), 0, 0 }, 0);
    static_cast<void>(bytes->pwrite_full(record.data(), layout.stride, layout.steps[0].offset));
  }
  while (!input.ended())
  {
    const auto at =
        static_cast<std::int64_t>(input.take<std::uint32_t>()) % std::max<std::int64_t>(1, file->file_bytes);
    const auto byte = input.take<std::uint8_t>();
    static_cast<void>(bytes->pwrite_full(&byte, 1, at));
  }
}

std::int64_t bytes_of(const FieldInfo& info)
{
  std::int64_t bytes = 0;
  for (const Variable& variable : info.variables)
  {
    bytes += volume(info.grid.lattice(variable.centering)) * static_cast<std::int64_t>(variable.tuple_bytes());
  }
  return bytes;
}

void read_lattice(const std::string& path, const FieldFile& file)
{
  const Result<std::unique_ptr<FieldFileLattice>> lattice = FieldFileLattice::open({ path });
  if (!lattice || bytes_of(file.info) > kMostBytes)
  {
    return;
  }
  std::vector<std::byte> values(static_cast<std::size_t>(bytes_of(file.info)));
  for (std::size_t variable = 0; variable < file.layouts.size(); ++variable)
  {
    const Box box{ { 0, 0, 0 }, file.layouts[variable].grid.lattice };
    static_cast<void>((*lattice)->read(static_cast<int>(variable), 0, box, values.data()));
  }
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    if (const Int3 all = file.info.grid.lattice(centering); file.hides(centering, 0))
    {
      std::vector<std::uint8_t> flags(static_cast<std::size_t>(volume(all)), 7);
      if (file.read_hidden(centering, 0, { { 0, 0, 0 }, all }, flags.data()))
      {
        fuzz::expect(std::all_of(flags.begin(), flags.end(), [](std::uint8_t flag) { return flag < 2; }),
            "a point is neither hidden nor not");
      }
    }
  }
}

void read_all(const std::string& path)
{
  const Result<FieldFile> file = FieldFile::open(path);
  if (!file)
  {
    fuzz::expect(!file.error().what.empty() && !file.error().path.empty(), "an error without words or a name");
    return;
  }
  fuzz::expect(defect_of(file->info).empty(), "a field with a defect was accepted");
  for (std::size_t variable = 0; variable < file->layouts.size(); ++variable)
  {
    const auto ranges = file->brick_ranges(static_cast<int>(variable), 0);
    fuzz::expect(!ranges || static_cast<std::int64_t>(ranges->size()) == file->layouts[variable].grid.size(),
        "there are not as many ranges as bricks");
  }
  if (file->info.points >= 0)
  {
    const auto places = file->brick_places(0);
    fuzz::expect(!places || static_cast<std::int64_t>(places->size()) == file->layouts.back().grid.size(),
        "there are not as many bounds as bricks");
  }
  read_lattice(path, *file);
  static_cast<void>(verify(*file, { .threads = 1, .most_listed = 10, .cancel = nullptr, .progress = {} }));
  if (const auto field = open_field({ path }, { .strategy = AccessStrategy::BufferedCache }))
  {
    for (int variable = 0; variable < static_cast<int>(file->layouts.size()); ++variable)
    {
      static_cast<void>((*field)->try_get({ variable, 0, 0 }));
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static const FileOnDisk image;
  fuzz::Input input(data, size);
  if (input.below(4) == 0)
  {
    image.fill(input.rest());
    read_all(image.path());
    return 0;
  }
  hdf5::StoredField field = field_from(input);
  image.fill({});
  if (!is_small(field) || !hdf5::create_file(image.path(), field))
  {
    return 0;
  }
  add_hidden(input, image.path(), field);
  for (hdf5::StoredVariable& stored : field.variables)
  {
    stored.brick_range_checksums.assign(field.times.size(), 0);
  }
  if (hdf5::complete_file(image.path(), field))
  {
    write_rest(input, image.path());
    read_all(image.path());
  }
  return 0;
}
