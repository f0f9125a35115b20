// SPDX-License-Identifier: BSD-3-Clause
// The input is an HDF5 file. All groups are walked, all headers parsed, all chunks listed, all values read.
#include "Hdf5/OldStyleFile.h"
#include "Fuzz/Support.h"
#include "Hdf5/ValueReader.h"

#include <algorithm>
#include <set>

namespace
{

using namespace rivulet;
using namespace rivulet::hdf5;

constexpr std::int64_t kMostBytes = std::int64_t{ 1 } << 20; // of a dataset; a patch's size is known before it is read
constexpr std::size_t kMostObjects = 300;

class Walk
{
public:
  Walk(const File& file, BufferedFile& bytes, const OldStyleFile& parsed)
    : file_(file)
    , bytes_(bytes)
    , parsed_(parsed)
  {
  }

  void run()
  {
    waiting_.insert(parsed_.root());
    while (!waiting_.empty() && seen_.size() < kMostObjects)
    {
      const std::uint64_t address = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      if (seen_.insert(address).second)
      {
        visit(address);
      }
    }
  }

private:
  void visit(std::uint64_t address)
  {
    Result<ObjectHeader> header = parsed_.object(address);
    if (!header)
    {
      return;
    }
    if (header->group)
    {
      visit_names(address);
    }
    if (header->dataset && can_read(*header->dataset))
    {
      visit_values(std::move(*header->dataset));
    }
  }

  void visit_names(std::uint64_t address)
  {
    const Result<std::vector<Name>> names = parsed_.names(address);
    if (!names)
    {
      return;
    }
    std::size_t characters = 0;
    for (const Name& name : *names)
    {
      characters += name.name.size();
      waiting_.insert(name.address);
    }
    const auto size = static_cast<std::size_t>(bytes_.size());
    fuzz::expect(characters <= size && names->size() <= size, "a group has more names than its file has room for");
  }

  void visit_values(DatasetLayout&& layout)
  {
    fuzz::expect(layout.count() >= 0 && layout.bytes() >= 0, "a dataset's size overflows");
    const Result<DatasetIndex> dataset = index_dataset(bytes_, std::move(layout));
    if (dataset && dataset->form->bytes() <= kMostBytes)
    {
      read_values(*dataset);
    }
  }

  /// Every byte comes from the file: not one is left of what was in memory before.
  void read_values(const DatasetIndex& dataset)
  {
    const auto size = static_cast<std::size_t>(dataset.form->bytes());
    std::vector<std::byte> values(size, std::byte{ 0x00 });
    std::vector<std::byte> again(size, std::byte{ 0xFF });
    const Result<void> first = reader_.read_into(file_, &bytes_, dataset, values.data());
    const Result<void> second = reader_.read_into(file_, nullptr, dataset, again.data());
    fuzz::expect(first.has_value() == second.has_value(), "values can be read in one way, and not in the other");
    if (first)
    {
      fuzz::expect(values == again, "values depend on what was in memory before");
      const Result<std::span<const std::byte>> span = reader_.read(file_, &bytes_, dataset);
      fuzz::expect(span && std::equal(span->begin(), span->end(), values.begin(), values.end()),
          "values differ from one way to read them to the other");
    }
  }

  const File& file_;
  BufferedFile& bytes_;
  OldStyleFile parsed_;
  ValueReader reader_;
  std::set<std::uint64_t> waiting_;
  std::set<std::uint64_t> seen_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static fuzz::MemoryFile image;
  // Every fourth as a large file, which is read in blocks.
  const std::size_t more = size % 4 == 3 ? static_cast<std::size_t>(BufferedFile::kWhole) : 0;
  image.fill(std::as_bytes(std::span(data, size)), size + more);
  const Result<File> file = File::open(image.path(), File::Mode::Read);
  fuzz::expect(file.has_value(), "the file in memory cannot be opened");
  BufferedFile bytes(*file, static_cast<std::int64_t>(size + more));
  if (const Result<OldStyleFile> parsed = OldStyleFile::open(bytes))
  {
    Walk(*file, bytes, *parsed).run();
  }
  return 0;
}
