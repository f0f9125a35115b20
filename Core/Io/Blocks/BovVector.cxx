// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BovVector.h"

#include "Io/Blocks/BovSeries.h"

namespace rivulet
{

namespace
{

constexpr std::size_t kMostComponents = 9;

bool same_kind(const BlockField& a, const BlockField& b)
{
  const BlockVariable& x = a.variables.front();
  const BlockVariable& y = b.variables.front();
  return a.info.grid.nodes == b.info.grid.nodes && a.info.grid.origin == b.info.grid.origin &&
         a.info.grid.spacing == b.info.grid.spacing && a.info.times == b.info.times &&
         x.variable.centering == y.variable.centering && x.block == y.block && x.format.type == y.format.type &&
         x.format.swapped == y.format.swapped && x.format.byte_range == y.format.byte_range;
}

Result<BlockField> scalar_field(const std::vector<std::string>& headers)
{
  Result<BlockField> field = bov_field(headers);
  if (field && (field->variables.size() != 1 || field->variables.front().variable.components != 1))
  {
    return fail(
        ErrorCode::BadArgument, "the headers of a component must be of one scalar", "name others", headers.front());
  }
  return field;
}

} // namespace

Result<std::unique_ptr<BlockReader>> open_bov_vector_reader(
    const std::vector<std::vector<std::string>>& components, const std::string& name)
{
  if (components.empty() || components.size() > kMostComponents)
  {
    return fail(ErrorCode::BadArgument, "a vector has 1 to 9 components", "name headers of as many");
  }
  const auto seen = std::make_shared<FileChangeGuard>(); // before a header is read
  BlockField vector;
  for (const std::vector<std::string>& headers : components)
  {
    Result<BlockField> field = scalar_field(headers);
    if (!field)
    {
      return forward_error(field);
    }
    for (const std::string& header : headers)
    {
      if (Result<void> same = seen->see(header); !same)
      {
        return forward_error(same);
      }
    }
    if (vector.variables.empty())
    {
      vector = std::move(*field);
      continue;
    }
    if (!same_kind(vector, *field))
    {
      return fail(ErrorCode::BadArgument, "the grid, times, blocks or type differ from those of the first component",
          "name headers of one field", headers.front());
    }
    std::move(field->notes.begin(), field->notes.end(), std::back_inserter(vector.notes));
    std::move(field->warnings.begin(), field->warnings.end(), std::back_inserter(vector.warnings));
    for (std::size_t step = 0; step < vector.info.times.size(); ++step)
    {
      vector.variables.front().steps[step].parts.push_back(field->variables.front().steps[step].parts.front());
    }
  }
  vector.info.variables.front().name = name;
  vector.info.variables.front().components = static_cast<std::int32_t>(components.size());
  vector.variables.front().variable = vector.info.variables.front();
  return BlockReader::open(std::move(vector), kGiB, seen);
}

} // namespace rivulet
