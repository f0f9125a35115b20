// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletTracingFilter.h"

#include "Filters/Run/FilterRun.h"

void vtkRivuletTracingFilter::SetStepOptions(rivulet::TraceOptions& options) const
{
  options.integrator = static_cast<rivulet::Integrator>(this->IntegratorType);
  options.step_unit = static_cast<rivulet::StepUnit>(this->IntegrationStepUnit);
  options.initial_step = this->InitialIntegrationStep;
  options.minimum_step = this->MinimumIntegrationStep;
  options.maximum_step = this->MaximumIntegrationStep;
  options.maximum_error = this->MaximumError;
  options.maximum_steps = this->MaximumNumberOfSteps;
}

rivulet::FilterSettings vtkRivuletTracingFilter::GetFilterSettings()
{
  rivulet::FilterSettings settings = this->Superclass::GetFilterSettings();
  settings.maximum_seconds = this->MaximumSeconds;
  return settings;
}

void vtkRivuletTracingFilter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegratorType: " << this->IntegratorType << "\n"
     << indent << "IntegrationStepUnit: " << this->IntegrationStepUnit << "\n"
     << indent << "InitialIntegrationStep: " << this->InitialIntegrationStep << "\n"
     << indent << "MinimumIntegrationStep: " << this->MinimumIntegrationStep << "\n"
     << indent << "MaximumIntegrationStep: " << this->MaximumIntegrationStep << "\n"
     << indent << "MaximumError: " << this->MaximumError << "\n"
     << indent << "MaximumNumberOfSteps: " << this->MaximumNumberOfSteps << "\n"
     << indent << "MaximumSeconds: " << this->MaximumSeconds << "\n";
}
