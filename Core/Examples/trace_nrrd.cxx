// SPDX-License-Identifier: BSD-3-Clause
// trace_nrrd HEADER X Y Z
//
// Opens a vector field in NRRD's plain encoding (a header, and a file of values with x fastest) as a field that need
// not fit into memory, and traces a streamline through it. A template for other formats: all that is special to NRRD is
// raw_field_of(), from a header to the description of its files.
#include "Io/Blocks/RawReader.h"
#include "Store/Field/FieldLayouts.h"
#include "Trace/Streamlines.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using namespace rivulet;

constexpr std::int64_t kBudget = 64 << 20; // bytes of the field in memory

using Header = std::map<std::string, std::string>;

tl::unexpected<Error> bad(const std::string& what, const std::string& remedy, const std::string& path)
{
  return fail(ErrorCode::Unsupported, what, remedy, path);
}

/// The lines "key: value" up to the first empty one.
Result<Header> read_header(const std::string& path)
{
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("NRRD000"))
  {
    return bad("this is no NRRD header", "name a file that begins with NRRD", path);
  }
  Header header;
  while (std::getline(file, line) && !line.empty())
  {
    const std::size_t colon = line.find(": ");
    if (line[0] != '#' && colon != std::string::npos)
    {
      header[line.substr(0, colon)] = line.substr(colon + 2);
    }
  }
  return header;
}

/// As many numbers as `numbers` has; false if there are fewer, more, or others.
template <class Number, std::size_t N>
bool numbers_of(const Header& header, const std::string& key, std::array<Number, N>& numbers)
{
  const auto found = header.find(key);
  std::istringstream text(found != header.end() ? found->second : "");
  for (Number& number : numbers)
  {
    std::string word; // std::istream reads no NaN, which an axis without places has
    text >> word;
    char* end = nullptr;
    number = static_cast<Number>(std::strtod(word.c_str(), &end));
    if (word.empty() || *end != '\0')
    {
      return false;
    }
  }
  std::string more;
  return !(text >> more);
}

std::string value(const Header& header, const std::string& key)
{
  const auto found = header.find(key);
  return found != header.end() ? found->second : "";
}

/// Description of the files. A key that would change values, and is not understood, is refused by name.
Result<RawField> raw_field_of(const Header& header, const std::string& path)
{
  for (const auto& [key, only] : Header{ { "dimension", "4" }, { "encoding", "raw" } })
  {
    if (value(header, key) != only)
    {
      return bad("\"" + key + "\" is \"" + value(header, key) + "\"", "give a header with \"" + only + "\"", path);
    }
  }
  static const std::set<std::string> known{ "type", "dimension", "sizes", "spacings", "axis mins", "encoding", "endian",
    "data file", "kinds", "content" };
  for (const auto& [key, text] : header)
  {
    if (!known.contains(key))
    {
      return bad("this example does not know \"" + key + "\"", "write the file without it", path);
    }
  }
  std::array<std::int32_t, 4> sizes{};
  std::array<double, 4> spacings{ 1, 1, 1, 1 };
  std::array<double, 4> mins{};
  const bool good = numbers_of(header, "sizes", sizes) && numbers_of(header, "spacings", spacings) &&
                    numbers_of(header, "axis mins", mins);
  if (!good || sizes[0] != 3)
  {
    return bad("sizes, spacings and axis mins are not those of three components on three axes",
        "give four numbers to each, with 3 as the first size", path);
  }
  const std::string type = value(header, "type");
  if (type != "float" && type != "double")
  {
    return bad("the type is \"" + type + "\"", "write float or double", path);
  }
  RawField raw;
  raw.grid.nodes = { sizes[1], sizes[2], sizes[3] };
  raw.grid.origin = { mins[1], mins[2], mins[3] };
  raw.grid.spacing = { spacings[1], spacings[2], spacings[3] };
  const std::string data = value(header, "data file");
  const std::string folder = path.substr(0, path.rfind('/') + 1); // npos + 1 is 0
  raw.variables.push_back({ .name = "velocity",
      .type = type == "float" ? StoredType::Float32 : StoredType::Float64,
      .components = 3,
      .big_endian = value(header, "endian") == "big",
      .steps = { { data.starts_with('/') ? data : folder + data } } });
  return raw;
}

/// From here on NRRD is a field as any other: the same function may stand in FieldLayouts.cxx.
Result<std::shared_ptr<FileBricks>> open_nrrd(const std::string& path)
{
  Result<Header> header = read_header(path);
  Result<RawField> raw = header ? raw_field_of(*header, path) : forward_error(header);
  Result<BlockField> field = raw ? raw_field(*raw) : forward_error(raw);
  Result<StoredField::Layout> layout = field ? layout_of_blocks(std::move(*field), path) : forward_error(field);
  return layout ? StoredField::open(std::move(*layout), { .memory_budget = kBudget }) : forward_error(layout);
}

Result<TracedLines> trace(FileBricks& bricks, const Vec3& seed)
{
  TraceField field;
  field.grid = bricks.info().grid;
  field.velocity = { &bricks, 0, 0 };
  StreamlineOptions options;
  options.direction = TraceDirection::Forward;
  options.maximum_length = std::numeric_limits<double>::infinity();
  options.maximum_steps = 1'000'000;
  const std::vector<Vec3> seeds{ seed };
  return trace_streamlines(field, seeds, options, {});
}

} // namespace

int main(int count, char** words)
{
  if (count != 5)
  {
    std::fprintf(stderr, "usage: trace_nrrd HEADER X Y Z\n");
    return 2;
  }
  Result<std::shared_ptr<FileBricks>> bricks = open_nrrd(words[1]);
  const Vec3 seed{ std::atof(words[2]), std::atof(words[3]), std::atof(words[4]) };
  Result<TracedLines> lines = bricks ? trace(**bricks, seed) : forward_error(bricks);
  if (!lines)
  {
    std::fprintf(stderr, "trace_nrrd: %s\n", lines.error().describe().c_str());
    return 1;
  }
  for (const TracedLine& line : lines->lines)
  {
    const float* const end = lines->points.data() + 3 * (line.first_point + line.points - 1);
    std::printf("%lld points, up to %g %g %g\n", static_cast<long long>(line.points), static_cast<double>(end[0]),
        static_cast<double>(end[1]), static_cast<double>(end[2]));
  }
  if (lines->data_error)
  {
    std::fprintf(stderr, "trace_nrrd: %s\n", lines->data_error->describe().c_str());
  }
  return lines->data_error ? 1 : 0;
}
