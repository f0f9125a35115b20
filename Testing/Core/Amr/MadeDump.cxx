// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Amr/MadeDump.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace rivulet::test
{

MadeDump::MadeDump(const std::string& options)
  : folder_(temporary_.file("dump"))
{
  const std::string command = std::string("\"") + RIVULET_PYTHON + "\" \"" + RIVULET_MAKE_SAMRAI + "\" \"" + folder_ +
                              "\" " + options + " > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << command; // NOLINT(concurrency-mt-unsafe)
}

std::string MadeDump::summary(int step) const
{
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
  {
    const bool plot = entry.path().extension() == ".hdf5" || entry.path().extension() == ".h5";
    if (entry.is_directory() || plot)
    {
      files.push_back(entry.path().string() + (plot ? "" : "/summary.samrai"));
    }
  }
  std::sort(files.begin(), files.end(),
      [](const std::string& a, const std::string& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  return files.at(static_cast<std::size_t>(step));
}

AmrDump MadeDump::open(int step) const
{
  Result<AmrDump> dump = open_dump(summary(step));
  EXPECT_TRUE(dump.has_value()) << (dump ? "" : dump.error().describe());
  return dump.value_or(AmrDump());
}

PatchData MadeDump::read(AmrDump& dump, const PatchReadOptions& options)
{
  std::vector<std::int32_t> patches(dump.patches.size());
  std::vector<std::int32_t> variables(dump.variables.size());
  std::iota(patches.begin(), patches.end(), 0);
  std::iota(variables.begin(), variables.end(), 0);
  PatchReader reader;
  Result<PatchData> data = reader.read(dump, patches, variables, options);
  EXPECT_TRUE(data.has_value()) << (data ? "" : data.error().describe());
  return std::move(*data);
}

void expect_same_values(const PatchData& a, const PatchData& b)
{
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i)
  {
    ASSERT_EQ(a.values[i].state, b.values[i].state) << i;
    ASSERT_EQ(a.values[i].values.size(), b.values[i].values.size()) << i;
    ASSERT_EQ(std::memcmp(a.values[i].values.data(), b.values[i].values.data(), a.values[i].values.size()), 0) << i;
  }
}

double linear(const Vec3& at, double time, int c)
{
  return 1 + 2 * at[0] + 3 * at[1] + 5 * at[2] + 7 * time + c * (11 + at[0] - at[1] + 2 * at[2]);
}

Vec3 place_of(const AmrDump& dump, const AmrPatch& patch, const AmrVariable& variable, bool ghosts, const Int3& at)
{
  const AmrLevel& level = dump.levels[static_cast<std::size_t>(patch.level)];
  Vec3 place{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dump.dimensions); ++axis)
  {
    const double shift = variable.centering == Centering::Cell ? 0.5 : 0.0;
    const int first = patch.cells.begin[axis] - (ghosts ? variable.ghosts[axis] : 0);
    place[axis] = dump.origin[axis] + (first + at[axis] + shift) * level.spacing[axis];
  }
  return place;
}

namespace
{

/// The nearest number that a type can hold: the generator limits what is too large.
double held(StoredType type, double value)
{
  switch (type)
  {
  case StoredType::Int8:
    return std::clamp(value, -128.0, 127.0);
  case StoredType::UInt8:
    return std::clamp(value, 0.0, 255.0);
  case StoredType::Int16:
    return std::clamp(value, -32768.0, 32767.0);
  case StoredType::UInt16:
    return std::clamp(value, 0.0, 65535.0);
  default:
    return value;
  }
}

template <class T>
double as(const std::byte* bytes, std::int64_t number)
{
  T value;
  std::memcpy(&value, bytes + number * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return static_cast<double>(value);
}

} // namespace

double value_of(const PatchVariable& array, std::int64_t point, std::int64_t component)
{
  const std::byte* bytes = array.values.data();
  const std::int64_t number = point * array.components + component;
  switch (array.type)
  {
  case StoredType::Int8:
    return as<std::int8_t>(bytes, number);
  case StoredType::UInt8:
    return as<std::uint8_t>(bytes, number);
  case StoredType::Int16:
    return as<std::int16_t>(bytes, number);
  case StoredType::UInt16:
    return as<std::uint16_t>(bytes, number);
  case StoredType::Int32:
    return as<std::int32_t>(bytes, number);
  case StoredType::UInt32:
    return as<std::uint32_t>(bytes, number);
  case StoredType::Int64:
    return as<std::int64_t>(bytes, number);
  case StoredType::UInt64:
    return as<std::uint64_t>(bytes, number);
  case StoredType::Float32:
    return as<float>(bytes, number);
  default:
    return as<double>(bytes, number);
  }
}

std::int64_t expect_linear(const AmrDump& dump, PatchData& data, bool ghosts, double tolerance_of_floats)
{
  std::int64_t compared = 0;
  for (std::size_t p = 0; p < data.patches.size(); ++p)
  {
    for (std::size_t v = 0; v < data.variables.size(); ++v)
    {
      const PatchVariable& array = data.at(p, v);
      if (array.state == PatchVariable::State::Absent)
      {
        continue;
      }
      const AmrPatch& patch = dump.patches[static_cast<std::size_t>(data.patches[p])];
      const AmrVariable& variable = dump.variables[static_cast<std::size_t>(data.variables[v])];
      EXPECT_EQ(array.state, PatchVariable::State::Read) << (array.error ? array.error->describe() : variable.name);
      if (array.state != PatchVariable::State::Read)
      {
        return compared;
      }
      const bool whole = array.type != StoredType::Float32 && array.type != StoredType::Float64;
      for (std::int64_t i = 0; i < volume(array.size); ++i)
      {
        const Vec3 at = place_of(dump, patch, variable, ghosts, from_row_major(i, array.size));
        for (int c = 0; c < array.components; ++c)
        {
          const double exact = held(array.type, linear(at, dump.time, c) * (whole ? 1000 : 1));
          const double tolerance = whole                               ? 0.5
                                   : array.type == StoredType::Float32 ? tolerance_of_floats * std::fabs(exact)
                                                                       : 0.0;
          if (std::fabs(value_of(array, i, c) - exact) > tolerance)
          {
            ADD_FAILURE() << variable.name << " of patch " << data.patches[p] << ", point " << i << ", component " << c
                          << ": " << value_of(array, i, c) << " instead of " << exact;
            return compared;
          }
          ++compared;
        }
      }
    }
  }
  return compared;
}

} // namespace rivulet::test
