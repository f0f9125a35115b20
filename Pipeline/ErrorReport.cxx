// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/ErrorReport.h"

#include "vtkObject.h"
#include "vtkOutputWindow.h"

namespace rivulet
{

int report_error(vtkObject* who, const Error& error)
{
  if (who == nullptr)
  {
    vtkOutputWindowDisplayErrorText((error.describe() + "\n").c_str());
    return 0;
  }
  vtkErrorWithObjectMacro(who, << error.describe());
  return 0;
}

void report_warning(vtkObject* who, const Error& error)
{
  vtkWarningWithObjectMacro(who, << error.describe());
}

} // namespace rivulet
