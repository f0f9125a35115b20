// SPDX-License-Identifier: BSD-3-Clause
// Files that are replaced, cut short or removed while lines are traced through them, by every strategy: the lines are
// those of the file as it was opened, as far as it could be read, and there is an error wherever that is not all.
#include "Convert/BovWriter.h"
#include "Generate/GeneratedField.h"
#include "Store/Field/OpenField.h"
#include "Store/Source/ForwardingSource.h"
#include "Support/AnalyticBricks.h"
#include "Support/TemporaryFolder.h"
#include "Trace/Streamlines.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <thread>

namespace rivulet::test
{

namespace
{

/// What holds the values.
enum class Kind
{
  FieldFile,
  OneBlock,
  ManyBlocks
};

const char* name_of_kind(Kind kind)
{
  return kind == Kind::FieldFile ? "FieldFile" : kind == Kind::OneBlock ? "OneBlock" : "ManyBlocks";
}

/// Forwards everything; does something at a lookup, once bricks have come: then one file at least is open.
class ChangingBricks final : public ForwardingSource
{
public:
  ChangingBricks(BrickSource& inner, std::int64_t at, std::function<void()> change)
    : ForwardingSource(inner)
    , at_(at)
    , change_(std::move(change))
  {
  }

  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    if (lookups_.fetch_add(1) + 1 >= at_ && ready_ && !changed_.exchange(true))
    {
      change_();
    }
    Lookup found = source().try_get(key);
    ready_ = ready_ || found.state == Lookup::State::Ready;
    return found;
  }
  [[nodiscard]] bool changed() const { return changed_; }

private:
  std::int64_t at_;
  std::function<void()> change_;
  std::atomic<std::int64_t> lookups_{ 0 };
  std::atomic<bool> ready_{ false };
  std::atomic<bool> changed_{ false };
};

class FileChanges : public testing::TestWithParam<std::tuple<Kind, AccessStrategy>>
{
protected:
  FileChanges() { write(path_, "abc"); }

  void write(const std::string& path, const char* field) const
  {
    auto reader = *GeneratedField::create(*make_analytic_field(field, {}), { .nodes = { 60, 60, 240 } });
    if (kind() == Kind::FieldFile)
    {
      ASSERT_TRUE(convert(*reader, path, {}));
      return;
    }
    const std::int32_t blocks = kind() == Kind::OneBlock ? 1 : 3;
    BovOptions options;
    options.blocks = { blocks, blocks, blocks };
    const Result<BovReport> written = write_bov(*reader, path, options);
    ASSERT_TRUE(written) << written.error().describe();
  }
  [[nodiscard]] static Kind kind() { return std::get<0>(GetParam()); }
  /// The files that hold values.
  [[nodiscard]] std::vector<std::string> data_files(const std::string& folder) const
  {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
      if (entry.is_regular_file() && entry.path().extension() != ".bov")
      {
        files.push_back(entry.path().string());
      }
    }
    return files;
  }
  [[nodiscard]] std::string data_folder() const { return std::filesystem::path(path_).parent_path().string(); }

  [[nodiscard]] TracedLines trace(BrickSource& source) const
  {
    TraceField field;
    field.velocity = { &source, 0, 0 };
    field.grid = source.info().grid;
    StreamlineOptions options;
    options.integrator = Integrator::RungeKutta4;
    options.maximum_length = 1e9;
    options.maximum_steps = 400;
    std::vector<Vec3> seeds;
    for (std::int32_t i = 0; i < 64; ++i)
    {
      seeds.push_back(at(from_row_major(i, { 4, 4, 4 }), field.grid));
    }
    Result<TracedLines> lines = trace_streamlines(field, seeds, options, { 2, {} });
    EXPECT_TRUE(lines) << lines.error().describe();
    return std::move(*lines);
  }
  /// The lines of a run during which the file changes; null if it was over before.
  [[nodiscard]] std::unique_ptr<TracedLines> trace_while(const std::function<void()>& change) const
  {
    // Small enough that bricks go and have to come again.
    const OpenOptions options{ .strategy = std::get<1>(GetParam()), .memory_budget = 3 * kMiB };
    const auto source = open_field({ path_ }, options);
    EXPECT_TRUE(source) << source.error().describe();
    // Times of files go by the kernel's ticks: what changes within one of when the field was opened looks older.
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    const std::int64_t at = kind() == Kind::FieldFile ? 150 : kind() == Kind::ManyBlocks ? 12 : 5;
    ChangingBricks changing(**source, at, change);
    auto lines = std::make_unique<TracedLines>(trace(changing));
    return changing.changed() ? std::move(lines) : nullptr;
  }
  [[nodiscard]] TracedLines reference() const
  {
    return trace(**open_field({ path_ }, { .strategy = AccessStrategy::BufferedCache }));
  }

  TemporaryFolder folder_;
  TemporaryFolder elsewhere_;
  std::string path_ = folder_.file(kind() == Kind::FieldFile ? "field.rvf" : "field.bov");

private:
  [[nodiscard]] static Vec3 at(const Int3& place, const Grid& grid)
  {
    Vec3 seed;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      seed[axis] = grid.origin[axis] + (place[axis] + 0.5) / 4.0 * grid.spacing[axis] * (grid.nodes[axis] - 1);
    }
    return seed;
  }
};

