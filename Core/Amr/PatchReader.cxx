// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchReader.h"

#include "Amr/PatchRun.h"
#include "Parallel/Team.h"

#include <chrono>
#include <map>
#include <new>

namespace rivulet
{

struct PatchReader::Kept
{
  hdf5::BlockPool blocks;
  std::map<std::string, FileIndex> files;
  FileFingerprints fingerprints;
};

namespace
{

constexpr std::size_t kMostFilesKept = 4096;

} // namespace

PatchReader::PatchReader()
  : kept_(std::make_unique<Kept>())
{
}
PatchReader::~PatchReader() = default;

namespace
{

Result<void> check_request(
    const AmrDump& dump, std::span<const std::int32_t> patches, std::span<const std::int32_t> variables)
{
  for (const std::int32_t patch : patches)
  {
    if (patch < 0 || static_cast<std::size_t>(patch) >= dump.patches.size())
    {
      return fail(ErrorCode::BadArgument, "there is no patch " + std::to_string(patch), "", dump.path);
    }
  }
  for (const std::int32_t variable : variables)
  {
    if (variable < 0 || static_cast<std::size_t>(variable) >= dump.variables.size())
    {
      return fail(ErrorCode::BadArgument, "there is no variable " + std::to_string(variable), "", dump.path);
    }
  }
  return {};
}

} // namespace

Result<PatchData> PatchReader::read(AmrDump& dump, std::span<const std::int32_t> patches,
    std::span<const std::int32_t> variables, const PatchReadOptions& options)
{
  if (Result<void> good = check_request(dump, patches, variables); !good)
  {
    return forward_error(good);
  }
  try
  {
    return read_sound(dump, patches, variables, options);
  }
  catch (const std::bad_alloc&)
  {
    kept_->files.clear(); // frees memory
    kept_->blocks.clear();
    return fail(ErrorCode::BudgetTooSmall,
        "the system refused memory for " + std::to_string(variables.size()) + " variables of " +
            std::to_string(patches.size()) + " patches",
        "read fewer variables or levels, read on demand, or share the patches among more ranks", dump.path);
  }
}

Result<PatchData> PatchReader::read_sound(AmrDump& dump, std::span<const std::int32_t> patches,
    std::span<const std::int32_t> variables, const PatchReadOptions& options)
{
  const auto start = std::chrono::steady_clock::now();
  PatchData data;
  data.patches.assign(patches.begin(), patches.end());
  data.variables.assign(variables.begin(), variables.end());
  data.values.resize(patches.size() * variables.size());
  PatchRun run(dump, data, options, resolve_threads(options.threads), kept_->fingerprints);
  const std::vector<FileIndex*> used = add_files(dump, patches, run);
  const int threads = run.begin();
  if (threads == 1 && !options.progress)
  {
    run.work(); // starting a thread takes longer than reading a small patch
  }
  else if (run.watch()) // the caller may cancel before the first tick
  {
    run_team(
        threads, [&](int) { run.work(); }, [&] { (void)run.watch(); });
  }
  if (run.out_of_memory())
  {
    throw std::bad_alloc();
  }
  run.finish();
  for (FileIndex* index : used)
  {
    index->close();
  }
  kept_->blocks.clear();
  data.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return data;
}

std::vector<FileIndex*> PatchReader::add_files(
    const AmrDump& dump, std::span<const std::int32_t> patches, PatchRun& run)
{
  std::map<std::int32_t, std::vector<std::size_t>> by_file;
  for (std::size_t i = 0; i < patches.size(); ++i)
  {
    by_file[dump.patches[static_cast<std::size_t>(patches[i])].file].push_back(i);
  }
  if (kept_->files.size() + by_file.size() > kMostFilesKept)
  {
    kept_->files.clear();
  }
  std::vector<FileIndex*> used;
  for (auto& [number, positions] : by_file)
  {
    const std::string& path = dump.files[static_cast<std::size_t>(number)];
    FileIndex& index = kept_->files.try_emplace(path, path, kept_->blocks).first->second;
    used.push_back(&index);
    run.add_file(index, std::move(positions));
  }
  return used;
}

namespace
{

Result<StoredType> type_of(FileIndex& index, const std::string& group, const std::string& dataset)
{
  const Match& found = index.find(group, dataset);
  const std::string name = "\"" + group + "/" + dataset + "\"";
  switch (found.kind)
  {
  case Match::Kind::Plain:
    return found.dataset.form->type;
  case Match::Kind::Missing:
    return fail(ErrorCode::NotFound, "there is no " + name, {}, index.path());
  case Match::Kind::Library:
    return fail(
        ErrorCode::Unsupported, name + " is stored in a way that only the HDF5 library can read", {}, index.path());
  default:
    return tl::unexpected(*found.error);
  }
}

} // namespace

Result<StoredType> PatchReader::stored_type(const AmrDump& dump, std::int32_t patch, std::int32_t variable)
{
  const AmrPatch& at = dump.patches[static_cast<std::size_t>(patch)];
  const std::string& path = dump.files[static_cast<std::size_t>(at.file)];
  const std::vector<AmrComponent>& components = dump.variables[static_cast<std::size_t>(variable)].components;
  FileIndex& index = kept_->files.try_emplace(path, path, kept_->blocks).first->second;
  if (Result<void> opened = index.open({}); !opened)
  {
    return forward_error(opened);
  }
  Result<StoredType> type = type_of(index, at.group, components.front().dataset);
  for (std::size_t c = 1; c < components.size() && type; ++c)
  {
    Result<StoredType> other = type_of(index, at.group, components[c].dataset);
    if (other)
    {
      *type = common_type(*type, *other).value_or(*type); // reading the values reports types that do not fit
    }
    else if (other.error().code != ErrorCode::NotFound)
    {
      type = std::move(other);
    }
  }
  index.close();
  return type;
}

std::int64_t PatchReader::chunk_of(const AmrDump& dump, std::int32_t patch, std::int32_t variable)
{
  const AmrPatch& at = dump.patches[static_cast<std::size_t>(patch)];
  const std::string& path = dump.files[static_cast<std::size_t>(at.file)];
  FileIndex& index = kept_->files.try_emplace(path, path, kept_->blocks).first->second;
  if (!index.open({}))
  {
    return 0;
  }
  const Match& found =
      index.find(at.group, dump.variables[static_cast<std::size_t>(variable)].components.front().dataset);
  index.close();
  const bool in_chunks = found.kind == Match::Kind::Plain && found.dataset.form->storage == hdf5::Storage::Chunked;
  return in_chunks ? found.dataset.form->chunk[0] : 0;
}

} // namespace rivulet
