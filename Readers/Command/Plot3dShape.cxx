// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/Command/Plot3dShape.h"

#include "Io/Files/File.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rivulet
{

namespace
{

constexpr std::int32_t kMostZones = 100000;
constexpr const char* kSaveInParaView =
    "open it in ParaView (a .p3d file can describe it), and save as .rvf (File > Save Data)";

/// The numbers at the start of a file.
class Head
{
public:
  Head(const File& file, std::int64_t bytes, const Plot3dShape& shape)
    : file_(file)
    , bytes_(bytes)
    , shape_(shape)
  {
  }

  /// A record of whole numbers; empty if the file has no such record here.
  std::vector<std::int32_t> record(std::int64_t count)
  {
    const std::int64_t length = 4 * count;
    if (count < 1 || length > bytes_ - at_ || (shape_.marks && next() != length))
    {
      return {};
    }
    std::vector<std::int32_t> numbers;
    for (std::int64_t i = 0; i < count; ++i)
    {
      numbers.push_back(next());
    }
    return shape_.marks && next() != length ? std::vector<std::int32_t>() : numbers;
  }
  [[nodiscard]] std::int64_t bytes() const { return at_; }

private:
  std::int32_t next()
  {
    std::array<std::uint8_t, 4> bytes{};
    if (at_ + 4 <= bytes_)
    {
      static_cast<void>(file_.pread_full(bytes.data(), 4, at_));
    }
    at_ += 4;
    if (shape_.big_endian)
    {
      std::reverse(bytes.begin(), bytes.end());
    }
    return static_cast<std::int32_t>(std::uint32_t{ bytes[0] } | std::uint32_t{ bytes[1] } << 8U |
                                     std::uint32_t{ bytes[2] } << 16U | std::uint32_t{ bytes[3] } << 24U);
  }

  const File& file_;
  std::int64_t bytes_;
  const Plot3dShape& shape_;
  std::int64_t at_ = 0;
};

/// Reads the zones; the bytes before their numbers, or nothing if the file does not begin so.
std::optional<std::int64_t> read_zones(const File& file, std::int64_t bytes, Plot3dShape& shape)
{
  Head head(file, bytes, shape);
  std::int32_t count = 1;
  if (shape.several)
  {
    const std::vector<std::int32_t> zones = head.record(1);
    count = zones.empty() ? 0 : zones.front();
  }
  const std::int64_t axes = shape.flat ? 2 : 3;
  const std::vector<std::int32_t> nodes =
      count >= 1 && count <= kMostZones ? head.record(axes * count) : std::vector<std::int32_t>();
  shape.zones.clear();
  double all = 0.0;
  for (std::size_t at = 0; at < nodes.size(); at += static_cast<std::size_t>(axes))
  {
    const Int3 zone{ nodes[at], nodes[at + 1], shape.flat ? 1 : nodes[at + 2] };
    if (*std::min_element(zone.begin(), zone.end()) < 1)
    {
      return std::nullopt;
    }
    all += static_cast<double>(zone[0]) * zone[1] * zone[2];
    shape.zones.push_back(zone);
  }
  return !nodes.empty() && all <= static_cast<double>(bytes) ? std::optional(head.bytes()) : std::nullopt;
}

std::int64_t points_of(const Plot3dShape& shape)
{
  std::int64_t points = 0;
  for (const Int3& zone : shape.zones)
  {
    points += volume(zone);
  }
  return points;
}

/// Bytes of the places of all nodes, and of what hides them.
std::int64_t bytes_of_grid(const Plot3dShape& shape)
{
  const std::int64_t of_node = (shape.flat ? 2 : 3) * (shape.doubles ? 8 : 4) + (shape.blanks ? 4 : 0);
  return points_of(shape) * of_node + (shape.marks ? 8 : 0) * static_cast<std::int64_t>(shape.zones.size());
}

std::int64_t bytes_of_solution(const Plot3dShape& shape)
{
  const std::int64_t number = shape.doubles ? 8 : 4;
  const auto zones = static_cast<std::int64_t>(shape.zones.size());
  return points_of(shape) * (shape.flat ? 4 : 5) * number + zones * (4 * number + (shape.marks ? 16 : 0));
}

bool bit(unsigned number, unsigned which)
{
  return (number >> which & 1U) != 0;
}

} // namespace

Result<Plot3dShape> shape_of_grid(const std::string& path)
{
  const Result<File> file = File::open(path, File::Mode::Read);
  const Result<std::int64_t> bytes = file ? file->size() : tl::unexpected(file.error());
  if (!bytes)
  {
    return tl::unexpected(bytes.error());
  }
  for (unsigned form = 0; form < 64; ++form)
  {
    Plot3dShape shape{ bit(form, 0), bit(form, 1), bit(form, 2), bit(form, 3), bit(form, 4), bit(form, 5) };
    const std::optional<std::int64_t> head = read_zones(*file, *bytes, shape);
    if (head && *head + bytes_of_grid(shape) == *bytes)
    {
      return shape;
    }
  }
  return fail(ErrorCode::CannotRead,
      "the file is no binary grid file of PLOT3D: no form of one has its " + std::to_string(*bytes) + " bytes",
      kSaveInParaView, path);
}

Result<void> check_solution(const Plot3dShape& grid, const std::string& path)
{
  const Result<File> file = File::open(path, File::Mode::Read);
  const Result<std::int64_t> bytes = file ? file->size() : tl::unexpected(file.error());
  if (!bytes)
  {
    return tl::unexpected(bytes.error());
  }
  Plot3dShape own = grid;
  const std::optional<std::int64_t> head = read_zones(*file, *bytes, own);
  if (!head || own.zones != grid.zones)
  {
    return fail(ErrorCode::CannotRead,
        "the file is no solution on this grid: it does not begin with the numbers of nodes, in the grid's byte order",
        kSaveInParaView, path);
  }
  const std::int64_t expected = *head + bytes_of_solution(grid);
  return expected == *bytes ? Result<void>()
                            : fail(ErrorCode::CannotRead,
                                  "a solution on this grid, of numbers of the same precision, has " +
                                      std::to_string(expected) + " bytes, and the file " + std::to_string(*bytes),
                                  kSaveInParaView, path);
}

} // namespace rivulet
