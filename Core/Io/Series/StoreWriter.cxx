// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/StoreWriter.h"

#include "Base/Times.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/Files/FileIdentity.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StepIndex.h"
#include "Io/Series/StepTimes.h"
#include "Io/Writes/RandomUuid.h"
#include "Io/Writes/TemporaryPlace.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

/// The description under its name, on the disk.
Result<void> write_description(const std::string& path, const std::string& text, bool sync)
{
  Result<TemporaryPlace> hidden = TemporaryPlace::file(path);
  if (!hidden)
  {
    return forward_error(hidden);
  }
  Result<File> file = File::open(hidden->path(), File::Mode::ReadWrite);
  Result<void> done = file ? file->append(text.data(), static_cast<std::int64_t>(text.size())) : forward_error(file);
  done = done && sync ? file->sync() : done;
  done = done ? file->close() : done;
  done = done ? publish_file(hidden->path(), path, OnExisting::Keep) : done;
  if (!done)
  {
    return tl::unexpected(std::move(done.error()).at_path(path));
  }
  hidden->forget();
  return sync ? sync_folder_of(path) : Result<void>{};
}

/// Name that earlier versions gave the description of a store while they removed it.
std::string removed_description(const std::string& folder)
{
  return store_description(folder) + ".removed";
}

/// Removes an empty file: a name that a killed writer had claimed. Where the file system does not say how long a file
/// is, it may be a step.
Result<void> remove_claim(const std::string& path)
{
  std::error_code error;
  if (std::filesystem::file_size(path, error) == 0 && !error)
  {
    std::filesystem::remove(path, error);
  }
  if (error && error != std::errc::no_such_file_or_directory)
  {
    return fail(ErrorCode::CannotRead, "the step cannot be looked at", "try again", path, -1, error.value());
  }
  return {};
}

/// Files of steps that killed writers have begun. The caller holds the lock of the store.
void remove_begun_steps(const std::string& folder)
{
  std::error_code none;
  std::vector<std::filesystem::path> begun;
  std::filesystem::directory_iterator entries(folder, none);
  for (; !none && entries != std::filesystem::directory_iterator(); entries.increment(none))
  {
    if (entries->path().filename().string().rfind(".step-", 0) == 0)
    {
      begun.push_back(entries->path());
    }
  }
  for (const std::filesystem::path& path : begun)
  {
    std::filesystem::remove(path, none);
  }
}

/// The folder that the name leads to; the name itself where nothing is.
std::string without_links(const std::string& folder)
{
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(folder, error);
  return error ? folder : path.string();
}

std::string without_slashes(std::string path)
{
  while (path.size() > 1 && path.back() == '/')
  {
    path.pop_back();
  }
  return path;
}

} // namespace

Result<std::unique_ptr<StoreWriter>> StoreWriter::open(const std::string& path, const StoreOptions& options)
{
  std::unique_ptr<StoreWriter> writer(new StoreWriter(without_slashes(path), options));
  if (Result<void> taken = writer->take_up(); !taken)
  {
    return forward_error(taken);
  }
  return writer;
}

StoreWriter::~StoreWriter()
{
  count_finished_step(); // for the index
  if (new_ && times_.empty())
  {
    remove_empty_store();
  }
}

/// A store whose first step failed says nothing, and would stand in the way of the next try.
void StoreWriter::remove_empty_store()
{
  std::error_code none;
  const std::filesystem::directory_iterator begin(folder_, none);
  if (std::distance(begin, {}) == 1) // the description alone
  {
    std::filesystem::remove(store_description(folder_), none);
    std::filesystem::remove(folder_, none);
  }
}

Result<void> StoreWriter::take_up()
{
  std::error_code none;
  clean_up_beside(without_links(folder_));
  remove_abandoned_places(store_description(folder_)); // of a writer that was killed before it described the store
  const bool there = std::filesystem::exists(folder_, none);
  if (!there || (std::filesystem::is_directory(folder_, none) && std::filesystem::is_empty(folder_, none)))
  {
    return make_store();
  }
  if (!StoreFolder::can_read(folder_))
  {
    if (std::filesystem::exists(removed_description(folder_), none)) // by a writer that was killed
    {
      Result<void> gone = lock(removed_description(folder_));
      gone = gone ? remove_half_removed() : std::move(gone);
      return gone ? make_store() : gone;
    }
    return fail(ErrorCode::CannotWrite, "this is there, and is no store", "give the name of a new folder", folder_);
  }
  if (options_.start == StoreStart::New)
  {
    return fail(ErrorCode::CannotWrite, "the store exists", "give another name, append to it, or replace it", folder_);
  }
  if (Result<void> locked = lock(store_description(folder_)); !locked)
  {
    return locked;
  }
  if (options_.start == StoreStart::Append)
  {
    return go_on();
  }
  Result<void> begun = begin_replacement();
  return begun ? make_store() : begun;
}

