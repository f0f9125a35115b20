// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where the datasets of patches lie in one data file: found when first asked for, and kept, so that another variable,
/// or the same ones again, cost no search.
///
///     FileIndex index("processor_cluster.00000.samrai", pool);
///     Result<void> ready = index.open({ .bytes = 1 << 20, .pieces = 8 });
///     Result<const Found*> found = index.find("processor.00000/level.00000/patch.00000", "density");
///
/// One thread at a time may open and find; what was found stays where it is and may be read by any thread until the
/// next open() of a file that has changed or could not be read. Any number of threads may ask for what is known, while
/// none finds.
#pragma once

#include "Hdf5/OldStyleFile.h"
#include "Hdf5/ValueReader.h"
#include "Io/FileIdentity.h"

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace rivulet
{

/// One dataset, as far as it is known.
struct Found
{
  enum class Kind : std::uint8_t
  {
    NotAsked, ///< nobody has looked
    Missing,  ///< there is no such dataset
    Plain,    ///< `dataset` says where
    Library,  ///< only the HDF5 library can read it
    Bad       ///< `error` says why
  };
  Kind kind = Kind::NotAsked;
  hdf5::DatasetIndex dataset;
  std::shared_ptr<const Error> error;
};

class FileIndex
{
public:
  /// `pool` must outlive this.
  FileIndex(std::string path, hdf5::BlockPool& pool)
    : path_(std::move(path))
    , pool_(&pool)
  {
  }

  /// Opens the file, or makes sure that it still is what it was; forgets everything if it is not, or if something of it
  /// could not be read: the next time it may be. Fails with NotFound, CannotRead, NotThisFormat.
  /// `wanted`: the bytes of datasets that will be read before close().
  /// `pause` is told when a read has to wait.
  [[nodiscard]] Result<void> open(const hdf5::WantedBytes& wanted, ReadPause* pause = nullptr);
  /// Once open: what is large is read past the page cache, see File::read_past_cache().
  void read_past_cache() { file_.read_past_cache(); }
  /// Closes the file and drops what was read of it; what was found is kept.
  void close();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const File& file() const { return file_; }
  /// What has been read while searching; may hold small datasets.
  [[nodiscard]] hdf5::BufferedFile* bytes() const { return bytes_.get(); }
  [[nodiscard]] std::int64_t bytes_read() const { return bytes_ ? bytes_->bytes_read() : 0; }

  /// Never NotAsked.
  [[nodiscard]] const Found& find(const std::string& group, const std::string& name);
  /// What find() has found before; nullptr if it was not asked.
  [[nodiscard]] const Found* known(const std::string& group, const std::string& name) const;

private:
  /// An object of a group.
  struct Entry
  {
    const std::string* name = nullptr; ///< in names_
    std::uint64_t header = 0;          ///< its address
    Found found;
  };
  using Entries = std::vector<Entry>; ///< in the order of their names

  [[nodiscard]] Result<void> parse();
  [[nodiscard]] Result<Entries*> entries_of(const std::string& group);
  [[nodiscard]] Result<std::uint64_t> header_of(const std::string& group);
  void forget();
  void remember_failure(const Found& found);
  [[nodiscard]] Found look_up(const std::string& group, const Entry& entry);
  /// Looks at the other datasets of a group whose headers came with what was read: another variable may be wanted next,
  /// and then only its values need be read.
  void look_around(const std::string& group, Entries& entries);
  /// Takes an equal one, if it was met before.
  void share_form(std::shared_ptr<const hdf5::DatasetForm>& form);

  std::string path_;
  hdf5::BlockPool* pool_;
  File file_;
  std::optional<FileIdentity> identity_;
  std::unique_ptr<hdf5::BufferedFile> bytes_;
  std::optional<hdf5::OldStyleFile> parsed_; ///< while the file is open and something was looked up
  bool parses_ = false;                      ///< it did before
  bool read_failed_ = false;                 ///< of what is kept
  std::optional<Error> unreadable_;          ///< why all of it is the library's business, or nobody's
  std::unordered_map<std::string, Entries> groups_;
  std::unordered_map<std::string, Found> lost_groups_; ///< those that cannot be listed, and why
  std::unordered_set<std::string> names_;              ///< many groups have the same
  /// Those that were met last. A file has few, unless it is odd.
  std::deque<std::shared_ptr<const hdf5::DatasetForm>> forms_;
};

} // namespace rivulet
