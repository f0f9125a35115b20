// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BovHeader.h"

#include "Base/Bytes.h"
#include "Io/Blocks/BlockField.h"
#include "Io/Blocks/BovLine.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <utility>

namespace rivulet
{

namespace
{

constexpr std::int64_t kMostHeaderBytes = kMiB;
constexpr std::int64_t kProbeBytes = 64 * kKiB;
constexpr std::int64_t kMostBlocks = 1 << 20;
constexpr std::int64_t kMostComponents = 9;
constexpr const char* kCorrectHeader = "correct the header";

// A header while its lines are read.
struct Draft
{
  BovHeader header;
  Int3 bricklets{ 0, 0, 0 };
  bool divide = false;
  std::optional<double> least;
  std::optional<double> most;
};

template <class T, class Field>
Result<void> store(Result<T> read, Field& field)
{
  if (!read)
  {
    return forward_error(read);
  }
  field = static_cast<Field>(std::move(*read));
  return {};
}

std::string folder_of(const std::string& path)
{
  return path.substr(0, path.rfind('/') + 1); // npos + 1 is 0
}

Result<FilePattern> read_file_name(const BovLine& line)
{
  Result<std::string> name = read_word(line);
  if (!name)
  {
    return forward_error(name);
  }
  if (name->ends_with(".gz"))
  {
    return bad_line(line, "the data file '" + *name + "' is compressed, which is not supported",
        "unpack it with gunzip and name the unpacked file", ErrorCode::Unsupported);
  }
  Result<FilePattern> pattern = FilePattern::parse(*name);
  return pattern ? pattern : bad_line(line, pattern.error().what, pattern.error().remedy);
}

// Any ending is allowed, as in VisIt: FLOATS, INTEGER.
Result<StoredType> read_format(const BovLine& line)
{
  constexpr std::array<std::pair<std::string_view, StoredType>, 7> names{ { { "FLOAT", StoredType::Float32 },
      { "REAL", StoredType::Float32 }, { "DOUBLE", StoredType::Float64 }, { "INT", StoredType::Int32 },
      { "SHORT", StoredType::Int16 }, { "BYTE", StoredType::UInt8 }, { "CHAR", StoredType::UInt8 } } };
  Result<std::string> word = read_upper(line);
  if (!word)
  {
    return forward_error(word);
  }
  for (const auto& [name, type] : names)
  {
    if (word->starts_with(name))
    {
      return type;
    }
  }
  return bad_line(
      line, "'" + line.words.front() + "' is not a type of values", "use BYTE, SHORT, INT, FLOAT or DOUBLE");
}

// Whether the word begins like `yes` rather than `no`.
Result<bool> read_choice(const BovLine& line, std::string_view yes, std::string_view no)
{
  Result<std::string> word = read_upper(line);
  if (!word)
  {
    return forward_error(word);
  }
  if (!word->starts_with(yes) && !word->starts_with(no))
  {
    return bad_line(
        line, "'" + line.words.front() + "' is not known here", "use " + std::string(yes) + " or " + std::string(no));
  }
  return word->starts_with(yes);
}

Result<bool> read_swapped(const BovLine& line)
{
  Result<bool> little = read_choice(line, "LITTLE", "BIG");
  return little ? Result<bool>(*little != (std::endian::native == std::endian::little)) : little;
}

Result<Centering> read_centering(const BovLine& line)
{
  Result<bool> zonal = read_choice(line, "ZON", "NOD");
  return zonal ? Result<Centering>(*zonal ? Centering::Cell : Centering::Node) : forward_error(zonal);
}

Result<std::int64_t> read_components(const BovLine& line)
{
  Result<std::string> word = read_upper(line);
  return word && *word == "COMPLEX" ? Result<std::int64_t>(2) : read_integer(line, 1, kMostComponents);
}

Result<bool> refuse_boundary(const BovLine& line)
{
  Result<bool> boundary = read_choice(line, "TRUE", "FALSE");
  if (boundary && *boundary)
  {
    return bad_line(line, "blocks with a layer of their neighbours' values are not supported",
        "write the blocks without it", ErrorCode::Unsupported);
  }
  return boundary;
}

using Setter = Result<void> (*)(Draft&, const BovLine&);

constexpr Setter kLeast = [](Draft& draft, const BovLine& line)
{
  return store(read_number(line), draft.least);
};
constexpr Setter kMost = [](Draft& draft, const BovLine& line)
{
  return store(read_number(line), draft.most);
};
constexpr Setter kIgnore = [](Draft&, const BovLine&)
{
  return Result<void>();
};

constexpr std::array<std::pair<std::string_view, Setter>, 21> kKeys{ {
    { "TIME",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_number(line), draft.header.time);
        } },
    { "DATA_FILE",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_file_name(line), draft.header.data);
        } },
    { "DATA_SIZE",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_sizes(line), draft.header.size);
        } },
    { "DATA_BRICKLETS",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_sizes(line), draft.bricklets);
        } },
    { "DATA_FORMAT",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_format(line), draft.header.format.type);
        } },
    { "DATA_ENDIAN",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_swapped(line), draft.header.format.swapped);
        } },
    { "DATA_COMPONENTS",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_components(line), draft.header.components);
        } },
    { "VARIABLE",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_word(line), draft.header.variable);
        } },
    { "CENTERING",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_centering(line), draft.header.centering);
        } },
    { "BRICK_ORIGIN",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_numbers(line), draft.header.origin);
        } },
    { "BRICK_SIZE",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_numbers(line), draft.header.extent);
        } },
    { "BYTE_OFFSET",
        [](Draft& draft, const BovLine& line)
        {
          constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
          return store(read_integer(line, 0, most), draft.header.byte_offset);
        } },
    { "DIVIDE_BRICK",
        [](Draft& draft, const BovLine& line)
        {
          return store(read_choice(line, "TRUE", "FALSE"), draft.divide);
        } },
    { "HAS_BOUNDARY",
        [](Draft&, const BovLine& line)
        {
          bool refused = false;
          return store(refuse_boundary(line), refused);
        } },
    { "VARIABLE_MIN", kLeast },
    { "VARIABLE_PALETTE_MIN", kLeast },
    { "VARIABLE_MAX", kMost },
    { "VARIABLE_PALETTE_MAX", kMost },
    { "VARIABLE_BRICK_MIN", kIgnore },
    { "VARIABLE_BRICK_MAX", kIgnore },
    { "UNFINISHED", kIgnore },
} };

