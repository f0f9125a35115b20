// SPDX-License-Identifier: BSD-3-Clause
// Fields, seeds and options at random: lines through a field file, in bricks of any size, read in any way, with any
// budget and any number of threads, are the bytes of those through the same values in memory. Those in memory are the
// bytes whose hashes are kept in kept_bytes.csv: a change of the tracer that changes a result shows here first.
//
//     RIVULET_RANDOM_CASES=5000 TestTrace --gtest_filter=RandomRuns.*      as many cases
//     RIVULET_RANDOM_SEED=17 TestTrace --gtest_filter=RandomRuns.*         that case alone
//     RIVULET_KEEP_BYTES=new.csv TestTrace --gtest_filter=RandomRuns.*Kept writes the hashes of today's bytes
#include "Core/Trace/BytesOfLines.h"
#include "Io/FieldFile/FieldFileWriter.h"
#include "Store/Field/OpenField.h"
#include "Store/Source/ArrayBricks.h"
#include "Support/TemporaryFolder.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Mesh/GridGeometry.h"
#include "Trace/Pathlines.h"
#include "Trace/Streamlines.h"
#include "Trace/VortexSeeds.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iomanip>
#include <limits>
#include <random>
#include <sstream>

namespace rivulet::test
{
namespace
{

constexpr std::uint64_t kUsualCases = 100;
constexpr std::uint64_t kKeptCases = 1000;

/// Periodic in 4, between -1 and 1, and smooth but for its second derivative. Unlike std::sin() it has the same bits on
/// every machine.
double wave(double x)
{
  const double in_period = x - 4.0 * std::floor(x / 4.0);
  const double half = in_period < 2.0 ? in_period : in_period - 2.0;
  return (in_period < 2.0 ? 1.0 : -1.0) * half * (2.0 - half);
}

class Dice
{
public:
  explicit Dice(std::uint64_t seed)
    : random_(seed)
  {
  }
  /// 0 ... count - 1
  [[nodiscard]] int below(int count) { return static_cast<int>(random_() % static_cast<std::uint64_t>(count)); }
  [[nodiscard]] int between(int low, int high) { return low + below(high - low + 1); }
  [[nodiscard]] double real(double low, double high)
  {
    return low + (high - low) * static_cast<double>(random_() >> 11U) * 0x1p-53;
  }
  [[nodiscard]] bool chance(double share) { return real(0, 1) < share; }
  template <class T>
  [[nodiscard]] T one_of(std::initializer_list<T> all)
  {
    return all.begin()[below(static_cast<int>(all.size()))];
  }

private:
  std::mt19937_64 random_;
};

/// Arrays of one step each, which go for the steps of one source.
class StepsInMemory final : public BrickSource
{
public:
  StepsInMemory(FieldInfo info, std::vector<std::unique_ptr<ArrayBricks>>&& steps)
    : info_(std::move(info))
    , steps_(std::move(steps))
  {
  }
  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return steps_.front()->bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    return steps_[static_cast<std::size_t>(key.step)]->try_get({ key.variable, 0, key.index });
  }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void*) override {}

  FieldInfo info_;
  std::vector<std::unique_ptr<ArrayBricks>> steps_;
};

/// A field, and a run through it.
class RandomCase
{
public:
  explicit RandomCase(std::uint64_t seed)
    : dice_(seed)
  {
    choose_grid();
    choose_values();
    choose_dataset();
    choose_options();
    choose_seeds();
  }

  [[nodiscard]] std::string trace_in_memory() { return trace(*in_memory(), 1); }
  [[nodiscard]] bool unsteady() const { return info_.times.size() > 1; }
  void interpolate_in_time(TimeInterpolation rule) { options_.time_interpolation = rule; }

