// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/VortexSeeds.h"

#include "Parallel/Team.h"
#include "Parallel/ThreadExecutor.h"
#include "Trace/Mesh/CellPosition.h"
#include "Trace/Mesh/CurvilinearMesh.h"
#include "Trace/Mesh/GridGeometry.h"
#include "Trace/Mesh/UnstructuredMesh.h"
#include "Trace/Seeds/SpinOfCells.h"
#include "Trace/Seeds/Tiling.h"
#include "Trace/Seeds/VelocityPatch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>

namespace rivulet
{

namespace
{

bool smaller_hash(const VortexSeed& a, const VortexSeed& b)
{
  return a.hash != b.hash ? a.hash < b.hash : a.cell < b.cell;
}

/// The mixing step of SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
std::uint64_t mix(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Keeps the `count` seeds with the smallest hashes of all that are offered: a heap with the largest hash on top.
class Sieve
{
public:
  explicit Sieve(std::int64_t count)
    : count_(static_cast<std::size_t>(count))
  {
  }

  [[nodiscard]] bool wants(std::uint64_t hash) const { return heap_.size() < count_ || hash <= heap_.front().hash; }

  void offer(const VortexSeed& seed)
  {
    heap_.push_back(seed);
    std::push_heap(heap_.begin(), heap_.end(), smaller_hash);
    if (heap_.size() > count_)
    {
      std::pop_heap(heap_.begin(), heap_.end(), smaller_hash);
      heap_.pop_back();
    }
  }

  [[nodiscard]] const std::vector<VortexSeed>& seeds() const { return heap_; }

private:
  std::size_t count_;
  std::vector<VortexSeed> heap_;
};

std::uint64_t hash_of(std::int64_t cell, const VortexSeedOptions& options)
{
  return mix(mix(options.random_seed) ^ static_cast<std::uint64_t>(cell));
}

double limit_of(const VortexSeedOptions& options)
{
  return options.maximum > 0.0 ? options.maximum : std::numeric_limits<double>::max();
}

/// State shared by the workers.
struct Search
{
  Search(const AdvectionContext& the_context, const VortexSeedOptions& the_options)
    : context(the_context)
    , options(the_options)
    , limit(limit_of(the_options))
    , tiling(the_context)
    , next(the_options.part)
  {
  }

  const AdvectionContext& context;
  const VortexSeedOptions& options;
  double limit; ///< upper end of the range
  Tiling tiling;
  std::atomic<std::int64_t> next; ///< next box of tiles
  std::atomic<bool> stop{ false };
  std::mutex error_mutex;
  std::shared_ptr<const Error> error;
};

/// Searches boxes of tiles, one after the other.
class Searcher
{
public:
  explicit Searcher(Search& search)
    : search_(search)
    , patch_(search.context)
    , sieve_(search.options.count)
  {
  }

  /// Searches a tile, or takes the next box of tiles. Never waits.
  [[nodiscard]] Slice slice()
  {
    if (search_.stop.load(std::memory_order_relaxed))
    {
      return patch_.brick_missing() ? Slice::Waits : Slice::Done;
    }
    if (loading_)
    {
      return search_tile();
    }
    if (tile_ == tiles_.size())
    {
      return take_block() ? Slice::Worked : Slice::Done;
    }
    if (!can_spin(tiles_[tile_]))
    {
      culled_ += tiles_[tile_++].cells.count();
      return Slice::Worked;
    }
    patch_.begin(tiles_[tile_].cells);
    loading_ = true;
    return search_tile();
  }

  void wait() { patch_.wait(); }

  [[nodiscard]] const Sieve& sieve() const { return sieve_; }
  [[nodiscard]] std::int64_t in_range() const { return in_range_; }
  [[nodiscard]] std::int64_t culled() const { return culled_; }

private:
  [[nodiscard]] bool take_block()
  {
    const std::int64_t block = search_.next.fetch_add(search_.options.parts);
    if (block >= search_.tiling.blocks())
    {
      return false;
    }
    tiles_ = search_.tiling.tiles_of(block);
    tile_ = 0;
    return true;
  }

  [[nodiscard]] Slice search_tile()
  {
    std::shared_ptr<const Error> error;
    const Lookup::State loaded = patch_.load(error);
    if (loaded == Lookup::State::Miss)
    {
      return Slice::Waits;
    }
    loading_ = false;
    const Box& cells = tiles_[tile_++].cells;
    if (loaded == Lookup::State::Failed)
    {
      const std::lock_guard lock(search_.error_mutex);
      search_.error = search_.error ? search_.error : error;
      return Slice::Worked;
    }
    for (std::int32_t k = cells.begin[2]; k < cells.end[2]; ++k)
    {
      for (std::int32_t j = cells.begin[1]; j < cells.end[1]; ++j)
      {
        for (std::int32_t i = cells.begin[0]; i < cells.end[0]; ++i)
        {
          judge({ i, j, k });
        }
      }
    }
    return Slice::Worked;
  }

  /// Upper bound of the vorticity: |curl v| <= sum over axes of |gradient of the index| * |change of v|, and v changes
  /// by at most twice its largest value. False if the bound is below the range.
  [[nodiscard]] bool can_spin(const Tile& tile) const
  {
    const auto brick = static_cast<std::size_t>(tile.brick);
    if (search_.context.mesh().grid() == nullptr || search_.context.velocity().centering != Centering::Node ||
        brick >= search_.options.speed_ranges.size())
    {
      return true;
    }
    double gradients = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      gradients += steepest(tile.cells, axis);
    }
    const double speed = search_.options.speed_ranges[brick][1] * (1.0 + 1e-6); // the range may be rounded
    return !(2.0 * speed * gradients < search_.options.minimum);
  }

  /// Largest gradient of the index along one axis in these cells.
  [[nodiscard]] double steepest(const Box& cells, std::size_t axis) const
  {
    const GridGeometry& mesh = *search_.context.mesh().grid();
    if (mesh.flat(static_cast<int>(axis)))
    {
      return 0.0;
    }
    Int3 cell = cells.begin;
    double largest = 0.0;
    for (; cell[axis] < cells.end[axis]; ++cell[axis])
    {
      const Mat3 m = mesh.index_from_world(cell);
      largest = std::max(largest, std::hypot(m[3 * axis], m[3 * axis + 1], m[3 * axis + 2]));
    }
    return largest;
  }

  void judge(const Int3& cell)
  {
    const double vorticity = patch_.vorticity(cell);
    if (!(vorticity >= search_.options.minimum && vorticity <= search_.limit))
    {
      return; // a NaN is out of range, too
    }
    if (hidden(cell))
    {
      return;
    }
    ++in_range_;
    const std::int64_t number = row_major(cell, search_.context.field().grid.cells());
    const std::uint64_t hash = hash_of(number, search_.options);
    if (sieve_.wants(hash))
    {
      sieve_.offer({ hash, number, patch_.centre(cell), vorticity });
    }
  }

  [[nodiscard]] bool hidden(const Int3& cell) const
  {
    const Mesh& mesh = search_.context.mesh();
    const auto* const curvilinear = dynamic_cast<const CurvilinearMesh*>(&mesh);
    return curvilinear != nullptr ? curvilinear->closed(cell)
                                  : mesh.has_hidden_cells() && mesh.hidden(CellPosition{ .cell = cell }, {});
  }

  Search& search_;
  VelocityPatch patch_;
  Sieve sieve_;
  std::vector<Tile> tiles_; ///< tiles of the current box
  std::size_t tile_ = 0;    ///< index of the next tile
  bool loading_ = false;    ///< whether the values of the tile are being loaded
  std::int64_t in_range_ = 0;
  std::int64_t culled_ = 0;
};

Result<void> check(const VortexSeedOptions& options)
{
  if (options.count < 1)
  {
    return fail(ErrorCode::BadArgument, "the number of seeds is " + std::to_string(options.count), "ask for 1 or more");
  }
  if (!(options.minimum >= 0.0) || !(options.maximum >= 0.0))
  {
    return fail(ErrorCode::BadArgument, "the vorticity range is negative", "magnitudes are 0 or more");
  }
  if (options.maximum > 0.0 && options.maximum < options.minimum)
  {
    return fail(ErrorCode::BadArgument, "the maximum vorticity is below the minimum",
        "raise the maximum, or set it to 0 for no limit");
  }
  return {};
}

void report(Search& search, const RunOptions& run)
{
  if (Result<void> healthy = search.context.field().velocity.source->health(); !healthy)
  {
    const std::lock_guard lock(search.error_mutex);
    search.error = search.error ? search.error : std::make_shared<const Error>(std::move(healthy.error()));
  }
  const double share = static_cast<double>(search.next.load()) / static_cast<double>(search.tiling.blocks());
  if (run.progress && !run.progress(std::min(1.0, share)))
  {
    search.stop = true;
  }
}

/// Both must outlive the hooks.
Watch hooks_of(Search& search, const RunOptions& run)
{
  Watch watch{ .report = [&] { report(search, run); }, .interval = run.poll_interval };
  if (run.poll)
  {
    watch.poll = [&]
    {
      if (!run.poll())
      {
        search.stop = true;
      }
    };
  }
  return watch;
}

/// Searches unstructured cells, a few thousand at a time.
class CellSearch
{
public:
  CellSearch(const AdvectionContext& context, const UnstructuredCells& cells, const VortexSeedOptions& options)
    : spin_(context, cells)
    , options_(options)
    , cells_(cells.cells())
    , next_(options.part)
  {
  }