class BovParser
{
public:
  BovParser(std::string_view text, const std::string& path)
    : text_(text)
    , path_(path)
  {
    draft_.header.path = path;
  }
  Result<BovHeader> parse();

private:
  Result<void> read_lines();
  Result<void> set(const BovLine& line);
  [[nodiscard]] Result<void> check_keys() const;
  Result<void> choose_block();
  [[nodiscard]] Result<void> check_bytes() const;
  [[nodiscard]] Result<void> check_extent() const;
  void choose_range();
  void note_defaults();
  void note(const std::string& text) { draft_.header.notes.push_back(path_ + ": " + text); }
  [[nodiscard]] bool has(const char* key) const { return seen_.contains(key); }
  [[nodiscard]] tl::unexpected<Error> bad(ErrorCode code, const std::string& what, const std::string& remedy) const
  {
    return fail(code, what, remedy, path_);
  }

  std::string_view text_;
  const std::string& path_;
  Draft draft_;
  std::set<std::string> seen_;
};

Result<void> BovParser::set(const BovLine& line)
{
  const auto* const found =
      std::find_if(kKeys.begin(), kKeys.end(), [&line](const auto& known) { return known.first == line.key; });
  if (found == kKeys.end())
  {
    note("the key " + line.key + " is not known and was ignored");
    return {};
  }
  if (!seen_.insert(line.key).second)
  {
    note("the key " + line.key + " is given more than once; the last one counts");
  }
  return found->second(draft_, line);
}

Result<void> BovParser::read_lines()
{
  BovLines lines(text_);
  while (lines.next())
  {
    if (Result<void> done = set(lines.line()); !done)
    {
      return tl::unexpected(std::move(done.error()).at_path(path_));
    }
  }
  return {};
}

Result<void> BovParser::check_keys() const
{
  if (has("UNFINISHED"))
  {
    return bad(ErrorCode::Unfinished, "the field that this header belongs to was never finished",
        "wait for its writer, or write the field again");
  }
  for (const char* key : { "DATA_FILE", "DATA_SIZE" })
  {
    if (!has(key))
    {
      return bad(ErrorCode::NotThisFormat, std::string("the header has no ") + key,
          "open a BOV header: a text with DATA_FILE, DATA_SIZE and DATA_FORMAT");
    }
  }
  return {};
}

// There is one file per block only if the name has a number in it. DIVIDE_BRICK only tells VisIt how to share the work.
Result<void> BovParser::choose_block()
{
  BovHeader& header = draft_.header;
  header.block = header.size;
  if (!has("DATA_BRICKLETS"))
  {
    return {};
  }
  if (!header.data.numbered())
  {
    note("DATA_BRICKLETS was ignored, because DATA_FILE names a single file");
    return {};
  }
  std::int64_t blocks = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t count = header.size[axis] / draft_.bricklets[axis];
    if (header.size[axis] % draft_.bricklets[axis] != 0)
    {
      return bad(ErrorCode::Corrupt,
          "DATA_BRICKLETS " + std::to_string(draft_.bricklets[axis]) + " does not divide DATA_SIZE " +
              std::to_string(header.size[axis]),
          kCorrectHeader);
    }
    blocks = checked_product({ blocks, count }).value_or(kMostBlocks + 1);
  }
  if (blocks > kMostBlocks)
  {
    return bad(ErrorCode::Unsupported, "DATA_BRICKLETS makes more than " + std::to_string(kMostBlocks) + " files",
        "write larger blocks");
  }
  header.block = draft_.bricklets;
  if (draft_.divide)
  {
    note("DIVIDE_BRICK was ignored, because DATA_FILE names a file for each block");
  }
  return {};
}