  /// Where the first step of the field spins.
  [[nodiscard]] std::string find_seeds_in_memory()
  {
    const std::unique_ptr<BrickSource> source = in_memory();
    const Result<VortexSeeds> found = find_vortex_seeds(field_on(*source), { .minimum = 0.3, .count = 20 }, { 1, {} });
    EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().describe());
    std::string bytes;
    for (const VortexSeed& seed : found->seeds)
    {
      append(bytes, &seed.cell, 1);
      append(bytes, seed.position.data(), 3);
      append(bytes, &seed.vorticity, 1);
    }
    return bytes;
  }

  /// The same through a file in bricks of some size, read in each way.
  void expect_same_from_files(const std::string& expected, const TemporaryFolder& folder)
  {
    const std::string path = folder.file("field.rvf");
    const Int3 edges{ dice_.between(1, 9), dice_.between(1, 9), dice_.between(1, 9) };
    write(path, edges);
    for (const AccessStrategy strategy : { AccessStrategy::Automatic, AccessStrategy::MemoryMap,
             AccessStrategy::BufferedCache, AccessStrategy::DirectCache, AccessStrategy::Asynchronous })
    {
      const int threads = dice_.between(1, 8);
      const Result<std::shared_ptr<FileBricks>> source = open_field({ path }, { .strategy = strategy });
      ASSERT_TRUE(source.has_value()) << source.error().describe();
      // Within an interval of time a worker needs the bricks of both its ends, or of four time steps.
      const int bricks = !unsteady() ? 1 : options_.time_interpolation == TimeInterpolation::Cubic ? 4 : 2;
      const std::int64_t minimum = (*source)->working_minimum(bricks * threads);
      (*source)->set_memory_budget(minimum * dice_.one_of({ 1, 1, 2, 10, 1000 }));
      EXPECT_TRUE(trace(**source, threads) == expected)
          << name_of(strategy) << ", " << threads << " threads, bricks of " << edges[0] << " x " << edges[1] << " x "
          << edges[2] << " cells, budget " << (*source)->memory_budget();
    }
    std::remove(path.c_str());
  }

