// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/FileSeries.h"

#include "Io/Files/File.h"
#include "Plugin/OutputFile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

namespace rivulet
{

namespace
{

using Json = nlohmann::json;

constexpr std::string_view kBegin = "{ \"file-series-version\": \"1.0\", \"files\": [\n";
constexpr std::string_view kEnd = "\n] }\n";

bool is_entry(const Json& file)
{
  return file.is_object() && file.contains("name") && file["name"].is_string() && file.contains("time") &&
         file["time"].is_number();
}

/// The entries of a list; nothing if the text is none.
std::optional<std::vector<Json>> entries_of(const std::string& text)
{
  const Json list = Json::parse(text, nullptr, false);
  if (list.is_object() && list.contains("files") && list["files"].is_array() &&
      std::all_of(list["files"].begin(), list["files"].end(), is_entry))
  {
    return list["files"].get<std::vector<Json>>();
  }
  return std::nullopt;
}

/// The whole entries of a list that was torn: each has a line of its own.
std::optional<std::vector<Json>> whole_entries_of(const std::string& text)
{
  if (!text.starts_with(kBegin))
  {
    return std::nullopt;
  }
  std::vector<Json> entries;
  std::istringstream lines(text.substr(kBegin.size()));
  for (std::string line; std::getline(lines, line);)
  {
    line.erase(line.find_last_not_of(',') + 1);
    Json entry = Json::parse(line, nullptr, false);
    if (is_entry(entry))
    {
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

std::string text_of(const std::string& name, double time)
{
  return "  { \"name\": " + Json(name).dump() + ", \"time\": " + Json(time).dump() + " }";
}

} // namespace

Result<void> FileSeries::add(const rivulet_snapshot& snapshot, const std::string& file)
{
  std::error_code none;
  const std::string entry = text_of(std::filesystem::path(file).filename().string(), snapshot.time);
  waiting_since_ = waiting_.empty() ? snapshot.time : waiting_since_;
  waiting_ += (waiting_.empty() ? "" : ",\n") + entry;
  const bool as_left = bytes_ >= 0 && static_cast<std::int64_t>(std::filesystem::file_size(path_, none)) == bytes_;
  Result<void> done = as_left ? append(waiting_) : write_anew(snapshot, waiting_);
  if (done)
  {
    waiting_.clear();
  }
  return done;
}

/// The list with the entries that stay.
Result<void> FileSeries::write_anew(const rivulet_snapshot& snapshot, const std::string& added)
{
  std::string text(kBegin);
  std::ifstream file(path_, std::ios::binary);
  if (file)
  {
    const std::string there{ std::istreambuf_iterator<char>(file), {} };
    std::optional<std::vector<Json>> entries = entries_of(there);
    entries = entries ? std::move(entries) : whole_entries_of(there);
    if (!entries)
    {
      return fail(ErrorCode::BadArgument, "the file is no list of a series", "move it away", path_);
    }
    const double limit = begun_ || continues_ ? waiting_since_ : std::min(snapshot.first_time, waiting_since_);
    for (const Json& each : *entries)
    {
      const std::string name = each["name"].get<std::string>();
      std::error_code none;
      if (each["time"].get<double>() < limit &&
          std::filesystem::exists(std::filesystem::path(path_).parent_path() / name, none))
      {
        text += text_of(name, each["time"].get<double>()) + ",\n";
      }
    }
  }
  text += added;
  text += kEnd;
  Result<void> done = write_whole_file(path_, text);
  begun_ = begun_ || done;
  bytes_ = done ? static_cast<std::int64_t>(text.size()) : -1;
  return done;
}

Result<void> FileSeries::append(const std::string& added)
{
  const std::string text = ",\n" + added + std::string(kEnd);
  Result<File> file = File::open(path_, File::Mode::ReadWrite);
  const auto at = bytes_ - static_cast<std::int64_t>(kEnd.size());
  Result<void> done =
      file ? file->pwrite_full(text.data(), static_cast<std::int64_t>(text.size()), at) : forward_error(file);
  bytes_ = done ? at + static_cast<std::int64_t>(text.size()) : -1;
  return done;
}

} // namespace rivulet
