// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpIndex.h"

#include "Amr/SamraiSummary.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

namespace rivulet
{

namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostDumps = std::size_t{ 1 } << 20;

/// The beginning of the next line, with one character more than a path can have at most: any file may be taken for an
/// index, and some have no lines. False at the end.
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

/// A line without the blanks around it; empty for comments and keywords of VisIt's own.
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

/// Whether `path`, taken from `folder`, stays in it.
bool stays_inside(const fs::path& path)
{
  // The operating system would take the name to end at a zero.
  const bool whole = path.native().find('\0') == std::string::npos;
  const fs::path normal = path.lexically_normal();
  return whole && !normal.is_absolute() && !normal.empty() && *normal.begin() != "..";
}

/// Matches a name against a pattern with one * that stands for digits.
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

class DumpSearch
{
public:
  explicit DumpSearch(std::span<const DumpNames> names)
    : names_(names)
  {
  }

  void add_folder(const fs::path& folder)
  {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    {
      for (const DumpNames& names : names_)
      {
        std::error_code not_this; // one folder that may not be entered does not end the search
        const fs::path summary = at->path() / names.summary;
        if (matches(at->path().filename().string(), names.folder) && fs::exists(summary, not_this))
        {
          add_summary(summary);
        }
      }
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
  }

  void add_summary(const fs::path& path) { paths_.insert(path.lexically_normal().string()); }
  void note(std::string text) { index_.notes.push_back(std::move(text)); }

  Result<DumpIndex> finish(const std::string& asked)
  {
    std::optional<Error> first;
    for (const std::string& path : paths_)
    {
      Result<DumpStep> step = read_samrai_time(path);
      if (step)
      {
        index_.dumps.push_back(std::move(*step));
        continue;
      }
      note(step.error().describe());
      first = first ? first : std::move(step.error());
    }
    if (index_.dumps.empty())
    {
      return first ? Result<DumpIndex>(tl::unexpected<Error>(std::move(*first)))
                   : fail(ErrorCode::NotFound, "there are no dumps", "open the index, a summary, or a folder of dumps",
                         asked);
    }
    std::sort(index_.dumps.begin(), index_.dumps.end(),
        [](const DumpStep& a, const DumpStep& b)
        { return std::tie(a.time, a.cycle, a.path) < std::tie(b.time, b.cycle, b.path); });
    drop_repeated();
    return std::move(index_);
  }

private:
  /// A line may name the summary, or the folder of a dump.
  void add_listed(const fs::path& index, const std::string& text)
  {
    const fs::path path = index.parent_path() / text;
    std::error_code error;
    if (fs::is_directory(path, error))
    {
      for (const DumpNames& names : names_)
      {
        if (fs::exists(path / names.summary, error))
        {
          add_summary(path / names.summary);
          return;
        }
      }
    }
    add_summary(path);
  }

  /// A run that was restarted may have dumped a step twice: times of a series increase.
  void drop_repeated()
  {
    std::vector<DumpStep> kept;
    for (DumpStep& dump : index_.dumps)
    {
      if (!kept.empty() && kept.back().time == dump.time)
      {
        note(kept.back().path + ": the same time as " + dump.path + ", and left out");
        kept.back() = std::move(dump);
        continue;
      }
      kept.push_back(std::move(dump));
    }
    index_.dumps = std::move(kept);
  }

  std::span<const DumpNames> names_;
  std::set<std::string> paths_;
  DumpIndex index_;
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

Result<DumpIndex> find_dumps(
    std::span<const std::string> paths, std::span<const DumpNames> names, bool all_beside_index)
{
  DumpSearch search(names);
  for (const std::string& path : paths)
  {
    std::error_code error;
    if (fs::is_directory(path, error))
    {
      search.add_folder(path);
    }
    else if (is_dump_index(path, names))
    {
      search.add_index(path);
      if (all_beside_index)
      {
        search.add_folder(fs::path(path).parent_path().empty() ? fs::path(".") : fs::path(path).parent_path());
      }
    }
    else
    {
      search.add_summary(path);
    }
  }
  return search.finish(paths.empty() ? std::string() : paths.front());
}

} // namespace rivulet
