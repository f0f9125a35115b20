// SPDX-License-Identifier: BSD-3-Clause
// A simulation on tetrahedra with an adaptor for legacy Catalyst, as it was and with helper cores:
//
//     legacy_simulation before SCRIPT OUTPUT STEPS
//     legacy_simulation now CONFIGURATION STEPS
//
// Points and values change in place from step to step.
#include "Catalyst/rivulet_legacy_catalyst.h"
#include "vtkCPProcessor.h"
#include "vtkCPPythonPipeline.h"
#include "vtkDoubleArray.h"
#include "vtkMPI.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkUnstructuredGrid.h"

#include <cmath>
#include <cstdlib>
#include <mpi.h>
#include <string>

namespace
{

constexpr int kPoints = 13; ///< along each axis

/// A block of tetrahedra for each rank, side by side.
class Mesh
{
public:
  explicit Mesh(int rank)
    : first_(rank * (kPoints - 1))
  {
    points_->SetNumberOfPoints(kPoints * kPoints * kPoints);
    values_->SetName("wave");
    values_->SetNumberOfValues(points_->GetNumberOfPoints());
    grid_->SetPoints(points_);
    grid_->GetPointData()->AddArray(values_);
    grid_->Allocate(6 * (kPoints - 1) * (kPoints - 1) * (kPoints - 1));
    const int corners[6][2] = { { 1, 3 }, { 3, 2 }, { 2, 6 }, { 6, 4 }, { 4, 5 }, { 5, 1 } };
    for (int k = 0; k + 1 < kPoints; ++k)
    {
      for (int j = 0; j + 1 < kPoints; ++j)
      {
        for (int i = 0; i + 1 < kPoints; ++i)
        {
          for (const auto& pair : corners)
          {
            const vtkIdType cell[4] = { at(i, j, k), corner(i, j, k, pair[0]), corner(i, j, k, pair[1]),
              at(i + 1, j + 1, k + 1) };
            grid_->InsertNextCell(VTK_TETRA, 4, cell);
          }
        }
      }
    }
  }

  void advance(int step)
  {
    for (int k = 0; k < kPoints; ++k)
    {
      for (int j = 0; j < kPoints; ++j)
      {
        for (int i = 0; i < kPoints; ++i)
        {
          const double x = first_ + i;
          points_->SetPoint(at(i, j, k), x, j + 0.5 * std::sin(0.3 * (x + step)), k);
          values_->SetValue(at(i, j, k), std::sin(0.4 * (x - step)) * std::cos(0.3 * (j + k)));
        }
      }
    }
    points_->Modified();
    values_->Modified();
    grid_->Modified();
  }
  [[nodiscard]] vtkUnstructuredGrid* grid() { return grid_; }

private:
  static vtkIdType at(int i, int j, int k) { return (static_cast<vtkIdType>(k) * kPoints + j) * kPoints + i; }
  static vtkIdType corner(int i, int j, int k, int bits)
  {
    return at(i + (bits & 1), j + ((bits >> 1) & 1), k + ((bits >> 2) & 1));
  }

  int first_;
  vtkNew<vtkPoints> points_;
  vtkNew<vtkDoubleArray> values_;
  vtkNew<vtkUnstructuredGrid> grid_;
};

void describe(vtkCPDataDescription& description, int step, Mesh& mesh)
{
  description.AddInput("wing");
  description.SetTimeData(0.1 * step, step);
  description.GetInputDescriptionByName("wing")->SetGrid(mesh.grid());
}

int before(const char* script, const char* output, int steps, Mesh& mesh)
{
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  vtkMPICommunicatorOpaqueComm opaque(&comm);
  vtkNew<vtkCPProcessor> processor;
  processor->Initialize(opaque, output);
  processor->AddPipeline(vtkCPPythonPipeline::CreateAndInitializePipeline(script, 2));
  int failed = 0;
  for (int step = 0; step < steps; ++step)
  {
    mesh.advance(step);
    vtkNew<vtkCPDataDescription> description;
    describe(*description, step, mesh);
    if (processor->RequestDataDescription(description) != 0)
    {
      failed += processor->CoProcess(description) != 0 ? 0 : 1;
    }
  }
  processor->Finalize();
  return failed;
}

int now(const char* configuration, int steps, Mesh& mesh)
{
  rivulet_insitu* insitu = nullptr;
  int failed = rivulet_insitu_initialize(configuration, MPI_COMM_WORLD, &insitu) != RIVULET_OK ? 1 : 0;
  for (int step = 0; step < steps; ++step)
  {
    mesh.advance(step);
    if (rivulet_insitu_wants(insitu, step) != 0)
    {
      vtkNew<vtkCPDataDescription> description;
      describe(*description, step, mesh);
      failed += rivulet::insitu::coprocess(insitu, *description) != RIVULET_OK ? 1 : 0;
    }
  }
  return failed + (rivulet_insitu_finalize(&insitu) != RIVULET_OK ? 1 : 0);
}

} // namespace

int main(int argc, char** argv)
{
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Mesh mesh(rank);
  const bool old = argc == 5 && std::string(argv[1]) == "before";
  const int failed = old ? before(argv[2], argv[3], std::atoi(argv[4]), mesh) : now(argv[2], std::atoi(argv[3]), mesh);
  MPI_Finalize();
  return failed;
}
