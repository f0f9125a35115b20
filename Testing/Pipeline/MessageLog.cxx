// SPDX-License-Identifier: BSD-3-Clause
#include "MessageLog.h"

#include "vtkObjectFactory.h"

namespace
{

class RecordingWindow : public vtkOutputWindow
{
public:
  static RecordingWindow* New();
  vtkTypeMacro(RecordingWindow, vtkOutputWindow);

  void DisplayText(const char* text) override
  {
    const std::lock_guard lock(this->Mutex);
    this->Texts.emplace_back(text);
  }
  std::vector<std::string> GetTexts() const
  {
    const std::lock_guard lock(this->Mutex);
    return this->Texts;
  }

protected:
  RecordingWindow() = default;

private:
  mutable std::mutex Mutex;
  std::vector<std::string> Texts;
};

vtkStandardNewMacro(RecordingWindow);

} // namespace

namespace rivulet::test
{

MessageLog::MessageLog()
  : before_(vtkOutputWindow::GetInstance())
  , window_(vtkSmartPointer<RecordingWindow>::New())
{
  vtkOutputWindow::SetInstance(window_);
}

MessageLog::~MessageLog()
{
  vtkOutputWindow::SetInstance(before_);
}

std::vector<std::string> MessageLog::messages() const
{
  return static_cast<RecordingWindow*>(window_.Get())->GetTexts();
}

} // namespace rivulet::test