  [[nodiscard]] VortexSeeds find(const RunOptions& run)
  {
    const int threads = spin_.error() == nullptr ? resolve_threads(run.threads) : 0;
    std::vector<Worker> workers(static_cast<std::size_t>(threads), Worker{ Sieve(options_.count) });
    if (threads > 0)
    {
      const auto slice = [&](int number)
      {
        return take_part(workers[static_cast<std::size_t>(number)]) ? Slice::Worked : Slice::Done;
      };
      executor_or_threads(run.executor)
          .run(threads,
              { slice,
                  [](int) {
                  } },
              { .report = [&] { report(run); }, .interval = run.poll_interval });
    }
    VortexSeeds found;
    for (const Worker& worker : workers)
    {
      found.seeds.insert(found.seeds.end(), worker.sieve.seeds().begin(), worker.sieve.seeds().end());
      found.cells_in_range += worker.in_range;
    }
    found.seeds = thin(std::move(found.seeds), options_.count);
    found.cancelled = stop_;
    found.data_error = spin_.error();
    return found;
  }

private:
  struct Worker
  {
    Sieve sieve;
    std::int64_t in_range = 0;
  };
  static constexpr std::int64_t kAtATime = 4096;

  void report(const RunOptions& run)
  {
    const double share = static_cast<double>(next_.load() * kAtATime) / static_cast<double>(std::max(cells_, kAtATime));
    if ((run.progress && !run.progress(std::min(1.0, share))) || (run.poll && !run.poll()))
    {
      stop_ = true;
    }
  }