Result<void> StoreWriter::begin_replacement()
{
  Result<StoreReplacement> beside = StoreReplacement::beside(without_links(folder_));
  if (!beside)
  {
    return tl::unexpected(std::move(beside.error()).at_path(folder_));
  }
  replacement_ = std::move(*beside);
  replaced_ = std::move(lock_);
  place_ = replacement_->path();
  return {};
}

/// A store beside it that begins with its first steps.
Result<void> StoreWriter::restart(double time)
{
  count_finished_step();
  const std::size_t kept = steps_before(times_, time);
  if (kept == times_.size() || replacement_)
  {
    return {};
  }
  Result<void> begun = begin_replacement();
  begun = !begun ? begun : kept > 0 ? take_over(kept) : make_store();
  if (begun)
  {
    times_.resize(kept);
    points_in_.clear();
    first_ = kept > 0 ? std::move(first_) : std::nullopt;
    return {};
  }
  replacement_.reset();
  lock_ = std::move(replaced_);
  place_ = folder_;
  return begun;
}

/// Identity of later steps: of the options, if they give one to the store, so that equal runs write equal bytes.
std::string StoreWriter::new_uuid() const
{
  const auto number = static_cast<std::int64_t>(identity_.restarts().size());
  return options_.uuid.empty() ? random_uuid() : StoreIdentity(options_.uuid).of_step(-1 - number);
}

/// Links the first steps of the store into the one beside it, and copies their index entries.
Result<void> StoreWriter::take_over(std::size_t steps)
{
  const StoreIdentity old = identity_;
  const std::vector<std::optional<StepEntry>> index = read_step_index(folder_, old, steps);
  StoreIdentity restarted = old;
  restarted.restart(static_cast<std::int64_t>(steps), new_uuid());
  for (std::size_t number = 0; number < steps; ++number)
  {
    const auto step = static_cast<std::int64_t>(number);
    if (::link(step_path(folder_, step).c_str(), step_path(place_, step).c_str()) != 0)
    {
      return fail(ErrorCode::CannotWrite, "the file of a step cannot have a second name (link)",
          "use a file system with links; or remove the steps from " + std::to_string(steps) +
              " on, and let the run continue",
          step_path(folder_, step), -1, errno);
    }
    if (index[number])
    {
      write_step_entry(place_, restarted, number, *index[number]);
    }
  }
  identity_ = std::move(restarted);
  Result<void> described = describe_place();
  if (!described)
  {
    identity_ = old;
  }
  return described;
}

Result<void> StoreWriter::publish()
{
  if (!replacement_)
  {
    return {};
  }
  count_finished_step();
  if (Result<void> placed = replacement_->take_place(options_.sync); !placed)
  {
    return tl::unexpected(std::move(placed.error()).at_path(folder_));
  }
  replacement_.reset();
  replaced_ = File();
  place_ = folder_;
  return {};
}

Result<void> StoreWriter::make_store()
{
  if (::mkdir(place_.c_str(), 0777) != 0 && errno != EEXIST)
  {
    return fail(ErrorCode::CannotWrite, "the folder of the store cannot be made", "check the path and its permissions",
        folder_, -1, errno);
  }
  identity_ = StoreIdentity(options_.uuid.empty() ? random_uuid() : options_.uuid);
  Result<void> described = describe_place();
  new_ = described.has_value() && !replacement_;
  return described;
}

/// The folder's description, locked.
Result<void> StoreWriter::describe_place()
{
  Result<void> made = write_description(store_description(place_), describe_store(identity_), options_.sync);
  if (made && options_.sync)
  {
    made = sync_folder_of(place_);
  }
  made = made ? lock(store_description(place_)) : made;
  return made ? made : tl::unexpected(std::move(made.error()).at_path(folder_));
}

