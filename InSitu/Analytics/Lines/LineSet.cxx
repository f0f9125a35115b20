// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/LineSet.h"

#include "Lines/Base64.h"
#include "Plugin/Agree.h"
#include "Plugin/InPieces.h"
#include "Plugin/OutputFile.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <span>

namespace rivulet
{

namespace
{

constexpr int kTag = 13;

template <class T>
void append_values(std::vector<T>& to, const T* from, std::int64_t first, std::int64_t count)
{
  to.insert(to.end(), from + first, from + first + count);
}

/// Calls part(vector) for all vectors of a set.
template <class Part>
void for_parts(LineSet& lines, const Part& part)
{
  part(lines.points);
  part(lines.places);
  for (LineSet::Array& array : lines.arrays)
  {
    part(array.values);
  }
  part(lines.lengths);
  part(lines.seeds);
  part(lines.reasons);
}

std::vector<std::int64_t> sizes_of(LineSet& lines)
{
  std::vector<std::int64_t> sizes;
  for_parts(lines, [&](const auto& part) { sizes.push_back(static_cast<std::int64_t>(part.size())); });
  return sizes;
}

/// An array of the file: the begin of its element, and its bytes.
struct FileArray
{
  std::string element;
  const void* bytes;
  std::size_t size;
};

std::string element_of(const char* type, const std::string& name, std::int32_t components)
{
  return "<DataArray type=\"" + std::string(type) + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"binary\">";
}

/// A name as XML wants it.
std::string escaped(const std::string& name)
{
  std::string text;
  for (const char letter : name)
  {
    text += letter == '<' ? "&lt;" : letter == '&' ? "&amp;" : letter == '"' ? "&quot;" : std::string(1, letter);
  }
  return text;
}

template <class T>
FileArray file_array(const std::string& element, const std::vector<T>& values)
{
  return { element, values.data(), values.size() * sizeof(T) };
}

/// Writes an array as text in base 64, after its number of bytes. ParaView 5.11 refuses raw values beside a newer
/// libexpat (Documentation/known-faults.md).
Result<void> append_array(OutputFile& file, const FileArray& array)
{
  constexpr std::size_t kPiece = std::size_t{ 1 } << 20;
  const std::uint64_t size = array.size;
  const std::span<const std::byte> values(static_cast<const std::byte*>(array.bytes), array.size);
  Base64 text;
  text.append({ reinterpret_cast<const std::byte*>(&size), sizeof(size) });
  Result<void> done = file.append(array.element);
  for (std::size_t begin = 0; done && begin < values.size(); begin += kPiece)
  {
    text.append(values.subspan(begin, std::min(kPiece, values.size() - begin)));
    done = file.append(text.take());
  }
  done = done ? file.append(text.end()) : done;
  return done ? file.append("</DataArray>") : done;
}

/// Cells of the file: vertices, then lines.
struct LineCells
{
  std::vector<std::int64_t> vertices;    ///< their points
  std::vector<std::int64_t> vertex_ends; ///< 1, 2, ...
  std::vector<std::int64_t> points;      ///< of the lines
  std::vector<std::int64_t> line_ends;
  std::vector<std::int32_t> seeds; ///< of each cell
  std::vector<std::int32_t> reasons;
};

LineCells cells_of(const LineSet& lines)
{
  LineCells cells;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < lines.lengths.size(); ++i)
  {
    end += lines.lengths[i];
    if (lines.reasons[i] == static_cast<std::int32_t>(Termination::None))
    {
      cells.vertices.push_back(end - 1);
      cells.vertex_ends.push_back(static_cast<std::int64_t>(cells.vertices.size()));
      cells.seeds.push_back(lines.seeds[i]);
      cells.reasons.push_back(lines.reasons[i]);
    }
  }
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < lines.lengths.size(); begin += lines.lengths[i], ++i)
  {
    if (lines.lengths[i] < 2)
    {
      continue;
    }
    for (std::int64_t point = begin; point < begin + lines.lengths[i]; ++point)
    {
      cells.points.push_back(point);
    }
    cells.line_ends.push_back(static_cast<std::int64_t>(cells.points.size()));
    cells.seeds.push_back(lines.seeds[i]);
    cells.reasons.push_back(lines.reasons[i]);
  }
  return cells;
}

} // namespace

LineSet no_lines(const std::vector<Variable>& attributes, const char* time)
{
  LineSet lines;
  lines.arrays.push_back({ time, ScalarType::Float64, 1, {} });
  for (const Variable& attribute : attributes)
  {
    lines.arrays.push_back({ attribute.name, attribute.type, attribute.components, {} });
  }
  return lines;
}

