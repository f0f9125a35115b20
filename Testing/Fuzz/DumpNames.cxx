// SPDX-License-Identifier: BSD-3-Clause
// The input is a site's file of names. What is accepted names files and groups.
#include "Amr/DumpNames.h"
#include "Fuzz/Support.h"

#include <limits>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace rivulet;
  static fuzz::MemoryFile file;
  file.fill(std::as_bytes(std::span(data, size)), size);
  const Result<std::vector<DumpNames>> all = read_names(file.path());
  if (!all)
  {
    fuzz::expect(!all.error().what.empty(), "an error says nothing");
    return 0;
  }
  for (const DumpNames& names : *all)
  {
    fuzz::expect(!names.summary.empty() && !names.index.empty() && !names.folder.empty(), "an empty name");
    for (const std::int64_t number : { std::int64_t{ 0 }, std::numeric_limits<std::int64_t>::max() })
    {
      const std::size_t length =
          names.cluster.path(number).size() + names.component.path(number).size() + names.groups[2].path(number).size();
      fuzz::expect(length >= 3 && length < size + 200, "the length of a name");
    }
    fuzz::expect(names.groups[0].path(1) != names.groups[0].path(2), "two groups of one name");
  }
  (void)names_of(*all, "folder/summary.samrai");
  (void)names_of(*all, std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