private:
  void choose_grid()
  {
    Grid& grid = info_.grid;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      grid.nodes[axis] = dice_.chance(0.15) ? 1 : dice_.chance(0.1) ? 2 : dice_.between(3, 20);
      grid.origin[axis] = dice_.one_of({ 0.0, 0.0, 0.1, -1.0 / 3, 1e3 });
      grid.spacing[axis] = dice_.one_of({ 1.0, 0.1, 1.0 / 3, -0.1, -1.0 });
    }
    if (dice_.chance(0.4))
    {
      grid.kind = Grid::Kind::Rectilinear;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        double at = grid.origin[axis];
        for (int i = 0; i < grid.nodes[axis]; ++i)
        {
          grid.axes[axis].push_back(at);
          at += grid.spacing[axis] * dice_.real(0.3, 1.5);
        }
      }
    }
    else if (dice_.chance(0.3))
    {
      const double half_tangent = dice_.real(-3, 3);
      const double square = half_tangent * half_tangent;
      const double c = (1.0 - square) / (1.0 + square);
      const double s = 2.0 * half_tangent / (1.0 + square);
      grid.direction = dice_.one_of<Mat3>({ { c, -s, 0, s, c, 0, 0, 0, 1 }, { 1, 0, 0, 0, c, -s, 0, s, c },
          { 0, 1, 0, 0, 0, -1, 1, 0, 0 }, { -1, 0, 0, 0, 1, 0, 0, 0, 1 } });
    }
  }

  void choose_values()
  {
    const auto type = [&]
    {
      return dice_.one_of({ ScalarType::Float32, ScalarType::Float64 });
    };
    const Centering centering = dice_.chance(0.25) ? Centering::Cell : Centering::Node;
    info_.variables = { { "velocity", type(), 3, centering },
      { "other", type(), dice_.between(1, 4), Centering::Node } };
    info_.times = { 0.0 };
    for (int more = dice_.chance(0.2) ? dice_.between(1, 3) : 0; more > 0; --more)
    {
      info_.times.push_back(info_.times.back() + dice_.real(0.1, 2));
    }
    info_.ranges.resize(2);
    for (std::size_t step = 0; step < info_.times.size(); ++step)
    {
      values_.push_back({ some_values(0), some_values(1) });
    }
  }

  /// Smooth, with zeros, large values, and now and then none at all.
  std::vector<std::byte> some_values(std::size_t number)
  {
    const Variable& variable = info_.variables[number];
    const Int3 lattice = info_.grid.lattice(variable.centering);
    const double zeros = dice_.one_of({ 0.0, 0.0, 0.1, 0.7 });
    const double large = dice_.one_of({ 0.0, 0.0, 0.02 });
    const double none = dice_.one_of({ 0.0, 0.0, 0.0, 0.01 });
    const bool in_plane = dice_.chance(0.5);
    const Vec3 mean{ dice_.real(-1, 1), dice_.real(-1, 1), dice_.real(-1, 1) };
    const double waves = dice_.real(0, 2);
    std::vector<double> values;
    for (std::int64_t i = 0; i < volume(lattice); ++i)
    {
      const Int3 at = from_row_major(i, lattice);
      const double factor = dice_.chance(zeros) ? 0.0 : dice_.chance(large) ? 1e6 : 1.0;
      for (int c = 0; c < variable.components; ++c)
      {
        const auto axis = static_cast<std::size_t>(c % 3);
        const double value = mean[axis] + waves * wave(0.45 * at[(axis + 1) % 3] + 0.25 * at[(axis + 2) % 3] + c);
        const bool across = in_plane && number == 0 && info_.grid.nodes[axis] == 1;
        values.push_back(across ? 0.0 : dice_.chance(none) ? dice_.one_of({ std::nan(""), HUGE_VAL }) : factor * value);
      }
    }
    std::vector<std::byte> bytes(values.size() * size_of(variable.type));
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      variable.type == ScalarType::Float32
          ? void(reinterpret_cast<float*>(bytes.data())[i] = static_cast<float>(values[i]))
          : void(reinterpret_cast<double*>(bytes.data())[i] = values[i]);
    }
    return bytes;
  }

  /// The whole field, or a part of it; hidden points and cells.
  void choose_dataset()
  {
    dataset_ = info_.grid;
    for (std::size_t axis = 0; axis < 3 && dice_.chance(0.3); ++axis)
    {
      const int cells = info_.grid.nodes[axis] - 1;
      if (cells < 2)
      {
        continue;
      }
      const int first = dice_.below(cells);
      offset_[axis] = first;
      dataset_.nodes[axis] = dice_.between(1, cells - first) + 1;
      if (dataset_.kind == Grid::Kind::Rectilinear)
      {
        const std::vector<double>& all = info_.grid.axes[axis];
        dataset_.axes[axis].assign(all.begin() + first, all.begin() + first + dataset_.nodes[axis]);
      }
      dataset_.first[axis] = dice_.chance(0.5) ? first : -3;
    }
    const auto hide = [&](const Int3& lattice, std::uint8_t flag)
    {
      std::vector<std::uint8_t> flags(static_cast<std::size_t>(volume(lattice)), 0);
      for (std::uint8_t& each : flags)
      {
        each = dice_.chance(0.03) ? flag : dice_.one_of<std::uint8_t>({ 0, 1 });
      }
      return flags;
    };
    hidden_points_ = dice_.chance(0.15) ? hide(dataset_.nodes, 2) : hidden_points_;
    hidden_cells_ = dice_.chance(0.2) ? hide(dataset_.cells(), 32) : hidden_cells_;
  }

  void choose_options()
  {
    options_.integrator = dice_.one_of({ Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 });
    options_.direction = dice_.one_of({ TraceDirection::Forward, TraceDirection::Backward, TraceDirection::Both });
    options_.step_unit = dice_.one_of({ StepUnit::CellLength, StepUnit::CellLength, StepUnit::Length });
    const double unit = options_.step_unit == StepUnit::Length ? 0.3 : 1.0;
    options_.initial_step = unit * dice_.one_of({ 0.1, 0.2, 0.5, 1.5, 1e-3 });
    options_.minimum_step = unit * dice_.one_of({ 0.0, 0.01, 0.1 });
    options_.maximum_step = unit * dice_.one_of({ 0.1, 0.5, 2.0 });
    options_.maximum_error = dice_.one_of({ 1e-6, 1e-3, 0.0 });
    options_.maximum_length = dice_.one_of({ 1.0, 10.0, 100.0 });
    options_.maximum_time = dice_.one_of({ 0.0, 0.0, 0.5, 5.0 });
    options_.maximum_steps = dice_.one_of({ 3, 100, 400 });
    options_.terminal_speed = dice_.one_of({ 1e-12, 0.0, 0.1 });
    options_.compute_vorticity = dice_.chance(0.5);
  }

  /// Anywhere, at nodes, on faces, and within rounding of them; some outside.
  void choose_seeds()
  {
    const GridGeometry space = *GridGeometry::create(dataset_);
    const int count = dice_.between(1, 40);
    for (int i = 0; i < count; ++i)
    {
      CellPosition at;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at.cell[axis] = dice_.below(dataset_.cells()[axis]);
        at.fraction[axis] =
            space.flat(static_cast<int>(axis)) ? 0.0 : dice_.one_of({ dice_.real(0, 1), 0.0, 1.0, 0.5 });
      }
      Vec3 seed = space.world(at);
      for (double& x : seed)
      {
        const double far = dice_.one_of({ HUGE_VAL, -HUGE_VAL });
        x = dice_.chance(0.1) ? std::nextafter(x, far) : x;
        x = dice_.chance(0.02) ? x + 100.0 : x;
      }
      seeds_.push_back({ seed, dice_.one_of({ info_.times.front(), info_.times.back(),
                                   dice_.real(info_.times.front(), info_.times.back()) }) });
    }
  }

  [[nodiscard]] std::unique_ptr<BrickSource> in_memory() const
  {
    std::vector<std::unique_ptr<ArrayBricks>> steps;
    for (const std::array<std::vector<std::byte>, 2>& step : values_)
    {
      steps.push_back(std::make_unique<ArrayBricks>(info_.grid,
          std::vector<MemoryArray>{ { info_.variables[0], step[0].data() }, { info_.variables[1], step[1].data() } }));
    }
    return std::make_unique<StepsInMemory>(info_, std::move(steps));
  }

  void write(const std::string& path, const Int3& edges) const
  {
    Result<std::unique_ptr<FieldFileWriter>> writer = FieldFileWriter::create(path, info_, { .brick_cells = edges });
    ASSERT_TRUE(writer.has_value()) << writer.error().describe();
    for (std::int32_t variable = 0; variable < 2; ++variable)
    {
      const BrickLayout& layout = (*writer)->layout(variable);
      for (std::int32_t step = 0; step < static_cast<std::int32_t>(values_.size()); ++step)
      {
        for (std::int64_t index = 0; index < layout.grid.size(); ++index)
        {
          const std::vector<std::byte> payload = brick_values_of(layout, { variable, step, index });
          const Result<void> written = (*writer)->write_brick({ variable, step, index }, payload.data());
          ASSERT_TRUE(written.has_value()) << written.error().describe();
        }
      }
    }
    const Result<void> finished = (*writer)->finish();
    ASSERT_TRUE(finished.has_value()) << finished.error().describe();
  }

  [[nodiscard]] std::vector<std::byte> brick_values_of(const BrickLayout& layout, const BrickKey& key) const
  {
    const auto number = static_cast<std::size_t>(key.variable);
    const std::vector<std::byte>& all = values_[static_cast<std::size_t>(key.step)][number];
    const std::size_t tuple = info_.variables[number].tuple_bytes();
    const Int3 brick = from_row_major(key.index, layout.grid.count);
    std::vector<std::byte> payload(static_cast<std::size_t>(layout.values));
    for (std::int64_t n = 0; n < volume(layout.nodes); ++n)
    {
      Int3 point = from_row_major(n, layout.nodes);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        point[axis] = std::min(point[axis] + brick[axis] * layout.cells[axis], layout.grid.lattice[axis] - 1);
      }
      const auto from = static_cast<std::ptrdiff_t>(tuple) * row_major(point, layout.grid.lattice);
      std::copy_n(all.begin() + from, tuple, payload.begin() + static_cast<std::ptrdiff_t>(tuple) * n);
    }
    return payload;
  }

  [[nodiscard]] TraceField field_on(BrickSource& source) const
  {
    TraceField field;
    field.velocity = { &source, 0, 0 };
    field.grid = dataset_;
    field.lattice_offset = offset_;
    field.point_ghosts = hidden_points_.empty() ? nullptr : hidden_points_.data();
    field.cell_ghosts = hidden_cells_.empty() ? nullptr : hidden_cells_.data();
    field.attributes = { { "velocity", { &source, 0, 0 } }, { "other", { &source, 1, 0 } } };
    return field;
  }

  [[nodiscard]] std::string trace(BrickSource& source, int threads) const
  {
    const TraceField field = field_on(source);
    const Result<TracedLines> lines = unsteady() ? pathlines(field, threads) : streamlines(field, threads);
    if (!lines || lines->data_error)
    {
      ADD_FAILURE() << (lines ? *lines->data_error : lines.error()).describe();
      return {};
    }
    return bytes_of(*lines);
  }

  [[nodiscard]] Result<TracedLines> streamlines(const TraceField& field, int threads) const
  {
    std::vector<Vec3> points;
    for (const PathSeed& seed : seeds_)
    {
      points.push_back(seed.point);
    }
    return trace_streamlines(field, points, options_, { threads, {} });
  }

  [[nodiscard]] Result<TracedLines> pathlines(const TraceField& field, int threads) const
  {
    PathlineOptions options;
    static_cast<TraceOptions&>(options) = options_;
    options.exact_ends = true;
    return trace_pathlines(field, {}, seeds_, options, { threads, {} });
  }

  Dice dice_;
  FieldInfo info_;
  std::vector<std::array<std::vector<std::byte>, 2>> values_; ///< of each step
  Grid dataset_;
  Int3 offset_{ 0, 0, 0 };
  std::vector<std::uint8_t> hidden_points_;
  std::vector<std::uint8_t> hidden_cells_;
  StreamlineOptions options_;
  std::vector<PathSeed> seeds_;
};

