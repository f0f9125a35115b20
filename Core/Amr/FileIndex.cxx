// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/FileIndex.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::int64_t kReadAhead = std::int64_t{ 4 } << 20;

} // namespace

Result<void> FileIndex::open(std::int64_t wanted, ReadPause* pause)
{
  if (file_)
  {
    return {};
  }
  Result<File> file = File::open(path_, File::Mode::Read);
  if (!file)
  {
    return forward_error(file);
  }
  Result<FileIdentity> identity = FileIdentity::of(*file);
  if (!identity)
  {
    return forward_error(identity);
  }
  if (!identity_ || !identity_->same_as(*identity))
  {
    groups_.clear();
    found_.clear();
    parses_ = false;
    unreadable_.reset();
  }
  identity_ = *identity;
  file_ = std::move(*file);
  bytes_ = std::make_unique<hdf5::FileBytes>(file_, identity_->size(), wanted, pool_);
  file_.tell_of_waiting(pause, bytes_->much_wanted() ? kReadAhead : 0);
  // Where all that is wanted is known already, nothing need be looked at but the values.
  return parses_ || unreadable_ ? Result<void>{} : parse();
}

Result<void> FileIndex::parse()
{
  Result<hdf5::OldStyleFile> parsed = hdf5::OldStyleFile::open(*bytes_);
  if (parsed)
  {
    parsed_ = *parsed;
    parses_ = true;
    return {};
  }
  if (parsed.error().code == ErrorCode::NotThisFormat || parsed.error().code == ErrorCode::CannotRead)
  {
    return forward_error(parsed);
  }
  // Cut off files hold whole datasets all the same; each that is not will say so.
  unreadable_ = std::move(parsed.error());
  return {};
}

void FileIndex::close()
{
  parsed_.reset();
  bytes_.reset();
  file_ = File();
}

namespace
{

std::string key_of(const std::string& group, const std::string& name)
{
  std::string key = group;
  key += '/';
  key += name;
  return key;
}

} // namespace

const Found* FileIndex::known(const std::string& group, const std::string& name) const
{
  const auto known = found_.find(key_of(group, name));
  return known == found_.end() ? nullptr : &known->second;
}

const Found& FileIndex::find(const std::string& group, const std::string& name)
{
  std::string key = key_of(group, name);
  const auto known = found_.find(key);
  if (known != found_.end())
  {
    return known->second;
  }
  if (bytes_)
  {
    bytes_->trim();
  }
  return found_.emplace(std::move(key), look_up(group, name)).first->second;
}

Result<const FileIndex::Names*> FileIndex::names_of(const std::string& group)
{
  const auto known = groups_.find(group);
  if (known != groups_.end())
  {
    return &known->second;
  }
  std::uint64_t address = parsed_->root();
  if (!group.empty())
  {
    const std::size_t slash = group.rfind('/');
    Result<const Names*> above = names_of(slash == std::string::npos ? "" : group.substr(0, slash));
    if (!above)
    {
      return above;
    }
    const std::string last = slash == std::string::npos ? group : group.substr(slash + 1);
    const auto entry = std::lower_bound(
        (*above)->begin(), (*above)->end(), last, [](const hdf5::Name& a, const std::string& b) { return a.name < b; });
    if (entry == (*above)->end() || entry->name != last)
    {
      return fail(ErrorCode::NotFound, "there is no group \"" + group + "\"", {}, path_);
    }
    address = entry->address;
  }
  Result<Names> names = parsed_->names(address);
  if (!names)
  {
    return forward_error(names);
  }
  return &groups_.emplace(group, std::move(*names)).first->second;
}

namespace
{

Found not_found(Error&& error)
{
  Found found;
  found.kind = error.code == ErrorCode::Unsupported ? Found::Kind::Library
               : error.code == ErrorCode::NotFound  ? Found::Kind::Missing
                                                    : Found::Kind::Bad;
  found.error = std::make_shared<const Error>(std::move(error));
  return found;
}

} // namespace

Found FileIndex::look_up(const std::string& group, const std::string& name)
{
  if (Result<void> good = parsed_ || unreadable_ ? Result<void>{} : parse(); !good)
  {
    return not_found(std::move(good.error()));
  }
  if (unreadable_)
  {
    return not_found(Error(*unreadable_));
  }
  Result<const Names*> names = names_of(group);
  if (!names)
  {
    return not_found(std::move(names.error()));
  }
  const auto entry = std::lower_bound(
      (*names)->begin(), (*names)->end(), name, [](const hdf5::Name& a, const std::string& b) { return a.name < b; });
  if (entry == (*names)->end() || entry->name != name)
  {
    return {};
  }
  Result<hdf5::ObjectHeader> header = parsed_->object(entry->address);
  if (!header)
  {
    return not_found(std::move(header.error()));
  }
  if (!header->dataset)
  {
    return not_found(Error{ ErrorCode::Corrupt, "\"" + group + "/" + name + "\" is not a dataset",
        "check the program that wrote the dump", path_ });
  }
  Found found;
  found.kind = hdf5::can_read(*header->dataset) ? Found::Kind::Plain : Found::Kind::Library;
  found.dataset.layout = std::move(*header->dataset);
  if (found.kind == Found::Kind::Plain && found.dataset.layout.storage == hdf5::Storage::Chunked)
  {
    Result<std::vector<hdf5::Chunk>> chunks = hdf5::list_chunks(*bytes_, found.dataset.layout);
    if (!chunks)
    {
      return not_found(std::move(chunks.error()));
    }
    found.dataset.chunks = std::move(*chunks);
  }
  return found;
}

} // namespace rivulet
