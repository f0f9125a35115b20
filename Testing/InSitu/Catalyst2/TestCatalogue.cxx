// SPDX-License-Identifier: BSD-3-Clause
// Run on any number of ranks: what they have of a channel differs.
#include "InSitu/Catalyst2/Catalogue.h"
#include "InSitu/Catalyst2/Gather.h"

#include <gmock/gmock.h>

namespace
{

using namespace rivulet::catalyst2;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Values values_of(const std::string& name, std::int32_t components = 1, std::int64_t stride = 0)
{
  return { name, RIVULET_FLOAT64, 8, components, false, stride, { nullptr }, 8 };
}

/// A domain of 8 cells with these values.
Domain domain_of(std::vector<Values> at_cells, GridKind kind = GridKind::Uniform)
{
  Domain domain;
  domain.grid.kind = kind;
  domain.grid.elements = 8;
  domain.at_cells = std::move(at_cells);
  return domain;
}

std::vector<std::string> names_of(const std::vector<VariableOutline>& variables)
{
  std::vector<std::string> names;
  for (const VariableOutline& each : variables)
  {
    names.push_back(each.name);
  }
  return names;
}

class Agreements : public testing::Test
{
protected:
  Agreements()
  {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  void add(const std::string& topology, const std::vector<Domain>& domains)
  {
    const auto outline = outline_of("grid", Part{ "grid", topology, domains }, teller);
    ASSERT_TRUE(outline) << outline.error().describe();
    own.push_back(*outline);
  }
  [[nodiscard]] std::vector<Outline> agree(const std::vector<std::string>& refused = {})
  {
    return catalogue.agree(MPI_COMM_WORLD, own, refused, teller).value();
  }
  [[nodiscard]] bool is_last() const { return rank == ranks - 1; }

  int rank = 0;
  int ranks = 1;
  Teller teller;
  Catalogue catalogue;
  std::vector<Outline> own;
};

TEST_F(Agreements, ARankWithoutTheChannelLearnsOfIt)
{
  if (rank == 0)
  {
    add("t", { domain_of({ values_of("v", 3) }) });
  }
  const auto all = agree();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].name, "grid");
  EXPECT_THAT(all[0].cells, ElementsAre(VariableOutline{ "v", RIVULET_FLOAT64, 3 }));
  EXPECT_THAT(agree(is_last() ? std::vector<std::string>{ "grid" } : std::vector<std::string>()), IsEmpty());
}

TEST_F(Agreements, TopologiesHaveTheSameNamesOnAllRanks)
{
  add("t", { domain_of({ values_of("v") }) });
  if (is_last())
  {
    add("bed", { domain_of({ values_of("v") }) });
  }
  const auto all = agree();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].name, "grid/t");
  EXPECT_EQ(all[1].name, "grid/bed");
}

TEST_F(Agreements, ATopologyWithoutCellsHasAName)
{
  add("t", { domain_of({ values_of("v") }) });
  if (is_last())
  {
    add("bed", {});
  }
  const auto all = agree();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].name, "grid/t");
}

TEST_F(Agreements, FieldsMayComeInAnyOrder)
{
  const std::vector<Values> one{ values_of("u"), values_of("v", 3) };
  const std::vector<Values> other{ values_of("v", 3), values_of("u") };
  add("t", { domain_of(rank == 0 ? one : other), domain_of(other) });
  const auto all = agree();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(names_of(all[0].cells), ElementsAre("u", "v"));
  EXPECT_EQ(teller.last(), "");
  std::vector<Domain> domains{ domain_of(other) };
  select(all[0], domains);
  EXPECT_EQ(domains[0].at_cells[0].name, "u");
}

TEST_F(Agreements, AFieldThatDiffersIsLeftOutAlone)
{
  add("t", { domain_of({ values_of("u"), values_of("v", is_last() && ranks > 1 ? 1 : 3), values_of("w") }),
               domain_of({ values_of("u"), values_of("v", 3) }) });
  const auto all = agree();
  ASSERT_THAT(all, SizeIs(1));
  if (ranks == 1)
  {
    EXPECT_THAT(names_of(all[0].cells), ElementsAre("u", "v"));
    EXPECT_THAT(teller.last(), HasSubstr("catalyst/channels/grid, field \"w\": its type"));
  }
  else
  {
    EXPECT_THAT(names_of(all[0].cells), ElementsAre("u"));
    EXPECT_THAT(teller.last(), HasSubstr("catalyst/channels/grid, field \"v\": its type"));
  }
}

TEST_F(Agreements, OnlyBoxesHaveOneStride)
{
  for (const GridKind kind : { GridKind::Uniform, GridKind::Mesh })
  {
    own.clear();
    add("t", { domain_of({ values_of("u"), values_of("v") }, kind),
                 domain_of({ values_of("u", 1, 16), values_of("v") }, kind) });
    const auto all = agree();
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_THAT(all[0].cells, SizeIs(kind == GridKind::Mesh ? 2 : 1));
  }
}

TEST_F(Agreements, DomainsWithoutElementsHaveNoSay)
{
  Domain empty = domain_of({}, GridKind::Mesh);
  empty.grid.elements = 0;
  std::vector<Domain> domains{ empty };
  if (rank == 0)
  {
    domains.push_back(domain_of({ values_of("v") }, GridKind::Mesh));
  }
  add("t", domains);
  const auto all = agree();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(names_of(all[0].cells), ElementsAre("v"));
  select(all[0], domains);
  EXPECT_THAT(domains, SizeIs(rank == 0 ? 1 : 0));
}

TEST_F(Agreements, AMeshWithoutElementsOnAllRanksIsPublished)
{
  Domain empty = domain_of({ values_of("v") }, GridKind::Mesh);
  empty.grid.elements = 0;
  add("t", rank == 0 ? std::vector<Domain>{ empty } : std::vector<Domain>());
  const auto all = agree();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(names_of(all[0].cells), ElementsAre("v"));
}

TEST_F(Agreements, AChannelOfSeveralTypesIsLeftOut)
{
  add("t", { domain_of({ values_of("v") }, is_last() && ranks > 1 ? GridKind::Mesh : GridKind::Uniform) });
  EXPECT_THAT(agree(), SizeIs(ranks == 1 ? 1 : 0));
  EXPECT_EQ(teller.last().empty(), ranks == 1);
}

TEST_F(Agreements, AreTheSameWhileNothingChanges)
{
  add("t", { domain_of({ values_of("v") }) });
  const auto first = agree();
  EXPECT_EQ(agree(), first);
  if (is_last())
  {
    add("bed", { domain_of({ values_of("v") }) });
  }
  EXPECT_THAT(agree(), SizeIs(2));
  own.resize(1);
  EXPECT_EQ(agree(), first);
}

TEST(Gathering, IsRefusedWhereMpiCannotCountTheBytes)
{
  EXPECT_THAT(begins_of({ 3, 0, 5 }).value(), ElementsAre(0, 3, 3, 8));
  const std::int64_t half = std::int64_t{ 1 } << 30;
  EXPECT_THAT(begins_of({ half, half - 1 }).value().back(), half + half - 1);
  EXPECT_THAT(begins_of({ half, half }).error().what, HasSubstr("all 2 ranks have more bytes"));
  EXPECT_FALSE(begins_of({ 4 * half }));
}

} // namespace
