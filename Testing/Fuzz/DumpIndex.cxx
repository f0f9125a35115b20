// SPDX-License-Identifier: BSD-3-Clause
// The input is the index of dumps, a text file, in a folder with a dump that it may name.
#include "Amr/DumpIndex.h"
#include "Fuzz/Support.h"

#include <filesystem>
#include <fstream>

namespace
{

namespace fs = std::filesystem;

/// Two folders, one of them with what looks like a summary; they go when the process does.
class Dumps
{
public:
  Dumps()
    : folder_(fs::temp_directory_path() / ("rivulet-fuzz-" + std::to_string(::getpid())))
  {
    fs::create_directories(folder_ / "visit_dump.00000");
    fs::create_directories(folder_ / "visit_dump.00010");
    std::ofstream(folder_ / "visit_dump.00000" / "summary.samrai") << "no HDF5 file\n";
  }
  Dumps(const Dumps&) = delete;
  Dumps& operator=(const Dumps&) = delete;
  ~Dumps()
  {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::string write_index(std::span<const std::byte> bytes) const
  {
    const fs::path path = folder_ / "dumps.visit";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path.string();
  }

private:
  fs::path folder_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace rivulet;
  static const Dumps dumps;
  const std::vector<std::string> paths{ dumps.write_index(std::as_bytes(std::span(data, size))) };
  if (!is_dump_index(paths[0], built_in_names()))
  {
    return 0;
  }
  const Result<DumpIndex> index = find_dumps(paths, built_in_names(), { .all_beside_index = size % 2 == 1 });
  fuzz::expect(!index, "there is no dump that could be read"); // but many that look like one
  fuzz::expect(!index.error().what.empty(), "an error says nothing");
  return 0;
}
