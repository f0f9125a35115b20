// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ReadPatchData.h"

#include "Amr/ChomboFile.h"
#include "Amr/SamraiSummary.h"

#include <numeric>

namespace rivulet
{

Result<AmrDump> open_dump(const std::string& path)
{
  const auto is_another = [](const Result<AmrDump>& dump)
  {
    return !dump && dump.error().code == ErrorCode::NotThisFormat;
  };
  Result<AmrDump> dump = read_samrai_summary(path, names_of(built_in_names(), path));
  if (!is_another(dump))
  {
    return dump;
  }
  dump = read_chombo(path);
  if (is_another(dump) && dump.error().remedy.empty()) // else the message names the code
  {
    return fail(ErrorCode::NotThisFormat,
        "this is neither a summary of SAMRAI nor a plot file of Chombo or AMReX in HDF5", "give one of these", path);
  }
  return dump;
}

Result<PatchData> read_patch_data(const std::string& summary, std::span<const std::int32_t> patches,
    std::span<const std::string> variables, const PatchReadOptions& options)
{
  Result<AmrDump> dump = open_dump(summary);
  if (!dump)
  {
    return forward_error(dump);
  }
  std::vector<std::int32_t> ids(patches.begin(), patches.end());
  if (ids.empty())
  {
    ids.resize(dump->patches.size());
    std::iota(ids.begin(), ids.end(), 0);
  }
  std::vector<std::int32_t> numbers;
  for (const std::string& name : variables)
  {
    const int number = dump->variable_of(name);
    if (number < 0)
    {
      std::string known;
      for (const AmrVariable& variable : dump->variables)
      {
        known += (known.empty() ? "\"" : ", \"") + variable.name + "\"";
      }
      return fail(ErrorCode::NotFound, "there is no variable \"" + name + "\"", "choose from: " + known, summary);
    }
    numbers.push_back(number);
  }
  if (numbers.empty())
  {
    numbers.resize(dump->variables.size());
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  PatchReader reader;
  return reader.read(*dump, ids, numbers, options);
}

} // namespace rivulet
