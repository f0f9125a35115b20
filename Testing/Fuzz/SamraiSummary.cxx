// SPDX-License-Identifier: BSD-3-Clause
// The input describes the tables of a sound summary, and then changes to them: values, sizes, names. What is accepted
// all the same must hold together.
#include "Amr/SamraiSummary.h"
#include "Amr/BoxChecks.h"
#include "Amr/PatchShares.h"
#include "AmrMesh/RefineBox.h"
#include "Fuzz/Support.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace
{

using namespace rivulet;

struct Table
{
  bool whole = false; ///< stored as integers
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
};

/// As the HDF5 library converts: what is too large ends at the largest number there is.
std::int64_t as_integer(double number)
{
  return std::isnan(number)  ? 0
         : number >= 0x1p63  ? std::numeric_limits<std::int64_t>::max()
         : number <= -0x1p63 ? std::numeric_limits<std::int64_t>::min()
                             : static_cast<std::int64_t>(number);
}

class FuzzedTables final : public TableSource
{
public:
  std::map<std::string, Table> tables; ///< members as "table.member"

  [[nodiscard]] const std::string& path() const override { return path_; }

  [[nodiscard]] bool has(const std::string& name) const override
  {
    const auto after = tables.lower_bound(name);
    return after != tables.end() && after->first.starts_with(name);
  }
  [[nodiscard]] Result<std::vector<double>> numbers(const std::string& name) const override
  {
    const auto found = tables.find(name);
    if (found == tables.end())
    {
      return fail(ErrorCode::NotFound, name);
    }
    const Table& table = found->second;
    return table.whole ? std::vector<double>(table.integers.begin(), table.integers.end()) : table.numbers;
  }
  [[nodiscard]] Result<std::vector<std::int64_t>> integers(const std::string& name) const override
  {
    const auto found = tables.find(name);
    if (found == tables.end())
    {
      return fail(ErrorCode::NotFound, name);
    }
    std::vector<std::int64_t> converted;
    std::transform(
        found->second.numbers.begin(), found->second.numbers.end(), std::back_inserter(converted), as_integer);
    return found->second.whole ? found->second.integers : converted;
  }
  [[nodiscard]] Result<std::vector<std::string>> texts(const std::string& name) const override
  {
    const auto found = tables.find(name);
    return found == tables.end() ? Result<std::vector<std::string>>(fail(ErrorCode::NotFound, name))
                                 : Result<std::vector<std::string>>(found->second.texts);
  }
  [[nodiscard]] Result<std::vector<double>> member(const std::string& name, const std::string& member) const override
  {
    return numbers(name + "." + member);
  }

private:
  std::string path_ = "folder/summary.samrai";
};

/// What a writer would write.
class SoundSummary
{
public:
  SoundSummary(fuzz::Input& input, FuzzedTables& to)
    : to_(to)
    , dimensions_(2 + input.below(2))
    , levels_(1 + input.below(4))
    , deformed_(input.below(4) == 3)
  {
    for (int level = 0; level < levels_; ++level)
    {
      at_level_.push_back(1 + input.below(level == 0 ? 8 : 40));
    }
    patches_ = std::accumulate(at_level_.begin(), at_level_.end(), std::int64_t{ 0 });
    basics();
    boxes();
    places();
    variables(input.below(4));
    if (input.below(2) == 1)
    {
      children();
    }
  }

private:
  void whole(const std::string& name, std::vector<std::int64_t> values)
  {
    to_.tables["/BASIC_INFO/" + name] = { true, {}, std::move(values), {} };
  }
  void numbers(const std::string& name, std::vector<double> values)
  {
    to_.tables["/BASIC_INFO/" + name] = { false, std::move(values), {}, {} };
  }
  void texts(const std::string& name, std::vector<std::string> values)
  {
    to_.tables["/BASIC_INFO/" + name] = { false, {}, {}, std::move(values) };
  }
  void member(const std::string& name, std::vector<double> values)
  {
    to_.tables["/extents/" + name] = { false, std::move(values), {}, {} };
  }

  void basics()
  {
    const auto levels = static_cast<std::size_t>(levels_);
    numbers("VDR_version_number", { 2 });
    texts("grid_type", { deformed_ ? "DEFORMED" : "CARTESIAN" });
    numbers("time", { 0.5 });
    whole("time_step_number", { 7 });
    whole("number_dimensions_of_problem", { dimensions_ });
    whole("number_levels", { levels_ });
    whole("number_global_patches", { patches_ });
    whole("number_patches_at_level", at_level_);
    whole("ratios_to_coarser_levels", std::vector<std::int64_t>(3 * levels, 2));
    whole("number_file_clusters", { 2 });
    numbers("XLO", { 0, 0, 0 });
    numbers("dx", std::vector<double>(3 * levels, 0.125));
  }

  void boxes()
  {
    std::vector<double> lower;
    std::vector<double> upper;
    for (const std::int64_t patches : at_level_)
    {
      for (std::int64_t i = 0; i < patches; ++i)
      {
        const auto x = static_cast<double>(8 * i);
        lower.insert(lower.end(), { x, -4.0, 0.0 });
        upper.insert(upper.end(), { x + 7.0, 3.0, dimensions_ == 2 ? 0.0 : 3.0 });
      }
    }
    member("patch_extents.lower", std::move(lower));
    member("patch_extents.upper", std::move(upper));
  }

  void places()
  {
    std::vector<double> level;
    std::vector<double> patch;
    std::vector<double> cluster;
    for (std::size_t l = 0; l < at_level_.size(); ++l)
    {
      for (std::int64_t i = 0; i < at_level_[l]; ++i)
      {
        level.push_back(static_cast<double>(l));
        patch.push_back(static_cast<double>(i));
        cluster.push_back(static_cast<double>(i % 2));
      }
    }
    member("patch_map.processor_number", cluster);
    member("patch_map.file_cluster_number", std::move(cluster));
    member("patch_map.level_number", std::move(level));
    member("patch_map.patch_number", std::move(patch));
  }

  void variables(int count)
  {
    const auto size = static_cast<std::size_t>(count);
    whole("number_visit_variables", { count });
    std::vector<std::string> names{ "Coords", "b", "c", "d" };
    names.resize(size);
    texts("var_names", std::move(names));
    whole("var_cell_centered", std::vector<std::int64_t>(size, 0));
    std::vector<std::int64_t> components(size);
    std::iota(components.begin(), components.end(), 1);
    whole("var_number_components", std::move(components));
    whole("var_number_ghosts", std::vector<std::int64_t>(3 * size, 1));
    const auto patches = static_cast<std::size_t>(patches_);
    for (const char* name : { "Coords", "b.00" })
    {
      member(std::string(name) + "-Extents.data_is_defined", std::vector<double>(patches, 1));
      member(std::string(name) + "-Extents.min", std::vector<double>(patches, -2));
      member(std::string(name) + "-Extents.max", std::vector<double>(patches, 3));
    }
  }

  /// Each patch has one child, as long as the next level has any left.
  void children()
  {
    std::vector<std::int64_t> all;
    std::vector<double> offset;
    std::vector<double> number;
    std::int64_t first = 0;
    for (std::size_t l = 0; l < at_level_.size(); ++l)
    {
      for (std::int64_t i = 0; i < at_level_[l]; ++i)
      {
        const bool has = l + 1 < at_level_.size() && i < at_level_[l + 1];
        offset.push_back(static_cast<double>(all.size()));
        number.push_back(has ? 1 : 0);
        if (has)
        {
          all.push_back(first + at_level_[l] + i);
        }
      }
      first += at_level_[l];
    }
    whole("child_array", std::move(all));
    numbers("child_pointer_array.offset", std::move(offset));
    numbers("child_pointer_array.number_children", std::move(number));
  }

  FuzzedTables& to_;
  int dimensions_;
  int levels_;
  bool deformed_;
  std::vector<std::int64_t> at_level_;
  std::int64_t patches_ = 0;
};

double number_of(fuzz::Input& input)
{
  static const double kOdd[] = { 0.0, -1.0, 0.5, 2147483647.0, -2147483648.0, 2147482623.0, -2147482624.0, 4294967299.0,
    0x1p53, 0x1p62, 0x1p63, -0x1p63, 1e300, std::numeric_limits<double>::quiet_NaN(),
    std::numeric_limits<double>::infinity(), 134217728.0, 1073741823.0, 1001.0, 100001.0, 1e12 };
  switch (input.below(4))
  {
  case 0:
    return kOdd[input.below(static_cast<int>(std::size(kOdd)))];
  case 1:
    return input.take<double>();
  case 2:
    return input.take<std::int32_t>();
  default:
    return input.take<std::int8_t>();
  }
}

/// One change of one table.
void change(fuzz::Input& input, FuzzedTables& source)
{
  if (source.tables.empty())
  {
    return;
  }
  const auto at = std::next(source.tables.begin(), input.below(static_cast<int>(source.tables.size())));
  Table& table = at->second;
  const int kind = input.below(8);
  const std::size_t size = table.whole ? table.integers.size() : std::max(table.numbers.size(), table.texts.size());
  const std::size_t place = size == 0 ? 0 : input.take<std::uint8_t>() % size;
  if (kind == 7)
  {
    source.tables.erase(at);
  }
  else if (kind == 6)
  {
    const auto count = static_cast<std::size_t>(input.take<std::uint16_t>() % 2000);
    const double value = number_of(input);
    table.numbers.resize(count, value);
    table.integers.resize(count, as_integer(value));
    table.texts.resize(count, "again");
  }
  else if (!table.texts.empty())
  {
    table.texts[place % table.texts.size()] = input.text();
  }
  else if (table.whole && !table.integers.empty())
  {
    table.integers[place] = kind == 5 ? input.take<std::int64_t>() : as_integer(number_of(input));
  }
  else if (!table.numbers.empty())
  {
    table.numbers[place] = number_of(input);
  }
}

void check_levels(const AmrDump& dump)
{
  fuzz::expect(dump.dimensions == 2 || dump.dimensions == 3, "dimensions");
  fuzz::expect(std::isfinite(dump.time), "time");
  std::int64_t patches = 0;
  for (const AmrLevel& level : dump.levels)
  {
    fuzz::expect(level.first_patch == patches && level.patches >= 0, "numbers of patches");
    patches += level.patches;
    for (const std::int32_t ratio : level.ratio)
    {
      fuzz::expect(ratio >= 1, "ratio");
    }
  }
  fuzz::expect(patches == static_cast<std::int64_t>(dump.patches.size()), "patches");
}

void check_patches(const AmrDump& dump)
{
  std::int64_t values = 0;
  for (const AmrPatch& patch : dump.patches)
  {
    fuzz::expect(patch.file >= 0 && static_cast<std::size_t>(patch.file) < dump.files.size(), "file of a patch");
    fuzz::expect(patch.cells.count() > 0, "cells of a patch");
    const AmrLevel& level = dump.levels.at(static_cast<std::size_t>(patch.level));
    fuzz::expect(refine(coarsen(patch.cells, level.ratio), level.ratio).count() >= patch.cells.count(), "coarsening");
    for (const AmrVariable& variable : dump.variables)
    {
      fuzz::expect(!variable.components.empty(), "components");
      values += volume(variable.stored_size(patch.cells, dump.dimensions)) > 0 ? 1 : 0;
    }
  }
  fuzz::expect(values == static_cast<std::int64_t>(dump.patches.size() * dump.variables.size()), "stored size");
  fuzz::expect(dump.files.size() <= dump.patches.size(), "more files than patches");
}

void check_children(const AmrDump& dump)
{
  fuzz::expect(dump.children.empty() || dump.children.size() == dump.patches.size(), "children");
  for (const std::vector<std::int32_t>& children : dump.children)
  {
    for (const std::int32_t child : children)
    {
      fuzz::expect(child >= 0 && static_cast<std::size_t>(child) < dump.patches.size(), "child");
    }
  }
  (void)find_children(dump);
}

void check_shares(const AmrDump& dump)
{
  std::size_t shared = 0;
  for (int part = 0; part < 3; ++part)
  {
    shared += share_of_patches(dump, static_cast<int>(dump.levels.size()), part, 3).size();
  }
  fuzz::expect(shared == dump.patches.size(), "every patch is somebody's, and nobody else's");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  fuzz::Input input(data, size);
  FuzzedTables source;
  const SoundSummary sound(input, source);
  for (int i = 0; i < 100 && !input.ended(); ++i)
  {
    change(input, source);
  }
  (void)read_samrai_time(source);
  Result<AmrDump> dump = read_samrai_summary(source, built_in_names().front());
  if (!dump)
  {
    fuzz::expect(!dump.error().what.empty(), "an error says nothing");
    return 0;
  }
  check_levels(*dump);
  check_patches(*dump);
  check_children(*dump);
  check_shares(*dump);
  for (std::size_t i = 0; i < std::min<std::size_t>(dump->variables.size(), 4); ++i)
  {
    (void)read_samrai_ranges(source, *dump, static_cast<int>(i));
  }
  return 0;
}