LineSet lines_of(const TracedLines& traced, std::int64_t first_seed, const char* time)
{
  LineSet lines = no_lines({}, time);
  for (const AttributeValues& attribute : traced.attributes)
  {
    lines.arrays.push_back({ attribute.name, attribute.type, attribute.components, {} });
  }
  std::vector<TracedLine> order = traced.lines;
  std::stable_sort(
      order.begin(), order.end(), [](const TracedLine& a, const TracedLine& b) { return a.seed < b.seed; });
  for (const TracedLine& line : order)
  {
    append_values(lines.points, traced.points.data(), 3 * line.first_point, 3 * line.points);
    if (!traced.places.empty())
    {
      append_values(lines.places, traced.places.data(), 3 * line.first_point, 3 * line.points);
    }
    for (std::size_t number = 0; number < lines.arrays.size(); ++number)
    {
      LineSet::Array& array = lines.arrays[number];
      const auto tuple = static_cast<std::int64_t>(size_of(array.type)) * array.components;
      const auto* const values = number == 0 ? reinterpret_cast<const std::byte*>(traced.time.data())
                                             : traced.attributes[number - 1].values.data();
      append_values(array.values, values, tuple * line.first_point, tuple * line.points);
    }
    lines.lengths.push_back(line.points);
    lines.seeds.push_back(static_cast<std::int32_t>(first_seed + line.seed));
    lines.reasons.push_back(static_cast<std::int32_t>(line.reason));
  }
  return lines;
}

Result<void> gather_lines(const Host& host, LineSet& lines)
{
  const std::vector<std::int64_t> mine = sizes_of(lines);
  const auto parts = static_cast<int>(mine.size());
  std::vector<std::int64_t> all(mine.size() * static_cast<std::size_t>(host.size()));
  Result<void> room =
      of_mpi(MPI_Gather(mine.data(), parts, MPI_INT64_T, all.data(), parts, MPI_INT64_T, 0, host.comm()));
  if (room && host.first())
  {
    try
    {
      std::size_t part_number = 0;
      for_parts(lines,
          [&](auto& part)
          {
            std::int64_t total = 0;
            for (std::size_t at = part_number; at < all.size(); at += mine.size())
            {
              total += all[at];
            }
            part.resize(static_cast<std::size_t>(total));
            ++part_number;
          });
    }
    catch (const std::bad_alloc&)
    {
      room = fail(ErrorCode::BadArgument, "there is no memory for the lines of all ranks", "choose fewer seeds");
    }
  }
  if (Result<void> agreed = agree(host, room); !agreed)
  {
    return agreed;
  }
  std::size_t part_number = 0;
  FirstMpiError error;
  for_parts(lines,
      [&](auto& part)
      {
        const auto bytes = static_cast<std::int64_t>(sizeof(part[0]));
        std::int64_t next = mine[part_number] * bytes;
        for (int rank = 1; host.first() && rank < host.size(); ++rank)
        {
          const std::int64_t count = all[static_cast<std::size_t>(rank) * mine.size() + part_number] * bytes;
          in_pieces(reinterpret_cast<std::byte*>(part.data()) + next, count,
              [&](std::byte* to, int size)
              { error.note(MPI_Recv(to, size, MPI_BYTE, rank, kTag, host.comm(), MPI_STATUS_IGNORE)); });
          next += count;
        }
        if (!host.first())
        {
          in_pieces(part.data(), next,
              [&](std::byte* from, int size) { error.note(MPI_Send(from, size, MPI_BYTE, 0, kTag, host.comm())); });
        }
        ++part_number;
      });
  return error.result();
}

Result<void> write_lines(const std::string& path, const LineSet& lines, double time)
{
  const auto points = static_cast<std::int64_t>(lines.points.size() / 3);
  const LineCells cells = cells_of(lines);
  std::string text = "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">"
                     "<PolyData><FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                     "format=\"ascii\">";
  append_number(text, time);
  text += "</DataArray></FieldData><Piece NumberOfPoints=\"" + std::to_string(points) + "\" NumberOfVerts=\"" +
          std::to_string(cells.vertex_ends.size()) + "\" NumberOfLines=\"" + std::to_string(cells.line_ends.size()) +
          "\"><PointData>";
  Result<OutputFile> file = OutputFile::create(path);
  Result<void> done = file ? file->append(text) : forward_error(file);
  const auto add = [&](const FileArray& array)
  {
    done = done ? append_array(*file, array) : done;
  };
  const auto add_text = [&](const char* words)
  {
    done = done ? file->append(words) : done;
  };
  for (const LineSet::Array& array : lines.arrays)
  {
    const char* const type = array.type == ScalarType::Float32 ? "Float32" : "Float64";
    add(file_array(element_of(type, escaped(array.name), array.components), array.values));
  }
  add_text("</PointData><CellData>");
  add(file_array(element_of("Int32", "SeedIds", 1), cells.seeds));
  add(file_array(element_of("Int32", "ReasonForTermination", 1), cells.reasons));
  add_text("</CellData><Points>");
  add(lines.places.empty() ? file_array(element_of("Float32", "Points", 3), lines.points)
                           : file_array(element_of("Float64", "Points", 3), lines.places));
  add_text("</Points>");
  if (!cells.vertices.empty())
  {
    add_text("<Verts>");
    add(file_array(element_of("Int64", "connectivity", 1), cells.vertices));
    add(file_array(element_of("Int64", "offsets", 1), cells.vertex_ends));
    add_text("</Verts>");
  }
  add_text("<Lines>");
  add(file_array(element_of("Int64", "connectivity", 1), cells.points));
  add(file_array(element_of("Int64", "offsets", 1), cells.line_ends));
  add_text("</Lines></Piece></PolyData></VTKFile>\n");
  return done ? file->finish() : done;
}

} // namespace rivulet
