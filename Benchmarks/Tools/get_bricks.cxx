// SPDX-License-Identifier: BSD-3-Clause
// Gets bricks of a series of field files and prints rates as one line of JSON. Runs of store.py are processes of this
// program.
//
//   get_bricks STEP... --write 226,226,181 --cells 9         a file for each step; values are functions of their place
//   get_bricks STEP... --check --strategy 4 --budget 0       compares every value of every brick
//   get_bricks STEP... --warm --strategy 1 --threads 2       reads every brick, then gets random ones
//   get_bricks STEP... --order --budget BYTES                gets of a few often used bricks, against exact replacement
//   get_bricks STEP... --cold --under-way 64 --gets 200000   random bricks, each once
//
// Each get reads one value of the brick, and the sum of these values must be right. With --unread it is the sum of the
// places of the bricks.
#include "Base/Bytes.h"
#include "CommandLine/CommandLine.h"
#include "Io/FieldFile/FieldFileWriter.h"
#include "Store/Field/OpenField.h"
#include "Store/Source/WaitForBrick.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unordered_map>

namespace
{

using namespace rivulet;
using Clock = std::chrono::steady_clock;

struct Arguments
{
  std::vector<std::string> paths;
  std::vector<int> write;
  int cells = 9;
  bool check = false;
  bool warm = false;
  bool unread = false;
  bool order = false;
  bool cold = false;
  int strategy = 0;
  std::int64_t budget = 0;
  int threads = 1;
  int under_way = 1;
  std::int64_t gets = 1'000'000;
};

// ------------------------------------------------------------------------------------------------------------- values

/// The finalizer of MurmurHash3.
std::uint64_t scrambled(std::uint64_t bits)
{
  bits = (bits ^ (bits >> 33U)) * 0xff51afd7ed558ccdULL;
  bits = (bits ^ (bits >> 33U)) * 0xc4ceb9fe1a85ec53ULL;
  return bits ^ (bits >> 33U);
}

/// Bits of a float in [1, 2): component c at a node.
std::uint32_t value_at(std::int64_t step, const Int3& node, int c)
{
  const auto place = static_cast<std::uint64_t>(((step * 4096 + node[2]) * 4096 + node[1]) * 4096 + node[0]);
  return 0x3f800000U | static_cast<std::uint32_t>(scrambled(place * 3 + static_cast<std::uint64_t>(c)) & 0x7fffffU);
}

std::uint32_t bits_at(const BrickView& view, std::int64_t scalar)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, static_cast<const float*>(view.data) + scalar, sizeof bits);
  return bits;
}

/// Whether all values of a brick are those of its place.
bool right(const BrickView& view, std::int64_t step)
{
  const Box& box = view.lattice;
  bool same = true;
  for (std::int32_t k = box.begin[2]; k < box.end[2]; ++k)
  {
    for (std::int32_t j = box.begin[1]; j < box.end[1]; ++j)
    {
      for (std::int32_t i = box.begin[0]; i < box.end[0]; ++i)
      {
        const std::int64_t at = (i - box.begin[0]) * view.stride[0] + (j - box.begin[1]) * view.stride[1] +
                                (k - box.begin[2]) * view.stride[2];
        for (int c = 0; c < view.components; ++c)
        {
          same = same && bits_at(view, at + c * view.component_stride) == value_at(step, { i, j, k }, c);
        }
      }
    }
  }
  return same;
}

Result<void> write_step(const Arguments& arguments, std::int64_t step)
{
  FieldInfo info;
  info.grid.nodes = { arguments.write[0], arguments.write[1], arguments.write[2] };
  info.times = { static_cast<double>(step) };
  info.variables = { { "velocity", ScalarType::Float32, 3, Centering::Node } };
  Result<std::unique_ptr<FieldFileWriter>> writer =
      FieldFileWriter::create(arguments.paths[static_cast<std::size_t>(step)], info,
          { .brick_cells = { arguments.cells, arguments.cells, arguments.cells } });
  if (!writer)
  {
    return forward_error(writer);
  }
  const BrickLayout& layout = (*writer)->layout(0);
  std::vector<std::uint32_t> values(static_cast<std::size_t>(layout.values) / sizeof(std::uint32_t));
  for (std::int64_t brick = 0; brick < layout.grid.size(); ++brick)
  {
    const Int3 corner = from_row_major(brick, layout.grid.count);
    std::size_t at = 0;
    for (std::int64_t node = 0; node < volume(layout.nodes); ++node)
    {
      Int3 place = from_row_major(node, layout.nodes);
      for (int axis = 0; axis < 3; ++axis)
      {
        place[axis] = std::min(place[axis] + corner[axis] * layout.cells[axis], layout.grid.lattice[axis] - 1);
      }
      for (int c = 0; c < 3; ++c)
      {
        values[at++] = value_at(step, place, c);
      }
    }
    if (Result<void> written = (*writer)->write_brick({ 0, 0, brick }, values.data()); !written)
    {
      return written;
    }
  }
  return (*writer)->finish();
}

