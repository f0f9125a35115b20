// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/BovSet.h"

#include "Io/Blocks/BovHeader.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

constexpr const char* kUnfinishedHeader =
    "UNFINISHED: this header's field is being written, or its writer was stopped; write the field again\n";

bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

bool exists(const std::string& path)
{
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0;
}

std::string file_name(const std::string& path)
{
  return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

// Common front of the names of all steps of a variable.
std::string stem_of(const FieldInfo& info, const std::string& path, std::size_t variable)
{
  const std::string stem = path.ends_with(".bov") ? path.substr(0, path.size() - 4) : path;
  return info.variables.size() > 1 ? stem + "_" + info.variables[variable].name : stem;
}

std::vector<std::string> stems_of(const FieldInfo& info, const std::string& path)
{
  std::vector<std::string> stems;
  for (std::size_t variable = 0; variable < info.variables.size(); ++variable)
  {
    for (std::size_t step = 0; step < info.times.size(); ++step)
    {
      std::array<char, 32> number{};
      std::snprintf(number.data(), number.size(), "_%04zu", step);
      stems.push_back(stem_of(info, path, variable) + (info.times.size() > 1 ? number.data() : ""));
    }
  }
  return stems;
}

std::vector<std::string> headers_of(std::vector<std::string> stems)
{
  for (std::string& stem : stems)
  {
    stem += ".bov";
  }
  return stems;
}

// First header "STEM_0007.bov" in the stem's folder that is not in `headers`; empty if there is none.
std::string header_of_longer_series(const std::string& stem, const std::vector<std::string>& headers)
{
  const std::string folder = stem.substr(0, stem.rfind('/') + 1);
  const std::string beginning = file_name(stem) + "_";
  std::error_code error;
  std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
  {
    const std::string name = entries->path().filename().string();
    const std::size_t number = beginning.size();
    const bool of_series = name.starts_with(beginning) && name.ends_with(".bov") && name.size() >= number + 8 &&
                           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(number), name.end() - 4, is_digit);
    if (of_series && std::find(headers.begin(), headers.end(), folder + name) == headers.end())
    {
      return folder + name;
    }
  }
  return {};
}

// Whether a data file has a name of data_name(): "STEM.raw", "STEM-2.raw", "STEM-2.00017.raw".
bool is_own_data(const std::string& stem, const std::string& path)
{
  const std::string_view ending = ".raw";
  if (path.size() < stem.size() + ending.size() || !path.starts_with(stem) || !path.ends_with(ending))
  {
    return false;
  }
  std::string rest = path.substr(stem.size(), path.size() - stem.size() - ending.size());
  for (const char sign : { '-', '.' })
  {
    if (rest.size() > 1 && rest[0] == sign && is_digit(rest[1]))
    {
      rest.erase(0, 1);
      rest.erase(rest.begin(), std::find_if_not(rest.begin(), rest.end(), is_digit));
    }
  }
  return rest.empty();
}

Result<void> fill(const std::string& path, const std::string& text)
{
  Result<File> file = File::create(path);
  Result<void> written = file ? file->append(text.data(), static_cast<std::int64_t>(text.size())) : forward_error(file);
  return written ? file->close() : written;
}

Result<void> refuse(const std::string& path)
{
  return fail(ErrorCode::CannotWrite, "a file of this name exists", "give another name, or remove the file", path);
}

} // namespace

Result<BovSet> BovSet::create(const FieldInfo& info, const std::string& path, const Int3& blocks, OnExisting existing)
{
  Result<TemporaryPlace> folder = TemporaryPlace::folder(path);
  if (!folder)
  {
    return forward_error(folder);
  }
  BovSet set(std::move(*folder), stems_of(info, path), info, blocks);
  set.headers_ = headers_of(set.stems_);
  set.existing_ = existing;
  for (std::size_t variable = 0; variable < info.variables.size() && info.times.size() > 1; ++variable)
  {
    const std::string other = header_of_longer_series(stem_of(info, path, variable), set.headers_);
    if (!other.empty())
    {
      return fail(ErrorCode::CannotWrite, "this header of another series would lie among those of the new one",
          "remove that series with its data files, or give another name", other);
    }
  }
  if (Result<void> chosen = set.choose_names(); !chosen)
  {
    return forward_error(chosen);
  }
  return set;
}

std::string BovSet::data_name(const std::string& stem, const std::string& tag, std::int64_t block) const
{
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), ".%05lld.raw", static_cast<long long>(block));
  return stem + tag + (volume(blocks_) > 1 ? number.data() : ".raw");
}

std::string BovSet::data_pattern(std::size_t variable, std::size_t step) const
{
  return FilePattern::escaped(file_name(stem(variable, step)) + tag_) + (volume(blocks_) > 1 ? ".%05d.raw" : ".raw");
}

// First existing data file with this tag; empty if there is none.
std::string BovSet::first_taken(const std::string& tag) const
{
  for (const std::string& stem : stems_)
  {
    for (std::int64_t block = 0; block < volume(blocks_); ++block)
    {
      if (std::string name = data_name(stem, tag, block); exists(name))
      {
        return name;
      }
    }
  }
  return {};
}

