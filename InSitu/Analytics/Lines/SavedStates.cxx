// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/SavedStates.h"

#include "Base/Times.h"
#include "Io/Files/File.h"
#include "Io/Series/StepTimes.h"
#include "Plugin/Agree.h"
#include "Plugin/OutputFile.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <new>
#include <utility>

namespace rivulet
{

namespace
{

/// The head of a state, which all ranks know.
struct Head
{
  std::int64_t step = 0;
  double time = 0.0;
  std::int64_t released = 0;
};

/// The particles as values of MPI, which counts in int.
class ParticleType
{
public:
  ParticleType()
  {
    MPI_Type_contiguous(static_cast<int>(sizeof(SavedParticle)), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ParticleType(const ParticleType&) = delete;
  ParticleType& operator=(const ParticleType&) = delete;
  ~ParticleType() { MPI_Type_free(&type_); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Number of particles of each rank, and index of its first particle among the particles of all ranks.
struct Ranges
{
  std::vector<int> counts;
  std::vector<int> begins;
};

Ranges ranges_of(std::int64_t seeds, int ranks)
{
  Ranges ranges;
  for (int rank = 0; rank < ranks; ++rank)
  {
    const SeedRange range = seeds_of_rank(seeds, rank, ranks);
    ranges.begins.push_back(static_cast<int>(range.begin));
    ranges.counts.push_back(static_cast<int>(range.end - range.begin));
  }
  return ranges;
}

tl::unexpected<Error> no_memory()
{
  return fail(ErrorCode::BadArgument, "there is no memory for the states of all particles", "choose fewer seeds");
}

} // namespace

StateOptions read_state_options(OptionReader& read)
{
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return { read.integer("save_every", 1, { 0, most }), read.integer("states", 2, { 1, most }) };
}

Result<Begin> SavedStates::begin(const rivulet_snapshot& snapshot, StepFiles& files)
{
  const Result<Begin> mine = host_.first() ? begin_here(snapshot, files) : Begin::Release;
  if (Result<void> agreed = agree(host_, mine ? Result<void>() : tl::unexpected(mine.error())); !agreed)
  {
    return forward_error(agreed);
  }
  int begin = static_cast<int>(*mine);
  Result<void> told = of_mpi(MPI_Bcast(&begin, 1, MPI_INT, 0, host_.comm()));
  return told ? Result<Begin>(static_cast<Begin>(begin)) : forward_error(told);
}

Result<Begin> SavedStates::begin_here(const rivulet_snapshot& snapshot, StepFiles& files)
{
  steps_.clear();
  for (const StepFiles::Found& file : files_.there())
  {
    steps_.insert(file.step);
  }
  const bool has_state = steps_.count(snapshot.step) != 0;
  if (host_.start() == Start::Continue)
  {
    if (has_state)
    {
      return Begin::GoOn;
    }
    if (files.is_left_out(snapshot.step))
    {
      return Begin::LeaveOut;
    }
    if (!steps_.empty() || !files.there().empty())
    {
      return fail(ErrorCode::BadArgument,
          "particles cannot go on: an earlier run has left " + steps_there() + ", and none that this run has come by",
          "\"start\": \"restart\" releases them anew");
    }
    return Begin::Release;
  }
  replaced_from_ = snapshot.first_step;
  if (has_state && snapshot.step == snapshot.first_step)
  {
    return Begin::GoOn;
  }
  const std::vector<StepFiles::Found> found = files.there();
  const bool goes_on =
      std::any_of(found.begin(), found.end(), [&](const auto& file) { return file.step < snapshot.first_step; });
  if (goes_on && !std::exchange(told_, true))
  {
    host_.warn("particles are released anew at step " + std::to_string(snapshot.step) + ": the run begins with step " +
               std::to_string(snapshot.first_step) + ", and an earlier run has left " + steps_there() +
               ". They go on in a run that begins with a step of a state: let \"save_every\" be the interval of the "
               "simulation's checkpoints");
  }
  return Begin::Release;
}

/// "states of the steps 100, 200", of the last few.
std::string SavedStates::steps_there() const
{
  constexpr std::ptrdiff_t kMost = 5;
  std::string text;
  const auto first = std::prev(steps_.end(), std::min(kMost, std::ssize(steps_)));
  for (auto step = first; step != steps_.end(); ++step)
  {
    text += (step == first ? (first == steps_.begin() ? "" : "..., ") : ", ") + std::to_string(*step);
  }
  return text.empty() ? "no states" : (steps_.size() == 1 ? "a state of step " : "states of the steps ") + text;
}

/// The state in the file of a step, on the first rank.
Result<SavedMarch> SavedStates::read(const rivulet_snapshot& snapshot, std::uint64_t identity, const Int3& cells) const
{
  Result<File> file = File::open(files_.path_of(snapshot.step), File::Mode::Read);
  Result<std::int64_t> size = file ? file->size() : forward_error(file);
  if (!size)
  {
    return forward_error(size);
  }
  if (*size > bytes_of_march(seeds_))
  {
    return fail(ErrorCode::BadArgument, "the state is of other seeds");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(*size));
  if (Result<void> whole = file->pread_full(bytes.data(), *size, 0); !whole)
  {
    return forward_error(whole);
  }
  Result<SavedMarch> march = unpack_march(bytes);
  if (!march)
  {
    return march;
  }
  if (march->identity != identity || std::ssize(march->particles) != seeds_)
  {
    return fail(ErrorCode::BadArgument, "the state is of other options or seeds, or of another grid");
  }
  const std::vector<double> there{ march->time };
  const std::vector<double> now{ snapshot.time };
  if (march->step != snapshot.step || find_step(there, now, 0) < 0)
  {
    return fail(ErrorCode::BadArgument, "the state is of step " + std::to_string(march->step) + " at the time " +
                                            format_time(march->time) + ", and this step has the time " +
                                            format_time(snapshot.time));
  }
  if (Result<void> sound = check_march(*march, cells); !sound)
  {
    return forward_error(sound);
  }
  return march;
}

Result<SavedMarch> SavedStates::load(const rivulet_snapshot& snapshot, std::uint64_t identity, const Int3& cells)
{
  Result<SavedMarch> march;
  if (host_.first())
  {
    try
    {
      march = read(snapshot, identity, cells);
    }
    catch (const std::bad_alloc&)
    {
      march = no_memory();
    }
    march = march ? std::move(march) : tl::unexpected(std::move(march.error()).at_path(files_.path_of(snapshot.step)));
  }
  if (!march && host_.start() != Start::Continue)
  {
    host_.warn("particles are released anew at step " + std::to_string(snapshot.step) +
               ", because their state cannot be used: " + march.error().describe());
    march = SavedMarch{};
  }
  Result<void> done = agree(host_, march ? Result<void>() : tl::unexpected(march.error()));
  done = done ? share(*march) : done;
  if (done && march->released)
  {
    replaced_from_ = replaced_from_ ? std::optional(snapshot.step + 1) : std::nullopt; // its own state stays
  }
  return done ? std::move(march) : forward_error(done);
}

/// Gives each rank the particles of its seeds.
Result<void> SavedStates::share(SavedMarch& march) const
{
  Head head{ march.step, march.time, march.released ? 1 : 0 };
  Result<void> done = of_mpi(MPI_Bcast(&head, static_cast<int>(sizeof head), MPI_BYTE, 0, host_.comm()));
  if (!done || head.released == 0)
  {
    march = {};
    return done;
  }
  const Ranges ranges = ranges_of(seeds_, host_.size());
  const int own = ranges.counts[static_cast<std::size_t>(host_.rank())];
  std::vector<SavedParticle> mine;
  Result<void> room;
  try
  {
    mine.resize(static_cast<std::size_t>(own));
  }
  catch (const std::bad_alloc&)
  {
    room = no_memory();
  }
  done = agree(host_, room);
  if (done)
  {
    const ParticleType particle;
    done = of_mpi(MPI_Scatterv(march.particles.data(), ranges.counts.data(), ranges.begins.data(), particle.type(),
        mine.data(), own, particle.type(), 0, host_.comm()));
  }
  march = { 0, head.step, head.time, true, std::move(mine) };
  return agree(host_, done);
}

Result<void> SavedStates::gather(SavedMarch& march) const
{
  std::vector<SavedParticle> all;
  Result<void> room;
  try
  {
    all.resize(host_.first() ? static_cast<std::size_t>(seeds_) : 0);
  }
  catch (const std::bad_alloc&)
  {
    room = no_memory();
  }
  if (Result<void> agreed = agree(host_, room); !agreed)
  {
    return agreed;
  }
  const Ranges ranges = ranges_of(seeds_, host_.size());
  const ParticleType particle;
  Result<void> done = of_mpi(MPI_Gatherv(march.particles.data(), static_cast<int>(march.particles.size()),
      particle.type(), all.data(), ranges.counts.data(), ranges.begins.data(), particle.type(), 0, host_.comm()));
  march.particles = std::move(all);
  return done;
}

Result<void> SavedStates::save(const SavedMarch& march)
{
  const std::vector<std::byte> bytes = pack_march(march);
  Result<void> done =
      write_whole_file(files_.path_of(march.step), { reinterpret_cast<const char*>(bytes.data()), bytes.size() });
  if (!done)
  {
    return done;
  }
  steps_.insert(march.step);
  // Later states belong to a run that this one continues.
  for (auto count = std::distance(steps_.begin(), steps_.upper_bound(march.step)); count > options_.most; --count)
  {
    std::error_code none;
    std::filesystem::remove(files_.path_of(*steps_.begin()), none);
    steps_.erase(steps_.begin());
  }
  return done;
}

void SavedStates::remove_replaced()
{
  const std::optional<std::int64_t> from = std::exchange(replaced_from_, std::nullopt);
  while (from && !steps_.empty() && *steps_.rbegin() >= *from)
  {
    std::error_code none;
    std::filesystem::remove(files_.path_of(*steps_.rbegin()), none);
    steps_.erase(std::prev(steps_.end()));
  }
}

} // namespace rivulet
