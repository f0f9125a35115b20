// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/Command/VtkMessages.h"

#include "vtkLogger.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkOutputWindow.h"

#include <algorithm>
#include <utility>

namespace rivulet
{

namespace
{

// "ERROR: In ../IO/XML/vtkXMLReader.cxx, line 520\nvtkXMLImageDataReader (0x55d0): Cannot read.\n\n" in one line,
// without the place in VTK's sources and the object.
std::string sentence_of(const char* text)
{
  std::string words = text != nullptr ? text : "";
  const std::size_t line = words.find('\n');
  const std::size_t who = words.find("): ");
  const std::size_t begin = who != std::string::npos ? who + 3 : line != std::string::npos ? line + 1 : 0;
  words.erase(0, begin);
  std::replace(words.begin(), words.end(), '\n', ' ');
  words.erase(words.find_last_not_of(" .") + 1);
  return words;
}

class vtkRivuletMessages : public vtkOutputWindow
{
public:
  static vtkRivuletMessages* New();
  vtkTypeMacro(vtkRivuletMessages, vtkOutputWindow);

  void DisplayErrorText(const char* text) override
  {
    this->Said.error = this->Said.error.empty() ? sentence_of(text) : this->Said.error;
  }
  // The legacy readers call it a warning that values are missing, and go on.
  void DisplayWarningText(const char* text) override
  {
    const std::string words = sentence_of(text);
    if (words.rfind("Error", 0) == 0)
    {
      this->DisplayErrorText(text);
      return;
    }
    this->Said.warnings.push_back(words);
  }
  void DisplayGenericWarningText(const char* text) override { this->DisplayWarningText(text); }
  void DisplayDebugText(const char*) override {}
  void DisplayText(const char*) override {}

  VtkMessages Said;
};

vtkStandardNewMacro(vtkRivuletMessages);

} // namespace

void collect_vtk_messages()
{
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  vtkNew<vtkRivuletMessages> messages;
  vtkOutputWindow::SetInstance(messages);
}

VtkMessages take_vtk_messages()
{
  auto* messages = vtkRivuletMessages::SafeDownCast(vtkOutputWindow::GetInstance());
  return messages != nullptr ? std::exchange(messages->Said, {}) : VtkMessages{};
}

} // namespace rivulet
