// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Arguments.h"

#include "Command/Interrupt.h"
#include "Io/Series/StoreFolder.h"
#include "Io/Writes/TemporaryPlace.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <set>
#include <string_view>

namespace rivulet::command
{

namespace
{

/// Keeps a value that was read. Returns a description of the error if there is none.
template <class T, class U>
std::string keep(Result<T> value, U& into)
{
  if (!value)
  {
    return value.error().describe();
  }
  into = *value;
  return {};
}

/// Finds out whether a source lies in the folder of the target, by whatever names and links.
class SourceFolders
{
public:
  explicit SourceFolders(std::string target)
    : target_(std::move(target))
  {
  }

  bool hold(const std::string& source)
  {
    std::error_code error;
    std::filesystem::path at = std::filesystem::canonical(source, error);
    if (error || !known_.insert(at.parent_path().string()).second)
    {
      return false; // looked at already
    }
    while (at.has_relative_path())
    {
      at = at.parent_path();
      if (std::filesystem::equivalent(at, target_, error))
      {
        return true;
      }
    }
    return false;
  }

private:
  std::string target_;
  std::set<std::string> known_;
};

} // namespace

Result<Vec3> parse_triple(const std::string& text, const TripleRule& rule)
{
  Vec3 values{ 0, 0, rule.third };
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  bool good = true;
  while (good && count < 3)
  {
    const auto [next, error] = std::from_chars(at, end, values[count]);
    good = error == std::errc{} && std::isfinite(values[count]);
    ++count;
    at = next;
    if (at == end)
    {
      break;
    }
    good = good && (*at == ',' || *at == 'x');
    ++at;
  }
  if (!good || at != end || text.empty() || text.back() == ',' || text.back() == 'x' || (count == 1 && !rule.cube))
  {
    return fail(ErrorCode::BadArgument, "\"" + text + "\" is not a triple of numbers", "write it as in 512,512,768");
  }
  return count == 1 ? Vec3{ values[0], values[0], values[0] } : values;
}

Result<Int3> parse_counts(const std::string& text, const TripleRule& rule)
{
  const Result<Vec3> values = parse_triple(text, rule);
  Int3 counts{ 1, 1, 1 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double value = values ? (*values)[axis] : 0.0;
    if (!(value >= 1.0) || value != std::floor(value) || value > std::numeric_limits<std::int32_t>::max())
    {
      return fail(ErrorCode::BadArgument, "\"" + text + "\" is not a triple of whole numbers of at least 1",
          "write it as in 512,512,768");
    }
    counts[axis] = static_cast<std::int32_t>(value);
  }
  return counts;
}

template <class T>
cli::Option add_triple(
    const cli::Command& command, const std::string& name, T& into, const std::string& help, const TripleRule& rule)
{
  const auto read = [&into, rule](const std::string& text)
  {
    return keep(parse_triple(text, rule), into);
  };
  return command.text_option(name, read, help).type_name("X,Y,Z");
}
template cli::Option add_triple(const cli::Command&, const std::string&, Vec3&, const std::string&, const TripleRule&);
template cli::Option add_triple(
    const cli::Command&, const std::string&, std::optional<Vec3>&, const std::string&, const TripleRule&);

template <class T>
cli::Option add_counts(
    const cli::Command& command, const std::string& name, T& into, const std::string& help, const TripleRule& rule)
{
  const auto read = [&into, rule](const std::string& text)
  {
    return keep(parse_counts(text, rule), into);
  };
  return command.text_option(name, read, help).type_name("X,Y,Z");
}
template cli::Option add_counts(const cli::Command&, const std::string&, Int3&, const std::string&, const TripleRule&);
template cli::Option add_counts(
    const cli::Command&, const std::string&, std::optional<Int3>&, const std::string&, const TripleRule&);

cli::Option add_bytes(const cli::Command& command, const std::string& name, std::int64_t& into, const std::string& help)
{
  const auto read = [&into](const std::string& text)
  {
    return keep(parse_bytes(text), into);
  };
  return command.text_option(name, read, help).type_name("BYTES");
}

void add_threads(const cli::Command& command, int& threads)
{
  command.option("--threads", threads, "Threads to work with; 0 = one per core").in_range(0, 4096);
}

void add_quiet(const cli::Command& command, bool& quiet)
{
  command.flag("-q,--quiet", quiet, "Print nothing but errors");
}

void add_write_options(const cli::Command& command, WriteOptions& options)
{
  add_bytes(command, "--memory", options.memory, "Values held in memory at once, as in 512MiB (default 1GiB)");
  add_counts(command, "--brick", options.brick,
      "Cells along each side of a brick (default 9,9,9; of fixed16 10,10,10; of flat grids 30 or 35)",
      { .cube = true });
  const auto encode = [&options](const std::string& name)
  {
    options.encoding = name == "plain" ? Encoding::Plain : Encoding::Fixed16;
    return std::string();
  };
  command
      .text_option("--encoding", encode,
          "plain (default), or fixed16: 16 bits for a value, with an error that is measured and stored")
      .one_of({ "plain", "fixed16" });
  add_threads(command, options.threads);
  add_quiet(command, options.quiet);
  command.flag("--sync", options.sync, "Return only when the file is on the disk (fsync); a store always is");
  command.flag("-f,--force", options.force, "Replace the target if it exists");
  command.flag("--append", options.append,
      "Add to the store DST.rvs, if it is there, the steps that it lacks: to go on after a stop, or as the source "
      "grows");
}

Result<void> check_target(const std::string& target, const std::vector<std::string>& sources)
{
  std::error_code ignored;
  if (!std::filesystem::exists(target, ignored))
  {
    return {};
  }
  SourceFolders folders(target);
  for (const std::string& source : sources)
  {
    if ((names_store(target) && folders.hold(source)) || std::filesystem::equivalent(source, target, ignored))
    {
      return fail(
          ErrorCode::BadArgument, "the target is a file that the source is read from", "give another name", target);
    }
  }
  return {};
}

Result<void> check_field_name(const std::string& target, bool raw)
{
  for (const char* ending :
      { ".bov", ".vti", ".vtr", ".vtk", ".vts", ".vtu", ".vtp", ".pvti", ".pvtr", ".pvd", ".series", ".raw" })
  {
    if (ends_with(target, ending) && (raw || ending != std::string_view(".raw")))
    {
      return fail(ErrorCode::BadArgument,
          "a field file is to be written, and the name is that of a " + std::string(ending) + " file",
          "give the target last, with a name that ends in .rvf or .rvs", target);
    }
  }
  return {};
}

bool names_store(const std::string& path)
{
  return ends_with(path.substr(0, path.find_last_not_of('/') + 1), ".rvs");
}

Result<void> prepare_target(const std::string& target, const WriteOptions& options)
{
  std::error_code ignored;
  if (options.append && (options.force || !names_store(target)))
  {
    return fail(ErrorCode::BadArgument,
        options.force ? "--force replaces the store, and --append adds to it" : "--append adds steps to a store",
        options.force ? "give one of the two" : "give a target that ends in .rvs", target);
  }
  if (names_store(target))
  {
    return !options.force && !options.append && StoreFolder::can_read(target)
               ? fail(ErrorCode::CannotWrite, "the store exists",
                     "give another name, --append to add steps, or --force to replace it", target)
               : Result<void>();
  }
  if (std::filesystem::is_directory(target, ignored))
  {
    return fail(ErrorCode::CannotWrite, "this is a folder", "give the name of a file", target);
  }
  if (!options.force && std::filesystem::exists(target, ignored))
  {
    return fail(ErrorCode::CannotWrite, "the file exists", "give another name, or --force to replace it", target);
  }
  const AbandonedPlaces found = remove_abandoned_places(target);
  const auto tell = [&](const std::vector<std::string>& paths, const char* what)
  {
    for (const std::string& path : paths)
    {
      std::fprintf(stderr, "rivulet: note: %s: %s\n", path.c_str(), what);
    }
  };
  if (!options.quiet)
  {
    tell(found.removed, "an earlier run left this unfinished; it is removed");
    tell(found.left, "another machine or user left this unfinished; delete it if nobody writes it any more");
  }
  return {};
}

bool ends_with(const std::string& path, const std::string& ending)
{
  return path.size() >= ending.size() &&
         std::equal(ending.rbegin(), ending.rend(), path.rbegin(), [](char a, char b) { return a == std::tolower(b); });
}

} // namespace rivulet::command
