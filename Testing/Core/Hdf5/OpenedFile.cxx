// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Hdf5/OpenedFile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace rivulet::test
{

using namespace hdf5;

Opened::Opened(const std::string& path)
  : file(*File::open(path, File::Mode::Read))
  , bytes(file, *file.size())
  , parsed(OldStyleFile::open(bytes))
{
}

Result<ObjectHeader> Opened::find(const std::string& path)
{
  std::uint64_t at = parsed->root();
  std::istringstream parts(path);
  for (std::string part; std::getline(parts, part, '/');)
  {
    if (part.empty())
    {
      continue;
    }
    Result<std::vector<Name>> names = parsed->names(at);
    if (!names)
    {
      return forward_error(names);
    }
    const auto found = std::find_if(names->begin(), names->end(), [&](const Name& name) { return name.name == part; });
    if (found == names->end())
    {
      return fail(ErrorCode::NotFound, part);
    }
    at = found->address;
  }
  return parsed->object(at);
}

DatasetIndex Opened::dataset(const std::string& path)
{
  Result<ObjectHeader> header = find(path);
  if (!header || !header->dataset)
  {
    ADD_FAILURE() << path << ": " << (header ? "no dataset" : header.error().describe());
    return {};
  }
  Result<DatasetIndex> index = index_dataset(bytes, std::move(*header->dataset));
  EXPECT_TRUE(index.has_value()) << index.error().describe();
  return std::move(index).value_or(DatasetIndex());
}

std::vector<double> Opened::values(const std::string& path, bool from_held)
{
  const DatasetIndex index = dataset(path);
  ValueReader reader;
  const Result<std::span<const std::byte>> raw = reader.read(file, from_held ? &bytes : nullptr, index);
  if (!raw)
  {
    ADD_FAILURE() << path << ": " << raw.error().describe();
    return {};
  }
  std::vector<double> doubles(static_cast<std::size_t>(index.form->count()));
  const StoredFormat format{ index.form->type, index.form->big_endian, {} };
  if (value_type(format.type) == ScalarType::Float64)
  {
    convert(format, raw->data(), index.form->count(), 1, doubles.data());
  }
  else
  {
    std::vector<float> floats(doubles.size());
    convert(format, raw->data(), index.form->count(), 1, floats.data());
    std::copy(floats.begin(), floats.end(), doubles.begin());
  }
  return doubles;
}

} // namespace rivulet::test
