// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Field/FieldLayouts.h"

#include "Io/Blocks/BlockChecks.h"
#include "Io/Blocks/BovSeries.h"
#include "Io/Files/DataFiles.h"
#include "Store/Locate/BlockLocator.h"
#include "Store/Locate/RecordLocator.h"
#include "Store/Memory/FreeMemory.h"

#include <set>

namespace rivulet
{

namespace
{

bool fits_in_memory(std::int64_t bytes)
{
  const std::int64_t free = free_memory();
  return free == 0 || bytes <= free / 2; // 0: unknown
}

/// A process may have about 65000 mappings, and others need some.
constexpr std::int64_t kMostMapped = 16384;

/// Facts that hold for all files of the field together. The system is asked once for each of their file systems.
StorageFacts facts_about_all(const RecordLocator& records)
{
  StorageFacts all;
  std::set<dev_t> asked;
  for (const FieldFile& file : records.files())
  {
    all.bytes += file.file_bytes;
    all.page_aligned = all.page_aligned && file.page_aligned;
    if (file.file_bytes > 0 && asked.insert(file.identity.device()).second)
    {
      const StorageFacts facts = facts_about(file.path, file.page_aligned);
      all.network = all.network.empty() ? facts.network : all.network;
      all.direct_refusal = all.direct_refusal.empty() ? facts.direct_refusal : all.direct_refusal;
    }
  }
  all.mapped = !records.encoded() && records.file_count() <= kMostMapped;
  all.fits_in_memory = fits_in_memory(all.bytes);
  return all;
}

/// A sentence on each of the first few defects, and one with the number of the others.
std::vector<std::string> notices_of(const std::vector<Error>& defects)
{
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> notices;
  for (const Error& defect : defects)
  {
    if (notices.size() == kMostNamed)
    {
      notices.push_back(std::to_string(defects.size() - kMostNamed) + " more steps cannot be read.");
      break;
    }
    notices.push_back("The values of a step cannot be read. " + defect.describe());
  }
  return notices;
}

StorageFacts facts_about_blocks(const BlockField& field, bool in_place)
{
  StorageFacts facts = facts_about(field.variables.front().steps.front().parts.front().files.path(0), true);
  for (const BlockVariable& variable : field.variables)
  {
    const std::int64_t parts =
        volume(variable.blocks()) * static_cast<std::int64_t>(variable.steps.front().parts.size());
    facts.bytes += static_cast<std::int64_t>(variable.steps.size()) * parts * variable.part_bytes();
  }
  facts.fits_in_memory = fits_in_memory(facts.bytes);
  facts.mapped = in_place;
  facts.shared_pages = true;
  return facts;
}

Result<void> check_first_step(const BlockField& field)
{
  DataFiles files;
  for (const BlockVariable& variable : field.variables)
  {
    const BlockPart& part = variable.steps.front().parts.front();
    if (variable.block == variable.lattice)
    {
      const auto file = files.open(part.files.path(0), part.offset + variable.part_bytes());
      if (!file)
      {
        return tl::unexpected(file.error());
      }
    }
    if (Result<void> plausible = check_byte_order(variable, files); !plausible)
    {
      return plausible;
    }
  }
  return {};
}

} // namespace

Result<StoredField::Layout> layout_of_records(const std::vector<std::string>& paths, bool verify)
{
  Result<std::shared_ptr<RecordLocator>> opened = RecordLocator::open(paths, verify);
  if (!opened)
  {
    return forward_error(opened);
  }
  const std::shared_ptr<RecordLocator>& records = *opened;
  std::string why_not;
  if (records->encoded())
  {
    why_not = "The file's values are encoded, so that a mapping would not show them.";
  }
  else if (records->file_count() > kMostMapped)
  {
    why_not = "The field has more files than a process may have mappings.";
  }
  return StoredField::Layout{ .bricks = records,
    .in_place = why_not.empty() ? records : nullptr,
    .why_not_in_place = why_not,
    .seen = records->change_guard(),
    .facts = facts_about_all(*records),
    .notices = notices_of(records->defects()) };
}

Result<StoredField::Layout> layout_of_blocks(BlockField field, const std::string& path)
{
  auto seen = std::make_shared<FileChangeGuard>();
  if (Result<void> good = check_first_step(field); !good)
  {
    return forward_error(good);
  }
  const std::string why = why_not_in_place(field);
  std::vector<std::string> notices = field.warnings;
  const auto blocks = std::make_shared<const BlockField>(std::move(field));
  StoredField::Layout layout{ .bricks = std::make_shared<BlockLocator>(blocks, path, BlockCutting::Bricks),
    .in_place = nullptr,
    .why_not_in_place = why.empty() ? why : "They are put together in memory, because of the values: " + why + ".",
    .seen = std::move(seen),
    .facts = facts_about_blocks(*blocks, why.empty()),
    .notices = std::move(notices) };
  if (why.empty())
  {
    layout.in_place = std::make_shared<BlockLocator>(blocks, path, BlockCutting::WholeArrays);
  }
  return layout;
}

Result<StoredField::Layout> layout_of_bov(const std::vector<std::string>& paths)
{
  Result<BlockField> field = bov_field(paths);
  return field ? layout_of_blocks(std::move(*field), paths.front()) : forward_error(field);
}

} // namespace rivulet