Result<nlohmann::json> write(const Arguments& arguments)
{
  for (std::size_t step = 0; step < arguments.paths.size(); ++step)
  {
    if (Result<void> written = write_step(arguments, static_cast<std::int64_t>(step)); !written)
    {
      return forward_error(written);
    }
  }
  return nlohmann::json{ { "steps", arguments.paths.size() } };
}

// --------------------------------------------------------------------------------------------------------------- keys

/// Bricks of all steps, numbered.
struct Bricks
{
  std::int64_t each = 0; ///< of a step
  std::int64_t all = 0;
  BrickGrid grid;

  explicit Bricks(const BrickSource& source)
    : each(source.bricks(0).size())
    , all(each * static_cast<std::int64_t>(source.info().times.size()))
    , grid(source.bricks(0))
  {
  }
  [[nodiscard]] BrickKey key(std::int64_t number) const
  {
    return { 0, static_cast<std::int32_t>(number / each), number % each };
  }
  /// Bits of the first value of a brick.
  [[nodiscard]] std::uint32_t first_value(const BrickKey& key) const
  {
    Int3 node = from_row_major(key.index, grid.count);
    for (int axis = 0; axis < 3; ++axis)
    {
      node[axis] *= grid.cells[axis];
    }
    return value_at(key.step, node, 0);
  }
};

/// A stream of random numbers below a limit.
class Stream
{
public:
  Stream(std::uint64_t seed, std::int64_t limit)
    : state_(scrambled(seed + 1))
    , limit_(static_cast<std::uint64_t>(limit))
  {
  }
  [[nodiscard]] std::int64_t next()
  {
    state_ ^= state_ << 13U; // xorshift64, G. Marsaglia 2003
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<std::int64_t>((state_ >> 32U) * limit_ >> 32U);
  }

private:
  std::uint64_t state_;
  std::uint64_t limit_;
};

/// All numbers below a limit in random order.
std::vector<std::int64_t> shuffled(std::int64_t limit)
{
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(limit));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::int64_t last = limit - 1; last > 0; --last)
  {
    const auto other = static_cast<std::size_t>(scrambled(static_cast<std::uint64_t>(last)) % (last + 1));
    std::swap(numbers[static_cast<std::size_t>(last)], numbers[other]);
  }
  return numbers;
}

/// Numbers of which the r-th most frequent one has a share like 1 / r (G. Zipf).
std::vector<std::int64_t> zipf_stream(std::int64_t limit, std::int64_t length)
{
  std::vector<double> sums(static_cast<std::size_t>(limit));
  double sum = 0;
  for (std::size_t rank = 0; rank < sums.size(); ++rank)
  {
    sum += 1.0 / static_cast<double>(rank + 1);
    sums[rank] = sum;
  }
  const std::vector<std::int64_t> of_rank = shuffled(limit);
  Stream random(7, std::int64_t{ 1 } << 31);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(length));
  for (std::int64_t& number : numbers)
  {
    const double at = sum * std::ldexp(static_cast<double>(random.next()), -31);
    number = of_rank[static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin())];
  }
  return numbers;
}

/// Hits of a cache of so many bricks that drops exactly the least recently used one, or the first that came.
std::int64_t exact_hits(const std::vector<std::int64_t>& numbers, std::int64_t capacity, bool by_use)
{
  std::list<std::int64_t> ages;
  std::unordered_map<std::int64_t, std::list<std::int64_t>::iterator> held;
  std::int64_t hits = 0;
  for (const std::int64_t number : numbers)
  {
    if (const auto found = held.find(number); found != held.end())
    {
      ++hits;
      by_use ? ages.splice(ages.end(), ages, found->second) : void();
      continue;
    }
    if (static_cast<std::int64_t>(held.size()) == capacity)
    {
      held.erase(ages.front());
      ages.pop_front();
    }
    held[number] = ages.insert(ages.end(), number);
  }
  return hits;
}

