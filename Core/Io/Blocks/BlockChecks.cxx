// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BlockChecks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <sys/stat.h>

namespace rivulet
{

namespace
{

constexpr std::int64_t kSamples = 8;
constexpr std::int64_t kSampleValues = 256;
constexpr std::int64_t kLeastValues = 16; // fewer values are not judged

// Zeros are not counted. Other numbers of a flow are neither huge nor tiny, but every fifth number of random bits is.
struct Verdict
{
  std::int64_t judged = 0;
  std::int64_t absurd = 0;

  void add(double value)
  {
    const double size = std::fabs(value);
    judged += value != 0 ? 1 : 0;
    absurd += value != 0 && !(size >= 1e-30 && size <= 1e30) ? 1 : 0;
  }
  [[nodiscard]] bool nonsense() const { return judged >= kLeastValues && absurd * 10 >= judged; }
  [[nodiscard]] bool sense() const { return judged >= kLeastValues && absurd * 100 <= judged; }
};

Verdict judge(const StoredFormat& format, const std::vector<std::byte>& bytes)
{
  const std::int64_t count = static_cast<std::int64_t>(bytes.size()) / size_of(format.type);
  Verdict verdict;
  std::vector<double> doubles(static_cast<std::size_t>(count));
  std::vector<float> floats(doubles.size());
  const bool narrow = format.type == StoredType::Float32;
  convert(format, bytes.data(), count, 1, narrow ? static_cast<void*>(floats.data()) : doubles.data());
  for (std::size_t i = 0; i < doubles.size(); ++i)
  {
    verdict.add(narrow ? static_cast<double>(floats[i]) : doubles[i]);
  }
  return verdict;
}

// Some kilobytes, spread over the blocks of the first step; fewer if files are missing.
std::vector<std::byte> sample(const BlockVariable& variable, DataFiles& files)
{
  const BlockPart& part = variable.steps.front().parts.front();
  const std::int64_t size = size_of(variable.format.type);
  const std::int64_t bytes = std::min(variable.part_bytes(), kSampleValues * size);
  const std::int64_t blocks = volume(variable.blocks());
  std::vector<std::byte> all;
  for (std::int64_t i = 0; i < kSamples; ++i)
  {
    const std::int64_t block = blocks * i / kSamples;
    const std::int64_t room = (variable.part_bytes() - bytes) / size;
    const std::int64_t at = part.offset + (room / kSamples * i + room % kSamples * i / kSamples) * size;
    Result<std::shared_ptr<const DataFile>> file = files.open(part.files.path(block), at + bytes);
    std::vector<std::byte> piece(static_cast<std::size_t>(bytes));
    if (file && (*file)->read(at, bytes, piece.data()))
    {
      all.insert(all.end(), piece.begin(), piece.end());
    }
  }
  return all;
}

Result<void> check_file(const std::string& path, std::int64_t needed)
{
  struct stat status
  {
  };
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
  {
    return status.st_size < needed ? Result<void>(tl::unexpected(too_short(path, status.st_size, needed)))
                                   : Result<void>();
  }
  Result<std::shared_ptr<const DataFile>> opened = DataFile::open(path); // gives the error
  return opened ? Result<void>() : forward_error(opened);
}

Result<void> check_part(const BlockVariable& variable, const BlockPart& part)
{
  for (std::int64_t block = 0; block < volume(variable.blocks()); ++block)
  {
    if (Result<void> there = check_file(part.files.path(block), part.offset + variable.part_bytes()); !there)
    {
      return there;
    }
  }
  return {};
}

} // namespace

Result<void> check_files(const BlockField& field)
{
  for (const BlockVariable& variable : field.variables)
  {
    for (const BlockStep& step : variable.steps)
    {
      for (const BlockPart& part : step.parts)
      {
        if (Result<void> there = check_part(variable, part); !there)
        {
          return there;
        }
      }
    }
  }
  return {};
}

Result<void> check_byte_order(const BlockVariable& variable, DataFiles& files)
{
  if (variable.format.type != StoredType::Float32 && variable.format.type != StoredType::Float64)
  {
    return {};
  }
  const std::vector<std::byte> bytes = sample(variable, files);
  if (bytes.empty())
  {
    return {};
  }
  StoredFormat other = variable.format;
  other.swapped = !other.swapped;
  const Verdict stated = judge(variable.format, bytes);
  if (!stated.nonsense() || !judge(other, bytes).sense())
  {
    return {};
  }
  return fail(ErrorCode::Corrupt,
      "the values make no sense in the byte order that is stated for them (" + std::to_string(stated.absurd) + " of " +
          std::to_string(stated.judged) + " samples of " + variable.variable.name +
          " are not numbers, huge or tiny), but do in the other one",
      "state the other byte order (DATA_ENDIAN in a BOV header: LITTLE or BIG)",
      variable.steps.front().parts.front().files.path(0));
}

} // namespace rivulet
