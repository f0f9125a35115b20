// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/Command/VtkSteps.h"

#include "Readers/Command/VtkFileReader.h"
#include "Readers/Command/VtkMessages.h"
#include "vtkSmartPointer.h"
#include "vtkXMLDataElement.h"
#include "vtkXMLUtilities.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace rivulet
{

namespace
{

// A list names its files as seen from its own folder.
std::string beside(const std::string& list, const std::string& name)
{
  return (std::filesystem::path(list).parent_path() / name).lexically_normal();
}

tl::unexpected<Error> no_list(const std::string& path, const std::string& what)
{
  return fail(ErrorCode::Corrupt, what, "name the files themselves", path);
}

Result<void> add_collection(const std::string& path, VtkSteps& steps)
{
  const auto root = vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(path.c_str()));
  const VtkMessages said = take_vtk_messages();
  vtkXMLDataElement* collection = root != nullptr ? root->FindNestedElementWithName("Collection") : nullptr;
  if (collection == nullptr)
  {
    return no_list(path, "the collection cannot be read" + (said.error.empty() ? "" : ": " + said.error));
  }
  std::set<double> times;
  for (int number = 0; number < collection->GetNumberOfNestedElements(); ++number)
  {
    vtkXMLDataElement* entry = collection->GetNestedElement(number);
    const char* file = entry->GetAttribute("file");
    double time = 0.0;
    const bool timed = entry->GetScalarAttribute("timestep", time) == 1;
    if (file == nullptr)
    {
      return no_list(path, "an entry of the collection names no file");
    }
    if (!times.insert(time).second)
    {
      return fail(ErrorCode::Unsupported,
          "the collection has several files at one time, \"" + std::string(file) + "\" among them: parts of one step",
          "open it in ParaView, apply Resample To Image, and save that as .rvf (File > Save Data)", path);
    }
    steps.files.push_back({ beside(path, file), timed ? std::optional<double>(time) : std::nullopt });
  }
  return {};
}

Result<void> add_series(const std::string& path, VtkSteps& steps)
{
  std::ifstream stream(path);
  const nlohmann::json list = nlohmann::json::parse(stream, nullptr, false);
  const auto files = list.is_object() ? list.find("files") : list.end();
  if (!list.is_object() || files == list.end() || !files->is_array())
  {
    return no_list(path, "the series is not JSON with a list \"files\"");
  }
  for (const nlohmann::json& entry : *files)
  {
    const auto name = entry.is_object() ? entry.find("name") : entry.end();
    if (!entry.is_object() || name == entry.end() || !name->is_string())
    {
      return no_list(path, "an entry of the series names no file");
    }
    const auto time = entry.find("time");
    const bool timed = time != entry.end() && time->is_number();
    steps.files.push_back(
        { beside(path, name->get<std::string>()), timed ? std::optional<double>(time->get<double>()) : std::nullopt });
  }
  return {};
}

} // namespace

Result<VtkSteps> list_steps(const std::vector<std::string>& paths)
{
  VtkSteps steps;
  for (const std::string& path : paths)
  {
    Result<VtkFormat> format = format_of(path);
    if (!format)
    {
      return forward_error(format);
    }
    if (*format != VtkFormat::Collection && *format != VtkFormat::Series)
    {
      steps.files.push_back({ path, std::nullopt });
      continue;
    }
    steps.lists.push_back(path);
    if (Result<void> added = *format == VtkFormat::Series ? add_series(path, steps) : add_collection(path, steps);
        !added)
    {
      return forward_error(added);
    }
  }
  if (steps.files.empty())
  {
    return no_list(paths.front(), "it lists no files");
  }
  return steps;
}

} // namespace rivulet