// --------------------------------------------------------------------------------------------------------------- gets

/// Requests with answers that one thread takes.
class Answers final : public BrickWaiter
{
public:
  struct Answer
  {
    BrickKey key;
    Lookup found;
  };

  void brick_arrived(const BrickKey& key, Lookup&& found) override
  {
    const std::lock_guard lock(mutex_);
    answers_.push_back({ key, std::move(found) });
    if (answers_.size() == 1)
    {
      condition_.notify_one();
    }
  }
  /// The answers so far, at least one. The memory of `taken` is used again.
  void take(std::vector<Answer>& taken)
  {
    taken.clear();
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [this] { return !answers_.empty(); });
    answers_.swap(taken);
  }

private:
  std::mutex mutex_;
  std::condition_variable condition_;
  std::vector<Answer> answers_;
};

using Visit = std::function<void(const BrickKey&, const BrickView&)>;

Result<void> visit(const BrickKey& key, const Lookup& found, const Visit& visitor)
{
  if (found.state == Lookup::State::Failed)
  {
    return tl::unexpected(*found.error);
  }
  visitor(key, found.pin.view());
  return {};
}

/// Gets bricks [first, last) from one thread with so many requests under way.
Result<void> get_requested(BrickSource& source, std::span<const BrickKey> keys, int under_way, const Visit& visitor)
{
  Answers answers;
  std::vector<Answers::Answer> taken;
  std::size_t next = 0;
  std::size_t open = 0;
  Result<void> good;
  while (open > 0 || (good && next < keys.size()))
  {
    while (good && next < keys.size() && open < static_cast<std::size_t>(under_way))
    {
      const BrickKey key = keys[next++];
      if (const Lookup found = source.try_get(key); found.state != Lookup::State::Miss)
      {
        good = visit(key, found, visitor);
        continue;
      }
      ++open;
      source.request(key, answers);
    }
    if (open == 0)
    {
      continue;
    }
    answers.take(taken);
    for (const Answers::Answer& answer : taken)
    {
      if (answer.found.state == Lookup::State::Miss)
      {
        source.request(answer.key, answers);
        continue;
      }
      --open;
      good = good ? visit(answer.key, answer.found, visitor) : good;
    }
  }
  return good;
}

/// Gets bricks, each from one of several threads.
Result<void> get_by_threads(BrickSource& source, std::span<const BrickKey> keys, int threads, const Visit& visitor)
{
  std::mutex mutex;
  Result<void> good;
  std::vector<std::thread> team;
  for (int number = 0; number < threads; ++number)
  {
    team.emplace_back(
        [&, number]
        {
          for (auto at = static_cast<std::size_t>(number); at < keys.size(); at += static_cast<std::size_t>(threads))
          {
            std::shared_ptr<const Error> error;
            const BrickPin pin = wait_for_brick(source, keys[at], error);
            if (!pin)
            {
              const std::lock_guard lock(mutex);
              good = tl::unexpected(*error);
              return;
            }
            visitor(keys[at], pin.view());
          }
        });
  }
  for (std::thread& thread : team)
  {
    thread.join();
  }
  return good;
}

Result<void> get_all(FileBricks& source, std::span<const BrickKey> keys, int under_way, const Visit& visitor)
{
  return source.strategy() == AccessStrategy::Asynchronous ? get_requested(source, keys, under_way, visitor)
                                                           : get_by_threads(source, keys, under_way, visitor);
}

std::vector<BrickKey> keys_of(const Bricks& bricks, std::span<const std::int64_t> numbers)
{
  std::vector<BrickKey> keys(numbers.size());
  std::transform(numbers.begin(), numbers.end(), keys.begin(), [&](std::int64_t number) { return bricks.key(number); });
  return keys;
}

