// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Field/ChooseStrategy.h"

#include "Base/Bytes.h"
#include "Io/Files/File.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <sys/vfs.h>

namespace rivulet
{

namespace
{

struct NetworkFileSystem
{
  std::uint32_t magic;
  const char* name;
};

/// Magic numbers that statfs reports, from the kernel's magic.h and the sources of the file systems. FUSE counts as
/// network, because most FUSE mounts are.
constexpr std::array<NetworkFileSystem, 18> kNetworkFileSystems{ { { 0x00006969, "NFS" }, { 0x0000517b, "SMB" },
    { 0xff534d42, "CIFS" }, { 0xfe534d42, "SMB" }, { 0x0bd00bd0, "Lustre" }, { 0x47504653, "GPFS" },
    { 0x00c36400, "Ceph" }, { 0x65735546, "FUSE" }, { 0x5346414f, "AFS" }, { 0x6b414653, "AFS" }, { 0x01021997, "9P" },
    { 0x19830326, "BeeGFS" }, { 0xaad7aaea, "PanFS" }, { 0x7461636f, "OCFS2" }, { 0x01161970, "GFS2" },
    { 0x73757245, "Coda" }, { 0x20030528, "PVFS2" }, { 0x786f4256, "VirtualBox's shared folders" } } };

std::string network_of(const std::string& path)
{
  struct statfs status
  {
  };
  if (::statfs(path.c_str(), &status) != 0)
  {
    return {};
  }
  const auto magic = static_cast<std::uint32_t>(status.f_type);
  for (const NetworkFileSystem& known : kNetworkFileSystems)
  {
    if (known.magic == magic)
    {
      return known.name;
    }
  }
  return {};
}

std::string direct_refusal(const std::string& path)
{
  const Result<DirectLimits> limits = direct_limits(path);
  if (!limits)
  {
    return "the file system refuses direct reads";
  }
  if (limits->offset > kPage || limits->memory > kPage)
  {
    return "the file system wants direct reads in larger units than pages";
  }
  return {};
}

StrategyChoice buffered(const std::string& because)
{
  return { .strategy = AccessStrategy::BufferedCache,
    .reason = "Bricks are read through the page cache, because " + because + "." };
}

StrategyChoice direct(const StorageFacts& facts, const std::string& because)
{
  if (!facts.page_aligned)
  {
    return buffered("they do not begin on pages in this file");
  }
  if (!facts.direct_refusal.empty())
  {
    return buffered(facts.direct_refusal);
  }
  return { .strategy = AccessStrategy::DirectCache,
    .reason = "Bricks are read past the page cache, because " + because + "." };
}

StrategyChoice mapped(const StorageFacts& facts, const std::string& because)
{
  if (!facts.page_aligned)
  {
    return buffered("they do not begin on pages in this file");
  }
  return { .strategy = AccessStrategy::MemoryMap, .reason = "The file is mapped, because " + because + "." };
}

/// Past the page cache if possible: asynchronous reads through the page cache keep a kernel thread busy.
StrategyChoice asynchronous(const StorageFacts& facts, const std::string& because)
{
  const std::string why_buffered =
      facts.page_aligned ? facts.direct_refusal : "they do not begin on pages in this file";
  StrategyChoice choice{ AccessStrategy::Asynchronous, {}, why_buffered.empty(), !facts.network.empty() };
  choice.reason = "Bricks are read while others are traced, because " + because;
  choice.reason += choice.direct ? "." : ", and through the page cache, because " + why_buffered + ".";
  return choice;
}

StrategyChoice automatic(const StorageFacts& facts)
{
  const std::string over_network = "the file lies on a network file system (" + facts.network + ")";
  const std::string local = "it lies on a local file system";
  if (!facts.page_aligned)
  {
    return facts.network.empty() ? mapped(facts, local) : direct(facts, over_network);
  }
  if (!facts.network.empty())
  {
    return asynchronous(facts, over_network);
  }
  // A mapped page of whole arrays serves the neighbouring bricks, too: the mapping is kept even if it does not fit.
  if (!facts.fits_in_memory && !(facts.mapped && facts.shared_pages))
  {
    return asynchronous(facts, "the field takes more than half of the memory that is free");
  }
  const std::string fits = "it lies on a local file system and fits into the memory that is free";
  return facts.mapped ? mapped(facts, fits) : buffered(fits);
}

/// Share of cached bricks above which the field counts as cached.
constexpr double kWarm = 0.5;

/// Whether a thread that waits for a brick has no other line to trace meanwhile.
bool has_few_lines(const Workload& workload)
{
  return workload.at_once <= 2 * std::int64_t{ workload.threads };
}

/// Whether the page cache serves bricks that are read again: cached ones, and bricks that the budget cannot keep. Over
/// a network more is lost than that brings, because the kernel fills it with a few threads and keeps few reads under
/// way.
bool served_by_page_cache(const StorageFacts& facts, std::optional<double> cached)
{
  const bool returning = facts.bytes > facts.budget && facts.network.empty();
  return returning || facts.shared_pages || cached.value_or(0.0) > 0.1;
}

} // namespace

StorageFacts facts_about(const std::string& path, bool page_aligned)
{
  return { .network = network_of(path), .page_aligned = page_aligned, .direct_refusal = direct_refusal(path) };
}

StrategyChoice choose_strategy(AccessStrategy wanted, const StorageFacts& facts)
{
  static const std::string asked = "that was asked for";
  switch (wanted)
  {
  case AccessStrategy::MemoryMap:
    return mapped(facts, asked);
  case AccessStrategy::BufferedCache:
    return buffered(asked);
  case AccessStrategy::DirectCache:
    return direct(facts, asked);
  case AccessStrategy::Asynchronous:
    return asynchronous(facts, asked);
  case AccessStrategy::Automatic:
    break;
  }
  return automatic(facts);
}

StrategyChoice instead_of_mapping(const Error& refusal)
{
  const std::string why = refusal.sys_errno != 0 ? std::string(": ") + std::strerror(refusal.sys_errno) : std::string();
  return { AccessStrategy::BufferedCache, "The system refused to map the field (" + refusal.what + why + ")." };
}

StrategyChoice without_threads()
{
  return { AccessStrategy::BufferedCache, "The system gives the process no threads for asynchronous reads." };
}

std::string reason_to_keep(const HeldBricks& held, const Workload& workload)
{
  const std::string kept = "Bricks are read as in the run before, because ";
  if (held.first_share > kWarm)
  {
    return kept + "most of those in which lines begin are still in memory.";
  }
  return held.bytes > 0 && has_few_lines(workload) ? kept + "few lines are not worth dropping those in memory." : "";
}

StrategyChoice choose_for_run(const StorageFacts& facts, std::optional<double> cached, const Workload& workload)
{
  if (!facts.page_aligned)
  {
    return automatic(facts);
  }
  const bool warm = cached.value_or(0.0) > kWarm;
  const bool few = has_few_lines(workload);
  const bool returning = facts.bytes > facts.budget;
  // Of a slow storage, prefetch hides most of the time even for one line.
  if (warm || (few && !facts.shared_pages && facts.network.empty()))
  {
    const std::string because =
        warm ? "most of its bricks are in the page cache" : "there are few lines to trace while a brick is read";
    const bool map = facts.mapped && facts.network.empty() && (few || !returning);
    return map ? mapped(facts, because) : buffered(because);
  }
  StrategyChoice choice = asynchronous(facts, "most of them are not in the page cache");
  choice.direct = choice.direct && !(facts.fits_in_memory && served_by_page_cache(facts, cached));
  return choice;
}

} // namespace rivulet
