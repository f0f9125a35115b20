// SPDX-License-Identifier: BSD-3-Clause
// patch_ranges SUMMARY PATCH,PATCH,...|all [VARIABLE...]
//
// Reads variables of patches of a dump (a SAMRAI summary, or a plot file of Chombo or AMReX) and prints their
// ranges. A program needs no more than this to get at its own data, without VTK.
#include "Amr/ReadPatchData.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace
{

using namespace rivulet;

/// "0,17" as numbers; "all" as none, which read_patch_data() takes for all.
std::optional<std::vector<std::int32_t>> patches_of(const std::string& text)
{
  std::vector<std::int32_t> patches;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (text != "all" && at <= end)
  {
    std::int32_t patch = 0;
    const auto [stop, error] = std::from_chars(at, end, patch);
    if (error != std::errc() || (stop != end && *stop != ','))
    {
      return std::nullopt;
    }
    patches.push_back(patch);
    at = stop + 1;
  }
  return patches;
}

/// One scalar of an array; only the two types that simulations write are shown here.
double scalar(const PatchVariable& array, std::size_t index)
{
  if (array.type == StoredType::Float32)
  {
    float value = 0;
    std::memcpy(&value, array.values.data() + index * sizeof(value), sizeof(value));
    return value;
  }
  double value = 0;
  std::memcpy(&value, array.values.data() + index * sizeof(value), sizeof(value));
  return value;
}

void print(std::int32_t patch, const std::string& name, const PatchVariable& array)
{
  std::printf("patch %d  %s  ", patch, name.c_str());
  if (array.state != PatchVariable::State::Read)
  {
    std::printf("%s\n", array.error ? array.error->describe().c_str() : "has no values here");
    return;
  }
  if (array.type != StoredType::Float32 && array.type != StoredType::Float64)
  {
    std::printf("%zu bytes\n", array.values.size());
    return;
  }
  // x is fastest, and the components of a point are together.
  const std::size_t count = static_cast<std::size_t>(volume(array.size) * array.components);
  double least = scalar(array, 0);
  double most = least;
  for (std::size_t i = 1; i < count; ++i)
  {
    least = std::min(least, scalar(array, i));
    most = std::max(most, scalar(array, i));
  }
  std::printf("%d x %d x %d points of %d: %g to %g\n", array.size[0], array.size[1], array.size[2], array.components,
      least, most);
}

} // namespace

int main(int count, char** words)
{
  const auto patches = count > 2 ? patches_of(words[2]) : std::nullopt;
  if (!patches)
  {
    std::fprintf(stderr, "usage: patch_ranges SUMMARY PATCH,PATCH,...|all [VARIABLE...]\n");
    return 2;
  }
  const std::vector<std::string> variables(words + 3, words + count);
  Result<PatchData> data = read_patch_data(words[1], *patches, variables, {});
  if (!data)
  {
    std::fprintf(stderr, "patch_ranges: %s\n", data.error().describe().c_str());
    return 1;
  }
  bool all_read = true;
  for (std::size_t p = 0; p < data->patches.size(); ++p)
  {
    for (std::size_t v = 0; v < data->variables.size(); ++v)
    {
      const PatchVariable& array = data->at(p, v);
      print(data->patches[p], variables.empty() ? std::to_string(data->variables[v]) : variables[v], array);
      all_read = all_read && array.state != PatchVariable::State::Failed;
    }
  }
  return all_read ? 0 : 1;
}
