// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpNames.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace rivulet
{

namespace
{

FilePattern pattern_of(const std::string& text)
{
  Result<FilePattern> pattern = FilePattern::parse(text);
  return pattern ? *pattern : FilePattern();
}

DumpNames samrai_like(const char* name, const char* index, const char* folder, const char* summary, const char* cluster)
{
  return { name, index, folder, summary, pattern_of(cluster),
    { pattern_of("processor.%05d"), pattern_of("level.%05d"), pattern_of("patch.%05d") }, pattern_of(".%02d") };
}

/// Copies a name if the entry has it. False if the entry is invalid.
bool take_text(const nlohmann::json& entry, const char* key, std::string& to)
{
  if (!entry.contains(key))
  {
    return true;
  }
  if (!entry[key].is_string())
  {
    return false;
  }
  to = entry[key].get<std::string>();
  return !to.empty() && to.find('/') == std::string::npos;
}

/// Copies a pattern. False if the entry is invalid.
bool take_pattern(const nlohmann::json& value, FilePattern& to)
{
  if (!value.is_string())
  {
    return false;
  }
  Result<FilePattern> parsed = FilePattern::parse(value.get<std::string>());
  if (!parsed || !parsed->numbered())
  {
    return false;
  }
  to = *parsed;
  return true;
}

bool take_groups(const nlohmann::json& groups, std::array<FilePattern, 3>& to)
{
  bool good = groups.is_array() && groups.size() == to.size();
  for (std::size_t i = 0; good && i < to.size(); ++i)
  {
    good = take_pattern(groups[i], to[i]);
  }
  return good;
}

/// Names from one entry of the file.
Result<DumpNames> parse_entry(const nlohmann::json& entry)
{
  const auto bad = [](const std::string& what)
  {
    return fail(ErrorCode::BadArgument, what, "see \"Names of other codes\" in Documentation/samrai.md");
  };
  if (!entry.is_object())
  {
    return bad("an entry is not an object");
  }
  DumpNames names = built_in_names().front();
  for (const auto& [key, to] : { std::pair{ "name", &names.name }, std::pair{ "index", &names.index },
           std::pair{ "folder", &names.folder }, std::pair{ "summary", &names.summary } })
  {
    if (!take_text(entry, key, *to))
    {
      return bad(std::string("\"") + key + "\" is not a name without slashes");
    }
  }
  for (const auto& [key, to] : { std::pair{ "cluster", &names.cluster }, std::pair{ "component", &names.component } })
  {
    if (entry.contains(key) && !take_pattern(entry[key], *to))
    {
      return bad(std::string("\"") + key + "\" is not a pattern with one %d or %0Nd");
    }
  }
  if (entry.contains("groups") && !take_groups(entry["groups"], names.groups))
  {
    return bad("\"groups\" is not a list of three patterns with one %d or %0Nd each");
  }
  return names;
}

} // namespace

const std::vector<DumpNames>& built_in_names()
{
  static const std::vector<DumpNames> names{
    samrai_like("SAMRAI", "dumps.visit", "visit_dump.*", "summary.samrai", "processor_cluster.%05d.samrai"),
    samrai_like("JASMIN", "dumps.javis", "javis_dump.*", "summary.javis", "processor_cluster.%05d.javis"),
  };
  return names;
}

Result<std::vector<DumpNames>> read_names(const std::string& path)
{
  std::ifstream file(path);
  if (!file)
  {
    return fail(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::CannotRead, "the file of names cannot be opened", {},
        path, -1, errno);
  }
  const nlohmann::json entries = nlohmann::json::parse(file, nullptr, false);
  if (!entries.is_array())
  {
    return fail(ErrorCode::BadArgument, "the file of names is not a JSON list",
        "see \"Names of other codes\" in Documentation/samrai.md", path);
  }
  std::vector<DumpNames> all;
  for (std::size_t i = 0; i < entries.size(); ++i)
  {
    Result<DumpNames> names = parse_entry(entries[i]);
    if (!names)
    {
      names.error().what = "entry " + std::to_string(i) + ": " + names.error().what;
      names.error().path = path;
      return forward_error(names);
    }
    all.push_back(std::move(*names));
  }
  return all;
}

const DumpNames& names_of(std::span<const DumpNames> known, const std::string& path)
{
  const std::string file = std::filesystem::path(path).filename().string();
  const auto extension = [](const std::string& name)
  {
    return std::filesystem::path(name).extension();
  };
  for (const DumpNames& names : known)
  {
    if (file == names.summary || file == names.index)
    {
      return names;
    }
  }
  // Users may choose the name of the summary, but not its extension.
  for (const DumpNames& names : known)
  {
    if (extension(file) == extension(names.summary) || extension(file) == extension(names.index))
    {
      return names;
    }
  }
  return known.empty() ? built_in_names().front() : known.front();
}

} // namespace rivulet
