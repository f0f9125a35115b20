// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Index of the datasets of one data file. A dataset is located when it is first asked for. Locations are kept, so that
/// later reads need no search.
///
///     FileIndex index("processor_cluster.00000.samrai", pool);
///     Result<void> ready = index.open({ .bytes = 1 << 20, .pieces = 8 });
///     Result<const Match*> found = index.find("processor.00000/level.00000/patch.00000", "density");
///
/// One thread at a time may call open(), find() and close(). References that find() returns are valid, and may be read
/// by any thread, until open() meets a file that has changed or that could not be read. Any number of threads may call
/// known() while no thread calls find().
#pragma once

#include "Hdf5/OldStyleFile.h"
#include "Hdf5/ValueReader.h"
#include "Io/Files/FileIdentity.h"

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace rivulet
{

/// Location of one dataset, as far as it is known.
struct Match
{
  enum class Kind : std::uint8_t
  {
    NotAsked, ///< not searched yet
    Missing,  ///< no dataset of this name
    Plain,    ///< located: `dataset`
    Library,  ///< only libhdf5 can read it; `error` says why if it was not parsed
    Bad       ///< damaged: `error`
  };
  Kind kind = Kind::NotAsked;
  hdf5::DatasetIndex dataset;
  std::shared_ptr<const Error> error;
};

class FileIndex
{
public:
  /// Index of the file `path`, which is not opened yet. `pool` must outlive this object.
  FileIndex(std::string path, hdf5::BlockPool& pool)
    : path_(std::move(path))
    , pool_(&pool)
  {
  }

  /// Opens the file, if it is closed. Forgets all locations if the file has changed since the last time, or if a part
  /// of it could not be read, which may succeed now. `wanted` are the bytes of datasets that will be read before
  /// close(). `pause` is told when a read has to wait. Fails with NotFound, CannotRead, NotThisFormat.
  [[nodiscard]] Result<void> open(const hdf5::WantedBytes& wanted, ReadPause* pause = nullptr);
  /// Lets large reads bypass the page cache; see File::read_past_cache(). The file must be open.
  void read_past_cache() { file_.read_past_cache(); }
  /// Closes the file and drops its bytes. Locations are kept.
  void close();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const File& file() const { return file_; }
  /// Bytes read while searching, which may contain small datasets. nullptr while the file is closed.
  [[nodiscard]] hdf5::BufferedFile* bytes() const { return bytes_.get(); }
  [[nodiscard]] std::int64_t bytes_read() const { return bytes_ ? bytes_->bytes_read() : 0; }

  /// Location of a dataset; its kind is never NotAsked. The file must be open.
  [[nodiscard]] const Match& find(const std::string& group, const std::string& name);
  /// Location from an earlier find(); nullptr if it is not known.
  [[nodiscard]] const Match* known(const std::string& group, const std::string& name) const;

private:
  /// Object of a group.
  struct Entry
  {
    const std::string* name = nullptr; ///< element of names_
    std::uint64_t header = 0;          ///< address of its object header
    Match found;
  };
  using Entries = std::vector<Entry>; ///< sorted by name

  [[nodiscard]] Result<void> parse();
  [[nodiscard]] Result<Entries*> entries_of(const std::string& group);
  [[nodiscard]] Result<std::uint64_t> header_of(const std::string& group);
  void forget();
  void remember_failure(const Match& found);
  [[nodiscard]] Match look_up(const std::string& group, const Entry& entry);
  /// Locates the other datasets of a group whose headers are among the bytes read. Another variable then costs only its
  /// values.
  void look_around(const std::string& group, Entries& entries);
  /// Replaces a form by an equal one of another dataset.
  void share_form(std::shared_ptr<const hdf5::DatasetForm>& form);

  std::string path_;
  hdf5::BlockPool* pool_;
  File file_;
  std::optional<FileIdentity> identity_;
  std::unique_ptr<hdf5::BufferedFile> bytes_;
  std::optional<hdf5::OldStyleFile> parsed_; ///< while the file is open and datasets are located
  bool parses_ = false;                      ///< the file was parsed before
  bool read_failed_ = false;                 ///< a location is missing because a read failed
  std::optional<Error> unreadable_;          ///< reason why the whole file cannot be parsed
  std::unordered_map<std::string, Entries> groups_;
  std::unordered_map<std::string, Match> lost_groups_; ///< groups that cannot be listed, with the error
  std::unordered_set<std::string> names_;              ///< shared by the groups, which mostly have the same names
  /// Recent forms. Files have few different ones.
  std::deque<std::shared_ptr<const hdf5::DatasetForm>> forms_;
};

} // namespace rivulet
