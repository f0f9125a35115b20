// SPDX-License-Identifier: BSD-3-Clause
// The input is a file of hints; or, after the byte 1, hints, four bytes each. What is read or made must be the same
// when it is written and read again.
#include "Fuzz/Support.h"
#include "Store/Hints/HintFile.h"

#include <cstring>
#include <set>
#include <tuple>

namespace
{

using namespace rivulet;

constexpr std::uint64_t kField = 7;

using Flat = std::tuple<std::int32_t, std::int32_t, std::int64_t, std::int32_t, std::int32_t, std::int64_t,
    std::int32_t, std::int32_t, std::int64_t, std::uint32_t>;

std::set<Flat> flat(const HintGraph& hints)
{
  std::set<Flat> all;
  for (const HintGraph::Hint& hint : hints.all())
  {
    all.insert({ hint.before.variable, hint.before.step, hint.before.index, hint.key.variable, hint.key.step,
        hint.key.index, hint.next.variable, hint.next.step, hint.next.index, hint.weight });
  }
  return all;
}

void check(const HintGraph& hints)
{
  fuzz::expect(hints.size() <= HintGraph::kMost && hints.all().size() == hints.size(), "the number of hints");
  for (const HintGraph::Hint& hint : hints.all())
  {
    fuzz::expect(hints.look(hint.before, hint.key, 40).size() <= 40, "too many bricks");
  }
  const Result<HintGraph> again = unpack_hints(pack_hints(hints, kField), kField);
  fuzz::expect(again && flat(*again) == flat(hints), "other hints when they are read again");
}

HintGraph graph_of(const std::uint8_t* data, std::size_t size)
{
  HintGraph hints;
  for (; size >= 4; data += 4, size -= 4)
  {
    hints.add({ { 0, 0, data[0] % 8 }, { 0, 0, data[1] % 8 }, { 0, data[3] & 1, data[2] % 8 }, data[3] });
  }
  return hints;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  if (size > 0 && data[0] == 1)
  {
    check(graph_of(data + 1, size - 1));
    return 0;
  }
  const Result<HintGraph> hints = unpack_hints({ reinterpret_cast<const std::byte*>(data), size }, kField);
  if (hints)
  {
    check(*hints);
  }
  else
  {
    fuzz::expect(!hints.error().what.empty(), "an error says nothing");
  }
  return 0;
}
