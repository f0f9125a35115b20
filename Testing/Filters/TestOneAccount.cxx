// SPDX-License-Identifier: BSD-3-Clause
// Three readers and two filters in one process, in turn, under one limit: the same bytes as without it.
#include "Core/Amr/MadeDump.h"
#include "Store/Memory/MemoryAccount.h"
#include "vtkDataArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkRivuletBOVReader.h"
#include "vtkRivuletFieldReader.h"
#include "vtkRivuletSAMRAIReader.h"
#include "vtkRivuletStreamTracer.h"
#include "vtkRivuletVortexSeeds.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace rivulet::test
{
namespace
{

constexpr std::int64_t kLimit = 6 * 1024 * 1024;
constexpr std::int32_t kNodes = 65;

std::array<double, 3> flow(double x, double y, double z)
{
  return { std::sin(2 * z) + 0.7 * std::cos(3 * y), 0.8 * std::sin(2 * x) + std::cos(2.5 * z),
    0.6 * std::sin(3 * y) + 0.9 * std::cos(2 * x) };
}

/// An ABC flow in a field file, another flow in blocks of a BOV file, a rotation in an AMR dump.
class Files
{
public:
  Files()
  {
    const std::string command =
        std::string("\"") + RIVULET_PROGRAM + "\" generate abc \"" + field() + "\" -q --size 80";
    EXPECT_EQ(std::system(command.c_str()), 0) << command; // NOLINT(concurrency-mt-unsafe)
    std::ofstream(bov()) << "DATA_FILE: flow.raw\nDATA_SIZE: 65 65 65\nDATA_FORMAT: FLOAT\nDATA_COMPONENTS: 3\n"
                            "VARIABLE: velocity\nDATA_ENDIAN: LITTLE\nCENTERING: nodal\n"
                            "BRICK_ORIGIN: -1 -1 -1\nBRICK_SIZE: 2 2 2\n";
    std::ofstream values(folder_.file("flow.raw"), std::ios::binary);
    for (std::int32_t number = 0; number < kNodes * kNodes * kNodes; ++number)
    {
      const auto place = [&](std::int32_t of)
      {
        return -1.0 + 2.0 * (of % kNodes) / (kNodes - 1);
      };
      for (const double value : flow(place(number), place(number / kNodes), place(number / kNodes / kNodes)))
      {
        const auto stored = static_cast<float>(value);
        values.write(reinterpret_cast<const char*>(&stored), sizeof(stored));
      }
    }
  }

  [[nodiscard]] std::string field() const { return folder_.file("abc.rvf"); }
  [[nodiscard]] std::string bov() const { return folder_.file("flow.bov"); }
  [[nodiscard]] std::string dump() const { return dump_.summary(); }

private:
  TemporaryFolder folder_;
  MadeDump dump_{
    "--cells 32 32 32 --spacing 0.0625 0.0625 0.0625 --origin -1 -1 -1 --levels 2 --refine 0.7 --patches 4 "
    "--variable name=v,shape=vector,function=rotation,type=f8"
  };
};

vtkNew<vtkPolyData> seeds(double reach)
{
  vtkNew<vtkPoints> points;
  for (int i = 0; i < 60; ++i)
  {
    const double t = (i + 0.5) / 60;
    points->InsertNextPoint(reach * std::cos(11 * t), reach * std::sin(17 * t), reach * (2 * t - 1));
  }
  vtkNew<vtkPolyData> made;
  made->SetPoints(points);
  return made;
}

void add_bytes(std::string& bytes, vtkDataArray* array)
{
  bytes.append(static_cast<const char*>(array->GetVoidPointer(0)),
      static_cast<std::size_t>(array->GetNumberOfValues()) * static_cast<std::size_t>(array->GetDataTypeSize()));
}

/// A hash of all points and their arrays.
std::size_t digest(vtkPolyData& found)
{
  EXPECT_GT(found.GetNumberOfPoints(), 50);
  std::string bytes;
  add_bytes(bytes, found.GetPoints()->GetData());
  for (int i = 0; i < found.GetPointData()->GetNumberOfArrays(); ++i)
  {
    add_bytes(bytes, found.GetPointData()->GetArray(i));
  }
  return std::hash<std::string_view>()(bytes);
}

/// All outputs of three rounds, and what the account said meanwhile.
struct Seen
{
  std::string digests;
  bool shrank = false; ///< the caches of the readers that were idle while patches were read
};

class Scene
{
public:
  Scene()
  {
    field_->AddFileName(files_.field().c_str());
    field_->SetAccessStrategy(2); // buffered cache
    bov_->AddFileName(files_.bov().c_str());
    bov_->SetAccessStrategy(4); // asynchronous
    dump_->AddFileName(files_.dump().c_str());
    dump_->SetReadOnDemand(vtkRivuletSAMRAIReader::ALWAYS);
  }

  /// Runs both filters on each reader's output, in turn.
  [[nodiscard]] Seen run()
  {
    const MemoryAccount& account = MemoryAccount::process();
    Seen seen;
    for (int round = 0; round < 3; ++round)
    {
      trace(*field_, vtkDataObject::POINT, 2.5 + 0.1 * round, seen.digests);
      find(*bov_, round, seen.digests);
      trace(*bov_, vtkDataObject::POINT, 0.7 + 0.1 * round, seen.digests);
      const std::int64_t before = account.used(MemoryUse::Bricks);
      trace(*dump_, vtkDataObject::CELL, 0.7 + 0.1 * round, seen.digests);
      seen.shrank = seen.shrank || account.used(MemoryUse::Bricks) < before;
      find(*field_, round, seen.digests);
    }
    return seen;
  }

private:
  template <class Reader>
  void trace(Reader& reader, int association, double reach, std::string& digests)
  {
    vtkNew<vtkRivuletStreamTracer> tracer;
    tracer->SetInputConnection(reader.GetOutputPort());
    tracer->SetSourceData(seeds(reach));
    tracer->SetInputArrayToProcess(
        0, 0, 0, association, association == vtkDataObject::CELL ? "v" : name_of_vectors(reader));
    tracer->SetMaximumPropagation(6.0);
    tracer->SetNumberOfThreads(2);
    tracer->Update();
    digests += std::to_string(digest(*vtkPolyData::SafeDownCast(tracer->GetOutputDataObject(0)))) + ' ';
  }

  template <class Reader>
  void find(Reader& reader, int seed, std::string& digests)
  {
    vtkNew<vtkRivuletVortexSeeds> vortices;
    vortices->SetInputConnection(reader.GetOutputPort());
    vortices->SetInputArrayToProcess(0, 0, 0, vtkDataObject::POINT, name_of_vectors(reader));
    vortices->SetMinimumVorticity(0.5);
    vortices->SetRandomSeed(seed);
    vortices->SetNumberOfThreads(2);
    vortices->Update();
    digests += std::to_string(digest(*vtkPolyData::SafeDownCast(vortices->GetOutputDataObject(0)))) + ' ';
  }

  [[nodiscard]] static const char* name_of_vectors(vtkRivuletReader& reader)
  {
    reader.UpdateInformation();
    return reader.GetPointArrayName(0);
  }
  [[nodiscard]] static const char* name_of_vectors(vtkRivuletSAMRAIReader&) { return "v"; }

  Files files_;
  vtkNew<vtkRivuletFieldReader> field_;
  vtkNew<vtkRivuletBOVReader> bov_;
  vtkNew<vtkRivuletSAMRAIReader> dump_;
};

/// Leaves with 0 if the results are those expected, within the limit. Runs in a process of its own.
[[noreturn]] void leave_with_the_same_results(const char* expected)
{
  int missing = 0;
  {
    Scene scene;
    const Seen seen = scene.run();
    const MemoryAccount& account = MemoryAccount::process();
    missing |= seen.digests == expected ? 0 : 1;
    missing |= account.cap() == kLimit && account.peak() <= kLimit ? 0 : 2;
    missing |= seen.shrank ? 0 : 4;
    for (const MemoryUse use : { MemoryUse::Bricks, MemoryUse::MadeBricks, MemoryUse::Staging, MemoryUse::Patches,
             MemoryUse::NodeValues, MemoryUse::Lines })
    {
      std::fprintf(
          stderr, "use %d: peak %lld bytes\n", static_cast<int>(use), static_cast<long long>(account.peak(use)));
      missing |= account.peak(use) > 0 ? 0 : 8;
    }
    std::fprintf(stderr, "peak of all: %lld of %lld bytes\n", static_cast<long long>(account.peak()),
        static_cast<long long>(kLimit));
  }
  missing |= MemoryAccount::process().used() == 0 ? 0 : 16;
  std::_Exit(missing);
}

TEST(OneAccount, HoldsThreeReadersAndTwoFilters)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a fresh process reads the environment anew
  if (std::getenv("RIVULET_MEMORY_LIMIT") == nullptr)
  {
    Scene scene;
    const Seen seen = scene.run();
    EXPECT_FALSE(seen.shrank);
    EXPECT_GT(MemoryAccount::process().peak(), 2 * kLimit); // the limit means something
    ::setenv("RIVULET_EXPECTED_DIGESTS", seen.digests.c_str(), 1);
    ::setenv("RIVULET_MEMORY_LIMIT", std::to_string(kLimit).c_str(), 1);
  }
  EXPECT_EXIT(
      leave_with_the_same_results(std::getenv("RIVULET_EXPECTED_DIGESTS")), testing::ExitedWithCode(0), "peak of all");
  ::unsetenv("RIVULET_MEMORY_LIMIT");
}

} // namespace
} // namespace rivulet::test