void run_case(std::uint64_t seed, const TemporaryFolder& folder)
{
  SCOPED_TRACE("RIVULET_RANDOM_SEED=" + std::to_string(seed));
  RandomCase random(seed);
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    if (rule == TimeInterpolation::Cubic && !random.unsteady())
    {
      break;
    }
    random.interpolate_in_time(rule);
    const std::string expected = random.trace_in_memory();
    expect_same_on_every_target("in memory", [&] { return random.trace_in_memory(); });
    for (int file = 0; file < 2 && !testing::Test::HasFailure(); ++file)
    {
      random.expect_same_from_files(expected, folder);
    }
  }
}

TEST(RandomRuns, GiveTheSameBytesFromFilesAsFromMemory)
{
  const TemporaryFolder folder;
  if (const char* seed = std::getenv("RIVULET_RANDOM_SEED"))
  {
    run_case(std::strtoull(seed, nullptr, 10), folder);
    return;
  }
  const char* wanted = std::getenv("RIVULET_RANDOM_CASES");
  const std::uint64_t cases = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kUsualCases;
  for (std::uint64_t seed = 0; seed < cases && !HasFailure(); ++seed)
  {
    run_case(seed, folder);
  }
}

/// Of two buckets with room for the bricks of one, each had its own read in turn without end.
TEST(RandomRuns, EndWithRoomForTheBricksOfOneInterval)
{
  const TemporaryFolder folder;
  for (const std::uint64_t seed : { 149, 659, 1098 })
  {
    run_case(seed, folder);
  }
}

