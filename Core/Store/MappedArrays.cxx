// SPDX-License-Identifier: BSD-3-Clause
#include "Store/MappedArrays.h"

#include "Io/BlockFiles.h"
#include "Store/MemoryAccount.h"

namespace rivulet
{

namespace
{

std::vector<BrickGrid> whole(const BlockField& field)
{
  std::vector<BrickGrid> grids;
  for (const BlockVariable& variable : field.variables)
  {
    grids.push_back({ .cells = field.info.grid.cells(), .count = { 1, 1, 1 }, .lattice = variable.lattice });
  }
  return grids;
}

/// A mapping of the file that is somebody's own.
class UserArray final : public WholeArray
{
public:
  UserArray(MappingWatch& watch, std::unique_ptr<MappedFile> file, std::int64_t offset)
    : watch_(watch)
    , file_(std::move(file))
    , offset_(offset)
  {
    watch_.add(*file_);
  }
  ~UserArray() override { watch_.remove(*file_); }

  [[nodiscard]] void* values() const override { return file_->user_data() + offset_; }
  [[nodiscard]] bool written() const override { return file_->written(); }
  [[nodiscard]] std::int64_t bytes() const override { return 0; }

private:
  MappingWatch& watch_;
  std::unique_ptr<MappedFile> file_;
  std::int64_t offset_;
};

} // namespace

MappedArrays::MappedArrays(BlockField&& blocks, std::string path, StrategyChoice&& choice, std::int64_t budget)
  : BlockBricks(std::move(blocks), whole(blocks), std::move(path), std::move(choice))
  , arrays_(info().variables.size() * info().times.size())
  , known_(arrays_.size())
  , watch_(budget)
{
}

MappedArrays::Array MappedArrays::map(const BrickKey& key)
{
  const BlockVariable& where = variable(key);
  const BlockPart& part = where.steps[static_cast<std::size_t>(key.step)].parts.front();
  Array array{ nullptr, part.offset, where.part_bytes(), nullptr };
  Result<std::unique_ptr<MappedFile>> file = MappedFile::open(part.files.path(0));
  if (!file)
  {
    array.error = std::make_shared<const Error>(std::move(file.error()));
  }
  else if ((*file)->size() < array.offset + array.bytes)
  {
    array.error =
        std::make_shared<const Error>(too_short((*file)->path(), (*file)->size(), array.offset + array.bytes));
  }
  else if (Result<void> same = (*file)->see(seen_); !same)
  {
    array.error = std::make_shared<const Error>(std::move(same.error()));
  }
  else
  {
    array.file = std::move(*file);
  }
  return array;
}

const MappedArrays::Array& MappedArrays::array_of(const BrickKey& key)
{
  const std::size_t number =
      static_cast<std::size_t>(key.variable) * info().times.size() + static_cast<std::size_t>(key.step);
  if (const Array* known = known_[number].load(std::memory_order_acquire); known != nullptr)
  {
    hits_.fetch_add(1, std::memory_order_relaxed);
    return *known;
  }
  const std::lock_guard lock(mutex_);
  if (arrays_[number] == nullptr)
  {
    arrays_[number] = std::make_unique<const Array>(map(key));
    known_[number].store(arrays_[number].get(), std::memory_order_release);
    misses_.fetch_add(1, std::memory_order_relaxed);
    if (arrays_[number]->file)
    {
      watch_.add(*arrays_[number]->file);
    }
  }
  return *arrays_[number];
}

BrickView MappedArrays::view_of(const BrickKey& key, const Array& array) const
{
  const BlockVariable& where = variable(key);
  const std::int64_t row = std::int64_t{ where.variable.components } * where.lattice[0];
  return { array.file->data() + array.offset, where.variable.type, where.variable.components,
    { { 0, 0, 0 }, where.lattice }, { where.variable.components, row, row * where.lattice[1] } };
}

Lookup MappedArrays::try_get(const BrickKey& key)
{
  if (!exists(key))
  {
    return no_such_brick();
  }
  const Array& array = array_of(key);
  if (array.error)
  {
    return { Lookup::State::Failed, {}, array.error };
  }
  if (array.file->damaged(array.offset, array.bytes))
  {
    return { Lookup::State::Failed, {}, std::make_shared<const Error>(array.file->damage_at(array.offset)) };
  }
  return { Lookup::State::Ready, BrickPin(this, nullptr, view_of(key, array)), nullptr };
}

std::shared_ptr<const WholeArray> MappedArrays::whole_array(int variable, int step)
{
  const BrickKey key{ variable, step, 0 };
  const Array* array = exists(key) ? &array_of(key) : nullptr;
  if (array == nullptr || !array->file)
  {
    return nullptr;
  }
  Result<std::unique_ptr<MappedFile>> file = array->file->for_users();
  return file ? std::make_shared<const UserArray>(watch_, std::move(*file), array->offset) : nullptr;
}

void MappedArrays::read_ahead(const BrickKey& key, const Box& box)
{
  const Array* array = exists(key) ? &array_of(key) : nullptr;
  if (array != nullptr && array->file)
  {
    const BlockVariable& where = variable(key);
    const std::int64_t plane =
        std::int64_t{ where.lattice[0] } * where.lattice[1] * static_cast<std::int64_t>(where.variable.tuple_bytes());
    array->file->will_need(array->offset + box.begin[2] * plane, box.size()[2] * plane);
  }
}

SourceStatistics MappedArrays::statistics() const
{
  watch_.look(true);
  SourceStatistics statistics;
  statistics.bytes_read = watch_.arrived();
  statistics.bricks_read = misses_.load(std::memory_order_relaxed);
  statistics.cache_hits = hits_.load(std::memory_order_relaxed);
  statistics.cache_misses = misses_.load(std::memory_order_relaxed);
  statistics.peak_bytes = watch_.peak();
  return statistics;
}

void MappedArrays::set_memory_budget(std::int64_t bytes)
{
  watch_.set_budget(bytes > 0 ? bytes : default_memory_budget());
}

Result<void> MappedArrays::health()
{
  watch_.look();
  for (const std::atomic<const Array*>& known : known_)
  {
    const Array* array = known.load(std::memory_order_acquire);
    if (array != nullptr && array->file)
    {
      if (Result<void> sound = array->file->health(); !sound)
      {
        return sound;
      }
    }
  }
  return {};
}

} // namespace rivulet
