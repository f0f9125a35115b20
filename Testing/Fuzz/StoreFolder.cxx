// SPDX-License-Identifier: BSD-3-Clause
// The input is the description of a store. One that is accepted gives a uuid, of which uuids of steps can be made.
#include "Io/Series/StoreFolder.h"
#include "Fuzz/Support.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StoreWriter.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace
{

/// A folder that is removed at the end.
struct Folder
{
  Folder()
  {
    std::string pattern = (std::filesystem::temp_directory_path() / "rivulet-fuzz-store-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  std::string path;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace rivulet;
  static const Folder folder;
  std::ofstream(store_description(folder.path), std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const Result<StoreFolder> store = StoreFolder::open(folder.path);
  const bool known = StoreFolder::can_read(folder.path);
  if (store && (!known || store->identity.uuid().size() != 36 || store->identity.of_step(7).size() != 36 ||
                   !store->steps.empty()))
  {
    std::abort();
  }
  const Result<FieldSeries> series = FieldSeries::open({ folder.path });
  const bool appends = StoreWriter::open(folder.path, { .start = StoreStart::Append, .sync = false }).has_value();
  if (series || appends != store.has_value())
  {
    std::abort();
  }
  return 0;
}