using Name = std::pair<std::int32_t, bool>; ///< seed and direction

std::map<Name, const TracedLine*> by_name(const TracedLines& lines)
{
  std::map<Name, const TracedLine*> found;
  for (const TracedLine& line : lines.lines)
  {
    found[{ line.seed, line.backward }] = &line;
  }
  return found;
}

/// Lines that are not those of the reference: other points, or fewer of them without saying that values are missing.
int wrong_lines(const TracedLines& lines, const TracedLines& reference)
{
  const auto expected = by_name(reference);
  int wrong = 0;
  for (const auto& [name, line] : by_name(lines))
  {
    const auto it = expected.find(name);
    const TracedLine* right = it == expected.end() ? nullptr : it->second;
    const bool ended = line->reason == Termination::DataMissing;
    const bool same =
        right != nullptr &&
        (ended ? line->points <= right->points : line->points == right->points && line->reason == right->reason) &&
        std::memcmp(lines.points.data() + 3 * line->first_point, reference.points.data() + 3 * right->first_point,
            static_cast<std::size_t>(3 * line->points) * sizeof(float)) == 0;
    wrong += same ? 0 : 1;
  }
  for (std::size_t seed = 0; seed < lines.seeds.size(); ++seed)
  {
    for (const std::size_t way : { std::size_t{ 0 }, std::size_t{ 1 } })
    {
      const Termination reason = lines.seeds[seed].reason[way];
      wrong += reason == Termination::DataMissing || reason == reference.seeds[seed].reason[way] ? 0 : 1;
    }
  }
  return wrong;
}

int missing(const TracedLines& lines)
{
  return static_cast<int>(std::count_if(lines.seeds.begin(), lines.seeds.end(),
      [](const SeedFate& fate)
      { return fate.reason[0] == Termination::DataMissing || fate.reason[1] == Termination::DataMissing; }));
}

} // namespace

TEST_P(FileChanges, OfWhichThereAreNoneMakeNoDifferenceBetweenStrategies)
{
  const TracedLines expected = reference();
  const auto lines = trace_while([] {});
  ASSERT_TRUE(lines);
  EXPECT_EQ(wrong_lines(*lines, expected), 0);
  EXPECT_EQ(missing(*lines), 0);
  EXPECT_EQ(lines->points.size(), expected.points.size());
  EXPECT_FALSE(lines->data_error);
}

TEST_P(FileChanges, OfAReplacedFileAreNotSeenButSaid)
{
  const TracedLines expected = reference();
  write(elsewhere_.file(std::filesystem::path(path_).filename().string()), "taylor-green");
  const auto lines = trace_while(
      [&]
      {
        for (const std::string& file : data_files(elsewhere_.path().string()))
        {
          std::filesystem::rename(file, folder_.file(std::filesystem::path(file).filename().string()));
        }
      });
  ASSERT_TRUE(lines);
  EXPECT_EQ(wrong_lines(*lines, expected), 0);
  ASSERT_TRUE(lines->data_error);
  EXPECT_FALSE(lines->data_error->path.empty());
  EXPECT_FALSE(lines->data_error->remedy.empty());
  if (kind() != Kind::ManyBlocks) // of which some were not open yet
  {
    EXPECT_EQ(missing(*lines), 0);
  }
}

TEST_P(FileChanges, ThatCutItShortEndLinesAndNoMore)
{
  const TracedLines expected = reference();
  const auto lines = trace_while(
      [&]
      {
        for (const std::string& file : data_files(data_folder()))
        {
          std::filesystem::resize_file(file, std::filesystem::file_size(file) / 3 / 4096 * 4096);
        }
      });
  ASSERT_TRUE(lines);
  EXPECT_EQ(wrong_lines(*lines, expected), 0);
  EXPECT_GT(missing(*lines), 0);
  ASSERT_TRUE(lines->data_error);
  // Whoever looks in the midst of it sees the new time before the new size.
  EXPECT_TRUE(lines->data_error->code == ErrorCode::Truncated || lines->data_error->code == ErrorCode::CannotRead)
      << lines->data_error->describe();
  EXPECT_FALSE(lines->data_error->path.empty());
}

TEST_P(FileChanges, ThatRemoveItDoNoHarmToWhatIsOpen)
{
  const TracedLines expected = reference();
  const auto lines = trace_while(
      [&]
      {
        for (const std::string& file : data_files(data_folder()))
        {
          std::filesystem::remove(file);
        }
      });
  ASSERT_TRUE(lines);
  EXPECT_EQ(wrong_lines(*lines, expected), 0);
  if (kind() != Kind::ManyBlocks)
  {
    EXPECT_EQ(missing(*lines), 0);
  }
  EXPECT_EQ(missing(*lines) > 0, lines->data_error != nullptr);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, FileChanges,
    testing::Combine(testing::Values(Kind::FieldFile, Kind::OneBlock, Kind::ManyBlocks),
        testing::Values(AccessStrategy::Automatic, AccessStrategy::MemoryMap, AccessStrategy::BufferedCache,
            AccessStrategy::DirectCache, AccessStrategy::Asynchronous)),
    [](const auto& way)
    {
      std::string name = std::string(name_of_kind(std::get<0>(way.param))) + name_of(std::get<1>(way.param));
      std::erase(name, ' ');
      return name;
    });

} // namespace rivulet::test