/// Opens the first and the last step, and steps without an index entry: the index has the times of the others.
Result<void> StoreWriter::go_on()
{
  Result<StoreFolder> folder = StoreFolder::open(folder_);
  if (!folder)
  {
    return forward_error(folder);
  }
  if (!folder->missing.empty())
  {
    return tl::unexpected(folder->gap_at(folder->missing.front()));
  }
  identity_ = folder->identity;
  remove_abandoned_places(step_path(folder_, static_cast<std::int64_t>(folder->steps.size())));
  Result<void> known = cut_step_index(folder_, folder->steps.size());
  known = known && !folder->steps.empty() ? learn_steps(*folder) : known;
  return known;
}

Result<void> StoreWriter::learn_steps(const StoreFolder& folder)
{
  const std::size_t last = folder.steps.size() - 1;
  const std::vector<std::optional<StepEntry>> index = read_step_index(folder_, identity_, folder.steps.size());
  for (std::size_t number = 0; number <= last; ++number)
  {
    std::optional<StepEntry> entry = index[number];
    if (!entry || number == 0 || number == last)
    {
      Result<FieldFile> step = open_step(folder.steps[number], identity_, static_cast<std::int64_t>(number));
      if (!step)
      {
        return forward_error(step);
      }
      if (entry && *entry != entry_of(*step))
      {
        return tl::unexpected(error_of_other_step(*step, static_cast<std::int64_t>(number)));
      }
      first_ = first_ ? std::move(first_) : std::optional(*step);
      if (const std::string other = difference(*first_, *step); !other.empty())
      {
        return fail(ErrorCode::Corrupt, other, "put the step back, or convert the store again", step->path);
      }
      entry = entry_of(*step);
    }
    if (!times_.empty() && !(entry->time > times_.back()))
    {
      return fail(ErrorCode::Corrupt, "the time of the step is not after that of the step before",
          "put the step back, or convert the store again", folder.steps[number]);
    }
    times_.push_back(entry->time);
    if (!index[number])
    {
      write_step_entry(folder_, identity_, number, *entry);
    }
  }
  return {};
}

/// Removes the remains of a store that a writer of an earlier version was removing when it was killed.
Result<void> StoreWriter::remove_half_removed()
{
  const Result<std::vector<std::int64_t>> steps = steps_in(folder_);
  if (!steps)
  {
    return tl::unexpected(steps.error());
  }
  std::error_code error;
  for (auto step = steps->begin(); step != steps->end() && !error; ++step)
  {
    std::filesystem::remove(step_path(folder_, *step), error);
  }
  if (!error)
  {
    remove_begun_steps(folder_);
    std::filesystem::remove(step_index(folder_), error);
    std::filesystem::remove_all(std::filesystem::path(folder_) / "hints", error);
  }
  if (!error)
  {
    std::filesystem::remove(removed_description(folder_), error);
  }
  if (error)
  {
    return fail(ErrorCode::CannotWrite, "the store that is there cannot be removed", "check its permissions", folder_,
        -1, error.value());
  }
  return {};
}