Result<void> BovParser::check_bytes() const
{
  const BovHeader& header = draft_.header;
  const StoredType type = header.format.type;
  const bool fits = checked_bytes(header.size, header.components, type, header.byte_offset).has_value() &&
                    checked_bytes(header.size, header.components, StoredType::Float64, 0).has_value();
  return fits ? Result<void>()
              : bad(ErrorCode::Corrupt, "DATA_SIZE and BYTE_OFFSET make more bytes than any file can have",
                    kCorrectHeader);
}

Result<void> BovParser::check_extent() const
{
  const BovHeader& header = draft_.header;
  const Grid grid = header.grid();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (grid.nodes[axis] > 1 && (header.extent[axis] == 0 || grid.spacing[axis] == 0))
    {
      return bad(ErrorCode::Corrupt, "BRICK_SIZE is 0 along an axis with cells", kCorrectHeader);
    }
  }
  return {};
}

void BovParser::choose_range()
{
  if (!draft_.least && !draft_.most)
  {
    return;
  }
  if (draft_.header.format.type != StoredType::UInt8)
  {
    note("VARIABLE_MIN and VARIABLE_MAX were ignored: they scale BYTE values only");
    return;
  }
  draft_.header.format.byte_range = { static_cast<float>(draft_.least.value_or(0)),
    static_cast<float>(draft_.most.value_or(1)) };
}

void BovParser::note_defaults()
{
  if (!has("DATA_FORMAT"))
  {
    note("DATA_FORMAT is missing; BYTE is assumed");
  }
  if (!has("DATA_ENDIAN") && size_of(draft_.header.format.type) > 1)
  {
    note("DATA_ENDIAN is missing; this machine's byte order is assumed");
  }
}

Result<BovHeader> BovParser::parse()
{
  Result<void> good = read_lines();
  good = good ? check_keys() : good;
  good = good ? choose_block() : good;
  good = good ? check_bytes() : good;
  good = good ? check_extent() : good;
  if (!good)
  {
    return forward_error(good);
  }
  choose_range();
  note_defaults();
  draft_.header.data = draft_.header.data.under(folder_of(path_));
  return std::move(draft_.header);
}

// Up to `most` bytes from the start of the file.
Result<std::string> read_start(const std::string& path, std::int64_t most)
{
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) // opening a pipe would wait for its other end
  {
    const bool there = std::filesystem::exists(path, unknown);
    return fail(there ? ErrorCode::CannotRead : ErrorCode::NotFound,
        there ? "this is not a file" : "there is no such header", "name a .bov file", path);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(most), '\0');
  file.read(text.data(), most);
  if (!file.is_open() || file.bad())
  {
    return fail(ErrorCode::CannotRead, "the header cannot be read", "check that it may be read", path, -1, errno);
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

bool is_text(std::string_view text)
{
  return text.find('\0') == std::string_view::npos;
}

} // namespace

Result<BovHeader> BovHeader::parse(std::string_view text, const std::string& path)
{
  if (!is_text(text) || static_cast<std::int64_t>(text.size()) > kMostHeaderBytes)
  {
    return fail(ErrorCode::NotThisFormat, "this is not a text, as a BOV header is",
        "open the .bov file beside the values rather than the values", path);
  }
  return BovParser(text, path).parse();
}

Result<BovHeader> BovHeader::read(const std::string& path)
{
  Result<std::string> text = read_start(path, kMostHeaderBytes + 1);
  return text ? parse(*text, path) : forward_error(text);
}

bool BovHeader::can_read(const std::string& path)
{
  const Result<std::string> text = read_start(path, kProbeBytes);
  if (!text || !is_text(*text))
  {
    return false;
  }
  bool file = false;
  bool size = false;
  for (BovLines lines(*text); lines.next();)
  {
    file = file || lines.line().key == "DATA_FILE";
    size = size || lines.line().key == "DATA_SIZE";
  }
  return file && size;
}

Grid BovHeader::grid() const
{
  Grid grid;
  grid.origin = origin;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool flat = axis == 2 && size[axis] == 1;
    grid.nodes[axis] = size[axis] + (centering == Centering::Cell && !flat ? 1 : 0);
    const double cells = std::max(1, grid.nodes[axis] - 1);
    grid.spacing[axis] = extent[axis] == 0 ? 1.0 : extent[axis] / cells;
  }
  return grid;
}

} // namespace rivulet
