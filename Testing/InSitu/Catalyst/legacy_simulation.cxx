// SPDX-License-Identifier: BSD-3-Clause
// A simulation on a mesh that moves, with an adaptor for legacy Catalyst, as it was and with helper cores:
//
//     legacy_simulation before SCRIPT OUTPUT STEPS [curvilinear]
//     legacy_simulation now CONFIGURATION STEPS [curvilinear]
//
// The mesh has tetrahedra, or is a curvilinear grid. Points and values change in place from step to step.
#include "Catalyst/rivulet_legacy_catalyst.h"
#include "vtkCPProcessor.h"
#include "vtkCPPythonPipeline.h"
#include "vtkDoubleArray.h"
#include "vtkMPI.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkSmartPointer.h"
#include "vtkStructuredGrid.h"
#include "vtkUnstructuredGrid.h"

#include <cmath>
#include <cstdlib>
#include <mpi.h>
#include <string>

namespace
{

constexpr int kPoints = 13; ///< along each axis

/// A block for each rank, side by side.
class Mesh
{
public:
  Mesh(int rank, bool curvilinear)
    : first_(rank * (kPoints - 1))
  {
    points_->SetNumberOfPoints(kPoints * kPoints * kPoints);
    values_->SetName("wave");
    values_->SetNumberOfValues(points_->GetNumberOfPoints());
    velocity_->SetName("velocity");
    velocity_->SetNumberOfComponents(3);
    velocity_->SetNumberOfTuples(points_->GetNumberOfPoints());
    curvilinear ? make_grid() : make_tetrahedra();
    grid_->SetPoints(points_);
    grid_->GetPointData()->AddArray(values_);
    grid_->GetPointData()->AddArray(velocity_);
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
          velocity_->SetTuple3(at(i, j, k), 12.0 + std::sin(0.3 * j), 6.0 * std::cos(0.2 * x + step), 3.0 - 0.5 * k);
        }
      }
    }
    points_->Modified();
    values_->Modified();
    velocity_->Modified();
    grid_->Modified();
  }
  [[nodiscard]] vtkPointSet* grid() { return grid_; }

private:
  void make_grid()
  {
    vtkNew<vtkStructuredGrid> grid;
    grid->SetExtent(first_, first_ + kPoints - 1, 0, kPoints - 1, 0, kPoints - 1);
    grid_ = grid;
  }

  void make_tetrahedra()
  {
    vtkNew<vtkUnstructuredGrid> grid;
    grid->Allocate(6 * (kPoints - 1) * (kPoints - 1) * (kPoints - 1));
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
            grid->InsertNextCell(VTK_TETRA, 4, cell);
          }
        }
      }
    }
    grid_ = grid;
  }

  static vtkIdType at(int i, int j, int k) { return (static_cast<vtkIdType>(k) * kPoints + j) * kPoints + i; }
  static vtkIdType corner(int i, int j, int k, int bits)
  {
    return at(i + (bits & 1), j + ((bits >> 1) & 1), k + ((bits >> 2) & 1));
  }

  int first_;
  vtkNew<vtkPoints> points_;
  vtkNew<vtkDoubleArray> values_;
  vtkNew<vtkDoubleArray> velocity_;
  vtkSmartPointer<vtkPointSet> grid_;
};

void describe(vtkCPDataDescription& description, int step, Mesh& mesh)
{
  description.AddInput("wing");
  description.SetTimeData(0.1 * step, step);
  vtkCPInputDataDescription& input = *description.GetInputDescriptionByName("wing");
  input.SetGrid(mesh.grid());
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  input.SetWholeExtent(0, ranks * (kPoints - 1), 0, kPoints - 1, 0, kPoints - 1); // of a curvilinear grid
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
  const bool old = argc > 1 && std::string(argv[1]) == "before";
  const int arguments = old ? 5 : 4;
  Mesh mesh(rank, argc > arguments && std::string(argv[arguments]) == "curvilinear");
  const int failed = old ? before(argv[2], argv[3], std::atoi(argv[4]), mesh) : now(argv[2], std::atoi(argv[3]), mesh);
  MPI_Finalize();
  return failed;
}
