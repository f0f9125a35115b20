// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/RawReader.h"

#include <algorithm>
#include <bit>

namespace rivulet
{

namespace
{

constexpr std::int32_t kMostComponents = 9;

tl::unexpected<Error> bad(const std::string& what, const std::string& remedy = "correct the description")
{
  return fail(ErrorCode::BadArgument, what, remedy);
}

Result<void> check_grid(const Grid& grid)
{
  const bool nodes = grid.nodes[0] > 0 && grid.nodes[1] > 0 && grid.nodes[2] > 0;
  return nodes ? Result<void>() : bad("a grid needs one node at least along each axis");
}

Result<void> check_variable(const RawVariable& raw, const Int3& lattice, std::size_t steps)
{
  if (raw.name.empty() || raw.components < 1 || raw.components > kMostComponents || raw.offset < 0)
  {
    return bad("a variable of a raw file needs a name, 1 to 9 components and no negative offset");
  }
  // The bytes of all components must fit for any layout, and as doubles, too.
  if (!checked_bytes(lattice, raw.components, raw.type, raw.offset) ||
      !checked_bytes(lattice, raw.components, StoredType::Float64, 0))
  {
    return bad(raw.name + " would have more bytes than any file can");
  }
  const std::size_t files = raw.layout == RawLayout::Files ? static_cast<std::size_t>(raw.components) : 1;
  const bool enough = std::all_of(raw.steps.begin(), raw.steps.end(),
      [files](const std::vector<std::string>& names) { return names.size() == files; });
  if (raw.steps.size() != steps || !enough)
  {
    return bad(raw.name + " needs " + std::to_string(files) + " files for each of " + std::to_string(steps) + " steps",
        "name them all");
  }
  return {};
}

BlockStep block_step(const RawVariable& raw, const std::vector<std::string>& names, std::int64_t plane)
{
  BlockStep step;
  const std::int32_t parts = raw.layout == RawLayout::Interleaved ? 1 : raw.components;
  for (std::int32_t part = 0; part < parts; ++part)
  {
    const bool own = raw.layout == RawLayout::Files;
    const std::string& name = names[own ? static_cast<std::size_t>(part) : 0];
    step.parts.push_back({ FilePattern::plain(name), raw.offset + (own ? 0 : part * plane) });
  }
  return step;
}

BlockVariable block_variable(const RawVariable& raw, const Int3& lattice)
{
  BlockVariable variable;
  variable.variable = { raw.name, value_type(raw.type), raw.components, raw.centering, whole_type(raw.type) };
  variable.format.type = raw.type;
  variable.format.swapped = raw.big_endian != (std::endian::native == std::endian::big);
  variable.lattice = lattice;
  variable.block = lattice;
  const std::int64_t plane = volume(lattice) * size_of(raw.type);
  std::transform(raw.steps.begin(), raw.steps.end(), std::back_inserter(variable.steps),
      [&](const std::vector<std::string>& names) { return block_step(raw, names, plane); });
  return variable;
}

Result<std::vector<double>> times_of(const RawField& raw)
{
  std::vector<double> times = raw.times;
  const std::size_t steps = raw.variables.front().steps.size();
  for (std::size_t i = 0; times.size() < steps && raw.times.empty(); ++i)
  {
    times.push_back(static_cast<double>(i));
  }
  const auto late = std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); });
  if (times.empty() || times.size() != steps || late != times.end())
  {
    return bad(std::to_string(steps) + " steps need as many times, which must increase");
  }
  return times;
}

} // namespace

Result<BlockField> raw_field(const RawField& raw)
{
  Result<void> good = check_grid(raw.grid);
  good = good && raw.variables.empty() ? bad("a raw file needs a variable") : good;
  if (!good)
  {
    return forward_error(good);
  }
  Result<std::vector<double>> times = times_of(raw);
  if (!times)
  {
    return forward_error(times);
  }
  BlockField field;
  field.info.grid = raw.grid;
  field.info.times = std::move(*times);
  for (const RawVariable& variable : raw.variables)
  {
    const Int3 lattice = raw.grid.lattice(variable.centering);
    if (Result<void> checked = check_variable(variable, lattice, field.info.times.size()); !checked)
    {
      return forward_error(checked);
    }
    field.variables.push_back(block_variable(variable, lattice));
    field.info.variables.push_back(field.variables.back().variable);
  }
  field.info.ranges.resize(field.variables.size());
  return field;
}

} // namespace rivulet
