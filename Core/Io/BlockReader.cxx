// SPDX-License-Identifier: BSD-3-Clause
#include "Io/BlockReader.h"

#include "Io/BlockAssembly.h"
#include "Io/BlockChecks.h"

namespace rivulet
{

Result<std::unique_ptr<BlockReader>> BlockReader::open(BlockField field)
{
  if (Result<void> there = check_files(field); !there)
  {
    return forward_error(there);
  }
  std::unique_ptr<BlockReader> reader(new BlockReader(std::move(field)));
  for (const BlockVariable& variable : reader->field_.variables)
  {
    if (Result<void> plausible = check_byte_order(variable, reader->files_); !plausible)
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
  PositionedAccess access(files_);
  return assemble(field_.variables[number], step, box, access, out);
}

std::int64_t BlockReader::source_bytes() const
{
  std::int64_t bytes = 0;
  for (const BlockVariable& variable : field_.variables)
  {
    const std::int64_t step = volume(variable.lattice) * variable.variable.components * size_of(variable.format.type);
    bytes += step * static_cast<std::int64_t>(variable.steps.size());
  }
  return bytes;
}

Int3 BlockReader::preferred_box() const
{
  const BlockVariable& variable = field_.variables.front();
  return variable.block == variable.lattice ? Int3{ variable.lattice[0], 0, 0 } : variable.block;
}

} // namespace rivulet
