// SPDX-License-Identifier: BSD-3-Clause
#include "Store/ChooseStrategy.h"

#include "Base/Bytes.h"
#include "Io/File.h"

#include <array>
#include <cstdint>
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
  StrategyChoice choice{ AccessStrategy::Asynchronous, {}, why_buffered.empty() };
  choice.reason = "Bricks are read while others are traced, because " + because;
  choice.reason += choice.direct ? "." : ", and through the page cache, because " + why_buffered + ".";
  return choice;
}

StrategyChoice automatic(const StorageFacts& facts)
{
  const std::string over_network = "the file lies on a network file system (" + facts.network + ")";
  if (!facts.asynchronous || !facts.page_aligned)
  {
    return facts.network.empty() ? mapped(facts, "it lies on a local file system") : direct(facts, over_network);
  }
  if (!facts.network.empty())
  {
    return asynchronous(facts, over_network);
  }
  return facts.fits_in_memory ? mapped(facts, "it lies on a local file system and fits into the memory that is free")
                              : asynchronous(facts, "the field takes more than half of the memory that is free");
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

} // namespace rivulet
