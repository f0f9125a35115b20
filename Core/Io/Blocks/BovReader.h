// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// BOV headers as a source for the converter.
///
///     Result<std::unique_ptr<BlockReader>> reader = open_bov_reader({ "flow_0000.bov", "flow_0001.bov" });
///     for (const std::string& note : (*reader)->field().notes) ...
#pragma once

#include "Io/Blocks/BlockReader.h"
#include "Io/Blocks/BovSeries.h"

namespace rivulet
{

/// Reads the headers and checks every data file. Fails as bov_field() and BlockReader::open() do.
[[nodiscard]] inline Result<std::unique_ptr<BlockReader>> open_bov_reader(const std::vector<std::string>& headers)
{
  const auto seen = std::make_shared<FileChangeGuard>(); // before a header is read
  Result<BlockField> field = bov_field(headers);
  for (const std::string& header : headers)
  {
    if (Result<void> same = field ? seen->see(header) : Result<void>(); !same)
    {
      return forward_error(same);
    }
  }
  return field ? BlockReader::open(std::move(*field), kGiB, seen) : forward_error(field);
}

} // namespace rivulet
