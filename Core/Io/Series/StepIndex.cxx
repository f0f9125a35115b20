// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/StepIndex.h"

#include "Io/Files/File.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

/// An entry in the file, little-endian.
struct Record
{
  double time = 0;
  std::uint64_t values = 0;
  std::uint64_t checksum = 0; ///< of the bytes before, for this step of this store
};
static_assert(sizeof(Record) == 24);

constexpr auto kRecord = static_cast<std::int64_t>(sizeof(Record));

std::uint64_t checksum_of(const Record& record, const StoreIdentity& identity, std::size_t step)
{
  const std::string name = identity.uuid_at(static_cast<std::int64_t>(step)) + "/" + std::to_string(step);
  return XXH3_64bits_withSeed(&record, offsetof(Record, checksum), XXH3_64bits(name.data(), name.size()));
}

std::int64_t size_of_index(const std::string& folder)
{
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(step_index(folder), error);
  return error ? -1 : static_cast<std::int64_t>(bytes);
}

} // namespace

std::string step_index(const std::string& folder)
{
  return folder + "/steps.index";
}

/// The ranges of the values: they are read with the file's other metadata, and other values seldom have the same.
StepEntry entry_of(const FieldFile& step)
{
  std::vector<double> numbers;
  for (const ValueRanges& ranges : step.info.ranges)
  {
    numbers.push_back(static_cast<double>(ranges.components.size()));
    for (const std::array<double, 2>& range : ranges.components)
    {
      numbers.insert(numbers.end(), range.begin(), range.end());
    }
    numbers.insert(numbers.end(), ranges.magnitude.begin(), ranges.magnitude.end());
  }
  return { step.info.times.front(), XXH3_64bits(numbers.data(), numbers.size() * sizeof(double)) };
}

std::vector<std::optional<StepEntry>> read_step_index(
    const std::string& folder, const StoreIdentity& identity, std::size_t steps)
{
  std::vector<std::optional<StepEntry>> entries(steps);
  Result<File> file = File::open(step_index(folder), File::Mode::Read);
  const std::int64_t bytes = file ? file->size().value_or(0) : 0;
  std::vector<Record> records(std::min(steps, static_cast<std::size_t>(bytes / kRecord)));
  if (records.empty() || !file->pread_full(records.data(), static_cast<std::int64_t>(records.size()) * kRecord, 0))
  {
    return entries;
  }
  for (std::size_t step = 0; step < records.size(); ++step)
  {
    const Record& record = records[step];
    if (record.checksum == checksum_of(record, identity, step))
    {
      entries[step] = StepEntry{ record.time, record.values };
    }
  }
  return entries;
}

void write_step_entry(
    const std::string& folder, const StoreIdentity& identity, std::size_t step, const StepEntry& entry)
{
  const std::string path = step_index(folder);
  Result<File> file = File::open(path, File::Mode::ReadWrite);
  file = file ? std::move(file) : File::create(path);
  Record record{ entry.time, entry.values, 0 };
  record.checksum = checksum_of(record, identity, step);
  if (file)
  {
    (void)file->pwrite_full(&record, kRecord, static_cast<std::int64_t>(step) * kRecord);
  }
}

Result<void> cut_step_index(const std::string& folder, std::size_t steps)
{
  const std::int64_t bytes = static_cast<std::int64_t>(steps) * kRecord;
  if (size_of_index(folder) <= bytes)
  {
    return {};
  }
  Result<File> file = File::open(step_index(folder), File::Mode::ReadWrite);
  if (!file)
  {
    return forward_error(file);
  }
  if (::ftruncate(file->descriptor(), bytes) != 0)
  {
    return fail(ErrorCode::CannotWrite, "the index of the store cannot be cut", "remove it", file->path(), -1, errno);
  }
  return file->sync();
}

} // namespace rivulet
