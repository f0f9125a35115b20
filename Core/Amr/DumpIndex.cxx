// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpIndex.h"

#include "Amr/DumpSeries.h"
#include "Amr/SamraiSummary.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>

namespace rivulet
{

namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostDumps = std::size_t{ 1 } << 20;

/// Reads the beginning of the next line, up to one character more than the longest path, because any file may be opened
/// as an index and binary files may have no lines. False at the end of the file.
bool next_line(std::istream& file, std::string& line)
{
  line.clear();
  int c = file.get();
  const bool any = c != std::istream::traits_type::eof();
  for (; c != std::istream::traits_type::eof() && c != '\n'; c = file.get())
  {
    line += static_cast<char>(c);
    if (line.size() > kLongestLine)
    {
      break;
    }
  }
  return any;
}

/// Line without surrounding blanks; empty for comments and keywords of VisIt.
std::string content_of(std::string line)
{
  const auto blank = [](char c)
  {
    return c == ' ' || c == '\t' || c == '\r';
  };
  while (!line.empty() && blank(line.back()))
  {
    line.pop_back();
  }
  line.erase(line.begin(), std::find_if_not(line.begin(), line.end(), blank));
  return line.empty() || line[0] == '#' || line[0] == '!' ? std::string() : line;
}

/// True if `path`, relative to `folder`, stays in it.
bool stays_inside(const fs::path& path)
{
  // For the operating system a name ends at a zero.
  const bool whole = path.native().find('\0') == std::string::npos;
  const fs::path normal = path.lexically_normal();
  return whole && !normal.is_absolute() && !normal.empty() && *normal.begin() != "..";
}

/// True if a name matches a pattern with one * for digits.
bool matches(const std::string& name, const std::string& pattern)
{
  const std::size_t star = pattern.find('*');
  if (star == std::string::npos)
  {
    return name == pattern;
  }
  const std::string before = pattern.substr(0, star);
  const std::string after = pattern.substr(star + 1);
  return name.size() > before.size() + after.size() && name.starts_with(before) && name.ends_with(after) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(before.size()),
             name.end() - static_cast<std::ptrdiff_t>(after.size()), [](char c) { return c >= '0' && c <= '9'; });
}

/// Path of the summary in a folder; nothing if it is not the folder of a dump.
std::optional<fs::path> summary_in(const fs::path& folder, std::span<const DumpNames> names)
{
  std::error_code error; // a folder without permission counts as none
  for (const DumpNames& name : names)
  {
    if (fs::is_regular_file(folder / name.summary, error))
    {
      return folder / name.summary;
    }
  }
  return std::nullopt;
}

/// Path of the index in a folder; nothing if there is none.
std::optional<fs::path> index_in(const fs::path& folder, std::span<const DumpNames> names)
{
  for (const DumpNames& name : names)
  {
    const fs::path index = folder / name.index;
    if (is_dump_index(index.string(), names))
    {
      return index;
    }
  }
  return std::nullopt;
}

/// Summaries of the dumps in subfolders of a folder.
std::vector<fs::path> summaries_below(const fs::path& folder, std::span<const DumpNames> names)
{
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
  {
    for (const DumpNames& name : names)
    {
      std::error_code not_this; // a folder without permission does not end the search
      if (matches(at->path().filename().string(), name.folder) && fs::exists(at->path() / name.summary, not_this))
      {
        found.push_back(at->path() / name.summary);
      }
    }
  }
  return found;
}

/// Checks that the files of all patches exist with their full length.
Result<void> check_dump(const std::string& path, std::span<const DumpNames> names)
{
  Result<AmrDump> dump = read_samrai_summary(path, names_of(names, path));
  if (!dump)
  {
    return forward_error(dump);
  }
  std::set<std::int32_t> used;
  for (const AmrPatch& patch : dump->patches)
  {
    used.insert(patch.file);
  }
  for (const std::int32_t file : used)
  {
    if (Result<void> whole = check_whole_file(dump->files[static_cast<std::size_t>(file)]); !whole)
    {
      return whole;
    }
  }
  return {};
}