  [[nodiscard]] bool take_part(Worker& worker)
  {
    const std::int64_t begin = next_.fetch_add(options_.parts) * kAtATime;
    if (begin >= cells_ || stop_)
    {
      return false;
    }
    for (std::int64_t cell = begin; cell < std::min(begin + kAtATime, cells_); ++cell)
    {
      worker.in_range += judge(cell, worker.sieve) ? 1 : 0;
    }
    return true;
  }

  [[nodiscard]] bool judge(std::int64_t cell, Sieve& sieve) const
  {
    const double vorticity = spin_.has(cell) ? spin_.vorticity(cell) : std::numeric_limits<double>::quiet_NaN();
    if (!(vorticity >= options_.minimum && vorticity <= limit_of(options_)))
    {
      return false;
    }
    if (const std::uint64_t hash = hash_of(cell, options_); sieve.wants(hash))
    {
      sieve.offer({ hash, cell, spin_.centre(cell), vorticity });
    }
    return true;
  }

  SpinOfCells spin_;
  const VortexSeedOptions& options_;
  std::int64_t cells_;
  std::atomic<std::int64_t> next_; ///< next part of the cells
  std::atomic<bool> stop_{ false };
};

} // namespace

std::vector<VortexSeed> thin(std::vector<VortexSeed> seeds, std::int64_t count)
{
  std::sort(seeds.begin(), seeds.end(), smaller_hash);
  seeds.resize(std::min(seeds.size(), static_cast<std::size_t>(count)));
  std::sort(seeds.begin(), seeds.end(), [](const VortexSeed& a, const VortexSeed& b) { return a.cell < b.cell; });
  return seeds;
}

namespace
{

Result<VortexSeeds> find_in(const TraceField& field, const VortexSeedOptions& options, const RunOptions& run)
{
  if (Result<void> good = check(options); !good)
  {
    return forward_error(good);
  }
  Result<AdvectionContext> context = AdvectionContext::steady(field, {});
  if (!context)
  {
    return forward_error(context);
  }
  if (const auto* const mesh = dynamic_cast<const UnstructuredMesh*>(&context->mesh());
      mesh != nullptr && mesh->own()->others() == nullptr)
  {
    return CellSearch(*context, *mesh->own(), options).find(run);
  }
  if (context->mesh().grid() == nullptr && context->mesh().places() == nullptr)
  {
    return fail(ErrorCode::Unsupported,
        "vortices are searched on one uniform, rectilinear or curvilinear grid, or in one dataset of tetrahedra, "
        "pyramids, wedges, hexahedra and planar cells",
        "take one block with Extract Block, or resample the field to an image");
  }
  Search search(*context, options);
  const int threads = resolve_threads(run.threads);
  std::vector<std::unique_ptr<Searcher>> searchers;
  searchers.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i)
  {
    searchers.push_back(std::make_unique<Searcher>(search));
  }
  const auto searcher_of = [&searchers](int number) -> Searcher&
  {
    return *searchers[static_cast<std::size_t>(number)];
  };
  executor_or_threads(run.executor)
      .run(threads,
          { [&](int number) { return searcher_of(number).slice(); },
              [&](int number)
              {
                searcher_of(number).wait();
              } },
          hooks_of(search, run));
  VortexSeeds found;
  for (const std::unique_ptr<Searcher>& searcher : searchers)
  {
    const std::vector<VortexSeed>& seeds = searcher->sieve().seeds();
    found.seeds.insert(found.seeds.end(), seeds.begin(), seeds.end());
    found.cells_in_range += searcher->in_range();
    found.cells_culled += searcher->culled();
  }
  found.seeds = thin(std::move(found.seeds), options.count);
  found.cancelled = search.stop;
  found.data_error = search.error;
  return found;
}

} // namespace

Result<VortexSeeds> find_vortex_seeds(const TraceField& field, const VortexSeedOptions& options, const RunOptions& run)
{
  try
  {
    return find_in(field, options, run);
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::BudgetTooSmall, "the system has no memory to search the field",
        "ask for fewer seeds or threads, or raise the limit of addresses (ulimit -v)");
  }
}

} // namespace rivulet
