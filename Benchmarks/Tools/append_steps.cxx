// SPDX-License-Identifier: BSD-3-Clause
// Appends steps to a store from memory, each beside a plain write of as many bytes, and prints a line of JSON for each:
//
//   append_steps DIR NODES CELLS STEPS THREADS         NODES^3 float vectors in bricks of CELLS^3 cells
//   append_steps DIR NODES CELLS STEPS THREADS each    each brick with a call of its own, in the order of the curve
//
// Bricks are written in runs of 4 MiB otherwise.
//
// Plain writes are the fastest there is: one file, 4 MiB at a time past the page cache, on one thread, then fdatasync.
// The records of a step are filled before its time is taken, as a simulation has its values; checksums and ranges are
// in the time. At the end all bricks are read back and compared.
#include "Base/Bytes.h"
#include "Curve/Hilbert.h"
#include "Io/Series/StoreFolder.h"
#include "Io/Series/StoreWriter.h"
#include "Parallel/Team.h"
#include "Store/Field/OpenField.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace
{

using namespace rivulet;

constexpr std::int64_t kBatch = 4 * kMiB;

struct Options
{
  std::string folder;
  int nodes = 0;
  int cells = 0;
  int steps = 0;
  int threads = 0;
  bool each = false;
};

struct Seconds
{
  double begin = 0; ///< until the file is there, with room for all bricks
  double write = 0;
  double finish = 0;
};

[[noreturn]] void stop(const std::string& why)
{
  std::fprintf(stderr, "append_steps: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
void need(const Result<T>& done)
{
  if (!done)
  {
    stop(done.error().describe());
  }
}

double seconds_since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The first number of a brick's values; the others follow it one by one.
float first_value(int step, std::int64_t hilbert)
{
  return static_cast<float>(step * 1000 + hilbert % 997);
}

struct Free
{
  void operator()(std::byte* bytes) const { std::free(bytes); }
};

/// Records of a whole step, page-aligned.
class Step
{
public:
  Step(const BrickLayout& layout, int step)
    : layout_(layout)
    , bytes_(static_cast<std::byte*>(
          std::aligned_alloc(4096, static_cast<std::size_t>(layout.grid.size() * layout.stride))))
  {
    for (std::int64_t brick = 0; brick < layout.grid.size(); ++brick)
    {
      std::byte* record = bytes_.get() + brick * layout.stride;
      std::memset(record, 0, static_cast<std::size_t>(layout.stride));
      auto* values = reinterpret_cast<float*>(record);
      for (std::int64_t i = 0; i < layout.payload / 4; ++i)
      {
        values[i] = first_value(step, brick) + static_cast<float>(i) / 16384;
      }
    }
  }
  [[nodiscard]] std::byte* record(std::int64_t brick) { return bytes_.get() + brick * layout_.stride; }
  [[nodiscard]] std::int64_t bytes() const { return layout_.grid.size() * layout_.stride; }

private:
  const BrickLayout& layout_;
  std::unique_ptr<std::byte, Free> bytes_;
};

double write_plainly(const Options& options, Step& step)
{
  const std::string path = options.folder + "/plain";
  const auto start = std::chrono::steady_clock::now();
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_DIRECT, 0644);
  for (std::int64_t at = 0; at < step.bytes(); at += kBatch)
  {
    const auto bytes = static_cast<std::size_t>(std::min(kBatch, step.bytes() - at));
    if (file < 0 || ::write(file, step.record(0) + at, bytes) != static_cast<ssize_t>(bytes))
    {
      stop("plain writes past the page cache are not possible here");
    }
  }
  ::fdatasync(file);
  ::close(file);
  const double seconds = seconds_since(start);
  ::unlink(path.c_str());
  return seconds;
}

Seconds append(StoreWriter& store, const FieldInfo& info, const Options& options, Step& step)
{
  Seconds seconds;
  auto start = std::chrono::steady_clock::now();
  const auto writer = store.begin_step(info);
  need(writer);
  seconds.begin = seconds_since(start);
  start = std::chrono::steady_clock::now();
  const BrickLayout& layout = (*writer)->layout(0);
  const HilbertCurve curve(layout.grid.count);
  const std::int64_t batch = std::max<std::int64_t>(1, kBatch / layout.stride);
  std::atomic<std::int64_t> next{ 0 };
  const auto write = [&](std::int64_t first, std::int64_t count)
  {
    if (!options.each)
    {
      need((*writer)->write_run(0, 0, first, count, step.record(first)));
      return;
    }
    for (std::int64_t brick = first; brick < first + count; ++brick)
    {
      need((*writer)->write_brick({ 0, 0, row_major(curve.at(brick), layout.grid.count) }, step.record(brick)));
    }
  };
  run_team(
      options.threads,
      [&](int)
      {
        for (std::int64_t first = batch * next++; first < layout.grid.size(); first = batch * next++)
        {
          write(first, std::min(batch, layout.grid.size() - first));
        }
      },
      [] {});
  seconds.write = seconds_since(start);
  start = std::chrono::steady_clock::now();
  need((*writer)->finish());
  seconds.finish = seconds_since(start);
  return seconds;
}

/// Whether each brick begins with the value that was written.
void compare(const Options& options, const std::string& path)
{
  const auto field = open_field({ path }, { .strategy = AccessStrategy::BufferedCache });
  need(field);
  const BrickGrid& bricks = (*field)->bricks(0);
  for (int step = 0; step < options.steps; ++step)
  {
    for (std::int64_t index = 0; index < bricks.size(); ++index)
    {
      const BrickKey key{ 0, step, index };
      const Lookup found = (*field)->try_get(key);
      const std::int64_t hilbert = (*field)->storage_order(key) - (*field)->storage_order({ 0, step, 0 });
      if (found.state != Lookup::State::Ready ||
          *static_cast<const float*>(found.pin.view().data) != first_value(step, hilbert))
      {
        stop("a brick is not what was written");
      }
    }
  }
}

} // namespace

int main(int argc, char** argv)
{
  if (argc != 6 && (argc != 7 || std::string(argv[6]) != "each"))
  {
    stop("usage: append_steps DIR NODES CELLS STEPS THREADS [each]");
  }
  const Options options{ argv[1], std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]),
    argc == 7 };
  FieldInfo info;
  info.grid.nodes = { options.nodes, options.nodes, options.nodes };
  info.variables = { { "velocity", ScalarType::Float32, 3, Centering::Node } };
  const std::string path = options.folder + "/appended.rvs";
  std::filesystem::remove_all(path);
  const auto store = StoreWriter::open(path, { .brick_cells = Int3{ options.cells, options.cells, options.cells } });
  need(store);
  info.times = { 0.0 };
  const auto probe = FieldFileWriter::create(
      options.folder + "/probe.rvf", info, { .brick_cells = { options.cells, options.cells, options.cells } });
  need(probe);
  const BrickLayout layout = (*probe)->layout(0);
  for (int number = 0; number < options.steps; ++number)
  {
    info.times = { static_cast<double>(number) };
    Step step(layout, number);
    const double plain = write_plainly(options, step);
    const Seconds appended = append(**store, info, options, step);
    const auto file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(step_path(path, number)));
    const nlohmann::ordered_json line{ { "nodes", options.nodes }, { "cells", options.cells },
      { "threads", options.threads }, { "step", number }, { "bricks", layout.grid.size() },
      { "value_bytes", layout.grid.size() * layout.payload }, { "record_bytes", step.bytes() },
      { "file_bytes", file_bytes }, { "plain_seconds", plain },
      { "append_seconds", appended.begin + appended.write + appended.finish }, { "begin_seconds", appended.begin },
      { "write_seconds", appended.write }, { "finish_seconds", appended.finish } };
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }
  compare(options, path);
  std::filesystem::remove_all(path);
  return 0;
}
