// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/OpenDump.h"

#include "Amr/DumpBytes.h"
#include "Amr/PatchShares.h"
#include "Base/Bytes.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/Ranks.h"
#include "Pipeline/RunProgress.h"
#include "Readers/AmrOutput.h"
#include "Readers/GhostLayers.h"
#include "Readers/OnDemandArrays.h"
#include "Readers/ReadArrays.h"
#include "vtkAlgorithm.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkOverlappingAMR.h"

#include <algorithm>
#include <array>

namespace rivulet
{

namespace
{

void fill(const AmrDump& dump, const AmrDump& shown, int finest, PatchArrays& arrays, vtkDataObject& output)
{
  if (auto* amr = vtkOverlappingAMR::SafeDownCast(&output))
  {
    fill_amr(dump, shown, finest, arrays, *amr);
  }
  else if (auto* blocks = vtkMultiBlockDataSet::SafeDownCast(&output))
  {
    fill_multiblock(dump, shown, finest, arrays, *blocks);
  }
}

/// "12 of 40 arrays of patches were not read", of all ranks.
std::string describe_missing(const Ranks& ranks, const PatchData& data)
{
  std::array<std::int64_t, 2> counts{ 0, static_cast<std::int64_t>(data.values.size()) };
  counts[0] = std::count_if(data.values.begin(), data.values.end(),
      [](const PatchVariable& value) { return value.state == PatchVariable::State::NotRead; });
  ranks.sum(counts);
  return std::to_string(counts[0]) + " of " + std::to_string(counts[1]) + " arrays of patches were not read";
}

} // namespace

void OpenDump::forget_dump()
{
  dump_.reset();
  ranges_found_.clear();
  store_.reset();
}

void OpenDump::forget()
{
  forget_dump();
  index_.reset();
  noted_ = false;
}

void OpenDump::warn(const std::string& text)
{
  if (Ranks().rank() == 0)
  {
    vtkWarningWithObjectMacro(&reader_, << text);
  }
}

Result<void> OpenDump::find(DumpFormat& format, const std::vector<std::string>& paths, bool only_complete)
{
  if (index_)
  {
    return {};
  }
  format_ = &format;
  auto index = on_first_rank([&] { return format.find(paths, only_complete); },
      [](const auto& found) { return to_bytes(found); }, index_from_bytes);
  if (!index)
  {
    return forward_error(index);
  }
  if (!index->notes.empty())
  {
    const std::size_t others = index->notes.size() - 1;
    warn(index->notes.front() + (others > 0 ? " (and " + std::to_string(others) + " more that are left out)" : ""));
  }
  index_ = std::move(*index);
  return {};
}

std::vector<double> OpenDump::times() const
{
  std::vector<double> times;
  for (const DumpStep& dump : index_->dumps)
  {
    times.push_back(dump.time);
  }
  return times;
}

Result<void> OpenDump::open(std::size_t step)
{
  if (dump_ && step_ == step)
  {
    return {};
  }
  forget_dump();
  const std::string& path = index_->dumps[step].path;
  auto dump = on_first_rank(
      [&] { return format_->open(path); }, [](const auto& read) { return to_bytes(read); }, dump_from_bytes);
  if (!dump)
  {
    return forward_error(dump);
  }
  if (!dump->notes.empty() && !noted_)
  {
    noted_ = true;
    std::string notes;
    for (const std::string& note : dump->notes)
    {
      notes += (notes.empty() ? "" : "; ") + note;
    }
    warn(path + ": " + notes + ".");
  }
  dump_ = std::move(*dump);
  step_ = step;
  return {};
}

std::vector<std::string> OpenDump::names(Centering centering) const
{
  std::vector<std::string> names;
  for (std::size_t i = 0; i < dump_->variables.size(); ++i)
  {
    const AmrVariable& variable = dump_->variables[i];
    if (static_cast<int>(i) != dump_->coordinates && variable.centering == centering)
    {
      names.push_back(variable.name);
    }
  }
  return names;
}

int OpenDump::finest_of(int level) const
{
  const int last = static_cast<int>(dump_->levels.size()) - 1;
  return level < 0 ? last : std::min(level, last);
}

void OpenDump::set_memory_budget(std::int64_t bytes)
{
  if (store_)
  {
    store_->set_memory_budget(bytes);
  }
}

/// Without a usable cache, patches are read without one.
void OpenDump::open_local_cache(const LocalCacheOptions& options)
{
  CacheChoice choice = local_cache_for(dump_->path, options);
  cache_ = std::move(choice.cache);
  if (choice.trouble && choice.why_not != cache_trouble_)
  {
    warn(choice.why_not);
  }
  cache_trouble_ = choice.trouble ? choice.why_not : std::string();
}

/// Looks for ranges in the files on the first rank, and sends them to all.
Result<void> OpenDump::find_ranges(const std::vector<int>& variables)
{
  const Ranks ranks;
  for (const int number : variables)
  {
    if (!ranges_found_.insert(number).second)
    {
      continue;
    }
    AmrVariable& variable = dump_->variables[static_cast<std::size_t>(number)];
    std::vector<std::byte> bytes;
    if (ranks.rank() == 0)
    {
      bytes_read_ += format_->find_ranges(*dump_, number);
      bytes = ranges_to_bytes(variable);
    }
    if (Result<void> sent = ranks.broadcast(bytes); !sent)
    {
      return sent;
    }
    if (ranks.rank() != 0)
    {
      (void)ranges_from_bytes(bytes, variable);
    }
  }
  return {};
}

/// Call it after the search for ranges, which the copy of the dump takes along.
void OpenDump::add_layers(Request& request) const
{
  if (request.layers != Int3{ 0, 0, 0 })
  {
    request.with_layers = with_ghosts(*dump_, request.layers);
  }
}

/// The same on all ranks, because the types of arrays must agree.
bool OpenDump::offers_on_demand(const PatchChoice& choice) const
{
  using OnDemand = PatchChoice::OnDemand;
  if (dump_->deformed || choice.on_demand != OnDemand::Automatic)
  {
    return !dump_->deformed && choice.on_demand == OnDemand::Always;
  }
  std::int64_t values = 0;
  for (const int number : choice.variables)
  {
    const AmrVariable& variable = dump_->variables[static_cast<std::size_t>(number)];
    for (const AmrPatch& patch : dump_->patches)
    {
      const std::int64_t stored = volume(variable.stored_size(patch, dump_->dimensions));
      values += patch.level <= choice.finest ? stored * static_cast<std::int64_t>(variable.components.size()) : 0;
    }
  }
  return values * static_cast<std::int64_t>(sizeof(double)) > kGiB;
}

/// False, on all ranks, if the types of the arrays are not known without reading them.
Result<bool> OpenDump::show_on_demand(Request& request, vtkDataObject& output)
{
  if (Result<void> found = find_ranges(request.choice.variables); !found)
  {
    return forward_error(found);
  }
  auto lazy = lazy_variables(*dump_, request.choice.variables, patches_);
  if (!Ranks().agree(lazy ? Result<void>{} : Result<void>(forward_error(lazy))))
  {
    return false;
  }
  add_layers(request);
  const AmrDump& shown = request.with_layers ? *request.with_layers : *dump_;
  if (!store_ || store_layers_ != request.layers)
  {
    store_ = std::make_shared<PatchStore>(AmrDump(shown), request.choice.memory_budget, cache_);
    store_layers_ = request.layers;
  }
  OnDemandArrays arrays(store_, request.patches, std::move(*lazy));
  bytes_before_ = store_->statistics().bytes_read;
  threads_ = 0;
  threads_because_.clear();
  fill(*dump_, shown, request.choice.finest, arrays, output);
  return true;
}

/// Whether the patches read may be shown. If not, the error says why.
Result<void> OpenDump::accept_failures(const PatchData& data, bool skip)
{
  const auto is_failed = [](const PatchVariable& value)
  {
    return value.state == PatchVariable::State::Failed;
  };
  Result<void> mine;
  const auto first = std::find_if(data.values.begin(), data.values.end(), is_failed);
  if (first != data.values.end())
  {
    Error error = *first->error;
    const auto others = std::count_if(std::next(first), data.values.end(), is_failed);
    if (others > 0)
    {
      error.what += "; " + std::to_string(others) + (others > 1 ? " other arrays" : " other array") +
                    " of patches cannot be read either";
    }
    if (skip)
    {
      report_warning(&reader_, error);
    }
    else
    {
      error.remedy +=
          std::string(error.remedy.empty() ? "" : ", or ") + "set Skip Unreadable Patches to see the others";
      mine = tl::unexpected<Error>(std::move(error));
    }
  }
  return Ranks().agree(std::move(mine));
}

Result<void> OpenDump::show_at_once(Request& request, vtkDataObject& output)
{
  store_.reset();
  const Ranks ranks;
  const PatchChoice& choice = request.choice;
  if (ranks.size() > 1 && !dump_->shared)
  {
    if (Result<void> found = find_ranges(choice.variables); !found) // a rank without would read the summary itself
    {
      return found;
    }
  }
  add_layers(request);
  AmrDump& shown = request.with_layers ? *request.with_layers : *dump_;
  RunProgress progress(reader_, "reading patches", &ranks);
  auto data = patches_.read(shown, request.patches, choice.variables,
      { .threads = choice.threads, .processes = ranks.size(), .progress = progress.callback(), .local_cache = cache_ });
  progress.finish();
  if (Result<void> read = ranks.agree(data ? Result<void>{} : forward_error(data)); !read)
  {
    return read;
  }
  bytes_read_ += data->statistics.bytes_read;
  threads_ = data->statistics.threads;
  threads_because_ = data->statistics.threads_because;
  if (Result<void> accepted = accept_failures(*data, choice.skip_unreadable); !accepted)
  {
    return accepted;
  }
  if (progress.stopped())
  {
    progress.keep_what_is_there(describe_missing(ranks, *data), "use Reload Files to read again");
  }
  const auto coordinates = std::find(choice.variables.begin(), choice.variables.end(), shown.coordinates);
  ReadArrays arrays(shown, *data,
      coordinates == choice.variables.end() ? -1 : static_cast<int>(coordinates - choice.variables.begin()));
  fill(*dump_, shown, choice.finest, arrays, output);
  return {};
}

Result<void> OpenDump::show(const PatchChoice& choice, vtkDataObject& output)
{
  if (output.IsA("vtkOverlappingAMR") && !is_overlapping_amr(*dump_))
  {
    return fail(ErrorCode::Unsupported,
        "the mesh is deformed, or its ratios differ between the axes, and what was opened first made overlapping AMR, "
        "which cannot show it",
        "Open this dump anew, on its own", dump_->path);
  }
  Request request{ .choice = choice,
    .patches = share_of_patches(*dump_, choice.finest, choice.piece, choice.pieces),
    .layers = choice.ghost_layers ? common_ghosts(*dump_, choice.variables) : Int3{ 0, 0, 0 },
    .with_layers = {} };
  bytes_read_ = 0;
  open_local_cache(choice.local_cache);
  Result<bool> shown = offers_on_demand(choice) ? show_on_demand(request, output) : Result<bool>(false);
  if (!shown)
  {
    return forward_error(shown);
  }
  return *shown ? Result<void>{} : show_at_once(request, output);
}

} // namespace rivulet