/// "17, 5e0c..., 20312": the case, the hash of its bytes, and how many those are.
std::string row_of(std::uint64_t seed)
{
  RandomCase random(seed);
  const std::string bytes = random.trace_in_memory() + random.find_seeds_in_memory();
  std::ostringstream row;
  row << seed << ", " << std::hex << std::setfill('0') << std::setw(16) << XXH3_64bits(bytes.data(), bytes.size())
      << ", " << std::dec << bytes.size();
  return row.str();
}

TEST(RandomRuns, GiveTheBytesThatAreKept)
{
  if (const char* path = std::getenv("RIVULET_KEEP_BYTES"))
  {
    std::ofstream rows(path);
    rows << "case, hash, bytes\n";
    for (std::uint64_t seed = 0; seed < kKeptCases; ++seed)
    {
      rows << row_of(seed) << '\n';
    }
    return;
  }
  std::ifstream rows(RIVULET_KEPT_BYTES);
  std::string row;
  std::getline(rows, row); // the header
  std::uint64_t seed = 0;
  for (; std::getline(rows, row); ++seed)
  {
    EXPECT_EQ(row_of(seed), row) << "RIVULET_RANDOM_SEED=" << seed;
  }
  EXPECT_EQ(seed, kKeptCases);
}

} // namespace
} // namespace rivulet::test
