// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Run/FieldRun.h"

#include "AmrMesh/AmrBricks.h"
#include "Filters/Input/TiledArray.h"
#include "Filters/Run/FieldMemory.h"
#include "Parallel/Team.h"
#include "Store/Derived/JoinedBricks.h"
#include "Store/Memory/MemoryAccount.h"
#include "Trace/Mesh/UnstructuredCells.h"

#include <algorithm>
#include <set>

namespace rivulet
{

namespace
{

/// Weight of the bricks of other ranks against that of own ones.
constexpr int kMostForOthers = 3;

/// Appends words that the text does not contain yet.
void add_words(std::string& text, const std::string& words, const char* separator)
{
  if (text.find(words) == std::string::npos)
  {
    text += (text.empty() ? "" : separator) + words;
  }
}

/// Text for users about the meshes of two time steps, which are not the same.
std::string change_of(
    const std::shared_ptr<const ForeignCells>& before, const std::shared_ptr<const ForeignCells>& later)
{
  const auto own = std::dynamic_pointer_cast<const UnstructuredCells>(before);
  const auto moved = std::dynamic_pointer_cast<const UnstructuredCells>(later);
  return own != nullptr && moved != nullptr && moved->same_cells(*own)
             ? "Points move: between two steps a place is sought in the cells as they are then."
             : "Cells change: between two steps a place is sought in the meshes of both.";
}

/// Number of AMR arrays beside the velocity, at least 1.
std::int64_t other_levels(const FlowInput& flow)
{
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(flow.amr_bricks().size()) - 1);
}

} // namespace

FieldRun::FieldRun(std::vector<FlowInput*> flows, const RunSettings& settings)
  : flows_(std::move(flows))
  , settings_(settings)
{
  const auto pages_nodes = [](const FlowInput* flow)
  {
    return flow->field().curvilinear != nullptr && !flow->lazy_fields().empty();
  };
  const auto moves = [&](const FlowInput* flow)
  {
    return flow->field().curvilinear != flows_.front()->field().curvilinear;
  };
  if (std::any_of(flows_.begin(), flows_.end(), pages_nodes))
  {
    const bool of_each_step = std::any_of(flows_.begin(), flows_.end(), moves);
    settings_.bricks_per_thread += of_each_step ? settings_.bricks_per_thread : 1;
  }
}

FieldRun::~FieldRun()
{
  if (ranked_)
  {
    flows_.front()->read_from(*ranked_, memories_.front()->source());
  }
}

Result<int> FieldRun::begin()
{
  Result<void> added = add_fields();
  added = added ? add_ranked() : std::move(added);
  if (!added)
  {
    return forward_error(added);
  }
  add_levels();
  add_joined();
  add_tiles();
  for (const std::unique_ptr<SharedBudget>& budget : budgets_)
  {
    budget->expect(settings_.times_as_much);
  }
  int threads = resolve_threads(settings_.threads);
  const auto does_not_fit = [&](const auto& budget)
  {
    return !budget->fits(bricks_of(threads));
  };
  const auto first_too_small = [&]
  {
    return std::find_if(budgets_.begin(), budgets_.end(), does_not_fit);
  };
  while (settings_.threads == 0 && threads > 1 && first_too_small() != budgets_.end())
  {
    --threads;
  }
  if (const auto refused = first_too_small(); refused != budgets_.end())
  {
    const int parts = settings_.memory_budget > 0 ? settings_.budget_parts : 1;
    return tl::unexpected((*refused)->too_small(threads, settings_.bricks_per_thread, parts));
  }
  for (const std::unique_ptr<SharedBudget>& budget : budgets_)
  {
    budget->share_out(bricks_of(threads));
  }
  return threads;
}

/// Budget of the settings; if they have none, a new budget of `bytes`.
SharedBudget& FieldRun::budget_of(std::int64_t bytes)
{
  if (settings_.memory_budget == 0 || budgets_.empty())
  {
    const std::int64_t total = settings_.memory_budget > 0 ? settings_.memory_budget : bytes;
    budgets_.push_back(std::make_unique<SharedBudget>(total));
  }
  return *budgets_.back();
}

SharedBudget& FieldRun::first_budget()
{
  return budgets_.empty() ? budget_of(default_memory_budget()) : *budgets_.front();
}

/// Steps of one file may be in several flows.
Result<void> FieldRun::add_fields()
{
  std::vector<const LazyField*> added;
  for (const FlowInput* flow : flows_)
  {
    for (const std::shared_ptr<LazyField>& field : flow->lazy_fields())
    {
      if (std::find(added.begin(), added.end(), field.get()) != added.end())
      {
        continue;
      }
      added.push_back(field.get());
      if (Result<void> good = add_field(field, *flow); !good)
      {
        return good;
      }
    }
  }
  return {};
}

/// In a flow of levels, bricks are assembled from the values of the field, so it has the weight of a store of patches
/// (see add_levels()).
Result<void> FieldRun::add_field(const std::shared_ptr<LazyField>& field, const FlowInput& flow)
{
  const auto memory = std::make_shared<FieldMemory>(field);
  const std::int64_t bytes = field->memory_budget();
  const bool readers = settings_.strategy == AccessStrategy::Automatic;
  Result<void> changed = readers ? Result<void>() : field->source()->set_strategy(settings_.strategy);
  memories_.push_back(memory);
  budget_of(bytes).add(memory, { .weight = flow.amr_bricks().empty() ? 1 : 12 * other_levels(flow) });
  return changed;
}

