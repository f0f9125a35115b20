// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/FieldFileWriter.h"

#include "Base/Bytes.h"
#include "Base/WholeType.h"
#include "Curve/Hilbert.h"
#include "Io/FieldFile/BlankingPlanes.h"
#include "Io/FieldFile/BrickMeasure.h"
#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/Fixed16.h"
#include "Io/FieldFile/SharedWriting.h"
#include "Io/FieldFile/WriteProgress.h"
#include "Io/Files/File.h"
#include "Io/Files/FileHash.h"
#include "Io/Writes/DirectWrites.h"
#include "Io/Writes/PublishFile.h"
#include "Io/Writes/RandomUuid.h"
#include "Io/Writes/TemporaryPlace.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <sys/stat.h>

namespace rivulet
{

namespace
{

class Writer final : public FieldFileWriter
{
public:
  Writer(std::string path, const FieldFileOptions& options)
    : path_(options.called.empty() ? path : options.called)
    , target_(std::move(path))
    , options_(options)
  {
  }
  Result<void> start(const FieldInfo& info);
  Result<void> join(const FileInvitation& invitation, const FieldInfo& info);

  [[nodiscard]] const BrickLayout& layout(int variable) const override
  {
    return layouts_[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] bool wants(int variable, int step) const override
  {
    return known(variable, step) &&
           progress_[static_cast<std::size_t>(variable)]->written[static_cast<std::size_t>(step)] != nullptr;
  }
  Result<void> write_brick(const BrickKey& key, const void* values) override;
  Result<void> encode(int variable, const void* values, void* record) const override;
  Result<void> write_run(
      int variable, int step, std::int64_t first_hilbert, std::int64_t count, void* records) override;
  Result<void> hide(Centering centering, int step, const HiddenFiller& fill) override;
  Result<void> finish() override;
  [[nodiscard]] std::vector<std::byte> invitation() const override;
  [[nodiscard]] std::vector<std::byte> contribution() const override;
  Result<void> add(std::span<const std::byte> contribution) override;

private:
  [[nodiscard]] FieldInfo own_part(const FieldInfo& field) const;
  Result<void> plan(const FieldInfo& field);
  [[nodiscard]] std::int64_t most_bytes() const;
  Result<void> lay_out();
  [[nodiscard]] bool known(int variable, int step) const;
  Result<void> claim(int variable, int step, std::int64_t first, std::int64_t count);
  [[nodiscard]] Result<WrittenSpan> complete_records(const RecordPlace& first, std::int64_t count, void* records);
  [[nodiscard]] Result<PlacesRow> facts_about(const RecordPlace& at, const std::byte* values) const;
  Result<void> store(WrittenSpan run, const void* records);
  [[nodiscard]] Result<void> check_complete() const;
  Result<void> store_ranges(const WrittenSpan& run);
  Result<void> hash_tables(const std::vector<hdf5::StoredRows>& tables, std::vector<std::uint64_t>& checksums) const;
  Result<void> seal();
  Result<void> publish();
  Result<void> finish_joined();

  std::string path_; ///< in messages
  std::string target_;
  FieldFileOptions options_;
  std::optional<TemporaryPlace> hidden_; ///< empty once the file is finished, and of a writer that has joined
  bool joined_ = false;                  ///< another process owns the file
  std::mutex runs_mutex_;
  std::vector<WrittenSpan> runs_; ///< under runs_mutex_; only of a writer that has joined
  File file_;
  DirectWrites direct_;
  hdf5::StoredField stored_;
  std::vector<BrickLayout> layouts_;
  std::vector<std::unique_ptr<WriteProgress>> progress_;
  std::atomic<bool> failed_{ false };
};

Result<void> Writer::start(const FieldInfo& info)
{
  struct stat status = {};
  const bool there = ::stat(target_.c_str(), &status) == 0;
  if (there && !S_ISREG(status.st_mode))
  {
    return fail(ErrorCode::CannotWrite, S_ISDIR(status.st_mode) ? "this is a folder" : "this is not a regular file",
        "give the name of a file", path_);
  }
  if (there && options_.existing == OnExisting::Keep)
  {
    return fail(ErrorCode::CannotWrite, "a file of this name exists", "give another name, or remove the file", path_);
  }
  if (Result<void> planned = plan(info); !planned)
  {
    return planned;
  }
  Result<void> made = lay_out();
  if (!made)
  {
    made.error().path = path_; // the user does not know the temporary name
  }
  return made;
}

Result<void> Writer::join(const FileInvitation& invitation, const FieldInfo& info)
{
  joined_ = true;
  options_.uuid = invitation.uuid;
  options_.points_in = invitation.points_in;
  if (Result<void> planned = plan(info); !planned)
  {
    return planned;
  }
  bool same = invitation.offsets.size() == layouts_.size();
  for (std::size_t variable = 0; same && variable < layouts_.size(); ++variable)
  {
    same = invitation.offsets[variable].size() == info.times.size();
    for (const std::int64_t offset : invitation.offsets[variable])
    {
      layouts_[variable].steps.push_back({ offset });
    }
  }
  if (!same)
  {
    return fail(
        ErrorCode::BadArgument, "the processes write different fields", "give all the same variables and times", path_);
  }
  Result<File> file = File::open(invitation.hidden_path, File::Mode::ReadWrite);
  if (!file)
  {
    return forward_error(file);
  }
  file_ = std::move(*file);
  const Result<std::int64_t> bytes = file_.size();
  if (bytes && *bytes >= options_.direct_from)
  {
    direct_ = DirectWrites::to(invitation.hidden_path);
  }
  return bytes ? Result<void>() : tl::unexpected(bytes.error());
}

/// The field without the places of its nodes, if another file has them.
FieldInfo Writer::own_part(const FieldInfo& field) const
{
  FieldInfo info = field;
  if (info.points >= 0 && !options_.points_in.empty())
  {
    info.variables.pop_back();
    info.points = -1;
    info.points_steps.clear();
  }
  return info;
}

Result<void> Writer::plan(const FieldInfo& field)
{
  const FieldInfo info = own_part(field);
  std::string defect = defect_of(info);
  if (defect.empty() && info.grid.kind == Grid::Kind::Curvilinear && info.points < 0 && options_.points_in.empty())
  {
    defect = "the places of the nodes of the grid are missing";
  }
  if (!defect.empty())
  {
    return fail(ErrorCode::BadArgument, std::move(defect), "correct the description of the field", path_);
  }
  if (info.variables.size() > hdf5::kMostVariables)
  {
    return fail(ErrorCode::Unsupported, "there are more than 4096 variables", "write several files", path_);
  }
  stored_.uuid = options_.uuid.empty() ? random_uuid() : options_.uuid;
  stored_.grid = info.grid;
  stored_.times = info.times;
  stored_.points = info.points;
  stored_.points_in = options_.points_in;
  for (std::size_t step = 0; info.points >= 0 && step < info.times.size(); ++step)
  {
    stored_.points_steps.push_back(info.stored_step(info.points, static_cast<std::int32_t>(step)));
  }
  for (const Variable& variable : info.variables)
  {
    const auto number = static_cast<std::int32_t>(layouts_.size());
    // All variables are cut alike, and each cell's corners are in one brick to the last bit.
    const Int3 cells = brick_cells_or_usual(options_.brick_cells, options_.encoding, info.grid.nodes);
    const Encoding encoding = number == info.points ? Encoding::Plain : options_.encoding;
    Result<BrickLayout> layout = make_layout(info.grid, variable, cells, encoding);
    if (!layout)
    {
      return fail(layout.error().code, layout.error().what, layout.error().remedy, path_);
    }
    layout->identity = identity_of(stored_.uuid);
    hdf5::StoredVariable stored;
    stored.variable = variable;
    stored.ranges = value_ranges(BrickMeasure(), variable.components);
    stored.fixed16 = layout->encoding == Encoding::Fixed16;
    stored.variable.whole = stored.fixed16 ? WholeType::None : variable.whole; // it rounds to other steps
    stored.brick_cells = layout->cells;
    stored.brick_nodes = layout->nodes;
    stored.brick_count = layout->grid.size();
    stored.payload = layout->payload;
    stored.stride = layout->stride;
    stored_.variables.push_back(std::move(stored));
    std::vector<bool> steps;
    for (std::size_t step = 0; step < info.times.size(); ++step)
    {
      steps.push_back(info.is_stored(number, static_cast<std::int32_t>(step)));
    }
    progress_.push_back(std::make_unique<WriteProgress>(*layout, steps));
    layouts_.push_back(std::move(*layout));
  }
  return {};
}

/// Bytes of the values, and more than the metadata take.
std::int64_t Writer::most_bytes() const
{
  double of_step = 0.0;
  for (const BrickLayout& layout : layouts_)
  {
    of_step += 6.0 * kPage + static_cast<double>(layout.grid.size()) * (static_cast<double>(layout.stride) + 128.0);
  }
  const double bytes = 2.0 * kMiB + static_cast<double>(stored_.times.size()) * of_step;
  return static_cast<std::int64_t>(std::min(bytes, 9.0e18));
}

Result<void> Writer::lay_out()
{
  Result<TemporaryPlace> hidden = TemporaryPlace::file(target_, options_.abandoned);
  if (!hidden)
  {
    return forward_error(hidden);
  }
  hidden_ = std::move(*hidden);
  Result<File> file = File::open(hidden_->path(), File::Mode::ReadWrite);
  if (!file)
  {
    return forward_error(file);
  }
  file_ = std::move(*file);
  // Before libhdf5 makes the file as long as it will be. An error then leaves its file open, which ends in
  // MPI_Finalize.
  Result<void> made = file_.check_size_limit(most_bytes());
  made = made ? hdf5::create_file(hidden_->path(), stored_) : std::move(made);
  if (!made)
  {
    return made;
  }
  for (std::size_t variable = 0; variable < layouts_.size(); ++variable)
  {
    for (const hdf5::StoredRows& rows : stored_.variables[variable].bricks)
    {
      layouts_[variable].steps.push_back({ rows.offset });
    }
  }
  Result<std::int64_t> bytes = file_.size();
  if (!bytes)
  {
    return forward_error(bytes);
  }
  if (*bytes >= options_.direct_from)
  {
    direct_ = DirectWrites::to(hidden_->path());
  }
  return options_.sparse ? Result<void>{} : file_.reserve(*bytes);
}

bool Writer::known(int variable, int step) const
{
  return variable >= 0 && static_cast<std::size_t>(variable) < layouts_.size() && step >= 0 &&
         static_cast<std::size_t>(step) < stored_.times.size();
}

/// Marks bricks as written before they are, so that two threads cannot write the same one.
Result<void> Writer::claim(int variable, int step, std::int64_t first, std::int64_t count)
{
  if (!wants(variable, step) || first < 0 || count < 1 || count > layout(variable).grid.size() - first)
  {
    return fail(ErrorCode::BadArgument, "there is no such variable, step or brick", {}, path_);
  }
  WriteProgress& progress = *progress_[static_cast<std::size_t>(variable)];
  if (!progress.written[static_cast<std::size_t>(step)]->set(first, count))
  {
    failed_ = true;
    return fail(ErrorCode::BadArgument, "a brick was written twice", {}, path_);
  }
  return {};
}

Result<void> Writer::write_brick(const BrickKey& key, const void* values)
{
  if (!known(key.variable, key.step) || key.index < 0 || key.index >= layout(key.variable).grid.size())
  {
    return fail(ErrorCode::BadArgument, "there is no such variable, step or brick", {}, path_);
  }
  const BrickLayout& bricks = layout(key.variable);
  const HilbertCurve& curve = progress_[static_cast<std::size_t>(key.variable)]->curve;
  std::vector<std::byte> record(static_cast<std::size_t>(bricks.stride));
  if (Result<void> encoded = encode(key.variable, values, record.data()); !encoded)
  {
    return encoded;
  }
  return write_run(key.variable, key.step, curve.index(from_row_major(key.index, bricks.grid.count)), 1, record.data());
}

Result<void> Writer::encode(int variable, const void* values, void* record) const
{
  const BrickLayout& bricks = layout(variable);
  const Variable& described = stored_.variables[static_cast<std::size_t>(variable)].variable;
  if (bricks.encoding == Encoding::Plain)
  {
    if (Result<void> held = check_whole(described, values, volume(bricks.nodes) * described.components); !held)
    {
      held.error().path = path_;
      return held;
    }
    std::memcpy(record, values, static_cast<std::size_t>(bricks.payload));
    return {};
  }
  std::string refusal = encode_fixed16(values, described.type, described.components, volume(bricks.nodes), record);
  if (!refusal.empty())
  {
    return fail(ErrorCode::BadArgument, "variable \"" + described.name + "\" cannot be stored in 16 bits: " + refusal,
        "store plain values", path_);
  }
  return {};
}

Result<void> Writer::write_run(int variable, int step, std::int64_t first_hilbert, std::int64_t count, void* records)
{
  if (Result<void> claimed = claim(variable, step, first_hilbert, count); !claimed)
  {
    return claimed;
  }
  Result<WrittenSpan> run = complete_records({ variable, step, first_hilbert }, count, records);
  Result<void> stored = run ? store(*std::move(run), records) : forward_error(run);
  if (!stored)
  {
    failed_ = true;
    stored.error().path = path_;
  }
  return stored;
}

/// A row of the table of places. Fails with BadArgument where a node lies nowhere.
Result<PlacesRow> Writer::facts_about(const RecordPlace& at, const std::byte* values) const
{
  const Variable& variable = stored_.variables[static_cast<std::size_t>(at.variable)].variable;
  const Int3 brick = progress_[static_cast<std::size_t>(at.variable)]->curve.at(at.hilbert);
  const PlacesMeasure places = measure_places(layout(at.variable), variable.type, brick, values);
  if (!places.finite)
  {
    const Int3 node = first_nowhere(layout(at.variable), variable.type, brick, values);
    return fail(ErrorCode::BadArgument,
        "node " + std::to_string(node[0]) + "," + std::to_string(node[1]) + "," + std::to_string(node[2]) +
            " has a coordinate that is not a finite number",
        "give it a place and hide its cells", path_);
  }
  return row_of(places);
}

/// Writes trailers, and computes the ranges of each brick and of all.
Result<WrittenSpan> Writer::complete_records(const RecordPlace& first, std::int64_t count, void* records)
{
  const BrickLayout& bricks = layout(first.variable);
  const Variable& variable = stored_.variables[static_cast<std::size_t>(first.variable)].variable;
  WrittenSpan run{ first.variable, first.step, first.hilbert, {} };
  BrickMeasure all;
  double error = 0.0;
  // Ranges are of the values that readers get, after decoding.
  std::vector<std::byte> decoded(static_cast<std::size_t>(bricks.encoding == Encoding::Plain ? 0 : bricks.values));
  for (std::int64_t i = 0; i < count; ++i)
  {
    const RecordPlace place{ first.variable, first.step, first.hilbert + i };
    std::byte* record = static_cast<std::byte*>(records) + i * bricks.stride;
    const std::byte* values = record;
    if (bricks.encoding == Encoding::Fixed16)
    {
      decode_fixed16(record, variable.type, variable.components, volume(bricks.nodes), decoded.data());
      error = std::max(error, error_of_fixed16(record, variable.components));
      values = decoded.data();
    }
    if (first.variable == stored_.points)
    {
      const Result<PlacesRow> facts = facts_about(place, values);
      if (!facts)
      {
        return tl::unexpected(facts.error());
      }
      run.places.push_back(*facts);
    }
    const BrickMeasure one = measure_values(values, variable.type, variable.components, volume(bricks.nodes));
    run.ranges.push_back(outer_range(one.magnitude));
    all.add(one);
    write_trailer(record, bricks, place, one.all_finite ? 0 : BrickTrailer::kNotAllFinite);
  }
  WriteProgress& progress = *progress_[static_cast<std::size_t>(first.variable)];
  const std::lock_guard lock(progress.mutex);
  progress.measure.add(all);
  progress.largest_error = std::max(progress.largest_error, error);
  return run;
}

Result<void> Writer::store(WrittenSpan run, const void* records)
{
  const BrickLayout& bricks = layout(run.variable);
  const std::int64_t bytes = static_cast<std::int64_t>(run.ranges.size()) * bricks.stride;
  const std::int64_t offset = bricks.steps[static_cast<std::size_t>(run.step)].offset + run.first * bricks.stride;
  Result<void> written = direct_.take(records, bytes, offset) ? direct_.write(records, bytes, offset)
                                                              : file_.pwrite_full(records, bytes, offset);
  if (!written || !joined_)
  {
    return written ? store_ranges(run) : written;
  }
  const std::lock_guard lock(runs_mutex_);
  runs_.push_back(std::move(run));
  return {};
}

Result<void> Writer::store_ranges(const WrittenSpan& run)
{
  const hdf5::StoredVariable& stored = stored_.variables[static_cast<std::size_t>(run.variable)];
  const auto step = static_cast<std::size_t>(run.step);
  const auto rows = static_cast<std::int64_t>(run.ranges.size());
  const hdf5::StoredRows& ranges = stored.brick_ranges[step];
  Result<void> written =
      file_.pwrite_full(run.ranges.data(), rows * ranges.row_bytes, ranges.offset + run.first * ranges.row_bytes);
  if (!written || run.variable != stored_.points)
  {
    return written;
  }
  const hdf5::StoredRows& places = stored.brick_places[step];
  return run.places.size() == run.ranges.size()
             ? file_.pwrite_full(
                   run.places.data(), rows * places.row_bytes, places.offset + run.first * places.row_bytes)
             : fail(ErrorCode::BadArgument, "another process wrote nodes without their bounds", {}, path_);
}

Result<void> Writer::check_complete() const
{
  if (failed_)
  {
    return fail(ErrorCode::CannotWrite, "an earlier write failed", "see the first error", path_);
  }
  for (std::size_t variable = 0; variable < layouts_.size() && !options_.sparse; ++variable)
  {
    for (const std::unique_ptr<BrickBits>& written : progress_[variable]->written)
    {
      const std::int64_t missing = written != nullptr ? layouts_[variable].grid.size() - written->count() : 0;
      if (missing != 0)
      {
        return fail(ErrorCode::BadArgument,
            std::to_string(missing) + " bricks of variable \"" + stored_.variables[variable].variable.name +
                "\" were never written",
            "write every brick before finishing", path_);
      }
    }
  }
  return {};
}

Result<void> Writer::hide(Centering centering, int step, const HiddenFiller& fill)
{
  if (!hidden_ || !known(0, step))
  {
    return fail(ErrorCode::BadArgument, joined_ ? "only the owner of the file hides points" : "there is no such step",
        {}, path_);
  }
  const Int3 lattice = stored_.grid.lattice(centering);
  const std::int64_t row_bytes = hidden_row_bytes(lattice);
  if (row_bytes < 0)
  {
    return fail(ErrorCode::Unsupported, "too many points of one plane are to be hidden or not",
        "show all of them, or save parts of the grid", path_);
  }
  Result<hdf5::StoredRows> table = hdf5::add_hidden(hidden_->path(), centering, step, lattice[2], row_bytes);
  Result<void> written = table ? Result<void>{} : forward_error(table);
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(std::int64_t{ lattice[0] } * lattice[1]));
  std::vector<std::byte> row(static_cast<std::size_t>(row_bytes));
  for (std::int32_t k = 0; k < lattice[2] && written; ++k)
  {
    written = fill(k, flags.data());
    if (written)
    {
      pack_hidden(flags.data(), lattice, *layouts_.front().identity, { centering, step, k }, row.data());
      written = file_.pwrite_full(row.data(), row_bytes, table->offset + k * row_bytes);
    }
  }
  failed_ = failed_ || !written;
  return written ? written : tl::unexpected(std::move(written.error()).at_path(path_));
}

Result<void> Writer::hash_tables(
    const std::vector<hdf5::StoredRows>& tables, std::vector<std::uint64_t>& checksums) const
{
  for (const hdf5::StoredRows& rows : tables)
  {
    const Result<std::uint64_t> checksum =
        rows.rows > 0 ? hash_of(file_, rows.offset, rows.rows * rows.row_bytes) : Result<std::uint64_t>(0);
    if (!checksum)
    {
      return tl::unexpected(checksum.error());
    }
    checksums.push_back(*checksum);
  }
  return {};
}

/// Writes the metadata that is known only at the end, `complete` last.
Result<void> Writer::seal()
{
  for (std::size_t variable = 0; variable < layouts_.size(); ++variable)
  {
    hdf5::StoredVariable& stored = stored_.variables[variable];
    stored.ranges = value_ranges(progress_[variable]->measure, stored.variable.components);
    stored.largest_error = progress_[variable]->largest_error;
    Result<void> hashed = hash_tables(stored.brick_ranges, stored.brick_range_checksums);
    hashed = hashed ? hash_tables(stored.brick_places, stored.brick_places_checksums) : std::move(hashed);
    if (!hashed)
    {
      return hashed;
    }
  }
  // Values are synced before `complete` is set, so that a crash in between leaves an unfinished file.
  if (Result<void> synced = options_.sync ? file_.sync() : Result<void>{}; !synced)
  {
    return synced;
  }
  return hdf5::complete_file(hidden_->path(), stored_);
}

Result<void> Writer::publish()
{
  Result<void> ready = options_.sync ? file_.sync() : Result<void>{};
  if (ready)
  {
    ready = file_.close();
  }
  ready = ready ? publish_file(hidden_->path(), target_, options_.existing) : ready;
  if (!ready)
  {
    return ready;
  }
  hidden_->forget();
  hidden_.reset();
  return options_.sync ? sync_folder_of(target_) : Result<void>{};
}

/// Brings the bricks to the file: the owner may be on another machine, and publishes them.
Result<void> Writer::finish_joined()
{
  if (failed_)
  {
    return fail(ErrorCode::CannotWrite, "an earlier write failed", "see the first error", path_);
  }
  Result<void> done = options_.sync ? file_.sync() : Result<void>{};
  done = done ? file_.close() : done;
  return done ? done : tl::unexpected(std::move(done.error()).at_path(path_));
}

std::vector<std::byte> Writer::invitation() const
{
  FileInvitation invitation{ hidden_ ? hidden_->path() : std::string(), stored_.uuid, stored_.points_in, {} };
  for (const BrickLayout& bricks : layouts_)
  {
    std::vector<std::int64_t>& offsets = invitation.offsets.emplace_back();
    for (const BrickSpan& run : bricks.steps)
    {
      offsets.push_back(run.offset);
    }
  }
  return invitation.to_bytes();
}

std::vector<std::byte> Writer::contribution() const
{
  FileContribution written;
  written.runs = runs_;
  for (const std::unique_ptr<WriteProgress>& progress : progress_)
  {
    written.measures.push_back(progress->measure);
    written.largest_errors.push_back(progress->largest_error);
  }
  return written.to_bytes();
}

Result<void> Writer::add(std::span<const std::byte> contribution)
{
  const Result<FileContribution> written = FileContribution::of_bytes(contribution);
  if (written && written->runs.empty() && written->measures.empty())
  {
    return {}; // that process has no bricks
  }
  if (!written || written->measures.size() != layouts_.size() || written->largest_errors.size() != layouts_.size())
  {
    failed_ = true;
    return written ? fail(ErrorCode::BadArgument, "another process has written other variables", {}, path_)
                   : tl::unexpected(Error(written.error()).at_path(path_));
  }
  for (const WrittenSpan& run : written->runs)
  {
    Result<void> noted = claim(run.variable, run.step, run.first, static_cast<std::int64_t>(run.ranges.size()));
    noted = noted ? store_ranges(run) : noted;
    if (!noted)
    {
      failed_ = true;
      return noted;
    }
  }
  for (std::size_t variable = 0; variable < layouts_.size(); ++variable)
  {
    WriteProgress& progress = *progress_[variable];
    const std::lock_guard lock(progress.mutex);
    progress.measure.add(written->measures[variable]);
    progress.largest_error = std::max(progress.largest_error, written->largest_errors[variable]);
  }
  return {};
}

Result<void> Writer::finish()
{
  if (joined_)
  {
    return finish_joined();
  }
  if (!hidden_)
  {
    return fail(ErrorCode::BadArgument, "the file is finished already", {}, path_);
  }
  Result<void> done = check_complete();
  if (done)
  {
    done = seal();
  }
  if (done)
  {
    done = publish();
  }
  if (!done)
  {
    done.error().path = path_;
  }
  return done;
}

} // namespace

Result<std::unique_ptr<FieldFileWriter>> FieldFileWriter::create(
    const std::string& path, const FieldInfo& info, const FieldFileOptions& options)
{
  auto writer = std::make_unique<Writer>(path, options);
  if (Result<void> started = writer->start(info); !started)
  {
    return forward_error(started);
  }
  return writer;
}

Result<std::unique_ptr<FieldFileWriter>> FieldFileWriter::join(
    std::span<const std::byte> invitation, const FieldInfo& info, const FieldFileOptions& options)
{
  const Result<FileInvitation> known = FileInvitation::of_bytes(invitation);
  if (!known)
  {
    return tl::unexpected(known.error());
  }
  auto writer = std::make_unique<Writer>(known->hidden_path, options);
  if (Result<void> joined = writer->join(*known, info); !joined)
  {
    return forward_error(joined);
  }
  return writer;
}

} // namespace rivulet