class DumpSearch
{
public:
  DumpSearch(std::span<const DumpNames> names, const DumpSearchOptions& options)
    : names_(names)
    , options_(options)
  {
  }

  void add(const std::string& path)
  {
    std::error_code error;
    if (fs::is_directory(path, error))
    {
      add_folder(path);
    }
    else if (is_dump_index(path, names_))
    {
      add_index(path);
    }
    else
    {
      add_summary(path);
    }
  }

  Result<DumpIndex> finish(const std::string& asked)
  {
    const StepFormat format{ [](const std::string& path) { return read_samrai_time(path); },
      [this](const std::string& path)
      {
        return check_dump(path, names_);
      } };
    return order_steps(paths_, format, std::move(notes_), options_.only_complete, asked);
  }

private:
  void add_folder(const fs::path& folder)
  {
    if (const std::optional<fs::path> summary = summary_in(folder, names_))
    {
      add_summary(*summary);
    }
    else if (const std::optional<fs::path> index = index_in(folder, names_))
    {
      add_index(*index);
    }
    else
    {
      add_summaries_below(folder);
    }
  }

  void add_summaries_below(const fs::path& folder)
  {
    for (const fs::path& summary : summaries_below(folder, names_))
    {
      add_summary(summary);
    }
  }

  void add_index(const fs::path& index)
  {
    std::ifstream file(index);
    std::string line;
    std::size_t lines = 0;
    while (next_line(file, line) && ++lines < kMostDumps)
    {
      if (line.size() > kLongestLine)
      {
        note(index.string() + ": line " + std::to_string(lines) + " is too long");
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        continue;
      }
      const std::string text = content_of(std::move(line));
      if (text.empty())
      {
        continue;
      }
      if (!stays_inside(text))
      {
        note(index.string() + ": line " + std::to_string(lines) + " leads out of the folder of the index");
        continue;
      }
      add_listed(index, text);
    }
    if (options_.all_beside_index)
    {
      add_summaries_below(index.parent_path().empty() ? fs::path(".") : index.parent_path());
    }
  }

  void add_summary(const fs::path& path) { paths_.insert(path.lexically_normal().string()); }
  void note(std::string text) { notes_.push_back(std::move(text)); }

  /// A line names a summary or the folder of a dump.
  void add_listed(const fs::path& index, const std::string& text)
  {
    const fs::path path = index.parent_path() / text;
    add_summary(summary_in(path, names_).value_or(path));
  }

  std::span<const DumpNames> names_;
  DumpSearchOptions options_;
  std::set<std::string> paths_;
  std::vector<std::string> notes_;
};

} // namespace

bool is_dump_index(const std::string& path, std::span<const DumpNames> names)
{
  std::ifstream file(path);
  std::string line;
  for (int lines = 0; lines < 100 && next_line(file, line) && line.size() <= kLongestLine; ++lines)
  {
    const std::string text = content_of(std::move(line));
    if (text.empty())
    {
      continue;
    }
    return std::any_of(names.begin(), names.end(),
        [&](const DumpNames& name)
        {
          const fs::path named(text);
          return named.filename() == name.summary || matches(named.begin()->string(), name.folder) ||
                 (!named.extension().empty() && named.extension() == fs::path(name.summary).extension());
        });
  }
  return false;
}

bool is_dump_folder(const std::string& path, std::span<const DumpNames> names)
{
  std::error_code error;
  return fs::is_directory(path, error) &&
         (summary_in(path, names) || index_in(path, names) || !summaries_below(path, names).empty());
}

Result<DumpIndex> find_dumps(
    std::span<const std::string> paths, std::span<const DumpNames> names, const DumpSearchOptions& options)
{
  DumpSearch search(names, options);
  for (const std::string& path : expand_patterns(paths))
  {
    search.add(path);
  }
  return search.finish(paths.empty() ? std::string() : paths.front());
}

} // namespace rivulet