/// Only if all that ranks share is one field, since a link has one user at a time. Each owner has an equal part of the
/// bricks. So with two ranks half of the budget is for own bricks, with many ranks most of it for bricks of others.
Result<void> FieldRun::add_ranked()
{
  if (settings_.bricks.link == nullptr || flows_.size() != 1 || memories_.empty() ||
      flows_.front()->field().velocity.source != &memories_.front()->source())
  {
    return {};
  }
  FileBricks& source = memories_.front()->source();
  if (Result<void> changed = source.set_strategy(AccessStrategy::Asynchronous); !changed)
  {
    return changed;
  }
  if (source.strategy() != AccessStrategy::Asynchronous) // the system gives no thread to read with
  {
    return {};
  }
  const int ranks = settings_.bricks.link->size();
  const std::shared_ptr<BrickSource> own(memories_.front(), &source);
  ranked_ = std::make_shared<DistributedBricks>(own, settings_.bricks, RankedOptions{});
  flows_.front()->read_from(source, *ranked_);
  first_budget().add(ranked_, { .weight = std::min(ranks - 1, kMostForOthers) });
  return {};
}

/// Patches read on demand and assembled bricks share one budget, for all flows: one, or each time step of an interval.
/// Three quarters are for patches, because many bricks are assembled from one patch. Three quarters of the rest are for
/// bricks of the velocity, because lines come back to them. Bricks of other arrays are used once.
void FieldRun::add_levels()
{
  std::int64_t most = 0; // bytes that the readers of one flow allow
  bool any = false;
  for (const FlowInput* flow : flows_)
  {
    std::int64_t bytes = 0;
    for (const std::shared_ptr<BudgetedStore>& store : flow->stores())
    {
      bytes += store->memory_budget();
    }
    most = std::max(most, bytes);
    any = any || !flow->amr_bricks().empty();
  }
  if (!any)
  {
    return;
  }
  SharedBudget& budget = budget_of(most > 0 ? most : default_memory_budget());
  std::set<const BudgetedStore*> added; // steps may be made of the same arrays
  const auto add = [&](const std::shared_ptr<BudgetedStore>& store, const SharedBudget::Share& share)
  {
    if (added.insert(store.get()).second)
    {
      budget.add(store, share);
    }
  };
  for (const FlowInput* flow : flows_)
  {
    const auto& arrays = flow->amr_bricks();
    const auto each = std::max<std::int64_t>(1, static_cast<std::int64_t>(flow->stores().size()));
    const std::int64_t others = other_levels(*flow);
    for (const std::shared_ptr<BudgetedStore>& store : flow->stores())
    {
      add(store, { .weight = 12 * others, .in_background = true });
    }
    for (const std::shared_ptr<AmrBricks>& bricks : arrays)
    {
      const bool velocity = bricks == arrays.front();
      add(bricks, { .weight = each * (velocity ? (arrays.size() > 1 ? 3 : 4) * others : 1) });
    }
  }
}

/// Limit for patches read on demand, where a dropped brick costs the reading of whole patches: twice the number of
/// patches read at a time. Seeds are released in the order of the bricks, so that these particles are neighbours and
/// need much the same patches.
std::int64_t FieldRun::most_particles() const
{
  std::int64_t most = 0;
  for (const FlowInput* flow : flows_)
  {
    for (const std::shared_ptr<BudgetedStore>& store : flow->stores())
    {
      const std::int64_t particles = 2 * std::int64_t{ patches_at_once(*store) };
      most = most == 0 ? particles : std::min(most, particles);
    }
  }
  return most;
}

/// Joined bricks share the budget of the first reader; if all arrays are in memory, they have a budget of their own.
/// Their weight is 3, because the parts of a joined brick are not read again.
void FieldRun::add_joined()
{
  for (const FlowInput* flow : flows_)
  {
    for (const std::shared_ptr<JoinedBricks>& bricks : flow->joined_bricks())
    {
      first_budget().add(bricks, { .weight = 3 });
    }
  }
}

/// One tile per thread, if arrays are converted.
void FieldRun::add_tiles()
{
  for (const FlowInput* flow : flows_)
  {
    if (flow->tiles()->working_minimum(1) > 0)
    {
      first_budget().add(flow->tiles(), { .weight = 0 });
    }
  }
}

FieldAccess FieldRun::access() const
{
  FieldAccess access;
  for (const std::shared_ptr<FieldMemory>& memory : memories_)
  {
    add_words(access.strategy, name_of(memory->source().strategy()), ", ");
    add_words(access.reason,
        ranked_ && !ranked_->reads_alone() ? "Ranks read bricks for each other." : memory->source().strategy_reason(),
        " ");
  }
  const auto reads_patches = [](const FlowInput* flow)
  {
    return !flow->stores().empty();
  };
  if (std::any_of(flows_.begin(), flows_.end(), reads_patches))
  {
    add_words(access.strategy, "On Demand", ", ");
    add_words(access.reason, "Patches are read where lines pass.", " ");
  }
  if (access.strategy.empty())
  {
    access = { .strategy = "In Memory", .reason = "The values were in memory before." };
  }
  const FlowInput* before = flows_.front();
  for (const FlowInput* flow : flows_)
  {
    const TraceField& field = flow->field();
    if (field.foreign != nullptr || field.curvilinear != nullptr)
    {
      const std::string kinds = field.foreign != nullptr ? field.foreign->kinds() : "curvilinear hexahedra";
      add_words(access.reason, "Cells: " + kinds + ".", " ");
    }
    const std::shared_ptr<const ForeignCells>& cells = before->field().foreign;
    if (field.foreign != cells)
    {
      add_words(access.reason, change_of(cells, field.foreign), " ");
    }
    before = flow;
  }
  return access;
}

SourceStatistics FieldRun::statistics() const
{
  SourceStatistics sum;
  for (const std::unique_ptr<SharedBudget>& budget : budgets_)
  {
    sum += budget->statistics();
  }
  return sum;
}

} // namespace rivulet