/// Compares every value of every brick.
Result<void> check(FileBricks& source, int threads)
{
  const Bricks bricks(source);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(bricks.all));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::atomic<std::int64_t> wrong{ 0 };
  Result<void> got = get_all(source, keys_of(bricks, numbers), threads,
      [&](const BrickKey& key, const BrickView& view) { wrong += right(view, key.step) ? 0 : 1; });
  if (got && wrong > 0)
  {
    return fail(ErrorCode::Corrupt, std::to_string(wrong) + " bricks have other values than were written");
  }
  return got;
}

// ------------------------------------------------------------------------------------------------------- measurements

double processor_seconds()
{
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time)
  {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Bytes that the process has read from devices.
std::int64_t device_bytes()
{
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{ 512 } * usage.ru_inblock;
}

/// Measures what a source does from the construction to result().
class Measure
{
public:
  explicit Measure(const FileBricks& source)
    : source_(source)
    , before_(source.statistics())
    , processor_(processor_seconds())
    , device_(device_bytes())
    , start_(Clock::now())
  {
  }
  [[nodiscard]] nlohmann::json result(std::int64_t gets) const
  {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double processor = processor_seconds() - processor_;
    const SourceStatistics done = source_.statistics().since(before_);
    return { { "gets", gets }, { "seconds", seconds }, { "processor_seconds", processor }, { "hits", done.cache_hits },
      { "misses", done.cache_misses }, { "bricks_read", done.bricks_read }, { "bytes_read", done.bytes_read },
      { "device_bytes", device_bytes() - device_ }, { "peak_bytes", done.peak_bytes },
      { "budget", source_.memory_budget() }, { "reason", source_.strategy_reason() } };
  }

private:
  const FileBricks& source_;
  SourceStatistics before_;
  double processor_;
  std::int64_t device_;
  Clock::time_point start_;
};

/// Sum over random bricks; throws std::runtime_error if one cannot be had.
using RandomGets = std::function<std::uint64_t(Stream stream)>;

BrickPin get(BrickSource& source, const BrickKey& key)
{
  Lookup found = source.try_get(key);
  if (found.state != Lookup::State::Ready)
  {
    std::shared_ptr<const Error> error;
    found.pin = wait_for_brick(source, key, error);
    if (!found.pin)
    {
      throw std::runtime_error(error->describe());
    }
  }
  return std::move(found.pin);
}

/// What the sum of a brick is made of: its first value, or only its place.
std::uint64_t expected_of(const Bricks& bricks, std::int64_t number, bool read)
{
  const BrickKey key = bricks.key(number);
  return read ? bricks.first_value(key)
              : static_cast<std::uint64_t>(from_row_major(key.index, bricks.grid.count)[1] * bricks.grid.cells[1]);
}

Result<nlohmann::json> time_random(
    const FileBricks& source, const Bricks& bricks, const Arguments& arguments, const RandomGets& gets)
{
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(arguments.threads));
  std::vector<std::future<std::uint64_t>> team;
  const Measure measure(source);
  for (std::size_t i = 0; i < sums.size(); ++i)
  {
    team.push_back(std::async(std::launch::async, gets, Stream(i, bricks.all)));
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
  {
    sums[i] = team[i].get();
  }
  nlohmann::json result = measure.result(arguments.gets * arguments.threads);
  for (std::size_t i = 0; i < sums.size(); ++i)
  {
    std::uint64_t expected = 0;
    Stream again(i, bricks.all);
    for (std::int64_t n = 0; n < arguments.gets; ++n)
    {
      expected += expected_of(bricks, again.next(), !arguments.unread);
    }
    if (sums[i] != expected)
    {
      return fail(ErrorCode::Corrupt, "random gets gave other values than were written");
    }
  }
  return result;
}

Result<nlohmann::json> warm(FileBricks& source, const Arguments& arguments)
{
  const Bricks bricks(source);
  if (Result<void> good = check(source, arguments.threads); !good)
  {
    return forward_error(good);
  }
  return time_random(source, bricks, arguments,
      [&](Stream stream)
      {
        std::uint64_t sum = 0;
        for (std::int64_t i = 0; i < arguments.gets; ++i)
        {
          const BrickPin pin = get(source, bricks.key(stream.next()));
          sum += arguments.unread ? static_cast<std::uint64_t>(pin.view().lattice.begin[1]) : bits_at(pin.view(), 0);
        }
        return sum;
      });
}

Result<nlohmann::json> order(FileBricks& source, const Arguments& arguments)
{
  const Bricks bricks(source);
  if (Result<void> good = check(source, arguments.threads); !good)
  {
    return forward_error(good);
  }
  const std::vector<std::int64_t> numbers = zipf_stream(bricks.all, arguments.gets);
  source.set_memory_budget(1); // begins without bricks
  source.set_memory_budget(arguments.budget);
  std::uint64_t sum = 0;
  std::uint64_t expected = 0;
  const Measure measure(source);
  Result<void> got = get_by_threads(
      source, keys_of(bricks, numbers), 1, [&](const BrickKey&, const BrickView& view) { sum += bits_at(view, 0); });
  nlohmann::json result = measure.result(arguments.gets);
  if (!got)
  {
    return forward_error(got);
  }
  for (const std::int64_t number : numbers)
  {
    expected += bricks.first_value(bricks.key(number));
  }
  if (sum != expected)
  {
    return fail(ErrorCode::Corrupt, "gets gave other values than were written");
  }
  const std::int64_t capacity = arguments.budget / source.working_minimum(1);
  result["least_recently_used_hits"] = exact_hits(numbers, capacity, true);
  result["first_come_hits"] = exact_hits(numbers, capacity, false);
  return result;
}

Result<nlohmann::json> cold(FileBricks& source, const Arguments& arguments)
{
  const Bricks bricks(source);
  const std::vector<std::int64_t> numbers = shuffled(bricks.all);
  const std::int64_t gets = std::min(arguments.gets, bricks.all);
  const std::vector<BrickKey> keys =
      keys_of(bricks, std::span<const std::int64_t>(numbers).first(static_cast<std::size_t>(gets)));
  std::atomic<std::int64_t> wrong{ 0 };
  const Measure measure(source);
  Result<void> got = get_all(source, keys, arguments.under_way,
      [&](const BrickKey& key, const BrickView& view)
      { wrong += bits_at(view, 0) == bricks.first_value(key) ? 0 : 1; });
  nlohmann::json result = measure.result(gets);
  if (got && wrong > 0)
  {
    return fail(ErrorCode::Corrupt, std::to_string(wrong) + " gets gave other values than were written");
  }
  return got ? Result<nlohmann::json>(std::move(result)) : forward_error(got);
}

Result<nlohmann::json> run(const Arguments& arguments)
{
  if (!arguments.write.empty())
  {
    return write(arguments);
  }
  Result<std::shared_ptr<FileBricks>> source = open_field(arguments.paths,
      { .strategy = static_cast<AccessStrategy>(arguments.strategy), .memory_budget = arguments.budget });
  if (!source)
  {
    return forward_error(source);
  }
  Result<nlohmann::json> result = nlohmann::json{ { "bricks", Bricks(**source).all } };
  if (arguments.check)
  {
    Result<void> good = check(**source, arguments.threads);
    return good ? result : forward_error(good);
  }
  result = arguments.warm    ? warm(**source, arguments)
           : arguments.order ? order(**source, arguments)
                             : cold(**source, arguments);
  Result<void> healthy = (*source)->health();
  return healthy ? result : forward_error(healthy);
}

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  cli::Program program("Gets bricks of a series of field files.");
  program.option("file", arguments.paths, "one for each step").required();
  program.option("--write", arguments.write, "nodes along each axis: writes the files").values(3, 3).delimiter(',');
  program.option("--cells", arguments.cells, "of a brick along each axis");
  program.flag("--check", arguments.check, "compares every value");
  program.flag("--warm", arguments.warm, "gets random bricks after all were read");
  program.flag("--unread", arguments.unread, "pins them only");
  program.flag("--order", arguments.order, "gets bricks of which few are used often");
  program.flag("--cold", arguments.cold, "gets random bricks, each once");
  program.option("--strategy", arguments.strategy);
  program.option("--budget", arguments.budget, "bytes");
  program.option("--threads", arguments.threads);
  program.option("--under-way", arguments.under_way, "bricks that are waited for at a time");
  program.option("--gets", arguments.gets, "for each thread");
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  const auto answer = run(arguments);
  if (!answer)
  {
    std::fprintf(stderr, "get_bricks: %s\n", answer.error().describe().c_str());
    return 1;
  }
  std::printf("%s\n", answer->dump().c_str());
  return 0;
}
