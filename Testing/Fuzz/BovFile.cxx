// SPDX-License-Identifier: BSD-3-Clause
// The input is one or more BOV headers and the length of the file that all of them name. What is accepted is read by
// two strategies and must be the same; what a file does not hold must not be read.
#include "Fuzz/Support.h"
#include "Io/Blocks/BovReader.h"
#include "Store/Field/FieldLayouts.h"

#include <cmath>
#include <vector>

namespace
{

using namespace rivulet;

constexpr std::int64_t kMostBytes = 64 * kKiB;
constexpr int kMostHeaders = 4;
constexpr std::int64_t kMostBricks = 8;

/// Texts parted by a byte that no header contains.
std::vector<std::string> split(std::string_view text)
{
  std::vector<std::string> parts(1);
  for (const char c : text)
  {
    if (c != '\1')
    {
      parts.back() += c;
    }
    else if (parts.size() < kMostHeaders)
    {
      parts.emplace_back();
    }
  }
  return parts;
}

template <class T>
void expect_a_reason(const Result<T>& result)
{
  fuzz::expect(!result.error().what.empty(), "an error says nothing");
}

void check_header(const BovHeader& header)
{
  fuzz::expect(volume(header.size) > 0 && volume(header.block) > 0, "sizes");
  fuzz::expect(header.components >= 1 && header.byte_offset >= 0 && !header.variable.empty(), "components or offset");
  const Grid grid = header.grid();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    fuzz::expect(header.size[axis] % header.block[axis] == 0, "blocks");
    fuzz::expect(std::isfinite(grid.origin[axis]) && std::isfinite(grid.spacing[axis]), "the grid");
  }
  for (const std::int64_t number : { std::int64_t{ 0 }, std::numeric_limits<std::int64_t>::max() })
  {
    fuzz::expect(!header.data.path(number).empty(), "the name of the data");
  }
}

Result<std::vector<BovHeader>> parse_all(const std::vector<std::string>& texts)
{
  std::vector<BovHeader> headers;
  for (std::size_t i = 0; i < texts.size(); ++i)
  {
    Result<BovHeader> header = BovHeader::parse(texts[i], "folder/flow_" + std::to_string(i) + ".bov");
    if (!header)
    {
      return forward_error(header);
    }
    check_header(*header);
    headers.push_back(std::move(*header));
  }
  return headers;
}

/// Values of any bytes, in a file of about the length that the first variable needs.
void fill_data(fuzz::MemoryFile& file, const BlockField& field, int change)
{
  const BlockVariable& first = field.variables.front();
  const std::int64_t needed = first.steps.front().parts.front().offset + first.part_bytes();
  const std::int64_t length = std::clamp<std::int64_t>(needed + change, 0, kMostBytes);
  std::vector<std::byte> values(static_cast<std::size_t>(length));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = static_cast<std::byte>(i % 4 == 3 ? 0x3f : i * 7); // floats of about one, in this order of bytes
  }
  file.fill(values, values.size());
}

std::int64_t bytes_of(const Variable& variable, const Box& box)
{
  return checked_product({ box.count(), static_cast<std::int64_t>(variable.tuple_bytes()) }).value_or(kMostBytes + 1);
}

/// Copies what a brick holds, densely.
std::vector<std::byte> dense(const BrickView& view, const Variable& variable)
{
  const auto scalar = static_cast<std::int64_t>(size_of(view.type));
  std::vector<std::byte> values;
  const Box& box = view.lattice;
  for (Int3 at = box.begin; at[2] < box.end[2]; ++at[2])
  {
    for (at[1] = box.begin[1]; at[1] < box.end[1]; ++at[1])
    {
      for (at[0] = box.begin[0]; at[0] < box.end[0]; ++at[0])
      {
        std::int64_t offset = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          offset += (at[axis] - box.begin[axis]) * view.stride[axis];
        }
        const auto* tuple = static_cast<const std::byte*>(view.data) + offset * scalar;
        values.insert(values.end(), tuple, tuple + variable.components * scalar);
      }
    }
  }
  return values;
}

/// The brick from `source`, compared with the same values from `reader`.
void check_brick(FileBricks& source, BlockReader* reader, const BrickKey& key)
{
  const Lookup found = source.try_get(key);
  fuzz::expect(found.state != Lookup::State::Miss, "a synchronous source that misses");
  if (found.state == Lookup::State::Failed)
  {
    fuzz::expect(found.error != nullptr && !found.error->what.empty(), "an error says nothing");
    fuzz::expect(reader == nullptr, "a brick of sound files failed");
    return;
  }
  const Variable& variable = source.info().variables[static_cast<std::size_t>(key.variable)];
  const BrickView& view = found.pin.view();
  if (bytes_of(variable, view.lattice) > 4 * kMostBytes)
  {
    return;
  }
  const std::vector<std::byte> values = dense(view, variable);
  std::vector<std::byte> expected(values.size());
  if (reader != nullptr)
  {
    const Result<void> read = reader->read(key.variable, key.step, view.lattice, expected.data());
    fuzz::expect(read.has_value() && values == expected, "two ways to read differ");
  }
}

void check_values(const BlockField& field, AccessStrategy strategy)
{
  const Result<std::unique_ptr<BlockReader>> reader = BlockReader::open(field);
  Result<StoredField::Layout> layout = layout_of_blocks(field, "folder/flow.bov");
  const OpenOptions options{ .strategy = strategy, .memory_budget = 4 * kMiB };
  const Result<std::shared_ptr<FileBricks>> source =
      layout ? StoredField::open(std::move(*layout), options) : forward_error(layout);
  if (!source)
  {
    expect_a_reason(source);
    return;
  }
  const auto variables = static_cast<std::int32_t>(field.variables.size());
  for (std::int32_t variable = 0; variable < variables; ++variable)
  {
    const std::int64_t bricks = (*source)->bricks(variable).size();
    fuzz::expect(bricks > 0, "no bricks");
    const auto last = static_cast<std::int32_t>(field.info.times.size()) - 1;
    for (std::int64_t brick = 0; brick < std::min(bricks, kMostBricks); ++brick)
    {
      check_brick(**source, reader ? reader->get() : nullptr, { variable, last, bricks - 1 - brick });
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static fuzz::MemoryFile file;
  fuzz::Input input(data, size);
  const auto strategy = static_cast<AccessStrategy>(1 + input.below(3));
  const int change = input.below(3) == 0 ? input.take<std::int8_t>() : 0;
  const std::span<const std::byte> rest = input.rest();
  Result<std::vector<BovHeader>> headers =
      parse_all(split({ reinterpret_cast<const char*>(rest.data()), rest.size() }));
  if (!headers)
  {
    expect_a_reason(headers);
    return 0;
  }
  Result<BlockField> field = bov_field(std::move(*headers));
  if (!field)
  {
    expect_a_reason(field);
    return 0;
  }
  fill_data(file, *field, change);
  for (BlockVariable& variable : field->variables)
  {
    for (BlockStep& step : variable.steps)
    {
      step.parts.front().files = FilePattern::plain(file.path());
    }
  }
  check_values(*field, strategy);
  return 0;
}
