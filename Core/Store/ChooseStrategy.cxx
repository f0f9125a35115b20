// SPDX-License-Identifier: BSD-3-Clause
#include "Store/ChooseStrategy.h"

#include "Base/Bytes.h"
#include "Io/File.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
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

/// Numbers that statfs reports, from the kernel's magic.h and the file systems' own sources. FUSE counts as network:
/// most of what is mounted through it is.
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

/// Past the page cache where that can be: reads that the page cache has to serve keep a thread of the kernel's busy.
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
  if (!facts.fits_in_memory && !(facts.mapped && facts.shared_pages)) // whose whole mapping is of use to others, too
  {
    return asynchronous(facts, "the field takes more than half of the memory that is free");
  }
  const std::string fits = "it lies on a local file system and fits into the memory that is free";
  return facts.mapped ? mapped(facts, fits) : buffered(fits);
}

// Seconds that a brick costs a worker beyond waiting for the device. Measured on two cores of a 2.6 GHz Zen 5;
// elsewhere they are others, but of the same order among each other and beside what devices take.
constexpr double kTraced = 14e-6;     ///< with lines, by itself
constexpr double kCopied = 11e-6;     ///< out of the page cache, into a slot
constexpr double kHandedOver = 24e-6; ///< from another thread that read it
constexpr double kRemapped = 15e-6;   ///< in a mapping that has to drop another for it

/// A device that takes longer than this for a request is far away.
constexpr double kFar = 1e-3;

/// Less than this is not worth a change.
constexpr double kWorthIt = 0.95;

std::string rounded(double value, const char* unit)
{
  std::array<char, 40> text{};
  const int digits = value >= 10.0 ? 0 : value >= 1.0 ? 1 : 2;
  std::snprintf(text.data(), text.size(), "%.*f%s", digits, value, unit);
  return text.data();
}

/// Seconds per brick by each way to read, in the run at hand.
class RunCosts
{
public:
  RunCosts(const StorageFacts& facts, const MeasuredStorage& measured, const Workload& workload)
    : facts_(facts)
    , speed_(*measured.speed)
    , cached_(measured.cached.value_or(0.0))
    , waiting_(static_cast<double>(std::clamp<std::int64_t>(workload.at_once, 1, std::max(1, workload.threads))))
    , wanted_(static_cast<double>(std::max<std::int64_t>(1, workload.at_once)))
    , returning_(reach(workload) > facts.budget)
  {
  }

  [[nodiscard]] StrategyChoice best() const;

private:
  /// Bytes of the bricks that the lines may come to.
  [[nodiscard]] std::int64_t reach(const Workload& workload) const
  {
    double bricks = 1.0; // of one line; it crosses faces of all three directions
    for (const std::int32_t edge : facts_.brick_cells)
    {
      bricks += workload.longest_way / (2.0 * std::max(1, edge));
    }
    const double bytes = bricks * static_cast<double>(workload.particles) * static_cast<double>(facts_.brick_bytes);
    return static_cast<std::int64_t>(std::min(bytes, static_cast<double>(facts_.bytes)));
  }
  /// Waiting for one read after the other.
  [[nodiscard]] double one_by_one() const { return (1.0 - cached_) * speed_.latency * facts_.brick_reads / waiting_; }
  [[nodiscard]] double mapped() const { return one_by_one() + (kTraced + (returning_ ? kRemapped : 0.0)) / waiting_; }
  [[nodiscard]] double copied() const { return one_by_one() + (kTraced + kCopied) / waiting_; }
  /// With something else to trace meanwhile, the longer of both times; else one after the other. A device does not get
  /// slower by being asked for more at once, whatever a short look at it may say.
  [[nodiscard]] double together(double share) const
  {
    const double at_once = wanted_ * facts_.brick_reads;
    const double served = std::max(speed_.requests_per_second, waiting_ / speed_.latency);
    const double device = share * facts_.brick_reads / std::min(served, at_once / speed_.latency);
    const double work = (kTraced + kHandedOver) / waiting_;
    return at_once > 2.0 * waiting_ ? std::max(device, work) : device + work;
  }
  [[nodiscard]] std::string device() const
  {
    return "the device answers one request in " + rounded(1e3 * speed_.latency, " ms") + " and " +
           rounded(speed_.requests_per_second, "") + " a second at once";
  }
  [[nodiscard]] std::string why_one_by_one() const;

  const StorageFacts& facts_;
  StorageSpeed speed_;
  double cached_;
  double waiting_; ///< threads that wait for bricks
  double wanted_;  ///< bricks that may be asked for at once
  bool returning_; ///< bricks have to come again, because the budget does not hold them all
};

std::string RunCosts::why_one_by_one() const
{
  if (cached_ > 0.5)
  {
    return rounded(100.0 * cached_, " %") + " of its bricks are in the page cache";
  }
  return device() + ", and " + (wanted_ > 1.0 ? "few lines are" : "one line is") + " traced at a time";
}

StrategyChoice RunCosts::best() const
{
  // What the page cache holds need not be read again, be it from before or because it came once in this run.
  const bool page_cache = facts_.fits_in_memory && (returning_ || facts_.shared_pages || cached_ > 0.1);
  const double asynchronously = together(page_cache ? 1.0 - cached_ : 1.0);
  const bool may_map = facts_.mapped && facts_.network.empty();
  const double alone = may_map ? std::min(mapped(), copied()) : copied();
  if (asynchronously < kWorthIt * alone)
  {
    StrategyChoice choice = asynchronous(
        facts_, device() + ", and " + rounded(wanted_ * facts_.brick_reads, "") + " reads may be under way at once");
    choice.direct = choice.direct && !page_cache;
    choice.far = speed_.latency > kFar;
    return choice;
  }
  const bool map = may_map && mapped() <= copied();
  return map ? rivulet::mapped(facts_, why_one_by_one()) : buffered(why_one_by_one());
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

StrategyChoice choose_for_run(const StorageFacts& facts, const MeasuredStorage& measured, const Workload& workload)
{
  if (!measured.speed || !facts.page_aligned || !facts.direct_refusal.empty())
  {
    return automatic(facts);
  }
  return RunCosts(facts, measured, workload).best();
}

} // namespace rivulet
