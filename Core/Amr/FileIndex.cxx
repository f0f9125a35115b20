// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/FileIndex.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::size_t kFormsToCompare = 8;
constexpr std::size_t kFewEntries = 16; ///< entries of a group up to which look_around() pays

const Match kMissing{ .kind = Match::Kind::Missing, .dataset = {}, .error = nullptr };

} // namespace

Result<void> FileIndex::open(const hdf5::WantedBytes& wanted, ReadPause* pause)
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
  if (!identity_ || !identity_->same_as(*identity) || read_failed_)
  {
    forget();
  }
  identity_ = *identity;
  file_ = std::move(*file);
  bytes_ = std::make_unique<hdf5::BufferedFile>(file_, identity_->size(), wanted, pool_);
  file_.tell_of_waiting(pause);
  // Parsing waits until find() misses a location: known datasets need their values only.
  return parses_ || unreadable_ ? Result<void>{} : parse();
}

void FileIndex::forget()
{
  groups_.clear();
  lost_groups_.clear();
  names_.clear();
  forms_.clear();
  parses_ = false;
  read_failed_ = false;
  unreadable_.reset();
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
  // A truncated file may contain complete datasets; each dataset reports its own error.
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

Match not_found(Error&& error)
{
  Match found;
  found.kind = error.code == ErrorCode::Unsupported ? Match::Kind::Library
               : error.code == ErrorCode::NotFound  ? Match::Kind::Missing
                                                    : Match::Kind::Bad;
  found.error = std::make_shared<const Error>(std::move(error));
  return found;
}

/// Entry of that name; nullptr if there is none.
template <class Entries>
auto* entry_of(Entries& entries, const std::string& name)
{
  const auto at = std::lower_bound(
      entries.begin(), entries.end(), name, [](const auto& a, const std::string& b) { return *a.name < b; });
  return at == entries.end() || *at->name != name ? nullptr : &*at;
}

} // namespace

const Match* FileIndex::known(const std::string& group, const std::string& name) const
{
  if (const auto lost = lost_groups_.find(group); lost != lost_groups_.end())
  {
    return &lost->second;
  }
  const auto listed = groups_.find(group);
  if (listed == groups_.end())
  {
    return nullptr;
  }
  const Entry* entry = entry_of(listed->second, name);
  return entry == nullptr ? &kMissing : entry->found.kind == Match::Kind::NotAsked ? nullptr : &entry->found;
}

const Match& FileIndex::find(const std::string& group, const std::string& name)
{
  if (const Match* found = known(group, name))
  {
    return *found;
  }
  if (bytes_)
  {
    bytes_->trim();
  }
  Result<Entries*> entries = entries_of(group);
  if (!entries)
  {
    const Match& lost = lost_groups_.emplace(group, not_found(std::move(entries.error()))).first->second;
    remember_failure(lost);
    return lost;
  }
  Entry* entry = entry_of(**entries, name);
  if (entry == nullptr)
  {
    return kMissing;
  }
  entry->found = look_up(group, *entry);
  remember_failure(entry->found);
  const bool in_one_piece = entry->found.kind == Match::Kind::Plain &&
                            entry->found.dataset.form->storage != hdf5::Storage::Chunked; // no B-tree to read
  if (in_one_piece && (*entries)->size() <= kFewEntries)
  {
    look_around(group, **entries);
  }
  return entry->found;
}

/// Lets the next open() forget a failure to read, which may not happen again.
void FileIndex::remember_failure(const Match& found)
{
  read_failed_ = read_failed_ || (found.error != nullptr && found.error->code == ErrorCode::CannotRead);
}

void FileIndex::look_around(const std::string& group, Entries& entries)
{
  for (Entry& entry : entries)
  {
    if (entry.found.kind != Match::Kind::NotAsked || !hdf5::holds_object_header(*bytes_, entry.header))
    {
      continue;
    }
    if (Match found = look_up(group, entry); found.kind == Match::Kind::Plain)
    {
      entry.found = std::move(found);
    }
  }
}

Result<FileIndex::Entries*> FileIndex::entries_of(const std::string& group)
{
  const auto known = groups_.find(group);
  if (known != groups_.end())
  {
    return &known->second;
  }
  if (Result<void> good = parsed_ || unreadable_ ? Result<void>{} : parse(); !good)
  {
    return forward_error(good);
  }
  if (unreadable_)
  {
    return tl::unexpected(*unreadable_);
  }
  Result<std::uint64_t> header = header_of(group);
  if (!header)
  {
    return forward_error(header);
  }
  Result<std::vector<hdf5::Name>> names = parsed_->names(*header);
  if (!names)
  {
    return forward_error(names);
  }
  Entries entries(names->size());
  for (std::size_t i = 0; i < entries.size(); ++i)
  {
    entries[i].name = &*names_.insert(std::move((*names)[i].name)).first;
    entries[i].header = (*names)[i].address;
  }
  return &groups_.emplace(group, std::move(entries)).first->second;
}

Result<std::uint64_t> FileIndex::header_of(const std::string& group)
{
  if (group.empty())
  {
    return parsed_->root();
  }
  const std::size_t slash = group.rfind('/');
  Result<Entries*> above = entries_of(slash == std::string::npos ? "" : group.substr(0, slash));
  if (!above)
  {
    return forward_error(above);
  }
  const Entry* entry = entry_of(**above, slash == std::string::npos ? group : group.substr(slash + 1));
  if (entry == nullptr)
  {
    return fail(ErrorCode::NotFound, "there is no group \"" + group + "\"", {}, path_);
  }
  return entry->header;
}

Match FileIndex::look_up(const std::string& group, const Entry& entry)
{
  if (Result<void> good = parsed_ ? Result<void>{} : parse(); !good)
  {
    return not_found(std::move(good.error()));
  }
  if (unreadable_)
  {
    return not_found(Error(*unreadable_));
  }
  Result<hdf5::ObjectHeader> header = parsed_->object(entry.header);
  if (!header)
  {
    return not_found(std::move(header.error()));
  }
  if (!header->dataset)
  {
    return not_found(Error{ ErrorCode::Corrupt, "\"" + group + "/" + *entry.name + "\" is not a dataset",
        "check the program that wrote the dump", path_ });
  }
  Result<hdf5::DatasetIndex> dataset = hdf5::index_dataset(*bytes_, std::move(*header->dataset));
  if (!dataset)
  {
    return not_found(std::move(dataset.error()));
  }
  Match found;
  found.kind = hdf5::can_read(*dataset->form) ? Match::Kind::Plain : Match::Kind::Library;
  found.dataset = std::move(*dataset);
  share_form(found.dataset.form);
  return found;
}

void FileIndex::share_form(std::shared_ptr<const hdf5::DatasetForm>& form)
{
  const auto same = std::find_if(forms_.begin(), forms_.end(), [&](const auto& known) { return *known == *form; });
  if (same != forms_.end())
  {
    form = *same;
    return;
  }
  if (forms_.size() == kFormsToCompare)
  {
    forms_.pop_back();
  }
  forms_.push_front(form);
}

} // namespace rivulet
