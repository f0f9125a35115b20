// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BlockReader.h"

#include "Io/Blocks/BlockAssembly.h"
#include "Io/Blocks/BlockChecks.h"
#include "Io/Blocks/DirectAccess.h"

#include <filesystem>
#include <set>

namespace rivulet
{

namespace
{

// Large enough to keep a disk busy, small enough to stay in the last-level cache until it is converted.
constexpr std::int64_t kDirectRead = 4 * kMiB;

std::int64_t bytes_of(const BlockField& field)
{
  std::int64_t bytes = 0;
  for (const BlockVariable& variable : field.variables)
  {
    const std::int64_t step = volume(variable.lattice) * variable.variable.components * size_of(variable.format.type);
    bytes += step * static_cast<std::int64_t>(variable.steps.size());
  }
  return bytes;
}

// Whether every folder with files of the field allows direct reads of whole pages.
bool reads_directly(const BlockField& field)
{
  std::set<std::string> seen;
  for (const BlockVariable& variable : field.variables)
  {
    for (const BlockStep& step : variable.steps)
    {
      for (const BlockPart& part : step.parts)
      {
        const std::string path = part.files.path(0);
        if (!seen.insert(std::filesystem::path(path).parent_path()).second)
        {
          continue;
        }
        const Result<DirectLimits> limits = direct_limits(path);
        if (!limits || limits->memory > kPage || limits->offset > kPage)
        {
          return false;
        }
      }
    }
  }
  return true;
}

} // namespace

Result<std::unique_ptr<BlockReader>> BlockReader::open(
    BlockField field, std::int64_t direct_from, std::shared_ptr<FileChangeGuard> seen)
{
  if (Result<void> there = check_files(field); !there)
  {
    return forward_error(there);
  }
  const bool direct = bytes_of(field) >= direct_from && reads_directly(field);
  std::unique_ptr<BlockReader> reader(new BlockReader(std::move(field), direct, std::move(seen)));
  DataFiles samples;
  for (const BlockVariable& variable : reader->field_.variables)
  {
    if (Result<void> plausible = check_byte_order(variable, samples); !plausible)
    {
      return forward_error(plausible);
    }
  }
  return reader;
}

Result<void> BlockReader::read(int variable, int step, const Box& box, void* out)
{
  const auto number = static_cast<std::size_t>(variable);
  const bool known = variable >= 0 && number < field_.variables.size() && step >= 0 &&
                     static_cast<std::size_t>(step) < field_.info.times.size();
  if (!known || box.empty() || intersect(box, { { 0, 0, 0 }, field_.variables[number].lattice }) != box)
  {
    return fail(ErrorCode::BadArgument, "these values lie outside the field");
  }
  if (direct_)
  {
    DirectAccess access(files_, kDirectRead);
    return assemble(field_.variables[number], step, box, access, out);
  }
  PositionedAccess access(files_);
  return assemble(field_.variables[number], step, box, access, out);
}

std::int64_t BlockReader::source_bytes() const
{
  return bytes_of(field_);
}

std::vector<std::string> BlockReader::files() const
{
  std::vector<std::string> paths;
  for (const BlockVariable& variable : field_.variables)
  {
    for (const BlockStep& step : variable.steps)
    {
      for (const BlockPart& part : step.parts)
      {
        for (std::int64_t block = 0; block < volume(variable.blocks()); ++block)
        {
          paths.push_back(part.files.path(block));
        }
      }
    }
  }
  return paths;
}

Int3 BlockReader::preferred_box() const
{
  const BlockVariable& variable = field_.variables.front();
  return variable.block == variable.lattice ? Int3{ variable.lattice[0], 0, 0 } : variable.block;
}

} // namespace rivulet
