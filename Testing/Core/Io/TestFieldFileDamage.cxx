// SPDX-License-Identifier: BSD-3-Clause
// Whatever happens to the bytes of a field file, it is refused, or a brick is, or what is read is what was written.
#include "Core/Io/FieldFiles.h"
#include "Support/TemporaryFolder.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace rivulet
{

using namespace test;

namespace
{

struct Outcomes
{
  int refused = 0;    ///< by FieldFile::open
  int bad_bricks = 0; ///< by check_record or the table of ranges
  int unharmed = 0;   ///< everything reads as before
};

/// The field as it is when nothing is wrong, and trials with damaged copies.
class Victim
{
public:
  Victim()
    : path_(folder_.file("flow.rvf"))
  {
    info_ = small_field();
    info_.grid.kind = Grid::Kind::Rectilinear;
    info_.grid.axes = { std::vector<double>{ 0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 13 },
      std::vector<double>{ 7, 6, 5, 4, 3, 2, 1, 0 }, std::vector<double>{ 0, 1, 2, 4, 8, 16 } };
    write_field(path_, info_, { .brick_cells = { 5, 5, 5 } });
    bytes_ = bytes_of(path_);
    whole_ = *FieldFile::open(path_);
    ranges_ = *whole_.brick_ranges(0, 0);
  }

  [[nodiscard]] const std::vector<char>& bytes() const { return bytes_; }
  [[nodiscard]] const FieldFile& whole() const { return whole_; }

  /// Opens and reads all of a damaged copy; a test failure if something false passes for true.
  void try_bytes(const std::vector<char>& damaged, Outcomes& outcomes)
  {
    write_bytes(path_, damaged);
    const Result<FieldFile> file = FieldFile::open(path_);
    if (!file)
    {
      ++outcomes.refused;
      EXPECT_FALSE(file.error().what.empty());
      return;
    }
    expect_same_header(*file);
    ++(bricks_sound(*file, damaged) ? outcomes.unharmed : outcomes.bad_bricks);
  }

private:
  void expect_same_header(const FieldFile& file)
  {
    EXPECT_EQ(file.info.grid.nodes, info_.grid.nodes);
    EXPECT_EQ(file.info.grid.first, info_.grid.first);
    EXPECT_EQ(file.info.grid.axes, info_.grid.axes);
    EXPECT_EQ(file.info.times, info_.times);
    EXPECT_EQ(file.uuid, whole_.uuid);
    ASSERT_EQ(file.layouts.size(), 2U);
    for (std::size_t variable = 0; variable < 2; ++variable)
    {
      EXPECT_EQ(file.info.variables[variable].name, info_.variables[variable].name);
      EXPECT_EQ(file.info.ranges[variable].components, whole_.info.ranges[variable].components);
      EXPECT_EQ(file.layouts[variable].stride, whole_.layouts[variable].stride);
      EXPECT_EQ(file.layouts[variable].grid.count, whole_.layouts[variable].grid.count);
    }
  }

  bool bricks_sound(const FieldFile& file, const std::vector<char>& damaged)
  {
    const Result<std::vector<std::array<float, 2>>> ranges = file.brick_ranges(0, 0);
    EXPECT_TRUE(!ranges || *ranges == ranges_);
    bool sound = ranges.has_value();
    for (const RecordPlace series : { RecordPlace{ 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 1, 1, 0 } })
    {
      const BrickLayout& layout = file.layouts[static_cast<std::size_t>(series.variable)];
      for (std::int64_t hilbert = 0; hilbert < layout.grid.size(); ++hilbert)
      {
        sound = brick_sound(layout, { series.variable, series.step, hilbert }, damaged) && sound;
      }
    }
    return sound;
  }

  bool brick_sound(const BrickLayout& layout, const RecordPlace& place, const std::vector<char>& damaged)
  {
    const std::size_t at = offset_of(layout, place);
    if (check_record(damaged.data() + at, layout, place) != RecordState::Sound)
    {
      return false;
    }
    const std::size_t was = offset_of(whole_.layouts[static_cast<std::size_t>(place.variable)], place);
    EXPECT_EQ(std::memcmp(damaged.data() + at, bytes_.data() + was, static_cast<std::size_t>(layout.payload)), 0);
    return true;
  }

  static std::size_t offset_of(const BrickLayout& layout, const RecordPlace& place)
  {
    return static_cast<std::size_t>(
        layout.steps[static_cast<std::size_t>(place.step)].offset + place.hilbert * layout.stride);
  }

  TemporaryFolder folder_;
  std::string path_;
  FieldInfo info_;
  std::vector<char> bytes_;
  FieldFile whole_;
  std::vector<std::array<float, 2>> ranges_;
};

/// Whether a byte lies in a brick's record.
bool in_bricks(const FieldFile& file, std::size_t byte)
{
  for (const BrickLayout& layout : file.layouts)
  {
    for (const BrickSpan& run : layout.steps)
    {
      const auto at = static_cast<std::int64_t>(byte);
      if (at >= run.offset && at < run.offset + layout.grid.size() * layout.stride)
      {
        return true;
      }
    }
  }
  return false;
}

} // namespace

TEST(FieldFileDamage, FlippedBytesOfTheHeaderAreNoticed)
{
  Victim victim;
  std::vector<std::size_t> header;
  for (std::size_t byte = 0; byte < victim.bytes().size(); ++byte)
  {
    if (!in_bricks(victim.whole(), byte) && victim.bytes()[byte] != 0)
    {
      header.push_back(byte);
    }
  }
  std::mt19937 random(11);
  Outcomes outcomes;
  for (int trial = 0; trial < 1200; ++trial)
  {
    std::vector<char> damaged = victim.bytes();
    const std::size_t byte = trial < 96 ? static_cast<std::size_t>(trial) : header[random() % header.size()];
    damaged[byte] = static_cast<char>(damaged[byte] ^ static_cast<char>(1 + random() % 255));
    SCOPED_TRACE("byte " + std::to_string(byte));
    victim.try_bytes(damaged, outcomes);
  }
  EXPECT_GT(outcomes.refused, 600);
}

TEST(FieldFileDamage, FlippedBytesOfBricksAreNoticed)
{
  Victim victim;
  std::mt19937 random(12);
  Outcomes outcomes;
  for (int trial = 0; trial < 400; ++trial)
  {
    std::vector<char> damaged = victim.bytes();
    const std::size_t byte = random() % damaged.size();
    damaged[byte] = static_cast<char>(damaged[byte] ^ static_cast<char>(1 + random() % 255));
    SCOPED_TRACE("byte " + std::to_string(byte));
    victim.try_bytes(damaged, outcomes);
  }
  EXPECT_GT(outcomes.bad_bricks, 100);
}

TEST(FieldFileDamage, OverwrittenStretchesAreNoticed)
{
  Victim victim;
  std::mt19937 random(13);
  Outcomes outcomes;
  for (int trial = 0; trial < 300; ++trial)
  {
    std::vector<char> damaged = victim.bytes();
    const std::size_t first = random() % damaged.size();
    const std::size_t last = std::min(damaged.size(), first + 1 + random() % 600);
    const bool zeros = trial % 2 == 0;
    for (std::size_t byte = first; byte < last; ++byte)
    {
      damaged[byte] = zeros ? '\0' : static_cast<char>(random());
    }
    SCOPED_TRACE("bytes from " + std::to_string(first));
    victim.try_bytes(damaged, outcomes);
  }
  EXPECT_GT(outcomes.refused + outcomes.bad_bricks, 100);
}

TEST(FieldFileDamage, EveryTruncationIsNamed)
{
  Victim victim;
  std::mt19937 random(14);
  Outcomes outcomes;
  for (int trial = 0; trial < 300; ++trial)
  {
    std::vector<char> damaged = victim.bytes();
    damaged.resize(trial < 100 ? static_cast<std::size_t>(trial) : random() % damaged.size());
    SCOPED_TRACE("cut to " + std::to_string(damaged.size()));
    victim.try_bytes(damaged, outcomes);
  }
  EXPECT_EQ(outcomes.refused, 300);
}

TEST(FieldFileDamage, SwappedBricksAreNoticed)
{
  Victim victim;
  std::vector<char> damaged = victim.bytes();
  const BrickLayout& layout = victim.whole().layouts[0];
  const auto start = damaged.begin() + layout.steps[0].offset;
  std::swap_ranges(start, start + layout.stride, start + layout.stride);
  Outcomes outcomes;
  victim.try_bytes(damaged, outcomes);
  EXPECT_EQ(outcomes.bad_bricks, 1);
}

} // namespace rivulet
