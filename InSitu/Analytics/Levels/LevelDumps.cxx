// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/LevelDumps.h"

#include "Amr/SamraiWriter.h"
#include "Base/Buffer.h"
#include "Levels/ComponentValues.h"
#include "Plugin/Agree.h"

#include <limits>
#include <new>

namespace rivulet
{

namespace
{

constexpr std::int64_t kMostPatches = std::int64_t{ 1 } << 27; ///< as the reader allows

/// Refuses steps, fields and names that a dump cannot have.
Result<void> check_dump(const rivulet_snapshot& snapshot, const ChosenField& chosen, std::size_t patches)
{
  if (snapshot.step < 0 || snapshot.step > std::numeric_limits<std::int32_t>::max())
  {
    return fail(ErrorCode::BadArgument, "step " + std::to_string(snapshot.step) + " cannot be the number of a dump",
        "number steps from 0 to " + std::to_string(std::numeric_limits<std::int32_t>::max()));
  }
  const Grid& grid = chosen.info.grid;
  const bool rising = grid.spacing[0] > 0.0 && grid.spacing[1] > 0.0 && grid.spacing[2] > 0.0;
  if (grid.kind != Grid::Kind::Uniform || !rising || chosen.field->centring != RIVULET_CELLS)
  {
    return fail(ErrorCode::BadArgument,
        "the field \"" + std::string(chosen.field->name) + "\" has no evenly spaced cells with values, as dumps have",
        "let \"path\" not end in \".samrai\"");
  }
  for (const Variable& variable : chosen.info.variables)
  {
    if (variable.name.empty() || variable.name.find('/') != std::string::npos || variable.name == ".")
    {
      return fail(ErrorCode::BadArgument,
          "the variable \"" + variable.name + "\" of the field \"" + std::string(chosen.field->name) +
              "\" cannot be in a dump under this name",
          "publish a name without \"/\", or leave it out by the option \"variables\"");
    }
  }
  std::int64_t ranges = 0; // of all patches: two numbers for each component
  for (const Variable& variable : chosen.info.variables)
  {
    ranges += 2 * static_cast<std::int64_t>(variable.components) * static_cast<std::int64_t>(patches);
  }
  return static_cast<std::int64_t>(patches) > kMostPatches || ranges > std::numeric_limits<int>::max()
             ? Result<void>(fail(ErrorCode::BadArgument,
                   "the field \"" + std::string(chosen.field->name) + "\" has " + std::to_string(patches) + " patches",
                   "publish fewer and larger ones"))
             : Result<void>();
}

/// The dump without ranges, and for each of its patches the number of its block on its rank.
struct Description
{
  AmrDump dump;
  std::vector<std::int32_t> numbers;
};

AmrPatch patch_of(const AmrMeshLevel& level, std::int32_t number, std::int32_t index, int rank)
{
  AmrPatch patch;
  patch.level = number;
  patch.number = index;
  patch.file = rank;
  patch.cells = level.boxes[static_cast<std::size_t>(index)];
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    patch.lower[axis] = level.grid.origin[axis] + level.grid.spacing[axis] * patch.cells.begin[axis];
    patch.upper[axis] = level.grid.origin[axis] + level.grid.spacing[axis] * patch.cells.end[axis];
  }
  return patch;
}

Description describe(const rivulet_snapshot& snapshot, const ChosenField& chosen, const PublishedLevels& found,
    const std::vector<SpreadBlock>& blocks, int ranks)
{
  Description made;
  made.dump.files.resize(static_cast<std::size_t>(ranks));
  made.dump.time = snapshot.time;
  made.dump.cycle = snapshot.step;
  made.dump.origin = found.levels.front().grid.origin;
  for (std::size_t number = 0; number < found.levels.size(); ++number)
  {
    const AmrMeshLevel& level = found.levels[number];
    const auto patches = static_cast<std::int32_t>(level.boxes.size());
    made.dump.levels.push_back(
        { static_cast<std::int32_t>(made.dump.patches.size()), patches, level.ratio, level.grid.spacing });
    for (std::int32_t index = 0; index < patches; ++index)
    {
      const SpreadBlock& block = blocks[found.blocks[number][static_cast<std::size_t>(index)]];
      made.dump.patches.push_back(patch_of(level, static_cast<std::int32_t>(number), index, block.rank));
      made.numbers.push_back(block.number);
    }
  }
  for (const Variable& variable : chosen.info.variables)
  {
    made.dump.variables.push_back(samrai_variable(variable.name, variable.components, Centering::Cell));
  }
  return made;
}

} // namespace

Result<void> LevelDumps::check() const
{
  return agree(host_, host_.first() ? folder_.check() : Result<void>());
}