Result<void> BovSet::choose_names()
{
  std::string taken = first_taken(tag_);
  if (existing_ == OnExisting::Keep)
  {
    const auto header = std::find_if(headers_.begin(), headers_.end(), exists);
    taken = header != headers_.end() ? *header : taken;
    return taken.empty() ? Result<void>() : refuse(taken);
  }
  for (int number = 2; !taken.empty(); ++number)
  {
    tag_ = "-" + std::to_string(number);
    taken = first_taken(tag_);
  }
  return {};
}

Result<std::size_t> BovSet::add_data(std::size_t variable, std::size_t step, std::int64_t block, std::int64_t bytes)
{
  const Part part{ folder_.path() + "/" + std::to_string(data_.size()) + ".raw",
    data_name(stem(variable, step), tag_, block) };
  Result<File> file = File::create(part.hidden);
  Result<void> reserved = file ? file->reserve(bytes) : forward_error(file);
  if (!reserved)
  {
    return tl::unexpected(std::move(reserved.error()).at_path(part.name));
  }
  data_.push_back(part);
  return data_.size() - 1;
}

Result<void> BovSet::write_at(std::size_t file, std::int64_t offset, const std::byte* values, std::int64_t bytes) const
{
  const Result<File> opened = File::open(data_[file].hidden, File::Mode::ReadWrite);
  Result<void> written = opened ? opened->pwrite_full(values, bytes, offset) : tl::unexpected(opened.error());
  return written ? written : tl::unexpected(std::move(written.error()).at_path(data_[file].name));
}

Result<void> BovSet::add_header(std::size_t variable, std::size_t step, const std::string& text)
{
  const Part part{ folder_.path() + "/" + std::to_string(texts_.size()) + ".bov", stem(variable, step) + ".bov" };
  Result<void> written = fill(part.hidden, text);
  if (!written)
  {
    return tl::unexpected(std::move(written.error()).at_path(part.name));
  }
  texts_.push_back(part);
  return {};
}

// Data files of the existing headers, if their names are like data_name().
std::vector<std::string> BovSet::old_data() const
{
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < headers_.size(); ++i)
  {
    const Result<BovHeader> header = BovHeader::read(headers_[i]);
    if (!header)
    {
      continue;
    }
    const Int3 blocks{ header->size[0] / header->block[0], header->size[1] / header->block[1],
      header->size[2] / header->block[2] };
    for (std::int64_t block = 0; block < (header->data.numbered() ? volume(blocks) : 1); ++block)
    {
      if (std::string path = header->data.path(block); is_own_data(stems_[i], path))
      {
        paths.push_back(std::move(path));
      }
    }
  }
  return paths;
}

Result<void> BovSet::sync_parts() const
{
  for (const std::vector<Part>* parts : { &data_, &texts_ })
  {
    for (const Part& part : *parts)
    {
      const Result<File> file = File::open(part.hidden, File::Mode::ReadWrite);
      Result<void> synced = file ? file->sync() : tl::unexpected(file.error());
      if (!synced)
      {
        return tl::unexpected(std::move(synced.error()).at_path(part.name));
      }
    }
  }
  return {};
}

Result<void> BovSet::take(const Part& part, OnExisting existing)
{
  Result<void> named = publish_file(part.hidden, part.name, existing);
  if (named && existing == OnExisting::Keep)
  {
    taken_.push_back(part.name);
  }
  return named;
}

// Copies a header, to restore it after an error.
void BovSet::keep_header(const std::string& name)
{
  const std::string copy = folder_.path() + "/" + std::to_string(kept_.size()) + ".old";
  std::error_code none;
  if (std::filesystem::copy_file(name, copy, none))
  {
    kept_.push_back({ copy, name });
  }
}

// Replaces each header by one that says UNFINISHED.
Result<void> BovSet::claim_headers()
{
  for (const std::string& name : headers_)
  {
    keep_header(name);
    const std::string hidden = folder_.path() + "/claim";
    Result<void> named = fill(hidden, kUnfinishedHeader);
    named = named ? take({ hidden, name }, existing_) : named;
    if (!named)
    {
      return named;
    }
  }
  return {};
}

Result<void> BovSet::take_names()
{
  for (const Part& part : data_)
  {
    if (Result<void> named = take(part, OnExisting::Keep); !named)
    {
      return named;
    }
  }
  const bool several = texts_.size() > 1;
  if (Result<void> claimed = several ? claim_headers() : Result<void>(); !claimed)
  {
    return claimed;
  }
  for (const Part& part : texts_)
  {
    if (Result<void> named = take(part, several ? OnExisting::Replace : existing_); !named)
    {
      return named;
    }
  }
  return {};
}

void BovSet::give_back() const
{
  for (const std::string& name : taken_)
  {
    ::unlink(name.c_str());
  }
  for (const Part& part : kept_)
  {
    (void)publish_file(part.hidden, part.name, OnExisting::Replace); // publish() reports the first error
  }
}

Result<void> BovSet::publish(bool sync)
{
  const std::vector<std::string> old = existing_ == OnExisting::Replace ? old_data() : std::vector<std::string>();
  Result<void> done = sync ? sync_parts() : Result<void>();
  done = done ? take_names() : done;
  if (!done)
  {
    give_back();
    return done;
  }
  done = sync ? sync_folder_of(headers_.front()) : done;
  for (const std::string& path : old)
  {
    ::unlink(path.c_str());
  }
  return done;
}

} // namespace rivulet
