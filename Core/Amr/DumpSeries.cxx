// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpSeries.h"

#include "Hdf5/OldStyleFile.h"

#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <optional>
#include <tuple>

namespace rivulet
{

namespace
{

/// Message for a step that cannot be opened, which a running simulation may complete later.
std::string note_of(Error error)
{
  error.remedy += std::string(error.remedy.empty() ? "" : "; ") +
                  "if it is still being written, use Reload Files when that is done";
  return error.describe();
}

/// Removes steps that a restarted simulation has written again, so that the times increase.
void drop_repeated(DumpIndex& index)
{
  std::vector<DumpStep> kept;
  for (DumpStep& dump : index.dumps)
  {
    if (!kept.empty() && kept.back().time == dump.time)
    {
      index.notes.push_back(kept.back().path + ": the same time as " + dump.path + ", and left out");
      kept.back() = std::move(dump);
      continue;
    }
    kept.push_back(std::move(dump));
  }
  index.dumps = std::move(kept);
}

/// Only the newest step can be incomplete, unless the simulation was killed.
void drop_unfinished(DumpIndex& index, const StepFormat& format)
{
  if (index.dumps.size() < 2)
  {
    return;
  }
  const std::string& path = index.dumps.back().path;
  if (Result<void> good = format.check(path); !good)
  {
    Error error = std::move(good.error());
    error.what = "the newest step, " + path + ", is left out: " + error.what;
    index.notes.insert(index.notes.begin(), note_of(std::move(error)));
    index.dumps.pop_back();
  }
}

} // namespace

Result<DumpIndex> order_steps(const std::set<std::string>& paths, const StepFormat& format,
    std::vector<std::string> notes, bool only_complete, const std::string& asked)
{
  DumpIndex index;
  index.notes = std::move(notes);
  std::optional<Error> first;
  for (const std::string& path : paths)
  {
    Result<DumpStep> step = format.time(path);
    if (step)
    {
      index.dumps.push_back(std::move(*step));
      continue;
    }
    index.notes.insert(index.notes.begin(), note_of(step.error()));
    first = first ? first : std::move(step.error());
  }
  if (index.dumps.empty())
  {
    return first ? Result<DumpIndex>(tl::unexpected<Error>(std::move(*first)))
                 : fail(ErrorCode::NotFound, "there are no dumps", "open the index, a summary, or a folder of dumps",
                       asked);
  }
  std::sort(index.dumps.begin(), index.dumps.end(),
      [](const DumpStep& a, const DumpStep& b)
      { return std::tie(a.time, a.cycle, a.path) < std::tie(b.time, b.cycle, b.path); });
  drop_repeated(index);
  if (only_complete)
  {
    drop_unfinished(index, format);
  }
  return index;
}

std::vector<std::string> expand_patterns(std::span<const std::string> paths)
{
  std::vector<std::string> expanded;
  for (const std::string& path : paths)
  {
    std::error_code unknown;
    ::glob_t found{};
    const bool pattern = path.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(path, unknown);
    if (pattern && ::glob(path.c_str(), 0, nullptr, &found) == 0)
    {
      expanded.insert(expanded.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    else
    {
      expanded.push_back(path);
    }
    ::globfree(&found);
  }
  return expanded;
}

Result<void> check_whole_file(const std::string& path)
{
  Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return forward_error(file);
  }
  const Result<std::int64_t> size = file->size();
  if (!size)
  {
    return tl::unexpected<Error>(size.error());
  }
  hdf5::BufferedFile bytes(*file, *size, hdf5::BufferedFile::kLittle, nullptr);
  Result<hdf5::OldStyleFile> parsed = hdf5::OldStyleFile::open(bytes);
  if (!parsed && parsed.error().code != ErrorCode::Unsupported)
  {
    return forward_error(parsed);
  }
  if (parsed && !parsed->complete())
  {
    return fail(ErrorCode::Truncated, "the file is shorter than it says", {}, path);
  }
  return {};
}

} // namespace rivulet
