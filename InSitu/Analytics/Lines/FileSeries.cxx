// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/FileSeries.h"

#include "Plugin/OutputFile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace rivulet
{

namespace
{

bool is_entry(const nlohmann::json& file)
{
  return file.is_object() && file.contains("name") && file["name"].is_string() && file.contains("time") &&
         file["time"].is_number();
}

} // namespace

Result<void> add_to_series(const std::string& list, const std::string& file, double time)
{
  nlohmann::json series = { { "file-series-version", "1.0" }, { "files", nlohmann::json::array() } };
  if (std::filesystem::exists(list))
  {
    const auto there = nlohmann::json::parse(std::ifstream(list), nullptr, false);
    if (!there.is_object() || !there.contains("files") || !there["files"].is_array() ||
        !std::all_of(there["files"].begin(), there["files"].end(), is_entry))
    {
      return fail(ErrorCode::BadArgument, "the file is no list of a series", "move it away", list);
    }
    for (const nlohmann::json& entry : there["files"])
    {
      if (entry["time"].get<double>() < time)
      {
        series["files"].push_back(entry);
      }
    }
  }
  series["files"].push_back({ { "name", std::filesystem::path(file).filename().string() }, { "time", time } });
  return write_whole_file(list, series.dump(1) + "\n");
}

} // namespace rivulet
