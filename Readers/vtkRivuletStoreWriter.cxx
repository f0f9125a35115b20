// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStoreWriter.h"

#include "Pipeline/MpiLink.h"
#include "Readers/FieldSaver.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletStoreWriter);

vtkRivuletStoreWriter::vtkRivuletStoreWriter()
{
  this->SetWriteAllTimeSteps(true);
}

void vtkRivuletStoreWriter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Append: " << this->Append << "\n";
}

rivulet::SaveTarget vtkRivuletStoreWriter::GetTarget() const
{
  return { this->GetFileName(), this->Append ? rivulet::StoreStart::Append : rivulet::StoreStart::Replace,
    rivulet::mpi_link(rivulet::LinkUse::Writing) };
}
