// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStreakSurface.h"

#include "Filters/Work/StreakSurfaceWork.h"
#include "vtkMath.h"
#include "vtkObjectFactory.h"

#include <algorithm>

vtkStandardNewMacro(vtkRivuletStreakSurface);

using namespace rivulet;

vtkRivuletStreakSurface::vtkRivuletStreakSurface() = default;

vtkRivuletStreakSurface::~vtkRivuletStreakSurface() = default;

StreakSurfaceSettings vtkRivuletStreakSurface::GetSettings() const
{
  static constexpr double kNoFolds = 4.0; // radians, above the largest angle between two normals
  StreakSurfaceSettings settings;
  settings.kind = static_cast<StreakSurfaceSettings::Kind>(this->SurfaceType);
  settings.release_start = this->ReleaseStart;
  settings.release_interval = this->ReleaseInterval;
  settings.stream_time = this->StreamTime;
  settings.stream_rows = this->StreamRows;
  settings.dense_level = this->DenseLevel;
  SurfaceCriteria& criteria = settings.criteria;
  criteria.adaptive = this->Sampling == ADAPTIVE;
  criteria.largest_edge = this->LargestEdge;
  criteria.largest_angle = this->LargestAngle >= 180.0 ? kNoFolds : vtkMath::RadiansFromDegrees(this->LargestAngle);
  criteria.most_levels = this->MaximumLevel;
  criteria.boundary_levels = std::min(this->BoundaryLevel, this->MaximumLevel);
  criteria.tear_length = this->TearLength;
  criteria.most_vertices = this->MaximumVertices;
  this->SetStepOptions(settings.options);
  settings.options.maximum_time = this->MaximumTime;
  return settings;
}

std::unique_ptr<UnsteadyWork> vtkRivuletStreakSurface::MakeWork()
{
  return std::make_unique<StreakSurfaceWork>(*this, [this] { return this->GetSettings(); });
}

void vtkRivuletStreakSurface::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SurfaceType: " << this->SurfaceType << "\n"
     << indent << "StreamTime: " << this->StreamTime << "\n"
     << indent << "StreamRows: " << this->StreamRows << "\n"
     << indent << "Sampling: " << this->Sampling << "\n"
     << indent << "DenseLevel: " << this->DenseLevel << "\n"
     << indent << "LargestEdge: " << this->LargestEdge << "\n"
     << indent << "LargestAngle: " << this->LargestAngle << "\n"
     << indent << "MaximumLevel: " << this->MaximumLevel << "\n"
     << indent << "BoundaryLevel: " << this->BoundaryLevel << "\n"
     << indent << "TearLength: " << this->TearLength << "\n"
     << indent << "MaximumVertices: " << this->MaximumVertices << "\n";
}
