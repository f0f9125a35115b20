// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Source.h"

#include "Convert/FieldFileLattice.h"

namespace rivulet::command
{

Result<std::unique_ptr<LatticeReader>> open_source(const SourceChoice& choice)
{
  Result<std::unique_ptr<FieldFileLattice>> file = FieldFileLattice::open(choice.paths.front());
  if (!file)
  {
    return forward_error(file);
  }
  return std::unique_ptr<LatticeReader>(std::move(*file));
}

} // namespace rivulet::command
