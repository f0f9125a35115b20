// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Catches what VTK would print, as long as it lives.
#pragma once

#include "vtkOutputWindow.h"
#include "vtkSmartPointer.h"

#include <mutex>
#include <string>
#include <vector>

namespace rivulet::test
{

class MessageLog
{
public:
  MessageLog();
  MessageLog(const MessageLog&) = delete;
  MessageLog& operator=(const MessageLog&) = delete;
  ~MessageLog();

  /// Errors and warnings since this was made, oldest first.
  [[nodiscard]] std::vector<std::string> messages() const;

private:
  vtkSmartPointer<vtkOutputWindow> before_;
  vtkSmartPointer<vtkOutputWindow> window_;
};

} // namespace rivulet::test