/// The hidden folder for the step, from the first rank; empty: the step is left out.
Result<std::string> LevelDumps::begin(const rivulet_snapshot& snapshot)
{
  Result<std::string> place;
  if (host_.first())
  {
    const Result<bool> wanted = folder_.begin(snapshot);
    place = !wanted ? tl::unexpected(wanted.error())
                    : (*wanted ? folder_.make_place(snapshot.step) : Result<std::string>());
  }
  if (Result<void> all = agree(host_, place ? Result<void>() : tl::unexpected(place.error())); !all)
  {
    return forward_error(all);
  }
  auto length = static_cast<int>(place->size());
  FirstMpiError error;
  error.note(MPI_Bcast(&length, 1, MPI_INT, 0, host_.comm()));
  place->resize(static_cast<std::size_t>(length));
  error.note(MPI_Bcast(place->data(), length, MPI_CHAR, 0, host_.comm()));
  Result<void> told = error.result();
  return told ? place : Result<std::string>(forward_error(told));
}

/// Writes the patches of this rank. Returns the least and the largest value of their components.
Result<std::vector<double>> LevelDumps::write_values(const std::string& place, const AmrDump& dump,
    const ChosenField& chosen, const std::vector<std::int32_t>& numbers) const
{
  std::vector<ScalarType> types;
  for (const Variable& variable : chosen.info.variables)
  {
    types.push_back(variable.type);
  }
  Result<SamraiValues> file = SamraiValues::create(place, dump, types, host_.rank());
  Result<void> done = file ? Result<void>() : Result<void>(forward_error(file));
  std::vector<double> ranges;
  for (std::size_t patch = 0; patch < dump.patches.size(); ++patch)
  {
    for (std::size_t variable = 0; dump.patches[patch].file == host_.rank() && variable < types.size(); ++variable)
    {
      for (std::size_t component = 0; done && component < dump.variables[variable].components.size(); ++component)
      {
        const OwnComponent what{ numbers[patch], variable, component };
        Buffer<std::byte> values(bytes_of_component(chosen, what));
        const AmrRange range = copy_component(host_, chosen, what, values.data());
        ranges.push_back(range.minimum);
        ranges.push_back(range.maximum);
        done = file->write(
            { static_cast<std::int32_t>(patch), variable, component }, std::span(values.data(), values.size()));
      }
    }
  }
  done = done ? file->finish(sync_) : done;
  return done ? Result<std::vector<double>>(std::move(ranges)) : forward_error(done);
}

/// Ranges of all ranks, in the dump of the first one.
Result<void> LevelDumps::gather_ranges(std::vector<double> mine, AmrDump& dump) const
{
  std::vector<int> counts(static_cast<std::size_t>(host_.size()), 0);
  std::vector<int> begins(counts.size(), 0);
  int of_patch = 0;
  for (AmrVariable& variable : dump.variables)
  {
    of_patch += 2 * static_cast<int>(variable.components.size());
  }
  for (const AmrPatch& patch : dump.patches)
  {
    counts[static_cast<std::size_t>(patch.file)] += of_patch;
  }
  for (std::size_t rank = 1; rank < counts.size(); ++rank)
  {
    begins[rank] = begins[rank - 1] + counts[rank - 1];
  }
  std::vector<double> all(static_cast<std::size_t>(begins.back() + counts.back()));
  Result<void> done = of_mpi(MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(),
      counts.data(), begins.data(), MPI_DOUBLE, 0, host_.comm()));
  for (const AmrPatch& patch : dump.patches)
  {
    int& next = begins[static_cast<std::size_t>(patch.file)];
    for (AmrVariable& variable : dump.variables)
    {
      for (AmrComponent& component : variable.components)
      {
        const auto at = static_cast<std::size_t>(next);
        component.ranges.push_back({ true, all[at], all[at + 1] });
        next += 2;
      }
    }
  }
  return done;
}

Result<void> LevelDumps::complete(const std::string& place, const rivulet_snapshot& snapshot, const AmrDump& dump)
{
  Result<void> done;
  if (host_.first())
  {
    done = write_samrai_summary(place, dump, sync_);
    done = done ? folder_.publish(snapshot) : done;
  }
  return agree(host_, done);
}

Result<void> LevelDumps::write(
    const rivulet_snapshot& snapshot, const ChosenField& chosen, const std::vector<SpreadBlock>& blocks)
{
  if (Result<void> sound = agree(host_, check_dump(snapshot, chosen, blocks.size())); !sound)
  {
    return sound;
  }
  Result<PublishedLevels> found = find_levels(chosen, blocks);
  if (!found)
  {
    return forward_error(found);
  }
  const Result<std::string> place = begin(snapshot);
  if (!place || place->empty())
  {
    return place ? Result<void>() : tl::unexpected(place.error());
  }
  Description made = describe(snapshot, chosen, *found, blocks, host_.size());
  Result<std::vector<double>> ranges;
  try
  {
    ranges = write_values(*place, made.dump, chosen, made.numbers);
  }
  catch (const std::bad_alloc&)
  {
    ranges = fail(ErrorCode::BadArgument, "there is no memory for a component of a patch of " + host_.name(),
        "publish smaller patches");
  }
  Result<void> done = agree(host_, ranges ? Result<void>() : Result<void>(tl::unexpected(ranges.error())));
  done = done ? gather_ranges(std::move(*ranges), made.dump) : done;
  done = done ? complete(*place, snapshot, made.dump) : done;
  folder_.remove_place();
  return done;
}

} // namespace rivulet