Result<void> StoreWriter::lock(const std::string& path)
{
  Result<File> description = File::open(path, File::Mode::Read);
  if (!description)
  {
    return forward_error(description);
  }
  if (::flock(description->descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
  {
    return fail(ErrorCode::CannotWrite, "another process writes this store now", "wait until it has finished", folder_);
  }
  const Result<FileIdentity> mine = FileIdentity::of(*description);
  const std::optional<FileIdentity> now = FileIdentity::of(path);
  if (!mine || !now || !mine->same_as(*now)) // a lock on a file without a name excludes no process
  {
    return fail(ErrorCode::CannotWrite, "another process has replaced this store just now", "try again", folder_);
  }
  lock_ = std::move(*description);
  return {};
}

void StoreWriter::count_finished_step()
{
  const auto step = static_cast<std::int64_t>(times_.size());
  if (!begun_ || !holds_step(place_, step))
  {
    return;
  }
  if (const Result<FieldFile> finished = open_step(step_path(place_, step), identity_, step))
  {
    begun_ = false;
    times_.push_back(finished->info.times.front());
    points_in_ = finished->info.points >= 0 ? finished->uuid : finished->points_in;
    write_step_entry(place_, identity_, static_cast<std::size_t>(step), entry_of(*finished));
  }
}

const std::vector<double>& StoreWriter::times()
{
  count_finished_step();
  return times_;
}

Result<void> StoreWriter::check_step(const FieldInfo& field) const
{
  const auto refuse = [&](const std::string& what, const char* remedy)
  {
    return fail(ErrorCode::BadArgument, what, remedy, folder_);
  };
  if (field.times.size() != 1)
  {
    return refuse("a step of a store has one time", "write the steps one by one");
  }
  if (!times_.empty() && !(field.times.front() > times_.back()))
  {
    return refuse("the time " + format_time(field.times.front()) + " is not after that of the last step, " +
                      format_time(times_.back()),
        "write later steps, or make a new store");
  }
  if (static_cast<std::int64_t>(times_.size()) >= StoreFolder::kMostSteps)
  {
    return refuse("the store is full", "make a new store");
  }
  return {};
}

/// Opens the first step, which tells how later ones are cut.
Result<void> StoreWriter::know_first()
{
  if (first_ || times_.empty())
  {
    return {};
  }
  Result<FieldFile> first = FieldFile::open(step_path(place_, 0));
  if (!first)
  {
    return forward_error(first);
  }
  first_ = std::move(*first);
  return {};
}

/// Opens the last step, which tells where the places of its nodes are.
Result<void> StoreWriter::know_points()
{
  if (points_in_.empty() && !times_.empty())
  {
    const Result<FieldFile> last = FieldFile::open(step_path(place_, static_cast<std::int64_t>(times_.size()) - 1));
    if (!last)
    {
      return tl::unexpected(last.error());
    }
    points_in_ = last->info.points >= 0 ? last->uuid : last->points_in;
  }
  return !points_in_.empty() ? Result<void>()
                             : fail(ErrorCode::BadArgument, "no step before has the places of the grid's nodes",
                                   "write them with this step", folder_);
}

FieldFileOptions StoreWriter::options_of_step() const
{
  const BrickLayout* first = first_ ? &first_->layouts.front() : nullptr;
  FieldFileOptions options;
  options.encoding = options_.encoding.value_or(first != nullptr ? first->encoding : Encoding::Plain);
  options.brick_cells = options_.brick_cells.value_or(first != nullptr ? first->cells : kUsualBrick);
  options.existing = OnExisting::Keep;
  options.sync = options_.sync;
  options.direct_from = options_.direct_from;
  options.abandoned = Abandoned::Leave; // removed when the store was opened
  options.called = replacement_ ? step_path(folder_, static_cast<std::int64_t>(times_.size())) : std::string();
  options.uuid = identity_.of_step(static_cast<std::int64_t>(times_.size()));
  return options;
}

/// Checks that the step is one of the same field as the first.
Result<void> StoreWriter::check_fit(const FieldInfo& field, const FieldFileOptions& options) const
{
  FieldInfo own = field;
  own.points_steps.clear();
  if (!first_ || !defect_of(own).empty()) // FieldFileWriter says which
  {
    return {};
  }
  FieldFile planned;
  planned.info = field;
  const Int3 cells = brick_cells_or_usual(options.brick_cells, options.encoding, field.grid.nodes);
  for (const Variable& variable : field.variables)
  {
    const bool points = static_cast<std::int32_t>(planned.layouts.size()) == field.points;
    Result<BrickLayout> layout = make_layout(field.grid, variable, cells, points ? Encoding::Plain : options.encoding);
    if (!layout)
    {
      return forward_error(layout);
    }
    planned.layouts.push_back(std::move(*layout));
  }
  if (const std::string defect = difference(*first_, planned); !defect.empty())
  {
    return fail(ErrorCode::BadArgument, "the step does not fit into the store: " + defect, "make a new store", folder_);
  }
  return {};
}

Result<std::unique_ptr<FieldFileWriter>> StoreWriter::begin_step(const FieldInfo& field)
{
  count_finished_step();
  const bool stays = field.points >= 0 && field.points_steps == std::vector<std::int32_t>{ -1 };
  Result<void> sound = check_step(field);
  sound = sound ? know_first() : sound;
  sound = sound && stays ? know_points() : sound;
  FieldFileOptions options = options_of_step();
  options.points_in = stays ? points_in_ : std::string();
  sound = sound ? check_fit(field, options) : sound;
  if (!sound)
  {
    return forward_error(sound);
  }
  const std::string path = step_path(place_, static_cast<std::int64_t>(times_.size()));
  if (Result<void> free = remove_claim(path); !free)
  {
    return forward_error(free);
  }
  begun_ = true;
  return FieldFileWriter::create(path, field, options);
}

} // namespace rivulet
